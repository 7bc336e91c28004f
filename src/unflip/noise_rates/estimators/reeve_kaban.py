"""Noise rates after Reeve and Kaban: extremes, over points and numbers of neighbors, of a confidence bound."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods
from unflip.voting.votes import prefix_votes, vote_totals, with_own_label

SIZES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)  # of neighborhoods, as parts of the largest


class ReeveKaban(BaseEstimator):
    """One minus the largest lower bound of each class's share, over all rows and several sizes of neighborhood.

    A large neighborhood has a narrow bound and a small one is purer; the maximum over both needs no choice of k. The
    bound is Hoeffding's, for all rows and sizes at once. It leans to rates that are too high, by the bound's width: of
    few rows, far too high.

    Parameters
    ----------
    n_neighbors : int, default=200
        How many neighbors make the largest neighborhood, besides the row itself.
    level : float, default=0.1
        How likely the bound may fail anywhere.

    References
    ----------
    .. [1] H. W. J. Reeve and A. Kaban, "Fast Rates for a kNN Classifier Robust to Unknown Asymmetric Label Noise",
       ICML 2019.
    """

    def __init__(self, n_neighbors: int = 200, level: float = 0.1):
        self.n_neighbors = n_neighbors
        self.level = level

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors)
        n_classes = around.counts.shape[1]
        if n_classes == 1:
            return np.eye(1)
        sizes = sorted({max(1, round(part * (around.size - 1))) for part in SIZES})
        votes = with_own_label(prefix_votes(graph, labels, n_classes, sizes), labels, graph.own_mass)
        totals = vote_totals(votes)
        n_bounds = around.weights.sum() * len(sizes) * n_classes
        reach = np.sqrt(np.log(n_bounds / self.level) / (2 * totals))
        highest = (votes / totals[..., None] - reach[..., None]).max(axis=(0, 1))
        # Nothing is learned of a class whose bound is below chance.
        rates = np.clip(1 - highest, 0, 1 - 1 / n_classes)
        return matrix_from_rates(rates, around)
