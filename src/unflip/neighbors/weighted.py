"""Rows that count for more or less than one: a row of weight w stands for w copies of it."""

from __future__ import annotations

import numpy as np

from unflip.neighbors.graph import NOBODY, NeighborGraph


class WeightedIndex:
    """An index whose rows have weights; k neighbors are as many as it takes to make up a weight of k.

    So integer weights give exactly what repeating the rows would. Weights are positive: a row of weight zero is not
    there.
    """

    def __init__(self, index, weights):
        self.index = index
        self.weights = np.asarray(weights, dtype=float)

    @property
    def n_rows(self):
        """How many rows can be found."""
        return self.index.n_rows

    def graph(self, k):
        """Return the neighbors of every fitted row, its own other copies first, up to a weight of k."""
        found = self._deep_enough(self.index.graph, k, self.n_rows - 1)
        return self._with_own_copies(found, np.arange(self.n_rows))

    def query(self, X, k):
        """Return the neighbors of new rows, up to a weight of k."""
        return self._deep_enough(lambda depth: self.index.query(X, depth), k, self.n_rows)

    def among(self, rows, keep, k):
        """Return the neighbors of some fitted rows among the kept ones (a mask), up to a weight of k."""
        found = self._deep_enough(lambda depth: self.index.among(rows, keep, depth), k, np.count_nonzero(keep))
        return self._with_own_copies(found, rows) if keep[rows].any() else found

    def _deep_enough(self, search, k, most):
        depth = max(1, min(k, most))
        while True:
            found = search(depth)
            mass = np.append(self.weights, 0.0)[found.indices]
            if depth >= most or mass.sum(axis=1).min(initial=k) >= k:
                return NeighborGraph(found.indices, found.distances, mass)
            depth = min(2 * depth, most)

    def _with_own_copies(self, found, rows):
        own = self.weights[rows]
        return NeighborGraph(
            np.column_stack([np.where(own > 1, rows, NOBODY).astype(np.int32), found.indices]),
            np.column_stack([np.where(own > 1, 0.0, np.inf), found.distances]),
            np.column_stack([np.maximum(own - 1, 0), found.mass]),
            own,
        )
