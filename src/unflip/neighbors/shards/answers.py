"""Room for the answer of a search: in memory, or in files where it would not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from unflip.foundation.memory import mapped_array, release
from unflip.neighbors.graph import NOBODY, NeighborGraph
from unflip.neighbors.merging import NOWHERE, Answer, limits_of, merged
from unflip.neighbors.metrics import Metric

BYTES_PER_NEIGHBOR = 12
ROWS_AT_ONCE = 2**15


class Answers:
    """The nearest rows of many queries, to which the answers of one shard after the other are added.

    Parameters
    ----------
    n_queries, n_neighbors : int
        How many of each.
    most_bytes : int or None, default=None
        What may be held in memory; a larger answer goes to files that vanish with it. None: any.
    folder : Path or None, default=None
        Where to put them; None means the system's folder for temporary files.
    """

    def __init__(self, n_queries: int, n_neighbors: int, *, most_bytes: int | None = None, folder: Path | None = None):
        shape = (n_queries, n_neighbors)
        if most_bytes is None or n_queries * n_neighbors * BYTES_PER_NEIGHBOR <= most_bytes:
            self.scores, self.rows = np.empty(shape), np.empty(shape, np.int32)
        else:
            self.scores = mapped_array(shape, np.float64, folder)
            self.rows = mapped_array(shape, np.int32, folder)
        for start in range(0, n_queries, ROWS_AT_ONCE):
            self.write(start, (np.full(1, NOWHERE), np.full(1, NOBODY)), min(ROWS_AT_ONCE, n_queries - start))

    def write(self, place: int, answer: tuple[Any, Any], count: int) -> None:
        """Write the answer to some consecutive queries."""
        self.scores[place : place + count], self.rows[place : place + count] = answer
        self._release()

    def read(self, place: int, count: int) -> Answer:
        """Return the answer to some consecutive queries as it is now."""
        return np.array(self.scores[place : place + count]), np.array(self.rows[place : place + count])

    def limits(self, place: int, count: int) -> np.ndarray:
        """Return the scores beyond which nobody can be among their nearest any more."""
        return limits_of((self.scores[place : place + count], self.rows[place : place + count]))

    def add(self, place: int, count: int, answer: Answer) -> None:
        """Merge the answer of a shard, whose rows come after those of the shards before it."""
        self.write(place, merged([self.read(place, count), answer], self.scores.shape[1]), count)

    def graph(self, metric: Metric) -> NeighborGraph:
        """Return the graph, distances in the units of the metric."""
        for start in range(0, len(self.scores), ROWS_AT_ONCE):
            part = self.scores[start : start + ROWS_AT_ONCE]
            part[np.isnan(part)] = np.inf
            metric.distances(part)
            self._release()
        return NeighborGraph(self.rows, self.scores)

    def _release(self) -> None:
        release(self.scores)
        release(self.rows)
