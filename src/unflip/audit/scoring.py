"""From checked inputs to findings: opinions of the observed labels, the noise in them, and a score of every label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from unflip.audit.findings import Findings, worst
from unflip.audit.inputs import Inputs
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.given import given_rates
from unflip.noise_rates.judged import judged_rates
from unflip.noise_rates.judgement import Judgement, judge
from unflip.noise_rates.known_noise import KnownNoise
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.noise_rates.result import NoiseRates
from unflip.opinions import Blend, GivenProbabilities
from unflip.opinions.choosing import choose_opinions, importances_in, neighbors_in
from unflip.opinions.rowwise import Probabilities, leading


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of an audit, as LabelAudit's parameters have it, checked.

    Parameters
    ----------
    model : "auto", None or classifier
        Whose opinion counts.
    metric, algorithm, executor, n_neighbors : object
        Of the neighbors.
    noise : NoiseModel or None
        The transition matrix, if it is known.
    prior : NoisePrior or None
        What is believed of it beforehand, if not; None means the default.
    top : int or None
        How many labels to flag; None flags those that are more likely wrong than right.
    confidence : float
        Of the intervals.
    seed : int
        Of the models.
    n_jobs : int or None
        Threads.
    owner : str
        Whom error messages name.
    """

    model: Any = "auto"
    metric: Any = "euclidean"
    algorithm: Any = "auto"
    executor: Any = None
    n_neighbors: int | str = "auto"
    noise: NoiseModel | None = None
    prior: NoisePrior | None = None
    top: int | None = None
    confidence: float = 0.9
    seed: int = 0
    n_jobs: int | None = None
    owner: str = "LabelAudit"


def find(inputs: Inputs, question: Question, progress: Callable[..., None] = lambda name, share=None: None) -> Findings:
    """Score every label.

    Parameters
    ----------
    inputs : Inputs
        Rows, labels and a model's probabilities, checked.
    question : Question
        What is asked.
    progress : callable, default=lambda name, share=None: None
        Called with the name of each opinion as it begins, and again with the share of its work that is done.

    Returns
    -------
    findings : Findings
        What explanations, documents and files are made of.
    """
    blend = _blend(inputs, question).fit(inputs.matrix, inputs.labels, len(inputs.classes), progress)
    judgement, rates = _judged(inputs, blend.probabilities_, question)
    p_wrong, p_better_changed = judgement.wrong_and_better_changed(blend.probabilities_, inputs.labels)
    neighbors = neighbors_in(blend)
    return Findings(
        inputs=inputs,
        rates=rates,
        p_wrong=p_wrong,
        p_better_changed=p_better_changed,
        alternative=likeliest_other(blend.probabilities_, inputs.labels),
        flagged=p_wrong > 0.5 if question.top is None else worst(p_wrong, question.top),
        graph=None if neighbors is None else neighbors.graph_,
        n_neighbors=0 if neighbors is None else neighbors.n_neighbors_,
        weights=blend.weights_,
        importances=importances_in(blend),
        top=question.top,
        n_learned_from=blend.n_learned_from_,
    )


def _blend(inputs: Inputs, question: Question) -> Blend:
    opinions = []
    if inputs.matrix is not None:
        opinions = choose_opinions(
            question.model,
            metric=question.metric,
            algorithm=question.algorithm,
            executor=question.executor,
            n_neighbors=question.n_neighbors,
            seed=question.seed,
            n_jobs=question.n_jobs,
            owner=question.owner,
        )
    if inputs.pred_probs is not None:
        opinions.append(GivenProbabilities(inputs.pred_probs))
    return Blend(opinions)


def _judged(inputs: Inputs, probabilities: Probabilities, question: Question) -> tuple[Judgement, NoiseRates]:
    if question.noise is not None:
        rates = given_rates(question.noise, inputs.labels, question.confidence)
        return KnownNoise(question.noise.transition_matrix), rates
    judgement = judge(probabilities, inputs.labels, question.prior)
    return judgement, judged_rates(judgement, probabilities, inputs.classes, inputs.labels, question.confidence)


def likeliest_other(probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
    """Return the class other than the given one that is most likely observed.

    Not the likeliest true one: undoing noise can make much of a label that hardly any neighbor has.

    >>> likeliest_other(np.array([[0.6, 0.1, 0.3]]), np.array([0]))
    array([2])
    """
    first, second, _ = leading(probabilities)
    return np.where(first == labels, second, first)
