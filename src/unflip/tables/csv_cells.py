"""Cells as the csv module reads and writes them: of any length, quoted where they must be."""

from __future__ import annotations

import csv
import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

FIELD_LIMIT_LOCK = threading.Lock()


@contextmanager
def long_cells() -> Iterator[None]:
    """Let the csv module read cells of any length; its limit is one for the whole process."""
    with FIELD_LIMIT_LOCK:
        before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        try:
            yield
        finally:
            csv.field_size_limit(before)


class CsvLines:
    r"""A text file that csv writers write to with the line end "\r\n", so that they quote cells with a lone "\r" too.

    The file itself gets plain line ends, each written by the end of a row.
    """

    def __init__(self, file: IO[str]):
        self._file = file

    def write(self, row: str) -> int:
        """Write a row."""
        return self._file.write(row.removesuffix("\r\n") + "\n")


def as_cell(text: str, separator: str) -> str:
    """Return a text as it is written in a row of several cells.

    >>> as_cell("a;b", ";"), as_cell("a;b", ",")
    ('"a;b"', 'a;b')
    """
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerow([text, ""])
    return out.getvalue().removesuffix(f"{separator}\r\n")
