"""What the estimators share: labels among a row and its neighbors, and the way from flip rates to a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unflip.neighbors import NeighborGraph
from unflip.voting.votes import prefix_votes, vote_totals, with_own_label

ROUNDING = 1e-9  # by which weights that were scaled may miss a whole number of rows


class Neighborhoods(NamedTuple):
    """How often each class occurs around each row, and for how many rows each counts."""

    counts: np.ndarray  # (n_rows, n_classes)
    weights: np.ndarray  # (n_rows,)

    @property
    def shares(self) -> np.ndarray:
        """The counts as shares of their sums."""
        return self.counts / vote_totals(self.counts)[:, None]

    @property
    def size(self) -> int:
        """How many labels a neighborhood has: nearly all have the same number."""
        return round(float(np.median(vote_totals(self.counts))))

    def histogram(self, which: int, among: Any = slice(None)) -> np.ndarray:
        """Count the neighborhoods, or some of them, by how many labels of one class they have."""
        counts = np.clip(np.round(self.counts[among, which]).astype(int), 0, self.size)
        return np.bincount(counts, self.weights[among], minlength=self.size + 1)

    def quantile(self, values: np.ndarray, level: float) -> float:
        """Return a quantile of one value per row: always one of the values, so that a weight of 2 is two rows."""
        return np.quantile(values, level, method="inverted_cdf", weights=self.weights)


def neighborhoods(graph: NeighborGraph, labels: np.ndarray, n_neighbors: int, *, own: bool = True) -> Neighborhoods:
    """Count the labels of each row's neighbors and, with own, its own.

    Neighborhoods take at most a quarter of the rows, so that they still differ from each other.
    """
    weights = np.ones(len(graph)) if graph.own_mass is None else graph.own_mass
    k = min(n_neighbors, max(1, int(weights.sum() + ROUNDING) // 4))
    votes = prefix_votes(graph, labels, int(labels.max()) + 1, [k])
    return Neighborhoods((with_own_label(votes, labels, graph.own_mass) if own else votes)[:, 0], weights)


def matrix_from_rates(rates: Sequence[float] | np.ndarray, around: Neighborhoods, purest: float = 0.05) -> np.ndarray:
    """Return T with the given flip rates; where flips go is read off the neighborhoods in which a class is purest."""
    n_classes = around.counts.shape[1]
    if n_classes == 2:
        tau_minus, tau_plus = rates
        return np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    shares = around.shares
    matrix = np.diag(1 - np.asarray(rates, dtype=float))
    for c in range(n_classes):
        top = shares[:, c] >= around.quantile(shares[:, c], 1 - purest)
        others = np.average(shares[top], axis=0, weights=around.weights[top])
        others[c] = 0
        total = others.sum()
        others = others / total if total > 0 else (np.arange(n_classes) != c) / (n_classes - 1)
        matrix[c] += rates[c] * others
    return matrix
