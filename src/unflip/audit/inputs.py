"""What an audit is given, checked: rows as numbers, labels as class numbers, a model's probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from unflip.tables import TableEncoder, as_table, is_table
from unflip.validation import refusal

ROUNDING = 1e-6  # by how much probabilities of a row may miss a sum of 1


@dataclass(frozen=True, eq=False)
class Inputs:
    """Rows and labels.

    Parameters
    ----------
    matrix : ndarray, sparse matrix or None
        Numbers between which distances make sense.
    table : DataFrame or None
        The rows as they were given, where they came as a table.
    encoder : TableEncoder or None
        What turned the table into the matrix.
    classes : ndarray
        The labels that occur, sorted.
    labels : ndarray of int
        Class numbers.
    pred_probs : ndarray of shape (n_rows, n_classes) or None
        A model's probabilities.
    """

    matrix: np.ndarray | sparse.csr_matrix | None
    table: pd.DataFrame | None
    encoder: TableEncoder | None
    classes: np.ndarray
    labels: np.ndarray
    pred_probs: np.ndarray | None


def check_inputs(owner, X, y, pred_probs):
    """Return what is to be audited, or refuse it in one sentence; the owner learns the number and names of columns."""
    if X is None and pred_probs is None:
        raise refusal(owner, "X", "rows, or None where there are pred_probs", None)
    if y is None:
        raise ValueError(f"{type(owner).__name__} requires y to be passed, but the target y is None.")
    matrix = table = encoder = None
    if is_table(X):
        table = as_table(X)
        check_consistent_length(table, y)
        encoder = _encoder_of(owner).fit(table, pd.Series(np.asarray(y)))
        matrix = encoder.transform(table)
        owner.n_features_in_ = table.shape[1]
        owner.feature_names_in_ = np.array([str(name) for name in table.columns], dtype=object)
    elif X is not None:
        matrix, _ = validate_data(owner, X, y, accept_sparse="csr", dtype=np.float64)
    classes, labels = _checked_labels(owner, y)
    if matrix is not None and len(labels) < 2:
        raise refusal(owner, "X", "two rows or more", f"{len(labels)} sample")
    return Inputs(matrix, table, encoder, classes, labels, _checked_probabilities(owner, pred_probs, classes, labels))


def _encoder_of(owner):
    """Return an encoder of our own, made like the one that was given."""
    given = owner.encoder
    return TableEncoder() if given is None else TableEncoder(keep=given.keep, drop=given.drop)


def _checked_labels(owner, y):
    y = column_or_1d(y, warn=True)
    missing = np.flatnonzero(pd.isna(y))
    if len(missing):
        raise refusal(owner, "y", "labels without gaps", f"{len(missing)} missing, the first in row {missing[0]}")
    try:
        classes, labels = np.unique(y, return_inverse=True)
    except TypeError:
        raise refusal(owner, "y", "labels of one kind", f"a mixture, such as {y[0]!r} and {_another(y)!r}") from None
    check_classification_targets(y)
    if len(classes) < 2:
        raise refusal(owner, "y", "labels of two classes or more", f"1 class: {classes.tolist()[0]!r}")
    return classes, labels


def _another(y):
    """Return a label of another type than the first."""
    return next(label for label in y if type(label) is not type(y[0]))


def _checked_probabilities(owner, pred_probs, classes, labels):
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
