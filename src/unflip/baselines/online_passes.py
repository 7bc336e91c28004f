"""Compiled passes of AROW and NHERD: every row that is not clear of the margin moves the weights and the covariance.

Both take the same step of the weights; they differ in how fast the covariance shrinks, NHERD ("herding") about twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from unflip.foundation.compiled import compiled

FULL, PROJECT, DROP, EXACT = range(4)


class Rows(NamedTuple):
    """Rows as runs of values and of the columns they stand in; dense rows share one run of columns."""

    values: np.ndarray
    columns: np.ndarray
    starts: np.ndarray
    column_starts: np.ndarray
    n_columns: int

    @classmethod
    def of(cls, X):
        """Take the rows of a dense array or of a CSR matrix without repeated entries; only F order is copied."""
        n_rows, n_columns = X.shape
        if sparse.issparse(X):
            return cls(X.data, X.indices, X.indptr, X.indptr, n_columns)
        starts = np.arange(n_rows + 1) * n_columns
        return cls(X.ravel(), np.arange(n_columns), starts, np.zeros_like(starts), n_columns)


def online_pass(rows, signs, order, weights, covariance, r, *, form, herding):
    """Go over the rows once, in the given order, and change weights and covariance in place.

    signs are +1.0 and -1.0. A weight more than there are columns belongs to a constant column of ones. covariance is a
    matrix for the form FULL, a vector of variances for the others. r is AROW's parameter, and 1 / C of NHERD's.
    Return whether all numbers stayed finite.
    """
    if form == FULL:
        finished = _full_pass(rows, signs, order, weights, covariance, r, herding)
    else:
        finished = _diagonal_pass(rows, signs, order, weights, covariance, r, herding, form)
    return finished and bool(np.isfinite(weights).all() and np.isfinite(covariance).all())


@compiled()
def _read(rows, row, weights, columns, values):
    """Copy a row into columns and values, the constant last; return its length and its product with the weights."""
    start, column_start = rows.starts[row], rows.column_starts[row]
    length = rows.starts[row + 1] - start
    score = 0.0
    for place in range(length):
        column, value = rows.columns[column_start + place], rows.values[start + place]
        columns[place], values[place] = column, value
        score += weights[column] * value
    if len(weights) > rows.n_columns:
        columns[length], values[length] = rows.n_columns, 1.0
        score += weights[rows.n_columns]
        length += 1
    return length, score


@compiled()
def _removed(spread, r, herding):
    """Return the factor f in Sigma - f (Sigma x) (Sigma x)', where spread is x' Sigma x."""
    return (spread + 2 * r) / (spread + r) / (spread + r) if herding else 1 / (spread + r)


@compiled()
def _added_precision(spread, r, herding):
    """Return the factor f in inv(Sigma) + f x x', which is the same step."""
    return (spread / r + 2) / r if herding else 1 / r


@compiled()
def _diagonal_pass(rows, signs, order, weights, variances, r, herding, form):
    columns, values = np.empty(len(weights), np.int64), np.empty(len(weights))
    for row in order:
        length, score = _read(rows, row, weights, columns, values)
        loss = 1 - signs[row] * score
        if loss <= 0:
            continue
        spread = 0.0
        for place in range(length):
            spread += variances[columns[place]] * values[place] ** 2
        if not np.isfinite(spread):
            return False
        step = signs[row] * loss / (spread + r)
        for place in range(length):
            weights[columns[place]] += step * variances[columns[place]] * values[place]
        _shrink(variances, columns[:length], values, spread, r, herding, form)
    return True


@compiled()
def _shrink(variances, columns, values, spread, r, herding, form):
    """Make the variances of a row's columns smaller."""
    if form == PROJECT:
        added = _added_precision(spread, r, herding)
        for place, column in enumerate(columns):
            variances[column] /= 1 + added * variances[column] * values[place] ** 2
    elif form == DROP:
        removed = _removed(spread, r, herding)
        for place, column in enumerate(columns):
            left = 1 - removed * variances[column] * values[place] ** 2
            variances[column] *= max(left, 0.0)  # below zero by rounding only
    else:
        for place, column in enumerate(columns):
            variances[column] /= (1 + variances[column] * values[place] ** 2 / r) ** 2


@compiled()
def _full_pass(rows, signs, order, weights, covariance, r, herding):
    columns, values = np.empty(len(weights), np.int64), np.empty(len(weights))
    direction = np.empty(len(weights))  # Sigma x
    for row in order:
        length, score = _read(rows, row, weights, columns, values)
        loss = 1 - signs[row] * score
        if loss <= 0:
            continue
        direction[:] = 0
        for place in range(length):
            _add(direction, values[place], covariance[columns[place]])
        spread = 0.0
        for place in range(length):
            spread += direction[columns[place]] * values[place]
        if not np.isfinite(spread):
            return False
        if spread <= 0:
            continue  # nothing is left to learn along this row; below zero by rounding only
        _add(weights, signs[row] * loss / (spread + r), direction)
        # Each factor with its own root: both halves of the matrix then round alike, and it stays symmetric.
        direction *= np.sqrt(_removed(spread, r, herding))
        for i in range(len(direction)):
            _add(covariance[i], -direction[i], direction)
    return True


@compiled()
def _add(target, factor, source):
    """Add a multiple of a vector to another, in place."""
    for i in range(len(target)):
        target[i] += factor * source[i]
