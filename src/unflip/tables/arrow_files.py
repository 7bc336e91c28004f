"""Parquet, Arrow and Feather files, read once and checked: damaged ones are refused before anything uses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from unflip.foundation.optional import optional
from unflip.tables.cell_spans import CodedTexts, coded_texts
from unflip.tables.errors import TableError
from unflip.tables.frames import frame_of_arrow, without_index
from unflip.tables.text_files import FilePath, ending_of

if TYPE_CHECKING:
    import pyarrow

ENDINGS = (".parquet", ".arrow", ".feather")
CELLS_PER_BLOCK = 2**18
WITH_NAN = (float, np.datetime64, np.timedelta64)
SIMPLE_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "string",
                "large_string")  # fmt: skip


def read_arrow(path: FilePath) -> pyarrow.Table:
    """Read a Parquet or Arrow file as an Arrow table, every value of which is checked."""
    arrow = optional("pyarrow", "parquet", f"Reading {path}")
    content = Path(path).read_bytes()
    if not content:
        raise TableError(f"{path} is empty.")
    if ending_of(path) == ".parquet":
        from pyarrow.parquet import read_table as read
    else:
        from pyarrow.feather import read_table as read
    table = read(arrow.BufferReader(content))
    table.validate(full=True)  # offsets and indices out of range would end the process
    return table


@dataclass(frozen=True, eq=False)
class ArrowFile:
    """An Arrow table as it was when its file was read.

    Parameters
    ----------
    path : Path
        The file, for messages.
    arrow : pyarrow.Table
        Its content, without an unnamed index.
    """

    separator: ClassVar[str] = ","
    spans: ClassVar[None] = None  # cells have no text of their own
    path: Path
    arrow: pyarrow.Table

    @classmethod
    def read(cls, path: FilePath) -> ArrowFile:
        """Read a file."""
        return cls(Path(path), without_index(read_arrow(path)))

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [str(name) for name in self.arrow.column_names]

    @cached_property
    def table(self) -> pd.DataFrame:
        """The columns in the types of pandas."""
        return frame_of_arrow(self.arrow)

    def cells(self, rows: Sequence[int] | np.ndarray) -> list[list[str]]:
        """Return the cells of some rows as text."""
        return list(_rows_of(self.arrow.take(np.asarray(rows, dtype=np.int64))))

    def column(self, place: int) -> CodedTexts:
        """Return the cells of one column as text."""
        return coded_texts(_texts(self.arrow.column(place)))

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row as text; Arrow dtypes keep integers with gaps as integers."""
        n_rows = max(1, CELLS_PER_BLOCK // max(1, self.arrow.num_columns))
        for start in range(0, self.arrow.num_rows, n_rows):
            yield from _rows_of(self.arrow.slice(start, n_rows))


def _rows_of(block: pyarrow.Table) -> Iterator[list[str]]:
    return map(list, zip(*map(_texts, block.columns), strict=True))


def _texts(column: pyarrow.ChunkedArray) -> list[str]:
    if str(column.type) in SIMPLE_TYPES:  # many times faster
        return ["" if cell is None or cell != cell else str(cell) for cell in column.to_pylist()]
    try:
        cells = list(pd.arrays.ArrowExtensionArray(column))
    except (OverflowError, ValueError):  # Python's dates end in the year 9999
        cells = list(column.to_numpy(zero_copy_only=False))
    return ["" if _is_missing(cell) else str(cell) for cell in cells]


def _is_missing(cell: Any) -> bool:
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, WITH_NAN) and cell != cell)
