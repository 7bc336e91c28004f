"""Predictions for the rows of one file, learned from another."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd

from unflip.classifier import RobustKNeighborsClassifier
from unflip.foundation.atomic_files import atomic_write
from unflip.tables import LabeledTable, TableEncoder, TableError, check_uncompressed, read_labeled, read_rows


def predictions(
    train: str, new: str, label: str, *, labels_path: str | None = None, n_neighbors: int = 3
) -> tuple[pd.DataFrame, list[str]]:
    """Return the table of predictions, and notes for the user.

    Rows count from 1, the header not among them.
    """
    labeled = read_labeled(train, label, labels_path)
    rows = read_rows(new)
    notes = list(labeled.notes)
    if isinstance(rows, pd.DataFrame) and label in rows.columns:
        notes.append(f"The column {label!r} of {new} is not used: these labels are predicted.")
        rows = rows.drop(columns=label)
    X, X_new, left_out = _encoded(labeled, rows, train, new)
    notes += [f"Left out: {name} ({reason})." for name, reason in left_out.items()]
    return _predicted(X, labeled.labels.to_numpy(), X_new, n_neighbors), notes


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


def _predicted(X: Any, y: np.ndarray, X_new: Any, n_neighbors: int) -> pd.DataFrame:
    model = RobustKNeighborsClassifier(n_jobs=-1, random_state=0).fit(X, y)
    nearest = model.kneighbors(X_new, n_neighbors=n_neighbors, return_distance=False) + 1
    probabilities = model.predict_proba(X_new)
    best = probabilities.argmax(axis=1)  # the label that predict gives, without a third search
    return pd.DataFrame({
        "row": np.arange(1, len(X_new) + 1),
        "label": model.classes_[best],
        "probability": probabilities.max(axis=1).round(4),
        "nearest": [" ".join(map(str, rows)) for rows in nearest],
    })  # fmt: skip


def write(table: pd.DataFrame, path: str | None = None) -> None:
    """Write predictions as CSV to standard output, or to a file that is there whole or not at all."""
    if path is None:
        table.to_csv(sys.stdout, index=False, lineterminator="\n")
        return
    check_uncompressed(path)
    with atomic_write(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")
