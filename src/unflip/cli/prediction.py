"""Predictions for the rows of one file, learned from another."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unflip.classifier import NoiseCorrectedClassifier, RobustKNeighborsClassifier
from unflip.cli.models import model_named
from unflip.foundation.atomic_files import atomic_write, check_not_input
from unflip.foundation.errors import UnwritableError, refusal
from unflip.foundation.printable import printable, shown
from unflip.neighbors import ExactIndex
from unflip.tables import LabeledTable, TableEncoder, TableError, check_uncompressed, read_labeled, read_rows
from unflip.tables.writing import write_frame

UNNAMED = re.compile(r"Unnamed: \d+_*")
HEADER = ("row", "label", "probability", "nearest")


def predictions(
    train: str, new: str, label: str, *, model: str = "auto", labels_path: str | None = None, n_neighbors: int = 3
) -> tuple[pd.DataFrame, list[str]]:
    """Return the table of predictions, and notes for the user.

    Rows count from 1, the header not among them.
    """
    labeled = read_labeled(train, label, labels_path)
    rows = read_rows(new)
    notes = list(labeled.notes)
    if isinstance(rows, pd.DataFrame) and label in rows.columns:
        notes.append(f"The column {shown(label)} of {new} is not used: these labels are predicted.")
        rows = rows.drop(columns=label)
    if isinstance(rows, pd.DataFrame) and labeled.columns is not None:
        rows = _without_new_index(rows, labeled.columns)
    X, X_new, left_out = _encoded(labeled, rows, train, new)
    notes += [printable(f"Left out: {name} ({reason}).") for name, reason in left_out.items()]
    return _predicted(X, labeled.labels.to_numpy(), X_new, n_neighbors, model), notes


def _without_new_index(rows: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """Drop columns without a name, as pandas and R write row numbers, that the training table does not have."""
    unnamed = [name for name in rows.columns if UNNAMED.fullmatch(str(name)) and name not in columns.columns]
    return rows.drop(columns=unnamed) if len(unnamed) < rows.shape[1] else rows


def _encoded(labeled: LabeledTable, rows: Any, train: str, new: str) -> tuple[Any, Any, dict[str, str]]:
    """Return both matrices, and the columns left out."""
    if (labeled.embedding is None) != isinstance(rows, pd.DataFrame):
        raise TableError(f"{train} and {new} must be both tables or both embeddings.")
    if labeled.embedding is None:
        encoder = TableEncoder().fit(labeled.columns, labeled.labels)
        return encoder.transform(labeled.columns), _transformed(encoder, rows, new), encoder.left_out_
    if rows.shape[1] != labeled.embedding.shape[1]:
        widths = f"{rows.shape[1]} numbers per row, {train} has {labeled.embedding.shape[1]}"
        raise TableError(f"{new} has {widths}.")
    return labeled.embedding, rows, {}


def _transformed(encoder: TableEncoder, rows: pd.DataFrame, new: str) -> np.ndarray:
    try:
        return encoder.transform(rows)
    except TableError as error:
        raise TableError(f"{new}: {error}") from None


def _predicted(X: Any, y: np.ndarray, X_new: Any, n_neighbors: int, name: str) -> pd.DataFrame:
    if name == "neighbors":
        model: Any = RobustKNeighborsClassifier(n_jobs=-1, random_state=0)
    else:
        model = NoiseCorrectedClassifier(None if name == "auto" else model_named(name), n_jobs=-1)
    model.fit(X, y)
    nearest = _nearest(X, X_new, n_neighbors) + 1
    probabilities = model.predict_proba(X_new)
    best = probabilities.argmax(axis=1)  # the label that predict gives, without a third search
    values = (
        np.arange(1, len(X_new) + 1),
        model.classes_[best],
        probabilities.max(axis=1).round(4),
        [" ".join(map(str, rows)) for rows in nearest],
    )
    return pd.DataFrame(dict(zip(HEADER, values, strict=True)))


def _nearest(X: Any, X_new: Any, n_neighbors: int) -> np.ndarray:
    index = ExactIndex(n_jobs=-1, owner="unflip predict").fit(X)
    if n_neighbors > index.n_rows:
        accepted = f"at most {index.n_rows}, the number of rows to be found"
        raise refusal("unflip predict", "--neighbors", accepted, n_neighbors)
    return index.query(X_new, n_neighbors).indices


def check_output(path: str | PathLike[str] | None, inputs: Sequence[str | PathLike[str] | None]) -> None:
    """Refuse an output that is an input, that would have to be compressed, or that predict did not write itself."""
    if path is None:
        return
    check_uncompressed(path)
    check_not_input(path, inputs)
    path = Path(path)
    if path.is_file() and path.stat().st_size:
        with open(path, "rb") as file:
            if not file.readline(100).startswith(",".join(HEADER).encode()):
                raise UnwritableError(f"{path} exists and was not written by unflip predict; choose another name.")


def write(table: pd.DataFrame, path: str | None = None) -> None:
    """Write predictions as CSV to standard output, or to a file that is there whole or not at all."""
    if path is None:
        table.to_csv(sys.stdout, index=False, lineterminator="\n")
        return
    check_uncompressed(path)
    with atomic_write(path) as file:
        write_frame(table, file)
