"""Some of the rows of an index, as an index: their neighbors are filtered out of one graph of all rows."""

from __future__ import annotations

import numpy as np

from unflip.neighbors.graph import restricted


class SubsetIndex:
    """The neighbors of some rows among themselves and of the others among them, without searching again.

    Neighbors do not depend on labels or on splits, so one graph of all rows serves every split of them. Where a row's
    neighbors in it run short, the rows are searched, exactly: the answer is that of an index of these rows alone.

    Parameters
    ----------
    graph, index : NeighborGraph and the index it comes from
        Of all rows.
    rows : ndarray of int
        The rows that are in, ascending; they are numbered by their place here.
    """

    def __init__(self, graph, index, rows):
        self.whole, self.index, self.rows = graph, index, rows
        self.keep = np.zeros(len(graph), dtype=bool)
        self.keep[rows] = True

    @property
    def n_rows(self):
        """How many rows can be found."""
        return len(self.rows)

    def graph(self, k):
        """Return the k nearest other rows of every row that is in."""
        return self._nearest(self.rows, self.keep, min(k, self.n_rows - 1))

    def of_others(self, rows, k):
        """Return the k nearest rows that are in of some that are not, given by their numbers in the whole."""
        return self._nearest(rows, self.keep, min(k, self.n_rows))

    def among(self, rows, keep, k):
        """Return the k nearest of the kept rows (a mask) for some rows, either all kept or all not."""
        kept = np.zeros(len(self.keep), dtype=bool)
        kept[self.rows[keep]] = True
        return self._nearest(self.rows[rows], kept, min(k, int(keep.sum()) - int(keep[rows].any())))

    def _nearest(self, rows, keep, k):
        return restricted(self.whole, self.index, rows, keep, k).renumbered(self.rows)
