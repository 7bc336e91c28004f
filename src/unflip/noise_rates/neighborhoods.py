"""What the estimators share: labels among a row and its neighbors, and the way from flip rates to a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unflip.neighbors import NeighborGraph
from unflip.voting.votes import prefix_votes, vote_totals, with_own_label

ROUNDING = 1e-9  # by which weights that were scaled may miss a whole number of rows


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """How often each class occurs around each row, and for how many rows each counts.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, n_classes)
        Of labels.
    weights : ndarray of shape (n_rows,)
        Of rows.
    """

    counts: np.ndarray
    weights: np.ndarray

    @cached_property
    def totals(self) -> np.ndarray:
        """How many labels each neighborhood has."""
        return vote_totals(self.counts)

    @cached_property
    def most(self) -> np.ndarray:
        """How often the most common class of each neighborhood occurs."""
        return self.counts.max(axis=1)

    @property
    def shares(self) -> np.ndarray:
        """The counts as shares of their sums."""
        return self.counts / self.totals[:, None]

    @cached_property
    def by_class(self) -> np.ndarray:
        """The counts of each class side by side, (n_classes, n_rows)."""
        return np.ascontiguousarray(self.counts.T)

    def shares_of(self, which: int) -> np.ndarray:
        """Return the shares of one class, to the last bit those of `shares`.

        They are a column of two, because BLAS sums products with a column in another order than with a plain vector.
        """
        column = np.empty((len(self.totals), 2))[:, 0]
        return np.divide(self.by_class[which], self.totals, out=column)

    @cached_property
    def size(self) -> int:
        """How many labels a neighborhood has: nearly all have the same number."""
        return round(float(np.median(self.totals)))

    def histogram(self, which: int, among: Any = slice(None)) -> np.ndarray:
        """Count the neighborhoods, or some of them, by how many labels of one class they have."""
        counts = np.clip(np.round(self.by_class[which][among]).astype(int), 0, self.size)
        return np.bincount(counts, self.weights[among], minlength=self.size + 1)

    def quantile(self, values: np.ndarray, level: float) -> float:
        """Return a quantile of one value per row: always one of the values, so that a weight of 2 is two rows."""
        if self.weighted:
            return np.quantile(values, level, method="inverted_cdf", weights=self.weights)
        # The same value without sorting: counts are small whole numbers.
        place = min(int(np.searchsorted(np.cumsum(self.weights) / len(values), level)), len(values) - 1)
        if values.dtype.kind == "i":
            return int(np.searchsorted(np.cumsum(np.bincount(values)), place, side="right"))
        return np.partition(values, place)[place]

    @cached_property
    def weighted(self) -> bool:
        """Whether any row counts for more or less than one."""
        return bool((self.weights != 1).any())

    def average(self, among: np.ndarray) -> np.ndarray:
        """Return the average shares of all classes in some neighborhoods (a mask)."""
        return self._average_of_all if among.all() else self._averaged(among)

    @cached_property
    def _average_of_all(self) -> np.ndarray:
        return self._averaged(np.ones(len(self.counts), bool))

    def _averaged(self, among: np.ndarray) -> np.ndarray:
        return np.average(self.counts[among] / self.totals[among, None], axis=0, weights=self.weights[among])


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
    if n_classes == 1:
        return np.eye(1)
    if n_classes == 2:
        tau_minus, tau_plus = rates
        return np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    matrix = np.diag(1 - np.asarray(rates, dtype=float))
    for c in range(n_classes):
        # Of equally many labels, shares are ordered as counts are, which are ordered faster.
        shares = around.by_class[c] if np.ptp(around.totals) == 0 else around.shares_of(c)
        top = shares >= around.quantile(shares, 1 - purest)
        others = around.average(top).copy()
        others[c] = 0
        total = others.sum()
        others = others / total if total > 0 else (np.arange(n_classes) != c) / (n_classes - 1)
        matrix[c] += rates[c] * others
    return matrix
