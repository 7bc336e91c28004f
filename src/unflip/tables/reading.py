"""Tables read from CSV, Parquet and Arrow files; unreadable files are refused in one sentence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from unflip.foundation.printable import shown
from unflip.foundation.text import first_line
from unflip.tables import arrow_files
from unflip.tables.arrow_files import ArrowFile
from unflip.tables.errors import TableError, check_names, hint
from unflip.tables.labels import checked_labels
from unflip.tables.progress import ShareDone, tell_nobody
from unflip.tables.text_files import SEPARATORS, FilePath, TextFile, ending_of

Source = TextFile | ArrowFile

ACCEPTED = "a .csv, .tsv or .txt file (or one of these with .gz, .bz2, .xz or .zip), .parquet, .arrow or .feather"


@contextmanager
def reading_errors(path: FilePath, accepted: str = ACCEPTED) -> Iterator[None]:
    """Turn any error raised while reading a file into a TableError of one sentence.

    Damaged files make pyarrow, pandas, numpy and the decompressors raise almost anything; warnings are not shown.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise TableError(f"{path} is a directory, not {accepted}.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (TableError, ImportError):
        raise
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.") from None
    except PermissionError:
        raise TableError(f"{path} cannot be read: permission denied.") from None
    except pd.errors.EmptyDataError:
        raise TableError(f"{path} is empty.") from None
    except UnicodeDecodeError:
        raise TableError(f"{path} is not UTF-8 text.") from None
    except MemoryError:
        raise TableError(f"{path} needs more memory than there is, or is damaged.") from None
    except Exception as error:
        reason = first_line(error) or type(error).__name__
        raise TableError(f"{path} cannot be read as {path.suffix}: {reason}.") from None


def read_source(path: FilePath, *, progress: ShareDone = tell_nobody) -> Source:
    """Read a file once, to take its columns and its cells as written from the same bytes.

    Parameters
    ----------
    path : str or Path
        A CSV (.csv, .tsv, .txt, also compressed), Parquet (.parquet) or Arrow (.arrow, .feather) file.
    progress : callable, default=tell_nobody
        Called with the share of a CSV file that is read.

    Returns
    -------
    source : TextFile or ArrowFile
        With at least one row and one column.
    """
    path = Path(path)
    ending = ending_of(path)
    with reading_errors(path):
        if ending in SEPARATORS:
            source: Source = TextFile.read(path, progress)
        elif ending in arrow_files.ENDINGS:
            source = ArrowFile.read(path)
        else:
            raise TableError(f"{path} is not {ACCEPTED}.")
        table = source.table
    if len(table) == 0:
        raise TableError(f"{path} has a header but no rows.")
    if table.shape[1] == 0:
        raise TableError(f"{path} has no columns.")
    check_names(table, path)
    return source


def read_table(path: FilePath) -> pd.DataFrame:
    """Read a table whose format follows from the file name.

    Parameters
    ----------
    path : str or Path
        A CSV (.csv, .tsv, .txt, also compressed), Parquet (.parquet) or Arrow (.arrow, .feather) file.

    Returns
    -------
    table : DataFrame
        At least one row and one column.
    """
    return read_source(path).table


def split_labels(table: pd.DataFrame, label: str, path: FilePath) -> tuple[pd.DataFrame, pd.Series]:
    """Return the other columns and the checked labels of a table, without copying."""
    names = [str(name) for name in table.columns]
    if label not in names:
        raise TableError(f"{path} has no column {shown(label)}; {hint(label, names)}")
    place = names.index(label)
    labels = checked_labels(path, label, table.iloc[:, place])
    if len(names) == 1:
        raise TableError(f"{path} has no column besides the label {shown(label)}.")
    return table.drop(columns=table.columns[place]), labels
