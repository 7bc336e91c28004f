"""Some of the rows of an index, as an index: their neighbors are filtered out of one graph of all rows."""

from __future__ import annotations

import numpy as np

from unflip.neighbors.graph import NeighborGraph, restricted
from unflip.neighbors.index import TrainingIndex


class SubsetIndex:
    """The neighbors of some rows among themselves, and of the others among them, without searching again.

    Neighbors do not depend on labels or on splits, so one graph of all rows serves every split of them. Where a row's
    neighbors in it run short, the rows are searched, exactly: the answer is that of an index of these rows alone.

    Parameters
    ----------
    graph, index : NeighborGraph and the index it comes from
        Of all rows.
    rows : ndarray of int
        The rows that are in, ascending; they are numbered by their place here.
    """

    def __init__(self, graph: NeighborGraph, index: TrainingIndex, rows: np.ndarray):
        self.whole, self.index, self.rows = graph, index, rows
        self.keep = np.zeros(len(graph), dtype=bool)
        self.keep[rows] = True

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return len(self.rows)

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every row that is in, or of some, given by their places."""
        asked = self.rows if rows is None else self.rows[rows]
        return self._nearest(asked, self.keep, min(n_neighbors, self.n_rows - 1))

    def of_others(self, rows: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest rows that are in for some that are not, given by their numbers in the whole."""
        return self._nearest(rows, self.keep, min(n_neighbors, self.n_rows))

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept rows (a mask) for some rows, either all kept or all not."""
        kept = np.zeros(len(self.keep), dtype=bool)
        kept[self.rows[keep]] = True
        return self._nearest(self.rows[rows], kept, min(n_neighbors, int(keep.sum()) - int(keep[rows].any())))

    def _nearest(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        return restricted(self.whole, self.index, rows, keep, n_neighbors).renumbered(self.rows)
