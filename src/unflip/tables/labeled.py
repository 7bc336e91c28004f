"""Rows and labels from any supported file: the entry point of the commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from unflip.foundation.printable import shown
from unflip.tables.embeddings import (
    LABEL_NAMES,
    Arrays,
    embedding_among,
    is_embedding,
    labels_among,
    read_arrays,
    read_embedding,
)
from unflip.tables.encoding import Encoding, encode
from unflip.tables.errors import TableError, hint
from unflip.tables.labels import checked_labels, notes_on
from unflip.tables.progress import ShareDone, tell_nobody
from unflip.tables.reading import Source, read_source, read_table, reading_errors, split_labels
from unflip.tables.text_files import FilePath, ending_of, read_content

LINE_END = re.compile("\r\n|\n|\r")


@dataclass(frozen=True, eq=False)
class LabeledTable:
    """Rows, either as columns or as an embedding, and their labels.

    Parameters
    ----------
    columns : DataFrame or None
        All columns but the label, if the file is a table.
    embedding : ndarray of shape (n_rows, n_numbers) or None
        The rows, if the file holds an array.
    labels : Series
        Labels of at least two classes, none missing: numbers, booleans or texts.
    name : str
        The file name.
    source : TextFile, ArrowFile or None, default=None
        The file as it was read, if it is a table: all columns, and their cells as written.
    notes : list of str
        Sentences about suspicious labels.
    """

    columns: pd.DataFrame | None
    embedding: np.ndarray | None
    labels: pd.Series
    name: str
    source: Source | None = None
    notes: list[str] = field(default_factory=list)

    def encode(self, *, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> Encoding:
        """Return the rows as numbers; an embedding is returned unchanged.

        Parameters
        ----------
        keep : sequence of str, default=()
            As for the function ``encode``.
        drop : sequence of str, default=()
            As for the function ``encode``.

        Returns
        -------
        encoding : Encoding
            The numbers, and the columns used and left out.
        """
        if self.embedding is None:
            return encode(self.columns, self.labels, keep=keep, drop=drop)
        if requested := [*keep, *drop]:
            raise TableError(f"{self.name} is an embedding: it has no column {shown(requested[0])} to keep or drop.")
        return Encoding(self.embedding, ["embedding"], {})


def read_labeled(
    path: FilePath, label: str, labels_path: FilePath | None = None, *, progress: ShareDone = tell_nobody
) -> LabeledTable:
    """Read rows and their labels.

    Parameters
    ----------
    path : str or Path
        A table, as for read_table, or an embedding: a .npy file, or a .npz file with a single two-dimensional array.
    label : str
        The label column. In a .npz file, the name of the label array; "label", "labels" and "y" are found too.
    labels_path : str, Path or None, default=None
        A separate label file, as for read_labels; required for a .npy file.
    progress : callable, default=tell_nobody
        Called with the share of a CSV file that is read.

    Returns
    -------
    labeled : LabeledTable
        The rows and labels.
    """
    path = Path(path)
    if is_embedding(path):
        arrays = read_arrays(path)
        embedding = embedding_among(arrays, path)
        labels = _labels_of_embedding(arrays, path, label, labels_path, len(embedding))
        return LabeledTable(None, embedding, labels, path.name, notes=notes_on(labels))
    source = read_source(path, progress=progress)
    table = source.table
    if labels_path is None:
        columns, labels = split_labels(table, label, path)
    else:
        if label in map(str, table.columns):
            contradiction = f"labels from {labels_path} would contradict it"
            raise TableError(f"{path} already has a column {shown(label)}; {contradiction}.")
        columns, labels = table, read_labels(labels_path, label, len(table))
    return LabeledTable(columns, None, labels, path.name, source, notes_on(labels))


def _labels_of_embedding(
    arrays: Arrays, path: Path, label: str, labels_path: FilePath | None, n_rows: int
) -> pd.Series:
    if labels_path is not None:
        return read_labels(labels_path, label, n_rows)
    found = labels_among(arrays, label, n_rows)
    if found is None:
        raise TableError(f"{path} has no array of {n_rows} labels named {shown(label)}; pass a label file (--labels).")
    return _checked(path, label, found)


def read_labels(path: FilePath, label: str, n_rows: int) -> pd.Series:
    """Read labels from a separate file.

    Parameters
    ----------
    path : str or Path
        A table with a label column, a .npy file with a one-dimensional array, or a .txt file with one label per line
        and no header.
    label : str
        The name of the column.
    n_rows : int
        The number of labels expected.

    Returns
    -------
    labels : Series
        Labels of at least two classes, none missing.
    """
    path = Path(path)
    found: list[str | None] | np.ndarray | pd.Series
    if ending_of(path) == ".txt":
        found = _lines(path)
    elif is_embedding(path):
        found = _label_array(path, label)
    else:
        found = _label_column(path, label)
    if len(found) != n_rows:
        raise TableError(f"{path} has {len(found)} labels for {n_rows} rows.")
    return _checked(path, label, found)


def _lines(path: Path) -> list[str | None]:
    with reading_errors(path):
        text = read_content(path).decode("utf-8")
    if not text:
        raise TableError(f"{path} is empty.")
    lines = LINE_END.split(text)
    if lines[-1] == "":  # after the last line end
        lines.pop()
    return [line if line.strip() else None for line in lines]


def _label_array(path: Path, label: str) -> np.ndarray:
    flat = {name: array for name, array in read_arrays(path).items() if array.ndim == 1}
    for name in ("", label, *LABEL_NAMES):
        if name in flat:
            return flat[name]
    raise TableError(f"{path} has no one-dimensional array named {shown(label)}.")


def _label_column(path: Path, label: str) -> pd.Series:
    table = read_table(path)
    if label not in table.columns:
        raise TableError(f"{path} has no column {shown(label)}; {hint(label, table.columns)}")
    return table[label]


def _checked(path: Path, label: str, found: list[str | None] | np.ndarray | pd.Series) -> pd.Series:
    if isinstance(found, np.ndarray):
        found = _native(path, found)
    try:
        labels = pd.Series(found, name=label).reset_index(drop=True)
    except UnicodeEncodeError:
        raise TableError(f"{path} holds labels that are not valid Unicode.") from None
    return checked_labels(path, label, labels)


def _native(path: Path, array: np.ndarray) -> np.ndarray:
    """Return an array of labels in the byte order of this machine, bytes as text."""
    if array.dtype.kind == "S":
        try:
            return np.char.decode(array, "utf-8")
        except UnicodeDecodeError:
            raise TableError(f"{path} holds labels that are not UTF-8 text.") from None
    if array.dtype.kind == "V":
        raise TableError(f"{path} holds labels of type {shown(array.dtype)}, not classes.")
    if array.dtype.kind == "m" or array.dtype == np.dtype("M8"):
        array = array.astype(str)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def read_rows(path: FilePath) -> pd.DataFrame | np.ndarray:
    """Read rows without labels.

    Parameters
    ----------
    path : str or Path
        A table or an embedding, as for read_labeled.

    Returns
    -------
    rows : DataFrame or ndarray of shape (n_rows, n_numbers)
        The table or the embedding.
    """
    return read_embedding(path) if is_embedding(path) else read_table(path)
