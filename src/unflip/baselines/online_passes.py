"""Compiled passes of AROW and NHERD: every row inside the margin updates the weights and the covariance.

Both update the weights in the same way. The covariance shrinks about twice as fast in NHERD ("herding").
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from unflip.foundation.compiled import compiled

FULL, PROJECT, DROP, EXACT = range(4)


class Rows(NamedTuple):
    """Rows in CSR layout: values and their columns; dense rows share one array of columns."""

    values: np.ndarray
    columns: np.ndarray
    starts: np.ndarray
    column_starts: np.ndarray
    n_columns: int

    @classmethod
    def of(cls, X: Any) -> Rows:
        """Take the rows of a dense array or of a CSR matrix without duplicate entries; only F order is copied."""
        n_rows, n_columns = X.shape
        if sparse.issparse(X):
            return cls(X.data, X.indices, X.indptr, X.indptr, n_columns)
        starts = np.arange(n_rows + 1) * n_columns
        return cls(X.ravel(), np.arange(n_columns), starts, np.zeros_like(starts), n_columns)


def online_pass(
    rows: Rows,
    signs: np.ndarray,
    order: np.ndarray,
    weights: np.ndarray,
    covariance: np.ndarray,
    r: float,
    *,
    form: int,
    herding: bool,
) -> bool:
    """Pass over the rows once, in the given order, and update weights and covariance in place.

    Signs are +1.0 and -1.0. One more weight than columns is the weight of a constant column of ones. The covariance is
    a matrix for the form FULL and a vector of variances otherwise. r is AROW's parameter, and 1 / C for NHERD. Return
    whether all numbers stayed finite.
    """
    if form == FULL:
        finished = _full_pass(rows, signs, order, weights, covariance, r, herding)
    else:
        finished = _diagonal_pass(rows, signs, order, weights, covariance, r, herding, form)
    return finished and bool(np.isfinite(weights).all() and np.isfinite(covariance).all())


@compiled()
def _load_row(rows, row, weights, columns, values):
    """Copy a row into columns and values, the constant last; return its length and its score."""
    start, column_start = rows.starts[row], rows.column_starts[row]
    length = rows.starts[row + 1] - start
    score = 0.0
    for position in range(length):
        column, value = rows.columns[column_start + position], rows.values[start + position]
        columns[position], values[position] = column, value
        score += weights[column] * value
    if len(weights) > rows.n_columns:
        columns[length], values[length] = rows.n_columns, 1.0
        score += weights[rows.n_columns]
        length += 1
    return length, score


@compiled()
def _covariance_factor(spread, r, herding):
    """Return the factor f in Sigma - f (Sigma x) (Sigma x)', where spread is x' Sigma x."""
    return (spread + 2 * r) / (spread + r) / (spread + r) if herding else 1 / (spread + r)


@compiled()
def _precision_factor(spread, r, herding):
    """Return the factor f in inv(Sigma) + f x x', which is the same update."""
    return (spread / r + 2) / r if herding else 1 / r


@compiled()
def _diagonal_pass(rows, signs, order, weights, variances, r, herding, form):
    columns, values = np.empty(len(weights), np.int64), np.empty(len(weights))
    for row in order:
        length, score = _load_row(rows, row, weights, columns, values)
        loss = 1 - signs[row] * score
        if loss <= 0:
            continue
        spread = 0.0
        for position in range(length):
            spread += variances[columns[position]] * values[position] ** 2
        if not np.isfinite(spread):
            return False
        step = signs[row] * loss / (spread + r)
        for position in range(length):
            weights[columns[position]] += step * variances[columns[position]] * values[position]
        _shrink(variances, columns[:length], values, spread, r, herding, form)
    return True


@compiled()
def _shrink(variances, columns, values, spread, r, herding, form):
    """Shrink the variances of a row's columns."""
    if form == PROJECT:
        factor = _precision_factor(spread, r, herding)
        for position, column in enumerate(columns):
            variances[column] /= 1 + factor * variances[column] * values[position] ** 2
    elif form == DROP:
        factor = _covariance_factor(spread, r, herding)
        for position, column in enumerate(columns):
            left = 1 - factor * variances[column] * values[position] ** 2
            variances[column] *= max(left, 0.0)  # negative only by rounding
    else:
        for position, column in enumerate(columns):
            variances[column] /= (1 + variances[column] * values[position] ** 2 / r) ** 2


@compiled()
def _full_pass(rows, signs, order, weights, covariance, r, herding):
    columns, values = np.empty(len(weights), np.int64), np.empty(len(weights))
    direction = np.empty(len(weights))  # Sigma x
    for row in order:
        length, score = _load_row(rows, row, weights, columns, values)
        loss = 1 - signs[row] * score
        if loss <= 0:
            continue
        direction[:] = 0
        for position in range(length):
            _add(direction, values[position], covariance[columns[position]])
        spread = 0.0
        for position in range(length):
            spread += direction[columns[position]] * values[position]
        if not np.isfinite(spread):
            return False
        if spread <= 0:
            continue  # nothing left to learn along this row; negative only by rounding
        _add(weights, signs[row] * loss / (spread + r), direction)
        # Scale both factors by the square root: both triangles then round alike, and the matrix stays symmetric.
        direction *= np.sqrt(_covariance_factor(spread, r, herding))
        for i in range(len(direction)):
            _add(covariance[i], -direction[i], direction)
    return True


@compiled()
def _add(target, factor, source):
    """Add a multiple of a vector to another, in place."""
    for i in range(len(target)):
        target[i] += factor * source[i]
