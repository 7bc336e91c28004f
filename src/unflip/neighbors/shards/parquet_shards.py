"""ParquetShards: the rows and labels of many Parquet files as one matrix, read piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from unflip.foundation.errors import refusal
from unflip.foundation.optional import optional
from unflip.foundation.printable import shown
from unflip.neighbors.shards.manifest import FileEntry, sorted_paths
from unflip.neighbors.shards.rows import Shards
from unflip.tables.encoding import Encoder
from unflip.tables.errors import TableError, hint
from unflip.tables.frames import frame_of_arrow
from unflip.tables.labels import checked_labels
from unflip.tables.reading import reading_errors

if TYPE_CHECKING:
    import pyarrow


ROWS_TO_ENCODE_BY = 200_000


class ParquetShards(Shards):
    """Rows of Parquet files, in the order of their names, searched without being brought together.

    Parameters
    ----------
    paths : str, Path or sequence of these
        A pattern such as ``"train/*.parquet"``, or files. All have the same columns.
    label : str or None, default=None
        The label column.
    columns : sequence of str or None, default=None
        The columns to compare rows by; None means all but the label. Numbers and truth values, or one column of lists
        of numbers (an embedding); columns of other kinds need an encoder.
    encoder : fitted transformer or None, default=None
        Turns a table of these columns into numbers, as a fitted ``TableEncoder`` does.
    memory_budget : int, str or None, default=None
        How much memory the process that works on the rows may hold, in bytes or as "2GB": shards that are too large
        for it are searched in pieces, and a graph that is too large is kept in files. None: as much as they take.

    Attributes
    ----------
    shape : tuple
        Number of rows and columns.
    shards : list of Shard
        The files; each knows the number of its first row.
    manifest : list of FileEntry
        Size and digest of each file: one that changed is refused.
    """

    def __init__(
        self,
        paths: str | PathLike[str] | Sequence[str | PathLike[str]],
        label: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        encoder: Encoder | None = None,
        memory_budget: int | str | None = None,
    ):
        optional("pyarrow", "parquet", "ParquetShards")
        self.label, self.encoder = label, encoder
        files = [_look_at(path) for path in sorted_paths(paths)]
        first = files[0]
        different = next((file for file in files if file.kinds != first.kinds), None)
        if different is not None:
            raise TableError(f"{different.entry.path} has other columns than {first.entry.path}.")
        if label is not None and label not in first.kinds:
            raise TableError(f"{first.entry.path} has no column {shown(label)}; {hint(label, list(first.kinds))}")
        names = [name for name in first.kinds if name != label] if columns is None else list(columns)
        unknown = next((name for name in names if name not in first.kinds), None)
        if unknown is not None:
            raise TableError(f"{first.entry.path} has no column {shown(unknown)}; {hint(unknown, list(first.kinds))}")
        if not names:
            raise TableError(f"{first.entry.path} has no column besides the label {shown(label)}.")
        self.columns = names
        sources = [replace(file, columns=tuple(names), encoder=encoder) for file in files]
        self.manifest = [file.entry for file in files]
        filled = next((source for source in sources if source.n_rows), None)
        if filled is None:
            raise TableError(f"{first.entry.path} and all other files have no rows.")
        if encoder is None and filled.text_column() is not None:  # an encoder may come later
            super().__init__(sources, len(names), np.float64, memory_budget)
        else:
            example = filled.load(0, 1)
            super().__init__(sources, example.shape[1], example.dtype, memory_budget)

    @cached_property
    def labels(self) -> pd.Series:
        """The labels of all rows, none missing, of two classes or more."""
        if self.label is None:
            raise refusal(self, "label", "the name of the label column", None)
        parts = [shard.source.frame(0, shard.n_rows, [self.label]).iloc[:, 0] for shard in self.shards]  # type: ignore[attr-defined]
        return checked_labels(self.manifest[0].path, self.label, pd.concat(parts, ignore_index=True))

    def frame(self, rows: np.ndarray) -> pd.DataFrame:
        """Return some rows as a table of the columns as they are, given by their ascending numbers."""
        parts = []
        for shard in self.shards:
            inside = rows[(rows >= shard.offset) & (rows < shard.offset + shard.n_rows)] - shard.offset
            if len(inside):
                table = shard.source.frame(0, shard.n_rows, self.columns)  # type: ignore[attr-defined]
                parts.append(table.iloc[inside])
        return pd.concat(parts, ignore_index=True)

    def encoded_by(self, encoder: Encoder, labels: Any) -> ParquetShards:
        """Return the same rows as the numbers of an encoder, which learns from some of them."""
        some = np.unique(np.linspace(0, len(self) - 1, min(len(self), ROWS_TO_ENCODE_BY)).astype(np.int64))
        return self.encoded(encoder.fit(self.frame(some), pd.Series(np.asarray(labels)[some])))

    def encoded(self, encoder: Encoder) -> ParquetShards:
        """Return the same rows as a fitted encoder's numbers."""
        return ParquetShards(
            [entry.path for entry in self.manifest], self.label, columns=self.columns, encoder=encoder,
            memory_budget=self.memory_budget,
        )  # fmt: skip


def needs_encoder(rows: Any) -> bool:
    """Tell whether rows are in files and have columns, which are to be scaled and encoded, not one vector each."""
    if not isinstance(rows, ParquetShards) or rows.encoder is not None:
        return False
    kinds = rows.shards[0].source.kinds  # type: ignore[attr-defined]
    return not (len(rows.columns) == 1 and _is_list(kinds[rows.columns[0]]))


@dataclass(frozen=True)
class ParquetFile:
    """Some columns of a Parquet file as numbers, of which only the row groups asked for are read."""

    entry: FileEntry
    kinds: dict[str, str]
    columns: tuple[str, ...] = ()
    encoder: Any = None

    @property
    def name(self) -> str:
        """The path."""
        return self.entry.path

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.entry.n_rows

    def load(self, start: int, stop: int) -> Any:
        """Return some rows as numbers."""
        if self.encoder is not None:
            return self.encoder.transform(self.frame(start, stop, list(self.columns)))
        text = self.text_column()
        if text is not None:
            accepted = "columns of numbers, or an encoder for others"
            raise refusal("ParquetShards", "columns", accepted, f"{text} of type {self.kinds[text]}")
        table = self._read(start, stop, list(self.columns))
        if _is_list(self.kinds[self.columns[0]]):
            return _vectors(table.column(0), self.entry.path)
        kinds = [_float_type(column.type) for column in table.columns]
        cells = zip(table.columns, kinds, strict=True)
        return np.column_stack([np.asarray(column.to_numpy(), dtype=kind) for column, kind in cells])

    def text_column(self) -> str | None:
        """Return the first column that is neither of numbers nor the only one, of vectors."""
        for name in self.columns:
            if not _is_number(self.kinds[name]) and not (len(self.columns) == 1 and _is_list(self.kinds[name])):
                return name
        return None

    def frame(self, start: int, stop: int, columns: list[str]) -> pd.DataFrame:
        """Return some rows as a table."""
        return frame_of_arrow(self._read(start, stop, columns))

    def _read(self, start: int, stop: int, columns: list[str]) -> pyarrow.Table:
        from pyarrow.parquet import ParquetFile as Reader

        self.entry.check()
        with reading_errors(self.entry.path), Reader(self.entry.path) as file:
            ends = np.cumsum([file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)])
            first, last = np.searchsorted(ends, [start, max(start, stop - 1)], side="right").tolist()
            table = file.read_row_groups(list(range(first, last + 1)), columns=columns)
            before = int(ends[first - 1]) if first else 0
            return table.slice(start - before, stop - start).select(columns)


def _look_at(path: str) -> ParquetFile:
    from pyarrow.parquet import ParquetFile as Reader

    with reading_errors(path), Reader(path) as file:
        kinds = {field.name: str(field.type) for field in file.schema_arrow}
        n_rows = file.metadata.num_rows
    return ParquetFile(FileEntry.of(path, n_rows), kinds)


def _is_number(kind: str) -> bool:
    return kind.rstrip("0123456789") in ("int", "uint", "float", "halffloat", "double", "bool")


def _is_list(kind: str) -> bool:
    return kind.startswith(("list<", "fixed_size_list<", "large_list<"))


def _float_type(kind: Any) -> type:
    return np.float32 if str(kind) in ("float", "halffloat") else np.float64


def _vectors(column: pyarrow.ChunkedArray, path: str) -> np.ndarray:
    """Return a column of lists of numbers as a matrix."""
    values = column.combine_chunks()
    flat = values.flatten().to_numpy(zero_copy_only=False)
    if not len(values) or flat.size % len(values) or (np.diff(_lengths(values)) != 0).any():
        raise TableError(f"{path} holds lists of different lengths, not vectors.")
    dtype = flat.dtype if flat.dtype in (np.float16, np.float32) else np.float64
    return flat.reshape(len(values), -1).astype(dtype, copy=False)


def _lengths(values: Any) -> np.ndarray:
    import pyarrow.compute as compute

    return compute.list_value_length(values).to_numpy(zero_copy_only=False)
