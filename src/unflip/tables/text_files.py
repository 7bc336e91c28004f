"""CSV files as stored on disk, read once: compression, separator, header, parsed columns and cells as written."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from unflip.tables.cell_spans import CellSpans, CodedTexts, coded_texts, find_spans
from unflip.tables.csv_cells import long_cells
from unflip.tables.errors import TableError, check_names
from unflip.tables.progress import ShareDone, WatchedBytes, tell_nobody

FilePath = str | PathLike[str]

SEPARATORS = {".csv": None, ".tsv": "\t", ".txt": None}  # None: detected in the first line
CANDIDATES = (",", ";", "\t", "|")
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
COMPRESSIONS = (*OPENERS, ".zip")
MAX_ROWS_FOR_CODES = 10_000  # rows searched for leading zeros
CELLS_PER_BLOCK = 2**20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# pandas reads every number to its last bit by default only since 3.1.
EXACT = {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}
AS_WRITTEN = {"dtype": object, "na_filter": False}
MAY_BE_CODE = re.compile(rb"(?:^|[^0-9.])0[0-9]")
BLANK_LINES = re.compile(rb"\A(?:[ \t]*(?:\r\n|\n|\r))+")


def ending_of(path: FilePath) -> str:
    """Return the file name extension that tells the format, in lower case and without compression.

    >>> ending_of("cells.CSV.gz")
    '.csv'
    """
    endings = [ending.lower() for ending in Path(path).suffixes]
    if endings and endings[-1] in COMPRESSIONS:
        endings.pop()
    return endings[-1] if endings else ""


@contextmanager
def opened(path: FilePath) -> Iterator[IO[bytes]]:
    """Open a file in binary mode, decompressed."""
    compression = Path(path).suffix.lower()
    if compression == ".zip":
        with zipfile.ZipFile(path) as archive, archive.open(_only_member(archive, path)) as file:
            yield file
    else:
        with OPENERS.get(compression, open)(path, "rb") as file:
            yield file


def _only_member(archive: zipfile.ZipFile, path: FilePath) -> str:
    names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
    if len(names) != 1:
        raise TableError(f"{path} holds {len(names)} files, but one is needed.")
    return names[0]


def read_content(path: FilePath) -> bytes:
    """Return the decompressed text of a file as UTF-8, without byte-order marks; NUL characters are refused."""
    with opened(path) as file:
        content = file.read()
    while content.startswith(BYTE_ORDER_MARK):
        content = content[len(BYTE_ORDER_MARK) :]
    place = content.find(b"\0")
    if place >= 0:
        line = content.count(b"\n", 0, place) + 1
        raise TableError(f"{path} is not text: line {line} has a NUL character; save the file as UTF-8 text.")
    return BLANK_LINES.sub(b"", content, count=1)


@dataclass(frozen=True, eq=False)
class TextFile:
    """A CSV file as it was when it was read: parsed columns and written cells come from the same bytes and parser.

    Parameters
    ----------
    path : Path
        The file, for messages.
    content : bytes
        Its text.
    separator : str
        Between cells.
    header : list of str
        The names of the columns as written, some perhaps empty.
    progress : callable, default=tell_nobody
        Called with the share of the text that is parsed.
    """

    path: Path
    content: bytes
    separator: str
    header: list[str]
    progress: ShareDone = tell_nobody

    @classmethod
    def read(cls, path: FilePath, progress: ShareDone = tell_nobody) -> TextFile:
        """Read a file, or refuse repeated names of columns."""
        path = Path(path)
        content = read_content(path)
        separator = separator_of(path, content)
        with _undecodable_refused(path, content):
            header = _header(content, separator)
        names = pd.Series(header, dtype=object)
        check_names(pd.DataFrame(columns=names[names != ""]), path)
        return cls(path, content, separator, header, progress)

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns, unnamed ones called as pandas calls them."""
        taken = set(self.header)
        return [name or _free_name(f"Unnamed: {place}", taken) for place, name in enumerate(self.header)]

    @cached_property
    def table(self) -> pd.DataFrame:
        """The columns, of the types that pandas infers; digits with leading zeros are texts."""
        codes = dict.fromkeys(self._columns_of_codes(), str)
        with _undecodable_refused(self.path, self.content), warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.DtypeWarning)
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                table = self._parsed(WatchedBytes(self.content, self.progress), dtype=codes)
            except pd.errors.DtypeWarning:  # numbers in one chunk, texts in another: parse the column as a whole
                table = self._parsed(WatchedBytes(self.content, self.progress), dtype=codes, low_memory=False)
            except pd.errors.ParserWarning:
                more = f"rows have more cells than the {len(self.header)} columns of the header"
                raise TableError(f"{self.path}: {more}.") from None
        gaps = len(table) > 0 and self._found_spans is None and table.iloc[:, -1].isna().any()
        if gaps and (short := self.first_short_row()):
            raise TableError(f"{self.path}: row {short[0]} has {short[1]} cells for {len(self.header)} columns.")
        return table

    @cached_property
    def spans(self) -> CellSpans | None:
        """Where the rows and cells of the table are in the text; None if only pandas can tell."""
        found = self._found_spans
        return found if found is not None and len(found) == len(self.table) else None

    @cached_property
    def _found_spans(self) -> CellSpans | None:
        return find_spans(self.content, self.separator, len(self.header))

    def cells(self, rows: Sequence[int] | np.ndarray) -> list[list[str]]:
        """Return the cells of some rows, exactly as written."""
        if self.spans is not None:
            return self.spans.cells(rows)
        wanted = set(map(int, rows))
        found = {number: cells for number, cells in enumerate(self.rows()) if number in wanted}
        return [found[int(row)] for row in rows]

    def column(self, place: int) -> CodedTexts:
        """Return the cells of one column, exactly as written."""
        return coded_texts(cells[place] for cells in self.rows()) if self.spans is None else self.spans.column(place)

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row, exactly as written; the header is not among them."""
        is_small = len(self.table) * len(self.header) <= CELLS_PER_BLOCK
        yield from self._kept_rows if is_small else self._parsed_rows()

    @cached_property
    def _kept_rows(self) -> list[list[str]]:
        return list(self._parsed_rows())

    def _parsed_rows(self) -> Iterator[list[str]]:
        # Every block of a table with many columns takes long, whatever its number of rows.
        n_rows = max(1, CELLS_PER_BLOCK // len(self.header))
        with self._parsed(io.BytesIO(self.content), **AS_WRITTEN, chunksize=n_rows) as blocks:
            for block in blocks:
                yield from block.to_numpy().tolist()

    def _parsed(self, text: io.BytesIO, **options: Any) -> Any:
        return pd.read_csv(
            text,
            sep=self.separator,
            header=0,
            names=self.names,
            index_col=False,
            **EXACT,
            **options,
        )

    def _columns_of_codes(self) -> list[str]:
        """Return the columns whose digits are codes, not numbers: some begin with a zero, as postal codes do."""
        if not MAY_BE_CODE.search(self.content, 0, self._end_of_first_rows()):
            return []
        columns: dict[str, bool] = dict.fromkeys(self.names, False)  # {column of digits only: has a leading zero}
        with _undecodable_refused(self.path, self.content), warnings.catch_warnings():
            warnings.simplefilter("ignore", pd.errors.ParserWarning)
            for rows in self._first_blocks():
                columns = {
                    name: found or any(text[:1] == "0" and len(text) > 1 for text in rows[name])
                    for name, found in columns.items()
                    if all(text.isdigit() for text in rows[name] if text)
                }
        return [name for name, found in columns.items() if found]

    def _first_blocks(self) -> Iterator[dict[str, list[str]]]:
        """Yield the cells of the first rows by column, a few rows at a time."""
        n_rows = max(1, CELLS_PER_BLOCK // len(self.header))
        first_rows = io.BytesIO(self.content)
        with self._parsed(first_rows, **AS_WRITTEN, chunksize=n_rows, nrows=MAX_ROWS_FOR_CODES) as blocks:
            for block in blocks:
                yield dict(zip(self.names, block.to_numpy().T.tolist(), strict=True))

    def _end_of_first_rows(self) -> int:
        spans = self._found_spans
        if spans is None or len(spans) <= MAX_ROWS_FOR_CODES:
            return len(self.content)
        return int(spans.ends[MAX_ROWS_FOR_CODES - 1])

    def first_short_row(self) -> tuple[int, int] | None:
        """Return the number of the first row with fewer cells than the header, and its number of cells, or None."""
        text = io.TextIOWrapper(io.BytesIO(self.content), encoding="utf-8", newline="")
        with long_cells():
            rows = (cells for cells in csv.reader(text, delimiter=self.separator) if not _is_blank(cells))
            next(rows)
            short = ((number, len(cells)) for number, cells in enumerate(rows, 1) if len(cells) < len(self.header))
            return next(short, None)


@contextmanager
def _undecodable_refused(path: Path, content: bytes) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError:
        found = first_undecodable_line(content)
        where = f": line {found[0]} has the byte {found[1]:#x}" if found else ""
        raise TableError(f"{path} is not UTF-8 text{where}.") from None


def _header(content: bytes, separator: str) -> list[str]:
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
    with long_cells():
        header = next(csv.reader(text, delimiter=separator), [])
    if not header or (len(header) == 1 and not header[0].strip()):
        raise pd.errors.EmptyDataError
    return header


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def separator_of(path: FilePath, content: bytes) -> str:
    """Return the cell separator: a tab for .tsv, otherwise the most frequent candidate in the first line."""
    given = SEPARATORS[ending_of(path)]
    if given is not None:
        return given
    lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace", newline="")
    header = next((line for line in lines if line.strip()), "")
    unquoted = re.sub(r'"[^"]*"', "", header)
    return max(CANDIDATES, key=unquoted.count)


def _is_blank(cells: list[str]) -> bool:
    """Tell whether a line is one that pandas skips: empty, or of blanks only."""
    return not cells or (len(cells) == 1 and cells[0] != "" and not cells[0].strip(" \t"))


def first_undecodable_line(content: bytes) -> tuple[int, int] | None:
    """Return the number of the first line that is not UTF-8, and its first invalid byte, or None."""
    for number, line in enumerate(io.BytesIO(content), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return number, line[error.start]
    return None
