"""Noise rates from the extremes, with the bias of a minimum of many taken out."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods

MOST_NOISE = 0.98


class DebiasedExtremes(BaseEstimator):
    """The rate at which the smallest of many binomial counts would be, half of the time, as small as the one seen.

    Of n rows with neighborhoods of m labels about n / m are independent. If a class has a pure region, the number of
    other labels in its purest neighborhood is the minimum of that many binomial counts, whose median is inverted.

    Parameters
    ----------
    n_neighbors : int, default=50
        How many neighbors make a neighborhood, besides the row itself.
    """

    def __init__(self, n_neighbors: int = 50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors)
        n_independent = max(around.weights.sum() / around.size, 1.0)
        fewest = np.maximum(around.size - np.round(around.counts).max(axis=0), 0)
        rates = np.array([unbiased_rate(int(count), around.size, n_independent) for count in fewest])
        if len(rates) == 2:  # a little must be left to learn from
            rates *= min(1, MOST_NOISE / rates.sum())
        return matrix_from_rates(rates, around)


def unbiased_rate(count: int, size: int, n_independent: float) -> float:
    """Return p such that the median of the minimum of that many Binomial(size, p) is the count.

    P(minimum <= c) = 1/2 means F(c; size, p) = 1 - 2**(-1 / n), a quantile of a beta distribution; counts being whole
    numbers, the results for c and c - 1 are averaged.

    >>> round(unbiased_rate(10, 50, 1.0), 3)  # the median of a single count
    0.202
    """
    level = 2 ** (-1 / n_independent)
    upper = beta.ppf(level, count + 1, size - count) if count < size else 1.0
    lower = beta.ppf(level, count, size - count + 1) if count > 0 else 0.0
    return float((upper + lower) / 2)
