"""Rows in several pieces, each loaded where and when it is needed: together they look like one matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from unflip.foundation.errors import UnflipError, refusal
from unflip.foundation.sizes import bytes_of

ROWS_AT_ONCE = 2**16


class Source(Protocol):
    """Where rows come from: a small value that any process can load rows from."""

    @property
    def name(self) -> str:
        """What error messages call it."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""

    def load(self, start: int, stop: int) -> Any:
        """Return some rows: a dense array or a CSR matrix of numbers."""


@dataclass(frozen=True)
class Shard:
    """Consecutive rows of a source, and their place among all rows.

    Parameters
    ----------
    source : Source
        Where they come from.
    start, stop : int
        Which of its rows.
    offset : int
        The number of the first among all rows.
    """

    source: Source
    start: int
    stop: int
    offset: int

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.stop - self.start

    def load(self) -> Any:
        """Return the rows, checked to be finite numbers."""
        rows = self.source.load(self.start, self.stop)
        values = rows.data if sparse.issparse(rows) else rows
        if not np.isfinite(values).all():
            where = self.start
            if not sparse.issparse(rows):
                where += int(np.argmin(np.isfinite(rows).all(axis=1)))
            raise UnflipError(f"{self.source.name}: row {where + 1} or after it has a missing or infinite number.")
        return rows

    def part(self, start: int, stop: int) -> Shard:
        """Return some of the rows, counted from the first of this shard."""
        return replace(self, start=self.start + start, stop=self.start + stop, offset=self.offset + start)

    def pieces(self, most_rows: int) -> list[Shard]:
        """Return the rows in pieces of about equal size, none larger than asked."""
        count = -(-self.n_rows // max(1, most_rows))
        ends = np.linspace(0, self.n_rows, count + 1).astype(int).tolist()
        return [self.part(start, stop) for start, stop in pairwise(ends)]


class Shards:
    """Rows of several sources as one matrix, of which nothing is kept in memory.

    Parameters
    ----------
    sources : sequence of Source
        In the order of the rows.
    n_columns : int
        How many numbers a row has.
    dtype : numpy dtype
        Of the numbers.
    memory_budget : int, str or None, default=None
        How much memory the process that works on them may hold, in bytes or as "2GB".
    """

    ndim = 2

    def __init__(self, sources: Sequence[Source], n_columns: int, dtype: Any, memory_budget: int | str | None = None):
        if memory_budget is not None:
            memory_budget = bytes_of(self, "memory_budget", memory_budget)
        self.memory_budget = memory_budget
        sizes = [source.n_rows for source in sources]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(int).tolist()
        self.shards = [
            Shard(source, 0, size, offset)
            for source, size, offset in zip(sources, sizes, offsets[:-1], strict=True)
            if size
        ]
        self.shape = (offsets[-1], n_columns)
        self.dtype = np.dtype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def blocks(self, most_rows: int = ROWS_AT_ONCE) -> Iterator[Any]:
        """Yield all rows, some at a time."""
        for shard in self.shards:
            for piece in shard.pieces(most_rows):
                yield piece.load()

    def __getitem__(self, rows: Any) -> Any:
        """Return some rows as an array or CSR matrix, given by a slice, a mask or their numbers."""
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(len(self)))
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.int64)
        order = np.argsort(rows, kind="stable")
        wanted = rows[order]
        parts = []
        for shard in self.shards:
            first, last = np.searchsorted(wanted, [shard.offset, shard.offset + shard.n_rows])
            if first < last:
                parts.append(rows_of(shard, wanted[first:last] - shard.offset))
        if not parts:
            return np.empty((0, self.shape[1]), self.dtype)
        together = sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)
        back = np.empty(len(order), np.intp)
        back[order] = np.arange(len(order))
        return together[back]


def rows_of(shard: Shard, numbers: np.ndarray) -> Any:
    """Return some rows of a shard, given by their ascending numbers in it, without loading much more than those."""
    parts = []
    for start in range(int(numbers[0]) // ROWS_AT_ONCE * ROWS_AT_ONCE, int(numbers[-1]) + 1, ROWS_AT_ONCE):
        first, last = np.searchsorted(numbers, [start, start + ROWS_AT_ONCE])
        if first < last:
            low, high = int(numbers[first]), int(numbers[last - 1]) + 1
            parts.append(shard.part(low, high).load()[numbers[first:last] - low])
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def labels_of(owner: object, rows: Any, y: Any) -> Any:
    """Return the labels that were given, or those that came with shards."""
    if y is not None:
        return y
    if getattr(rows, "label", None) is None:
        raise refusal(owner, "y", "labels, or None for shards that have a label column", None)
    return rows.labels
