"""Where the rows and cells of a well-formed CSV text lie: cells as written are taken from its bytes, not parsed again.

Well-formed: lines end in a newline, with or without a carriage return before it; quotes enclose whole cells and are
doubled within; every row has as many cells as the header. Other texts are left to pandas.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unflip.tables.csv_cells import as_cell, long_cells

BYTES_PER_BLOCK = 2**22
QUOTE, NEWLINE, RETURN, SPACE, TAB = b'"\n\r \t'


class CodedTexts(NamedTuple):
    """The texts of a column.

    Parameters
    ----------
    codes : ndarray of int of shape (n_rows,)
        Which of the distinct texts each row has.
    distinct : list of str
        Those texts.
    """

    codes: np.ndarray
    distinct: list[str]


def coded_texts(texts: Iterable[str]) -> CodedTexts:
    """Return texts as codes, numbered as they first occur.

    >>> coded_texts(["cat", "dog", "cat"])
    CodedTexts(codes=array([0, 1, 0]), distinct=['cat', 'dog'])
    """
    number_of: dict[str, int] = {}
    codes = np.fromiter((number_of.setdefault(text, len(number_of)) for text in texts), np.intp)
    return CodedTexts(codes, list(number_of))


def find_spans(content: bytes, separator: str, n_columns: int) -> CellSpans | None:
    r"""Find the rows of a CSV text, or return None if it is not well-formed.

    Parameters
    ----------
    content : bytes
        The text; its first line is the header.
    separator : str
        Between cells, one character of ASCII.
    n_columns : int
        The number of cells in each row.

    Returns
    -------
    spans : CellSpans or None
        Without blank lines and the header.

    Examples
    --------
    >>> find_spans(b'size,kind\n1,cat\n\n2,"a,b"\n', ",", 2).cells([1])
    [['2', 'a,b']]
    """
    line_ends = _line_ends(content, ord(separator))
    if line_ends is None:
        return None
    text = np.frombuffer(content, np.uint8)
    starts = np.append(0, line_ends + 1)
    ends = np.append(line_ends, len(content))
    ends -= (ends > starts) & (text[ends - 1] == RETURN)
    filled = _filled(content, starts, ends, b" " if separator == "\t" else b" \t")
    spans = CellSpans(content, separator.encode(), n_columns, starts[filled][1:], ends[filled][1:])
    return spans if spans.is_regular() else None


def _line_ends(content: bytes, separator: int) -> np.ndarray | None:
    """Return where lines end outside quotes; None if a quote or a carriage return is in an unexpected place."""
    text = np.frombuffer(content, np.uint8)
    has_quotes, has_returns = b'"' in content, b"\r" in content
    found, inside_before = [np.empty(0, np.intp)], False
    for start in range(0, len(content), BYTES_PER_BLOCK):
        block = text[start : start + BYTES_PER_BLOCK]
        inside = np.zeros(len(block), bool)
        if has_quotes:
            inside = _inside_quotes(block) ^ inside_before
            inside_before = inside[-1]
            if not _quotes_enclose_cells(text, np.flatnonzero(block == QUOTE) + start, inside, start, separator):
                return None
        if has_returns:
            after = np.flatnonzero((block == RETURN) & ~inside) + start + 1
            if len(after) and (after[-1] == len(text) or (text[after] != NEWLINE).any()):
                return None
        found.append(np.flatnonzero((block == NEWLINE) & ~inside) + start)
    return None if inside_before else np.concatenate(found)


def _inside_quotes(text: np.ndarray) -> np.ndarray:
    """Return which characters follow an odd number of quotes, an opening quote itself among them."""
    return np.cumsum(text == QUOTE, dtype=np.uint8) % 2 == 1  # the sum may wrap around: 256 is even


def _quotes_enclose_cells(text: np.ndarray, quotes: np.ndarray, inside: np.ndarray, start: int, separator: int) -> bool:
    """Tell whether every opening quote begins a cell and every closing one ends it; of a doubled quote one is each."""
    opens = inside[quotes - start]
    before, after = quotes[opens] - 1, quotes[~opens] + 1
    before, after = before[before >= 0], after[after < len(text)]
    begins = np.isin(text[before], [separator, NEWLINE, QUOTE]).all()
    return bool(begins and np.isin(text[after], [separator, NEWLINE, RETURN, QUOTE]).all())


def _filled(content: bytes, starts: np.ndarray, ends: np.ndarray, blanks: bytes) -> np.ndarray:
    """Return which lines have other characters than blanks."""
    filled = ends > starts
    text = np.frombuffer(content, np.uint8)
    for line in np.flatnonzero(filled & np.isin(text[np.minimum(starts, len(text) - 1)], [SPACE, TAB])).tolist():
        filled[line] = bool(content[starts[line] : ends[line]].strip(blanks))
    return filled


@dataclass(frozen=True, eq=False)
class CellSpans:
    """The rows of a well-formed CSV text, and the cells in them.

    Parameters
    ----------
    content : bytes
        The text.
    separator : bytes
        Between cells.
    n_columns : int
        The number of cells in each row.
    starts, ends : ndarray of int of shape (n_rows,)
        Where the rows begin and end.
    """

    content: bytes
    separator: bytes
    n_columns: int
    starts: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)

    def is_regular(self) -> bool:
        """Tell whether every row has as many cells as there are columns."""
        for rows, separators in self._separators():
            first, last = np.searchsorted(separators, [self.starts[rows], self.ends[rows]])
            if (last - first != self.n_columns - 1).any():
                return False
        return True

    def cells(self, rows: Sequence[int] | np.ndarray) -> list[list[str]]:
        """Return the cells of some rows, as written."""
        separator = self.separator.decode()
        spans = zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        lines = [self.content[start:end].decode() for start, end in spans]
        with long_cells():
            return [
                next(csv.reader([line], delimiter=separator)) if '"' in line else line.split(separator)
                for line in lines
            ]

    def column(self, place: int) -> CodedTexts:
        """Return the cells of one column, as written."""
        number_of: dict[bytes, int] = {}
        codes = np.empty(len(self), np.intp)
        for rows, bounds in self._bounds():
            spans = zip((bounds[:, place] + 1).tolist(), bounds[:, place + 1].tolist(), strict=True)
            codes[rows] = [number_of.setdefault(self.content[start:end], len(number_of)) for start, end in spans]
        merged = coded_texts(_unquoted(cell).decode() for cell in number_of)  # cat and "cat" are the same text
        return CodedTexts(merged.codes[codes], merged.distinct)

    def with_column(self, place: int, texts: CodedTexts) -> Iterator[tuple[int, str]]:
        """Yield the rows as csv.writer writes them with one more cell at a place.

        Many rows come at a time, each time with the number of rows so far.
        """
        cells = [as_cell(text, self.separator.decode()).encode() + self.separator for text in texts.distinct]
        for rows, bounds in self._bounds():
            text, starts, middles, ends = self._minimally_quoted(bounds, place)
            spans = zip(starts, middles, ends, texts.codes[rows].tolist(), strict=True)
            lines = [text[start:middle] + cells[code] + text[middle:end] for start, middle, end, code in spans]
            yield rows.stop, b"\n".join([*lines, b""]).decode()

    def _minimally_quoted(self, bounds: np.ndarray, place: int) -> tuple[bytes, list[int], list[int], list[int]]:
        """Return rows without needless quotes; where they begin, where the cell at a place does, and where they end."""
        first, last = int(bounds[0, 0]) + 1, int(bounds[-1, -1])
        bounds = bounds - first
        places = bounds[:, 0] + 1, bounds[:, place] + 1, bounds[:, -1]
        text = np.frombuffer(self.content, np.uint8, last - first, first)
        if self.content.find(b'"', first, last) >= 0:
            needless = _needless_quotes(text, bounds, self.separator[0])
            n_dropped = np.append(0, np.cumsum(needless))
            text, places = text[~needless], tuple(each - n_dropped[each] for each in places)
        return text.tobytes(), *(each.tolist() for each in places)

    def _bounds(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield some rows at a time, and the bounds of their cells: each lies between two of them."""
        for rows, separators in self._separators():
            starts, ends = self.starts[rows], self.ends[rows]
            yield rows, np.column_stack([starts - 1, separators.reshape(len(starts), self.n_columns - 1), ends])

    def _separators(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield some rows at a time, and where the separators in them are."""
        n_rows = max(1, len(self) * BYTES_PER_BLOCK // len(self.content))
        for first in range(0, len(self), n_rows):
            rows = slice(first, min(first + n_rows, len(self)))
            start, end = int(self.starts[rows.start]), int(self.ends[rows.stop - 1])
            text = np.frombuffer(self.content, np.uint8, end - start, start)
            found = text == self.separator[0]
            if self.content.find(b'"', start, end) >= 0:
                found &= ~_inside_quotes(text)
            yield rows, np.flatnonzero(found) + start


def _unquoted(cell: bytes) -> bytes:
    return cell[1:-1].replace(b'""', b'"') if cell.startswith(b'"') else cell


def _needless_quotes(text: np.ndarray, bounds: np.ndarray, separator: int) -> np.ndarray:
    """Return which characters are quotes of cells in which nothing needs them."""
    starts, ends = bounds[:, :-1] + 1, bounds[:, 1:]
    n_special = np.append(0, np.cumsum(np.isin(text, [separator, QUOTE, NEWLINE, RETURN])))
    quoted = (ends > starts) & (text[np.minimum(starts, len(text) - 1)] == QUOTE)
    bare = quoted & (n_special[ends] - n_special[starts] == 2)  # the quotes themselves
    needless = np.zeros(len(text), bool)
    needless[starts[bare]] = needless[ends[bare] - 1] = True
    return needless
