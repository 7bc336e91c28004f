"""Noise rates from nearly extreme shares: the quantile instead of the minimum (after Menon et al., 2015)."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods


class Quantile(BaseEstimator):
    """One minus an upper quantile of each class's share: less noisy than the extreme, too high where classes overlap.

    Parameters
    ----------
    n_neighbors : int, default=50
        How many neighbors make a neighborhood, besides the row itself.
    level : float, default=0.05
        The share of rows that are purer.
    """

    def __init__(self, n_neighbors: int = 50, level: float = 0.05):
        self.n_neighbors = n_neighbors
        self.level = level

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors)
        rates = [1 - around.quantile(shares, 1 - self.level) for shares in around.shares.T]
        return matrix_from_rates(rates, around, self.level)
