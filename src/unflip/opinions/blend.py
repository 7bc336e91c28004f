"""The blend of several opinions: their mixture under which the observed labels are likeliest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, count
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from unflip.foundation.progress import reporting
from unflip.opinions.contract import MIN_PROBABILITY, Opinion, bounded_probabilities
from unflip.opinions.kernel import KernelOpinion
from unflip.opinions.linear import LinearOpinion
from unflip.opinions.neighbors import LearnedNeighbors, RawNeighbors
from unflip.opinions.rowwise import Probabilities, RowwiseProbabilities, is_kept, own_probabilities
from unflip.opinions.sampled import Sampled, inner_opinion, learned_rows
from unflip.opinions.trees import TreesOpinion

ROUNDS = 300
PRIOR_ROWS = 1.0  # by which each opinion is credited beforehand
MIN_WEIGHT = 0.005  # an opinion that weighs less is dropped
MIN_WEIGHT_BY_SAMPLE = 0.02  # the same where opinions would have to be asked about all rows outside of a sample


def default_opinions(
    *, metric: Any = "euclidean", algorithm: Any = "auto", executor: Any = None, n_neighbors: int | str = "auto",
    seed: int = 0, n_jobs: int | None = None, owner: object = None,
) -> list[Opinion]:  # fmt: skip
    """Return the opinions that are blended unless others are given, unfitted.

    The neighbors see every row; the others learn from a sample where rows are many.
    """
    learning: list[Opinion] = [
        LearnedNeighbors(n_neighbors, seed=seed, n_jobs=n_jobs, owner=owner),
        TreesOpinion(seed=seed, n_jobs=n_jobs),
        LinearOpinion(seed=seed, n_jobs=n_jobs),
        KernelOpinion(seed=seed, n_jobs=n_jobs),
    ]
    raw = RawNeighbors(n_neighbors, metric=metric, algorithm=algorithm, executor=executor, n_jobs=n_jobs, owner=owner)
    return [raw, *(Sampled(opinion, seed=seed) for opinion in learning)]


class Blend(BaseEstimator):
    """Several opinions mixed, each with the weight under which all together make the observed labels likeliest.

    Parameters
    ----------
    opinions : sequence of Opinion or None, default=None
        What to blend; None means ``default_opinions()``.

    Attributes
    ----------
    probabilities_ : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        P(observed label | x), out of sample; an array where rows x classes are few enough to be kept.
    weights_ : dict
        {name of the opinion: its weight}, summing to 1.
    n_learned_from_ : dict
        {name of the opinion: how many rows it learned from}; 0 if it was left out because classes are too many.
    opinions_ : list of Opinion
        Fitted.

    Notes
    -----
    Flips act linearly on P(observed | x), and so does a mixture: what holds of each opinion holds of the blend.

    Where opinions learned from a sample, they are weighed by the rows of that sample, and those that weigh nothing are
    not asked about the others.
    """

    name = "blend"

    def __init__(self, opinions: Sequence[Opinion] | None = None):
        self.opinions = opinions

    def fit(
        self, X: Any, labels: np.ndarray, n_classes: int, progress: Callable[..., None] = lambda name, share=None: None
    ) -> Blend:
        """Learn from rows and class numbers.

        progress is called with the name of each opinion as it begins, and again with the share of it that is done.
        """
        self.opinions_ = list(default_opinions() if self.opinions is None else self.opinions)
        names = _names(self.opinions_)
        for opinion, name in zip(self.opinions_, names, strict=True):
            progress(name)
            with reporting(partial(progress, name)):
                opinion.fit(X, labels, n_classes)
        n_learned_from = [int(getattr(opinion, "n_learned_from_", len(labels))) for opinion in self.opinions_]
        self.n_learned_from_ = dict(zip(names, n_learned_from, strict=True))
        self._mixture = _weights(self.opinions_, np.array(n_learned_from) > 0, labels)
        self.weights_ = dict(zip(names, self._mixture.tolist(), strict=True))
        self.probabilities_: Probabilities = self._of_all_rows(len(labels), n_classes)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        return self._mixed(lambda opinion: opinion.predict(X))

    def _of_all_rows(self, n_rows: int, n_classes: int) -> Probabilities:
        """Return the mixture for the fitted rows: an array, unless it would be too large."""
        heard = [opinion for opinion, weight in zip(self.opinions_, self._mixture, strict=True) if weight > 0]
        if not any(isinstance(opinion.probabilities_, RowwiseProbabilities) for opinion in heard):
            return self._mixed(lambda opinion: opinion.probabilities_)
        rowwise = RowwiseProbabilities((n_rows, n_classes), self._of_rows)
        return rowwise.to_array() if is_kept(n_rows, n_classes) else rowwise

    def _of_rows(self, rows: np.ndarray) -> np.ndarray:
        return self._mixed(lambda opinion: opinion.probabilities_[rows])

    def _mixed(self, said_by: Callable[[Opinion], Any]) -> np.ndarray:
        total: Any = 0.0
        for opinion, weight in zip(self.opinions_, self._mixture, strict=True):
            if weight > 0:
                total = total + weight * said_by(opinion)
        return bounded_probabilities(total)


def mixture_weights(own: np.ndarray) -> np.ndarray:
    """Return the weights of several opinions under which the observed labels are likeliest (EM for a mixture).

    Parameters
    ----------
    own : ndarray of shape (n_rows, n_opinions)
        The probability of each row's observed label, by each opinion.

    Examples
    --------
    >>> mixture_weights(np.array([[0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])).round(2)
    array([0.6, 0.4])
    """
    n_rows, n_opinions = own.shape
    own = np.maximum(own, MIN_PROBABILITY)
    weights = np.full(n_opinions, 1 / n_opinions)
    for _ in range(ROUNDS):
        credit = own * weights
        earned = (credit / credit.sum(axis=1, keepdims=True)).sum(axis=0)
        weights = (earned + PRIOR_ROWS) / (n_rows + PRIOR_ROWS * n_opinions)
    return weights


def _weights(opinions: Sequence[Opinion], heard: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weigh fitted opinions by the rows that the one with the smallest sample learned from; 0 for those not heard."""
    asked = [opinion for opinion, is_heard in zip(opinions, heard, strict=True) if is_heard]
    if len(asked) == 1:
        return heard.astype(float)
    samples = [rows for opinion in asked if (rows := learned_rows(opinion)) is not None]
    if samples:
        rows = min(samples, key=len)
        own = [own_probabilities(opinion.probabilities_[rows], labels[rows]) for opinion in asked]
    else:
        own = [own_probabilities(opinion.probabilities_, labels) for opinion in asked]
    weights = np.zeros(len(opinions))
    weights[heard] = _without_small(
        mixture_weights(np.column_stack(own)), MIN_WEIGHT_BY_SAMPLE if samples else MIN_WEIGHT
    )
    return weights


def _without_small(weights: np.ndarray, least: float) -> np.ndarray:
    kept = np.where(weights >= least, weights, 0.0)
    return kept / kept.sum()


def _names(opinions: Sequence[Opinion]) -> list[str]:
    """Return the opinions' names, numbered where one occurs twice."""
    names: list[str] = []
    for opinion in opinions:
        named = inner_opinion(opinion)
        name = getattr(named, "name", None) or type(getattr(named, "estimator", named)).__name__
        numbered = (f"{name} ({number})" for number in count(2))
        names.append(next(each for each in chain([name], numbered) if each not in names))
    return names
