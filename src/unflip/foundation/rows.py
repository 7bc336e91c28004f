"""Rows of arrays, sparse matrices and DataFrames, picked by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Return some rows of an array, sparse matrix or DataFrame.

    >>> take_rows(np.array([[1], [2], [3]]), np.array([2, 0])).tolist()
    [[3], [1]]
    """
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def in_memory(X: Any) -> Any:
    """Return rows that come in blocks, from files, as one array or CSR matrix, and any others as they are."""
    return X[:] if hasattr(X, "blocks") else X
