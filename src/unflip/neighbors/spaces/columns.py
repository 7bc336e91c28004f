"""Columns brought to a common range before trees see them: trees work in float32, where large offsets drown values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

MAX_VALUE = 1e30  # fits float32


@dataclass(frozen=True, eq=False)
class ColumnRanks:
    """Maps each column to [0, 1] by the ranks of its distinct values; sparse columns to [-1, 1], keeping their zeros.

    A single outlier cannot squeeze the other values together, and how often a row occurs does not matter, so that a
    weight of 2 is two rows to the last bit.

    Parameters
    ----------
    values : list of ndarray or None
        The distinct values of each column, halved, sorted; None for sparse rows.
    width : ndarray of shape (n_columns,) or None
        What the columns of sparse rows are divided by, never zero.
    """

    values: list[np.ndarray] | None
    width: np.ndarray | None

    @classmethod
    def of(cls, X: Any) -> ColumnRanks:
        """Learn the ranks of a dense or the ranges of a sparse matrix of finite numbers."""
        if sparse.issparse(X):
            largest = np.asarray(abs(sparse.csc_array(X)).max(axis=0).todense()).ravel()
            return cls(None, np.where(largest > 0, largest, 1.0))
        # Halved, because the difference of the largest floats would overflow.
        return cls([np.unique(column / 2) for column in X.T], None)

    def __call__(self, X: Any) -> Any:
        """Return rows in that range: float32, C-contiguous or CSR. New values between two known ones lie between."""
        if self.values is not None:
            return self._ranked(X.toarray() if sparse.issparse(X) else X)
        assert self.width is not None
        if not sparse.issparse(X):
            return _ratio(X, self.width)
        X = sparse.csr_matrix(X)
        places = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # trees read no others
        return sparse.csr_matrix((_ratio(X.data, self.width[X.indices]), *places), X.shape)

    def _ranked(self, X: np.ndarray) -> np.ndarray:
        assert self.values is not None
        ranks = np.empty(X.shape, np.float32)
        for number, values in enumerate(self.values):
            ranks[:, number] = np.interp(X[:, number] / 2, values, np.linspace(0, 1, len(values)))
        return ranks


def _ratio(values: np.ndarray, width: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # of new rows far outside
        return np.clip(values / width, -MAX_VALUE, MAX_VALUE).astype(np.float32, order="C")
