"""Rows and their labels from any file that is accepted: the one door for the commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from unflip.tables.embeddings import embedding_among, is_embedding, labels_among, read_arrays, read_embedding
from unflip.tables.encoding import Encoding, encode
from unflip.tables.labels import check_labels, notes_on
from unflip.tables.reading import read_table, refusing, split_labels
from unflip.tables.refusals import TableError, hint
from unflip.tables.text_files import ending_of, opened_text


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
        Of two classes or more, none missing, as they are in the file.
    name : str
        The file's name.
    table : DataFrame or None, default=None
        The whole table, its columns in their order.
    notes : list of str
        What about the labels deserves a look, in sentences.
    """

    columns: pd.DataFrame | None
    embedding: np.ndarray | None
    labels: pd.Series
    name: str
    table: pd.DataFrame | None = None
    notes: list[str] = field(default_factory=list)

    def encode(self, *, keep=(), drop=()):
        """Return the rows as numbers; an embedding as it is.

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
        if self.columns is not None:
            return encode(self.columns, self.labels, keep=keep, drop=drop)
        if asked := [*keep, *drop]:
            raise TableError(f"{self.name} is an embedding: it has no column {asked[0]!r} to keep or drop.")
        return Encoding(self.embedding, ["embedding"], {})


def read_labeled(path, label, labels_path=None):
    """Read rows and their labels.

    Parameters
    ----------
    path : str or Path
        A table, as for read_table, or an embedding: a .npy file, or a .npz file with one array of two dimensions.
    label : str
        The column of labels; in a .npz file the array of labels, unless that is called "label", "labels" or "y".
    labels_path : str, Path or None, default=None
        The file of labels, if they are apart, as for read_labels; needed for a .npy file.

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
    table = read_table(path)
    if labels_path is None:
        columns, labels = split_labels(table, label, path)
    else:
        if label in map(str, table.columns):
            raise TableError(f"{path} has a column {label!r} itself; labels from {labels_path} would contradict it.")
        columns, labels = table, read_labels(labels_path, label, len(table))
    return LabeledTable(columns, None, labels, path.name, table, notes_on(labels))


def _labels_of_embedding(arrays, path, label, labels_path, n_rows):
    if labels_path is not None:
        return read_labels(labels_path, label, n_rows)
    found = labels_among(arrays, label, n_rows)
    if found is None:
        raise TableError(f"{path} has no {n_rows} labels called {label!r}; give the file that has them (--labels).")
    return _checked(path, label, found)


def read_labels(path, label, n_rows):
    """Read labels from a file of their own.

    Parameters
    ----------
    path : str or Path
        A table with a column of labels, a .npy file with an array of one dimension, or a .txt file with one label
        per line and no header.
    label : str
        The name of the column.
    n_rows : int
        How many labels there must be.

    Returns
    -------
    labels : Series
        Of two classes or more, none missing.
    """
    path = Path(path)
    ending = ending_of(path)
    if ending == ".txt":
        found = _lines(path)
    elif is_embedding(path):
        found = _array_of_labels(path, label)
    else:
        found = _labels_in_table(path, label)
    if len(found) != n_rows:
        raise TableError(f"{path} has {len(found)} labels for {n_rows} rows.")
    return _checked(path, label, found)


def _lines(path):
    with refusing(path), opened_text(path) as file:
        lines = file.read().splitlines()
    if not lines:
        raise TableError(f"{path} is empty.")
    return [line if line.strip() else None for line in lines]


def _array_of_labels(path, label):
    arrays = read_arrays(path)
    flat = {name: array for name, array in arrays.items() if array.ndim == 1}
    for name in ("", label, "label", "labels", "y"):
        if name in flat:
            return flat[name]
    raise TableError(f"{path} has no array of one dimension called {label!r}.")


def _labels_in_table(path, label):
    table = read_table(path)
    if label not in table.columns:
        raise TableError(f"{path} has no column {label!r}; {hint(label, table.columns)}")
    return table[label]


def _checked(path, label, found):
    if isinstance(found, np.ndarray) and found.dtype.kind == "S":
        found = np.char.decode(found, "utf-8")
    labels = pd.Series(found, name=label).reset_index(drop=True)
    check_labels(path, label, labels)
    return labels


def read_rows(path):
    """Read rows without labels: a table or an embedding.

    Parameters
    ----------
    path : str or Path
        As for read_labeled.

    Returns
    -------
    rows : DataFrame or ndarray of shape (n_rows, n_numbers)
        The table, or the embedding.
    """
    return read_embedding(path) if is_embedding(path) else read_table(path)
