"""The neighbor graph: each row's neighbors, nearest first. It knows no labels, so one serves every question."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

NOBODY = -1


@dataclass(frozen=True, eq=False)
class NeighborGraph:
    """Neighbors of some rows, sorted by (distance, row number).

    Parameters
    ----------
    indices : ndarray of shape (n_rows, depth), int32
        Row numbers of the neighbors; -1 from where a row has no more.
    distances : ndarray of shape (n_rows, depth)
        In the units of the metric; infinite where there is no neighbor.
    mass : ndarray of shape (n_rows, depth) or None, default=None
        For how many rows a neighbor counts (sample weights); None: one each.
    own_mass : ndarray of shape (n_rows,) or None, default=None
        For how many rows a row itself counts, where the graph's rows are fitted ones.
    """

    indices: np.ndarray
    distances: np.ndarray
    mass: np.ndarray | None = None
    own_mass: np.ndarray | None = None

    def __len__(self):
        return len(self.indices)

    @property
    def depth(self):
        """How many neighbors a row has at the most."""
        return self.indices.shape[1]

    def first(self, depth):
        """Return the graph of the nearest few neighbors, where each counts for one."""
        return NeighborGraph(self.indices[:, :depth], self.distances[:, :depth])

    def renumbered(self, rows):
        """Return the graph with neighbors numbered by their place in rows, which must hold them all."""
        places = np.full(max(int(rows.max()), int(self.indices.max(initial=0))) + 2, NOBODY, dtype=np.int32)
        places[rows] = np.arange(len(rows))
        return replace(self, indices=places[self.indices])


def first_allowed(values, allowed, k, missing=NOBODY):
    """Return the first k allowed values of each row, in order, and `missing` where a row runs short.

    >>> first_allowed(np.array([[4, 2, 7], [5, 6, 1]]), np.array([[True, False, True], [False, True, False]]), 2)
    array([[ 4,  7],
           [ 6, -1]])
    """
    counts = np.count_nonzero(allowed, axis=1)
    kept = np.append(values[allowed], values.dtype.type(missing))
    starts = np.cumsum(counts) - counts
    places = starts[:, None] + np.arange(k)
    places[np.arange(k) >= counts[:, None]] = len(kept) - 1
    return kept[places]


def restricted(graph, index, rows, keep, k):
    """Return the k nearest of the kept rows (a mask) for some of the graph's rows.

    The graph is filtered; rows whose neighbors in it run short are searched again, exactly.
    """
    if graph.mass is not None:  # how many neighbors make up a weight of k is the index's business
        return index.among(rows, keep, k)
    indices = graph.indices[rows]
    allowed = keep[indices] & (indices != NOBODY)
    found = NeighborGraph(
        first_allowed(indices, allowed, k), first_allowed(graph.distances[rows], allowed, k, missing=np.inf)
    )
    short = np.flatnonzero(found.indices[:, -1] == NOBODY) if k else np.array([], int)
    if len(short):
        again = index.among(rows[short], keep, k)
        found.indices[short, : again.depth] = again.indices
        found.distances[short, : again.depth] = again.distances
    return found
