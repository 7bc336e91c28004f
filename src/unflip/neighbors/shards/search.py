"""The work of a sharded search as pure functions of a shard and a block of queries, for any executor to run.

Each shard answers a block exactly, by (score, row number) in float64; answers are merged by the same order. The nearest
k of all rows are among the nearest k of each shard, so the merged answer is that of one search, to the last bit. Inside
a shard the float32 screen keeps whatever its measured error bound lets among the nearest (see `engines.screen`), so no
answer needs a certificate afterwards, and ties cost no second search.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.graph import NOBODY
from unflip.neighbors.merging import Answer, merged, renumbered, without
from unflip.neighbors.shards.rows import Shard, rows_of


@dataclass(frozen=True)
class Settings:
    """How shards are searched.

    Parameters
    ----------
    metric : str or callable
        As for ExactIndex.
    metric_params : dict or None, default=None
        Its parameters.
    n_jobs : int or None, default=None
        Threads within one process.
    owner : str, default="ShardedIndex"
        Whom error messages name.
    """

    metric: Any = "euclidean"
    metric_params: dict | None = None
    n_jobs: int | None = None
    owner: str = "ShardedIndex"

    def index(self) -> ExactIndex:
        """Return an index that is not fitted."""
        return ExactIndex(self.metric, self.metric_params, self.n_jobs, owner=self.owner)


@dataclass(frozen=True, eq=False)
class Block:
    """Queries: fitted rows, each of which leaves itself out, or new ones.

    Parameters
    ----------
    place : int
        The place of the first in the answer.
    shard : Shard or None
        Where fitted rows are.
    rows : ndarray of int or None, default=None
        Their ascending numbers in the shard; None means all.
    given : array, CSR matrix or None, default=None
        New rows.
    """

    place: int
    shard: Shard | None
    rows: np.ndarray | None = None
    given: Any = None

    def __len__(self) -> int:
        if self.shard is None:
            return self.given.shape[0]
        return self.shard.n_rows if self.rows is None else len(self.rows)

    def load(self) -> Any:
        """Return the queries."""
        if self.shard is None:
            return self.given
        if self.rows is None:
            return self.shard.load()
        return rows_of(self.shard, self.rows)

    def numbers(self) -> np.ndarray | None:
        """Return the numbers of the queries among all rows, or None for new ones."""
        if self.shard is None:
            return None
        return self.shard.offset + (np.arange(self.shard.n_rows) if self.rows is None else self.rows)


@dataclass(frozen=True, eq=False)
class FittedShard:
    """A shard that is ready to be searched, some of its rows perhaps left out."""

    shard: Shard
    index: ExactIndex
    kept: np.ndarray | None = field(default=None)

    def search(self, block: Block, k: int, within: np.ndarray | None = None) -> Answer:
        """Return the k nearest rows of this shard, a block's own rows left out, numbered among all rows."""
        is_own = block.shard == self.shard and block.rows is None and self.kept is None
        queries = self.index.points_ if is_own else self.index.embedded(block.load())
        exclude, n_rows = self._exclude(block), self.index.n_rows
        if exclude is None or k < n_rows:
            scores, rows = self.index.nearest(queries, min(k, n_rows), exclude, within)
        else:  # those that leave a row out have fewer
            scores, rows = without(self.index.nearest(queries, n_rows, None, within), exclude)
        if self.kept is not None:
            rows = np.append(self.kept, NOBODY).astype(np.int32)[rows]
        return renumbered((scores, rows), self.shard.offset)

    def _exclude(self, block: Block) -> np.ndarray | None:
        """Return the place in the index of each query's own row, -1 where it is not there."""
        numbers = block.numbers()
        if numbers is None:
            return None
        local = numbers - self.shard.offset
        if self.kept is None:
            return np.where((local >= 0) & (local < self.shard.n_rows), local, -1)
        place = np.searchsorted(self.kept, local)
        there = place < len(self.kept)
        there[there] = self.kept[place[there]] == local[there]
        return np.where(there, place, -1)


def fit_shard(shard: Shard, settings: Settings, keep: np.ndarray | None = None) -> FittedShard:
    """Load a shard and make it ready to be searched; keep is a mask of the rows that can be found."""
    rows = shard.load()
    kept = None if keep is None else np.flatnonzero(keep)
    index = settings.index().fit(rows if kept is None else rows[kept])
    return FittedShard(shard, index, kept)


def search_fitted(fitted: FittedShard, block: Block, k: int) -> Answer:
    """Return the k nearest rows of a shard for a block of queries."""
    return fitted.search(block, k)


def search_block(shard: Shard, block: Block, k: int, settings: Settings) -> Answer:
    """Return the k nearest rows of a shard for a block of queries, given nothing but where to read them.

    This is the unit of work for a cluster that keeps nothing between tasks; answers of all shards are put together by
    ``merge_answers``.
    """
    return fit_shard(shard, settings).search(block, k)


def merge_answers(answers: list[Answer], k: int) -> Answer:
    """Return the k nearest of the answers of all shards, given in the order of the shards."""
    return merged(answers, k)
