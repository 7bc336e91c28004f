"""ShardedIndex: exact neighbors of rows that are spread over files, on one machine or on many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from unflip.foundation.errors import UnflipError, refusal
from unflip.foundation.memory import resident_bytes
from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.graph import NeighborGraph
from unflip.neighbors.metrics import resolve_metric
from unflip.neighbors.shards.answers import BYTES_PER_NEIGHBOR, Answers
from unflip.neighbors.shards.array_shards import as_shards
from unflip.neighbors.shards.executors import (
    Search,
    check_executor,
    connected,
    is_cluster,
    make_executor,
)
from unflip.neighbors.shards.rows import Shard, Shards
from unflip.neighbors.shards.search import Block, Settings

MOST_ROWS = 2**17  # of a block of queries: leaves of near ones need many to choose from
LEAST_ROWS = 4096
LEAST_BYTES = 2**25
# Measured for the engine: the rows, their float32 copy in two layouts, a rotated block.
BYTES_PER_VALUE = 24
BYTES_PER_QUERY_VALUE = 28
SHARE_OF_ANSWERS = 0.25  # of the budget


class ShardedIndex:
    """Exact nearest neighbors of rows in shards: the answer of one search of all rows, to the last bit.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        As for ``ExactIndex``, but with parameters of its own where those would be read off all rows.
    metric_params : dict or None, default=None
        Parameters of the metric.
    n_jobs : int or None, default=None
        Threads, or joblib's workers; None means one, -1 all cores.
    executor : None, "joblib" or dask.distributed.Client, default=None
        Where to search.
    folder : str, Path or None, default=None
        Where to keep a graph that is too large; None means the system's folder for temporary files.
    owner : object or None, default=None
        Whom error messages name.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors.shards import ArrayShards, ShardedIndex
    >>> rows = ArrayShards([np.array([[0.0], [1.0]]), np.array([[1.0], [3.0]])])
    >>> ShardedIndex().fit(rows).graph(2).indices
    array([[1, 2],
           [2, 0],
           [1, 0],
           [1, 2]], dtype=int32)
    """

    def __init__(
        self,
        metric: Any = "euclidean",
        metric_params: dict | None = None,
        n_jobs: int | None = None,
        *,
        executor: Any = None,
        folder: str | Path | None = None,
        owner: object = None,
    ):
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.executor = executor
        self.folder = folder
        self.owner = owner if isinstance(owner, str) else type(self if owner is None else owner).__name__

    def fit(self, X: Any) -> ShardedIndex:
        """Take the rows to search: shards, or an array that is cut into some."""
        self.metric_ = resolve_metric(self.metric, self.metric_params, owner=self.owner)
        if self.metric_.learns:
            accepted = f'a dict for the metric "{self.metric}", whose parameters are not read off shards'
            raise refusal(self.owner, "metric_params", accepted, self.metric_params)
        check_executor(self.owner, self.executor)
        self._where = connected(self.owner, self.executor)
        self.rows_ = as_shards(X, self._n_workers())
        self.budget_ = self.rows_.memory_budget
        return self

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.rows_.shape[0]

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        k = min(n_neighbors, self.n_rows - 1)
        if rows is None:
            return self._found(self._blocks(k), self.n_rows, k)
        return self._of_rows(np.asarray(rows), k)

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""
        starts = range(0, X.shape[0], MOST_ROWS)
        blocks = [Block(start, None, given=X[start : start + MOST_ROWS]) for start in starts]
        return self._found(blocks, X.shape[0], min(n_neighbors, self.n_rows))

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        k = min(n_neighbors, int(np.count_nonzero(keep)) - int(keep[rows].any()))
        return self._of_rows(np.asarray(rows), k, keep)

    def _of_rows(self, rows: np.ndarray, k: int, keep: np.ndarray | None = None) -> NeighborGraph:
        order = np.argsort(rows, kind="stable")
        ascending, blocks, place = rows[order], [], 0
        for shard in self.rows_.shards:
            inside = ascending[np.searchsorted(ascending, shard.offset) :]
            inside = inside[: np.searchsorted(inside, shard.offset + shard.n_rows)]
            if len(inside):
                blocks.append(Block(place, shard, rows=inside - shard.offset))
                place += len(inside)
        graph = self._found(blocks, len(rows), k, keep)
        back = np.argsort(order, kind="stable")
        return NeighborGraph(graph.indices[back], graph.distances[back])

    def _blocks(self, k: int) -> list[Block]:
        most = min(MOST_ROWS, self._rows_that_fit(k))
        pieces = [piece for shard in self.rows_.shards for piece in shard.pieces(most)]
        return [Block(piece.offset, piece) for piece in pieces]

    def _found(self, blocks: list[Block], n_queries: int, k: int, keep: np.ndarray | None = None) -> NeighborGraph:
        most_bytes = None if self.budget_ is None else int(SHARE_OF_ANSWERS * self._left())
        folder = None if self.folder is None else Path(self.folder)
        answers = Answers(n_queries, max(k, 0), most_bytes=most_bytes, folder=folder)
        if k > 0 and n_queries:
            search = Search(self._shards(k), blocks, k, self._settings(), keep)
            make_executor(self._where, self.n_jobs).run(search, answers)
        return answers.graph(self.metric_)

    def _shards(self, k: int) -> list[Shard]:
        if self.budget_ is None:
            return self.rows_.shards
        return [piece for shard in self.rows_.shards for piece in shard.pieces(self._rows_that_fit(k))]

    def _rows_that_fit(self, k: int) -> int:
        """Return how many rows can be searched by as many others within the budget."""
        if self.budget_ is None:
            return self.n_rows
        per_row = (BYTES_PER_VALUE + BYTES_PER_QUERY_VALUE) * self.rows_.shape[1] + 4 * BYTES_PER_NEIGHBOR * k
        return max(1, int((1 - SHARE_OF_ANSWERS) * self._left() / per_row))

    def _left(self) -> int:
        """Return what the budget leaves beyond what this process held when the search began."""
        assert self.budget_ is not None
        if not hasattr(self, "_held"):
            ExactIndex(engine="leaf").fit(np.eye(2)).graph(1)  # compiled code takes memory, too
            self._held = resident_bytes() or 0
        if self.budget_ - self._held < LEAST_BYTES:
            raise UnflipError(
                f"{self.owner}: 'memory_budget' must be at least {(self._held + LEAST_BYTES) / 2**20:,.0f} MB: "
                f"this process holds {self._held / 2**20:,.0f} MB already."
            )
        return self.budget_ - self._held

    def _settings(self) -> Settings:
        n_jobs = self.n_jobs if self._where is None else None  # workers have a thread each
        return Settings(self.metric, self.metric_params, n_jobs, self.owner)

    def _n_workers(self) -> int:
        return max(1, len(self._where.nthreads())) if is_cluster(self._where) else 1

    def __getstate__(self) -> dict:
        # A connection stays where it is: elsewhere the shards are searched in that process.
        client = is_cluster(self.executor) and not isinstance(self.executor, str)
        return {**self.__dict__, "executor": None if client else self.executor, "_where": None}


def is_sharded(rows: Any) -> bool:
    """Tell whether rows are in shards."""
    return isinstance(rows, Shards)
