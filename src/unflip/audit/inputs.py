"""What an audit is given, checked: rows as numbers, labels as class numbers, a model's probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import validate_data

from unflip.foundation.class_numbers import class_numbers
from unflip.foundation.errors import UnflipError, refusal
from unflip.foundation.floats import FLOAT_TYPES, at_least_single
from unflip.neighbors.shards import ParquetShards, Shards, is_sharded, labels_of, needs_encoder
from unflip.tables import TableEncoder, as_table, is_table
from unflip.tables.encoding import Encoder

ROUNDING = 1e-6  # by how much the probabilities of a row may miss a sum of 1


@dataclass(frozen=True, eq=False)
class Inputs:
    """Rows and labels.

    Parameters
    ----------
    matrix : ndarray, sparse matrix, Shards or None
        Numbers between which distances make sense, or the distances themselves.
    table : DataFrame or None
        The rows as they were given, if they came as a table.
    encoder : Encoder or None
        What turned the rows into the matrix.
    classes : ndarray
        The labels that occur, sorted.
    labels : ndarray of int
        Class numbers.
    pred_probs : ndarray of shape (n_rows, n_classes) or None
        A model's probabilities.
    pairwise : bool, default=False
        Whether the matrix holds distances.
    """

    matrix: np.ndarray | sparse.csr_matrix | Shards | None
    table: pd.DataFrame | None
    encoder: Encoder | None
    classes: np.ndarray
    labels: np.ndarray
    pred_probs: np.ndarray | None
    pairwise: bool = False


def check_inputs(owner: Any, X: Any, y: ArrayLike, pred_probs: ArrayLike | None) -> Inputs:
    """Return what is to be audited, or refuse it in one sentence; the owner learns the number and names of columns."""
    if X is None and pred_probs is None:
        raise refusal(owner, "X", "rows, or None if there are pred_probs", None)
    if is_sharded(X):
        return _sharded_inputs(owner, X, y, pred_probs)
    if y is None:
        raise UnflipError(f"{type(owner).__name__} requires y to be passed, but the target y is None.")
    pairwise = isinstance(owner.metric, str) and owner.metric == "precomputed"
    matrix = table = encoder = None
    if is_table(X) and not pairwise:
        table = as_table(X)
        check_consistent_length(table, y)
        encoder = _fitted_encoder(owner, table, y)
        matrix = _encoded(owner, encoder, table)
        owner.n_features_in_ = table.shape[1]
        owner.feature_names_in_ = np.array([str(name) for name in table.columns], dtype=object)
    elif X is not None:
        finite = owner.encoder is None  # an encoder may fill gaps
        matrix = validate_data(
            owner,
            at_least_single(X),
            accept_sparse="csr",
            dtype=FLOAT_TYPES,
            ensure_all_finite=True if finite else "allow-nan",
        )
        check_consistent_length(matrix, y)
        if owner.encoder is not None and not pairwise:
            encoder = _fitted_encoder(owner, matrix, y)
            matrix = _encoded(owner, encoder, matrix)
    classes, labels = class_numbers(owner, y)
    if matrix is not None and len(labels) < 2:
        raise refusal(owner, "X", "two rows or more", f"{len(labels)} sample")
    probabilities = _checked_probabilities(owner, pred_probs, classes, labels)
    return Inputs(matrix, table, encoder, classes, labels, probabilities, pairwise)


def _sharded_inputs(owner: Any, shards: Shards, y: Any, pred_probs: ArrayLike | None) -> Inputs:
    """Return rows that are in files; an encoder of tables learns from some of them."""
    y = labels_of(owner, shards, y)
    check_consistent_length(shards, y)
    classes, labels = class_numbers(owner, np.asarray(y))
    encoder = None
    if isinstance(shards, ParquetShards) and needs_encoder(shards):
        owner.feature_names_in_ = np.array(shards.columns, dtype=object)
        shards = shards.encoded_by(TableEncoder() if owner.encoder is None else clone(owner.encoder), y)
        encoder = shards.encoder
    owner.n_features_in_ = shards.shape[1] if encoder is None else len(owner.feature_names_in_)
    probabilities = _checked_probabilities(owner, pred_probs, classes, labels)
    return Inputs(shards, None, encoder, classes, labels, probabilities)


def _fitted_encoder(owner: Any, rows: Any, y: ArrayLike) -> Encoder:
    encoder = TableEncoder() if owner.encoder is None else clone(owner.encoder)
    return encoder.fit(rows, pd.Series(np.asarray(y)))


def _encoded(owner: Any, encoder: Encoder, rows: Any) -> Any:
    return check_array(encoder.transform(rows), accept_sparse="csr", dtype=np.float64, estimator=owner)


def _checked_probabilities(owner: Any, pred_probs: Any, classes: np.ndarray, labels: np.ndarray) -> np.ndarray | None:
    if pred_probs is None:
        return None
    pred_probs = check_array(pred_probs, dtype=np.float64, input_name="pred_probs")
    expected = (len(labels), len(classes))
    if pred_probs.shape != expected:
        raise refusal(owner, "pred_probs", f"of shape {expected}, a column per class", f"shape {pred_probs.shape}")
    bad = np.flatnonzero((pred_probs.min(axis=1) < 0) | (np.abs(pred_probs.sum(axis=1) - 1) > ROUNDING))
    if len(bad):
        raise refusal(owner, "pred_probs", "probabilities that sum to 1", f"{pred_probs[bad[0]]} in row {bad[0]}")
    return pred_probs
