"""How observed labels respond to an opinion: rows in bins, the shapes of a response, and how likely each is.

The model is that of `class_posterior`: P(observed = positive | s) rises from one floor to the other as a logistic
function of logit s. Here it is compared with the labels, on a grid of floors and shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from unflip.noise_rates.noise_prior import RATES

MIN_SHARE = 1e-4
N_BINS = 80  # of rows with nearly the same s
SLOPES = np.geomspace(0.5, 8, 11)
MIN_SIGNAL = 0.04  # of 1 - floor_minus - floor_plus
EXPLAINED_A, EXPLAINED_B = 2.0, 0.3  # shape of the prior of R^2
MAX_EXPLAINED = 0.95  # R^2: more is as likely as this
GROUPS_AT_ONCE = 32


def bounded_logit(shares: np.ndarray) -> np.ndarray:
    """Return the logit of shares, which is kept finite."""
    return logit(np.clip(shares, MIN_SHARE, 1 - MIN_SHARE))


@dataclass(frozen=True, eq=False)
class Bins:
    """Rows of nearly the same s: where they lie, and how many of their labels are positive and negative."""

    places: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    centers: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray, positive: np.ndarray) -> Bins:
        """Put rows into bins by their places, logit s."""
        order = np.lexsort((positive, places))  # the order of the rows does not matter
        starts = _starts(len(places))
        sizes = np.diff(starts)
        sums = np.add.reduceat(places[order], starts[:-1])
        n_positive = np.add.reduceat(positive[order].astype(float), starts[:-1])
        return cls(sums / sizes, n_positive, sizes - n_positive, _centers(places))


@dataclass(frozen=True, eq=False)
class GroupedBins:
    """The same bins for several groups of rows: positive and negative have shape (n_groups, n_bins)."""

    places: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    centers: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray, positive: np.ndarray, group: np.ndarray, n_groups: int) -> GroupedBins:
        """Put rows into the bins of all of them by their places, logit s, and count them by group."""
        order = np.lexsort((group, positive, places))
        starts = _starts(len(places))
        sizes = np.diff(starts)
        cells = group[order] * len(sizes) + np.repeat(np.arange(len(sizes)), sizes)
        n_positive, n_negative = (
            np.bincount(cells[chosen], minlength=n_groups * len(sizes)).reshape(n_groups, -1).astype(float)
            for chosen in (positive[order], ~positive[order])
        )
        sums = np.add.reduceat(places[order], starts[:-1])
        return cls(sums / sizes, n_positive, n_negative, _centers(places))


def _starts(n_rows: int) -> np.ndarray:
    """Return where bins of sorted rows begin, and where the last ends."""
    return np.unique(np.linspace(0, n_rows, min(N_BINS, n_rows) + 1).astype(int))


def _centers(places: np.ndarray) -> np.ndarray:
    """Return where a response may rise."""
    low, high, width = places.min(), places.max(), max(float(places.std()), 0.1)
    within = np.quantile(places, np.linspace(0.02, 0.98, 12))
    between = np.linspace(low, high, 13)[1:-1]  # rows may form two clusters: the center is in the gap
    outside = width * np.array([1.5, 0.5])
    return np.sort(np.concatenate([low - outside, within, between, high + outside[::-1]]))


@dataclass(frozen=True, eq=False)
class Shapes:
    """How s responds between the floors: every pair of a slope and a center."""

    slopes: np.ndarray
    centers: np.ndarray

    @classmethod
    def of(cls, centers: np.ndarray) -> Shapes:
        """Combine these centers with all SLOPES."""
        slopes, centers = np.meshgrid(SLOPES, centers, indexing="ij")
        return cls(slopes.ravel(), centers.ravel())

    def response(self, places: np.ndarray) -> np.ndarray:
        """Return how far each has risen at some places, (n_shapes, n_places)."""
        return expit(self.slopes[:, None] * (places - self.centers[:, None]))


def evidence_of(bins: Bins, shapes: Shapes) -> np.ndarray:
    """Return the log-likelihood of the labels and the log-prior of the shapes, (n_rates, n_rates, n_shapes)."""
    response = shapes.response(bins.places)
    evidence = np.full((len(RATES), len(RATES), len(shapes.slopes)), -np.inf)
    for i, j, chances in _chances(response):
        evidence[i, j] = np.log(chances) @ bins.positive + np.log1p(-chances) @ bins.negative
    sizes = bins.positive + bins.negative
    mean = response @ sizes / sizes.sum()
    evidence += _log_prior(mean, (response - mean[:, None]) ** 2 @ sizes / sizes.sum())
    return evidence - evidence.max()


def _chances(response: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield each pair of floors, as numbers of RATES, and P(observed = positive) in every bin, for every shape."""
    for i, minus in enumerate(RATES):
        for j, plus in enumerate(RATES):
            signal = 1 - minus - plus
            if signal >= MIN_SIGNAL:
                yield i, j, np.clip(minus + signal * response, MIN_SHARE, 1 - MIN_SHARE)


def _log_prior(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the log-prior of shapes: a beta distribution of how much of the clean label they explain (R^2).

    Columns that explain nothing are unlikely, those that explain everything are not. Without that, labels of any noise
    would look like clean ones of classes that overlap everywhere.
    """
    explained = np.clip(variance / np.maximum(mean * (1 - mean), 1e-9), 1e-3, MAX_EXPLAINED)
    return EXPLAINED_A * np.log(explained) + EXPLAINED_B * np.log1p(-explained)


def grouped_evidence(bins: GroupedBins, shapes: Shapes) -> Iterator[np.ndarray]:
    """Yield what ``evidence_of`` returns for each group of rows, one after the other."""
    response = shapes.response(bins.places)
    for start in range(0, len(bins.positive), GROUPS_AT_ONCE):
        some = slice(start, start + GROUPS_AT_ONCE)
        positive, negative = bins.positive[some], bins.negative[some]
        evidence = np.full((len(positive), len(RATES), len(RATES), len(shapes.slopes)), -np.inf)
        for i, j, chances in _chances(response):
            evidence[:, i, j] = positive @ np.log(chances).T + negative @ np.log1p(-chances).T
        evidence += _grouped_log_prior(response, positive + negative)[:, None, None]
        for of_group in evidence:
            yield of_group - of_group.max()


def _grouped_log_prior(response: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the log-prior of shapes for each group, (n_groups, n_shapes)."""
    shares = sizes / sizes.sum(axis=1, keepdims=True)
    mean = shares @ response.T
    return _log_prior(mean, shares @ (response**2).T - mean**2)
