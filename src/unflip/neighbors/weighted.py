"""Rows that count for more or less than one: a row of weight w stands for w copies of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unflip.neighbors.graph import NOBODY, NeighborGraph
from unflip.neighbors.index import NeighborIndex


class WeightedIndex:
    """An index whose rows have weights; k neighbors are as many as it takes to make up a weight of k.

    So integer weights give exactly what repeating the rows would. Weights are positive: a row of weight zero is not
    there.
    """

    def __init__(self, index: NeighborIndex, weights: np.ndarray):
        self.index = index
        self.weights = np.asarray(weights, dtype=float)

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.index.n_rows

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the neighbors of every fitted row, its own other copies first, up to a weight of n_neighbors."""
        found = self._enough(lambda k: self.index.graph(k, rows), n_neighbors, self.n_rows - 1)
        return self._with_own_copies(found, np.arange(self.n_rows) if rows is None else rows)

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the neighbors of new rows, up to a weight of n_neighbors."""
        return self._enough(lambda k: self.index.query(X, k), n_neighbors, self.n_rows)

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the neighbors of some fitted rows among the kept ones (a mask), up to a weight of n_neighbors."""
        found = self._enough(lambda k: self.index.among(rows, keep, k), n_neighbors, int(keep.sum()))
        return self._with_own_copies(found, rows) if keep[rows].any() else found

    def _enough(self, search: Callable[[int], NeighborGraph], weight: int, most: int) -> NeighborGraph:
        """Search for more and more neighbors until those of every row make up the weight."""
        k = max(1, min(weight, most))
        while True:
            found = search(k)
            mass = np.append(self.weights, 0.0)[found.indices]
            if k >= most or mass.sum(axis=1).min(initial=weight) >= weight:
                return NeighborGraph(found.indices, found.distances, mass)
            k = min(2 * k, most)

    def _with_own_copies(self, found: NeighborGraph, rows: np.ndarray) -> NeighborGraph:
        own = self.weights[rows]
        return NeighborGraph(
            np.column_stack([np.where(own > 1, rows, NOBODY).astype(np.int32), found.indices]),
            np.column_stack([np.where(own > 1, 0.0, np.inf), found.distances]),
            np.column_stack([np.maximum(own - 1, 0), found.mass]),  # type: ignore[list-item]
            own,
        )
