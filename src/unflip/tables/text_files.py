"""CSV files as they lie on the disk: opened whatever their compression, their separator and their rows."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zipfile
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

SEPARATORS = {".csv": None, ".tsv": "\t", ".txt": None}  # None: found out from the first line
CANDIDATES = (",", ";", "\t", "|")
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
ROWS_FOR_CODES = 10_000  # that are looked at
COMPRESSIONS = (*OPENERS, ".zip")


def ending_of(path):
    """Return the ending that tells the format, in small letters.

    >>> ending_of("cells.CSV.gz")
    '.csv'
    """
    endings = [ending.lower() for ending in Path(path).suffixes]
    if endings and endings[-1] in COMPRESSIONS:
        endings.pop()
    return endings[-1] if endings else ""


@contextmanager
def opened(path):
    """Open a file's bytes, decompressed."""
    compression = Path(path).suffix.lower()
    if compression == ".zip":
        with zipfile.ZipFile(path) as archive, archive.open(archive.namelist()[0]) as file:
            yield file
    else:
        with OPENERS.get(compression, open)(path, "rb") as file:
            yield file


@contextmanager
def opened_text(path):
    """Open a file's text as the csv module wants it."""
    with opened(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig", newline="") as text:
        yield text


def separator_of(path):
    """Return what separates cells: a tab in .tsv, otherwise the likeliest sign in the first line."""
    given = SEPARATORS[ending_of(path)]
    if given is not None:
        return given
    with opened_text(path) as file:
        header = next((line for line in file if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", header)
    return max(CANDIDATES, key=bare.count)


def rows_of(path, separator):
    """Yield the cells of each row, the names first; blank lines are no rows."""
    with opened_text(path) as file:
        for cells in csv.reader(file, delimiter=separator):
            if len(cells) > 1 or (cells and cells[0].strip()):
                yield cells


def columns_of_codes(path, separator):
    """Return the names of columns whose digits are no numbers, since some begin with a zero, as postal codes do."""
    rows = rows_of(path, separator)
    names = next(rows, [])
    first = list(islice(rows, ROWS_FOR_CODES))
    return [name for place, name in enumerate(names) if _are_codes([row[place] for row in first if place < len(row)])]


def _are_codes(texts):
    digits = [text for text in texts if text]
    return all(map(str.isdigit, digits)) and any(len(text) > 1 and text[0] == "0" for text in digits)


def some_rows_of(path, numbers):
    """Return the names, and the cells of some rows, {number from 0: texts}, as they stand in the file."""
    rows, wanted = rows_of(path, separator_of(path)), set(numbers)
    names = next(rows)
    return names, {number: cells for number, cells in enumerate(rows) if number in wanted}


def first_short_row(path, separator):
    """Return the number of the first row with fewer cells than names, and how many it has; None if there is none."""
    rows = rows_of(path, separator)
    n_names = len(next(rows))
    return next(((number, len(cells)) for number, cells in enumerate(rows, 1) if len(cells) < n_names), None)


def first_undecodable_line(path):
    """Return the number of the first line that is not UTF-8, and its first wrong byte."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return number, line[error.start]
    return None
