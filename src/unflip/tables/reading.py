"""Tables read from CSV, Parquet and Arrow files; what cannot be read is refused in one sentence."""

from __future__ import annotations

import csv
import lzma
import warnings
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from unflip.foundation.optional import optional
from unflip.foundation.text import first_line
from unflip.tables.frames import frame_of_arrow
from unflip.tables.labels import check_labels
from unflip.tables.refusals import TableError, check_names, hint
from unflip.tables.text_files import (
    SEPARATORS,
    columns_of_codes,
    ending_of,
    first_short_row,
    first_undecodable_line,
    rows_of,
    separator_of,
)

ACCEPTED = "a .csv, .tsv or .txt file (or one of these with .gz, .bz2, .xz or .zip), .parquet, .arrow or .feather"
ARROW = (".parquet", ".arrow", ".feather")
# Before 3.1 pandas had to be told to read every number to its last bit; since then it always does.
EXACT = {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}


@contextmanager
def refusing(path, accepted=ACCEPTED):
    """Turn whatever goes wrong in reading a file into one sentence about it."""
    path = Path(path)
    try:
        if path.is_dir():
            raise TableError(f"{path} is a directory, not {accepted}.")
        yield
    except (TableError, ImportError):
        raise
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.") from None
    except PermissionError:
        raise TableError(f"{path} cannot be read: permission denied.") from None
    except (pd.errors.EmptyDataError, StopIteration):
        raise TableError(f"{path} is empty.") from None
    except UnicodeDecodeError:
        raise TableError(_undecodable(path)) from None
    except (csv.Error, EOFError, OSError, ValueError, lzma.LZMAError, zipfile.BadZipFile, zlib.error) as error:
        raise TableError(f"{path} cannot be read as {path.suffix}: {first_line(error)}.") from None


def _undecodable(path):
    found = first_undecodable_line(path)
    where = f": line {found[0]} has the byte {found[1]:#x}" if found else ""
    return f"{path} is not UTF-8 text{where}."


def read_table(path):
    """Read a table, its format told by the name's ending.

    Parameters
    ----------
    path : str or Path
        A CSV (.csv, .tsv, .txt, also compressed), Parquet (.parquet) or Arrow (.arrow, .feather) file.

    Returns
    -------
    table : DataFrame
        At least one row and one column.
    """
    path = Path(path)
    ending = ending_of(path)
    with refusing(path):
        if ending in SEPARATORS:
            table = _read_text(path)
        elif ending in ARROW:
            table = frame_of_arrow(read_arrow(path))
        else:
            raise TableError(f"{path} is not {ACCEPTED}.")
    if len(table) == 0:
        raise TableError(f"{path} has column names but no rows.")
    check_names(table, path)
    return table


def read_arrow(path):
    """Read a Parquet or Arrow file as an Arrow table."""
    optional("pyarrow", "parquet", f"Reading {path}")
    if ending_of(path) == ".parquet":
        from pyarrow.parquet import read_table as read
    else:
        from pyarrow.feather import read_table as read
    if Path(path).stat().st_size == 0:
        raise TableError(f"{path} is empty.")
    return read(path)


def _read_text(path):
    separator = separator_of(path)
    names = pd.Series(next(rows_of(path, separator)))
    check_names(pd.DataFrame(columns=names[names != ""]), path)  # pandas would rename the second
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.DtypeWarning)
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            table = _parsed(path, separator)
        except pd.errors.DtypeWarning:  # numbers in one part of the file, texts in another: judged as a whole
            table = _parsed(path, separator, low_memory=False)
        except pd.errors.ParserWarning:
            raise TableError(f"{path}: rows have more cells than the {len(names)} names of columns.") from None
    if table.iloc[:, -1].isna().any() and (short := first_short_row(path, separator)):
        raise TableError(f"{path}: row {short[0]} has {short[1]} cells for {len(names)} columns.")
    return table


def _parsed(path, separator, **options):
    codes = dict.fromkeys(columns_of_codes(path, separator), str)
    return pd.read_csv(path, sep=separator, index_col=False, dtype=codes, **EXACT, **options)


def read_one_column(path, name):
    """Read one column of a table exactly as read_table does, without holding the others."""
    with refusing(path):
        if ending_of(path) in SEPARATORS:
            return _parsed(path, separator_of(path), low_memory=False, usecols=[name])[name]
        return frame_of_arrow(read_arrow(path).select([name]))[name]


def read_labeled_table(path, label):
    """Read a table and split off its column of labels.

    Parameters
    ----------
    path : str or Path
        As for read_table.
    label : str
        The name of the column.

    Returns
    -------
    columns : DataFrame
        All other columns.
    labels : Series
        Of two classes or more, none missing.
    """
    return split_labels(read_table(path), label, path)


def split_labels(table, label, path):
    """Return the other columns and the checked labels of a table; neither is a copy."""
    names = [str(name) for name in table.columns]
    if label not in names:
        raise TableError(f"{path} has no column {label!r}; {hint(label, names)}")
    labels = table.iloc[:, names.index(label)]
    check_labels(path, label, labels)
    if len(names) == 1:
        raise TableError(f"{path} has no column besides the label {label!r}.")
    others = {name: table[name] for name in table.columns if str(name) != label}
    return pd.DataFrame(others, copy=False), labels
