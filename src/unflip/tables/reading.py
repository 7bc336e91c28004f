"""Tables read from CSV, Parquet and Arrow files; what cannot be read is refused in one sentence."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import numpy as np
import pandas as pd

from unflip.validation import optional

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": None}  # None: found out from the file
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip")
ACCEPTED = "a .csv, .tsv or .txt file (or one of these with .gz, .bz2, .xz or .zip), .parquet, .arrow or .feather"


class TableError(ValueError):
    """A table that cannot be used, with the reason in one sentence."""


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
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in COMPRESSIONS:
        endings.pop()
    ending = endings[-1] if endings else ""
    if path.is_dir():
        raise TableError(f"{path} is a directory, not {ACCEPTED}.")
    try:
        table = _read(path, ending)
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.") from None
    except PermissionError:
        raise TableError(f"{path} may not be read: no permission.") from None
    except pd.errors.EmptyDataError:
        raise TableError(f"{path} is empty.") from None
    except UnicodeDecodeError as error:
        raise TableError(f"{path} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#x}.") from None
    except (pd.errors.ParserError, OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path} cannot be read as {ending}: {_first_line(error)}.") from None
    if len(table) == 0:
        raise TableError(f"{path} has column names but no rows.")
    repeated = table.columns[table.columns.duplicated()]
    if len(repeated):
        raise TableError(f"{path} has two columns {repeated[0]!r}.")
    return table


def _read(path, ending):
    if ending in SEPARATORS:
        separator = SEPARATORS[ending]
        return pd.read_csv(path, sep=separator, engine="python" if separator is None else "c")
    if ending == ".parquet":
        optional("pyarrow", "parquet", f"Reading {path}")
        return pd.read_parquet(path)
    if ending in (".arrow", ".feather"):
        optional("pyarrow", "parquet", f"Reading {path}")
        return pd.read_feather(path)
    raise TableError(f"{path} is not {ACCEPTED}.")


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
    table = read_table(path)
    names = [str(name) for name in table.columns]
    if label not in names:
        close = get_close_matches(label, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the columns are {', '.join(map(repr, names[:20]))}."
        raise TableError(f"{path} has no column {label!r}; {hint}")
    labels = table.iloc[:, names.index(label)]
    _check_labels(path, label, labels)
    columns = table.drop(columns=table.columns[names.index(label)])
    if columns.shape[1] == 0:
        raise TableError(f"{path} has no column besides the label {label!r}.")
    return columns, labels


def _check_labels(path, label, labels):
    missing = np.flatnonzero(labels.isna())
    if len(missing):
        first = f"the first in row {missing[0] + 1}"
        raise TableError(f"{path}: column {label!r} has {len(missing)} missing labels, {first}; drop or fill them.")
    n_classes = labels.nunique()
    if n_classes < 2:
        raise TableError(f"{path}: column {label!r} has one class only, {labels.iloc[0]!r}; two or more are needed.")
    if n_classes > max(2, len(labels) // 2):
        raise TableError(
            f"{path}: column {label!r} has {n_classes} different values in {len(labels)} rows: no classes."
        )


def _first_line(error):
    return str(error).strip().split("\n")[0].rstrip(".")
