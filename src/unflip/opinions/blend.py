"""The blend of several opinions: their mixture under which the observed labels are likeliest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from unflip.opinions.contract import MIN_PROBABILITY, Opinion, bounded_probabilities
from unflip.opinions.kernel import KernelOpinion
from unflip.opinions.linear import LinearOpinion
from unflip.opinions.neighbors import LearnedNeighbors, RawNeighbors
from unflip.opinions.trees import TreesOpinion

ROUNDS = 300
PRIOR_ROWS = 1.0  # by which each opinion is credited beforehand
MIN_WEIGHT = 0.005  # an opinion that weighs less is dropped


def default_opinions(
    *, metric: Any = "euclidean", n_neighbors: int | str = "auto", seed: int = 0, n_jobs: int | None = None,
    owner: object = None,
) -> list[Opinion]:  # fmt: skip
    """Return the opinions that are blended unless others are given, unfitted."""
    return [
        RawNeighbors(n_neighbors, metric=metric, n_jobs=n_jobs, owner=owner),
        LearnedNeighbors(n_neighbors, seed=seed, n_jobs=n_jobs, owner=owner),
        TreesOpinion(seed=seed, n_jobs=n_jobs),
        LinearOpinion(seed=seed, n_jobs=n_jobs),
        KernelOpinion(seed=seed, n_jobs=n_jobs),
    ]


class Blend(BaseEstimator):
    """Several opinions mixed, each with the weight under which all together make the observed labels likeliest.

    Parameters
    ----------
    opinions : sequence of Opinion or None, default=None
        What to blend; None means ``default_opinions()``.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_rows, n_classes)
        P(observed label | x), out of sample.
    weights_ : dict
        {name of the opinion: its weight}, summing to 1.
    opinions_ : list of Opinion
        Fitted.

    Notes
    -----
    Flips act linearly on P(observed | x), and so does a mixture: what holds of each opinion holds of the blend.
    """

    name = "blend"

    def __init__(self, opinions: Sequence[Opinion] | None = None):
        self.opinions = opinions

    def fit(
        self, X: Any, labels: np.ndarray, n_classes: int, progress: Callable[[str], None] = lambda name: None
    ) -> Blend:
        """Learn from rows and class numbers; progress is called with the name of each opinion as it begins."""
        self.opinions_ = list(default_opinions() if self.opinions is None else self.opinions)
        names = _names(self.opinions_)
        for opinion, name in zip(self.opinions_, names, strict=True):
            progress(name)
            opinion.fit(X, labels, n_classes)
        own = np.column_stack([each.probabilities_[np.arange(len(labels)), labels] for each in self.opinions_])
        self._mixture = _without_small(mixture_weights(own))
        self.weights_ = dict(zip(names, self._mixture.tolist(), strict=True))
        self.probabilities_ = self._mixed(lambda opinion: opinion.probabilities_)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        return self._mixed(lambda opinion: opinion.predict(X))

    def _mixed(self, said_by: Callable[[Opinion], np.ndarray]) -> np.ndarray:
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


def _without_small(weights: np.ndarray) -> np.ndarray:
    kept = np.where(weights >= MIN_WEIGHT, weights, 0.0)
    return kept / kept.sum()


def _names(opinions: Sequence[Opinion]) -> list[str]:
    """Return the opinions' names, numbered where one occurs twice."""
    names: list[str] = []
    for opinion in opinions:
        name = getattr(opinion, "name", None) or type(getattr(opinion, "estimator", opinion)).__name__
        numbered = (f"{name} ({number})" for number in count(2))
        names.append(next(each for each in chain([name], numbered) if each not in names))
    return names
