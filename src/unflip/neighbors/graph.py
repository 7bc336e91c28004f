"""The neighbor graph: each row's neighbors, nearest first. It knows no labels, so one graph serves every question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unflip.neighbors.index import TrainingIndex

NOBODY = -1


@dataclass(frozen=True, eq=False)
class NeighborGraph:
    """Neighbors of some rows, sorted by (distance, row number): this order is the tie rule of the whole package.

    Parameters
    ----------
    indices : ndarray of shape (n_rows, n_neighbors), int32
        Row numbers of the neighbors; -1 from where a row has no more.
    distances : ndarray of shape (n_rows, n_neighbors)
        In the units of the metric; infinite where there is no neighbor.
    mass : ndarray of shape (n_rows, n_neighbors) or None, default=None
        For how many rows a neighbor counts (sample weights); None: one each.
    own_mass : ndarray of shape (n_rows,) or None, default=None
        For how many rows a row itself counts, where the graph's rows are fitted ones.
    """

    indices: np.ndarray
    distances: np.ndarray
    mass: np.ndarray | None = None
    own_mass: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def n_neighbors(self) -> int:
        """How many neighbors a row has at most."""
        return self.indices.shape[1]

    def first(self, n_neighbors: int) -> NeighborGraph:
        """Return the graph of the nearest few neighbors, where each counts for one."""
        return NeighborGraph(self.indices[:, :n_neighbors], self.distances[:, :n_neighbors])

    def part(self, rows: slice) -> NeighborGraph:
        """Return the graph of some of its rows."""
        mass = None if self.mass is None else self.mass[rows]
        own_mass = None if self.own_mass is None else self.own_mass[rows]
        return NeighborGraph(self.indices[rows], self.distances[rows], mass, own_mass)

    def renumbered(self, rows: np.ndarray) -> NeighborGraph:
        """Return the graph with neighbors numbered by their place in rows, which must hold them all."""
        places = np.full(max(int(rows.max()), int(self.indices.max(initial=0))) + 2, NOBODY, dtype=np.int32)
        places[rows] = np.arange(len(rows))
        return replace(self, indices=places[self.indices])


def empty_graph(n_rows: int) -> NeighborGraph:
    """Return the graph of rows without any neighbors."""
    return NeighborGraph(np.empty((n_rows, 0), np.int32), np.empty((n_rows, 0)))


def stacked(parts: Sequence[NeighborGraph]) -> NeighborGraph:
    """Return the graph of several parts of the rows as one."""
    if len(parts) == 1:
        return parts[0]
    return NeighborGraph(
        np.concatenate([part.indices for part in parts]), np.concatenate([part.distances for part in parts])
    )


def first_allowed(values: np.ndarray, allowed: np.ndarray, n_neighbors: int, missing: float = NOBODY) -> np.ndarray:
    """Return the first few allowed values of each row, in order, and `missing` where a row runs short.

    >>> first_allowed(np.array([[4, 2, 7], [5, 6, 1]]), np.array([[True, False, True], [False, True, False]]), 2)
    array([[ 4,  7],
           [ 6, -1]])
    """
    n_allowed = np.count_nonzero(allowed, axis=1)
    kept = np.append(values[allowed], values.dtype.type(missing))
    starts = np.cumsum(n_allowed) - n_allowed
    places = starts[:, None] + np.arange(n_neighbors)
    places[np.arange(n_neighbors) >= n_allowed[:, None]] = len(kept) - 1
    return kept[places]


def restricted(
    graph: NeighborGraph, index: TrainingIndex, rows: np.ndarray, keep: np.ndarray, n_neighbors: int
) -> NeighborGraph:
    """Return the nearest of the kept rows (a mask) for some of the graph's rows.

    The graph is filtered; rows whose neighbors in it run short are searched again, exactly.
    """
    if graph.mass is not None:  # how many neighbors make up a weight of k only the index knows
        return index.among(rows, keep, n_neighbors)
    indices = graph.indices[rows]
    allowed = keep[indices] & (indices != NOBODY)
    found = NeighborGraph(
        first_allowed(indices, allowed, n_neighbors),
        first_allowed(graph.distances[rows], allowed, n_neighbors, missing=np.inf),
    )
    short = np.flatnonzero(found.indices[:, -1] == NOBODY) if n_neighbors else np.array([], int)
    if len(short):
        again = index.among(rows[short], keep, n_neighbors)
        found.indices[short, : again.n_neighbors] = again.indices
        found.distances[short, : again.n_neighbors] = again.distances
    return found
