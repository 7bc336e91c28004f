"""Rows of any finite size made small enough that neither sums nor squares overflow."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

MAX_EXPONENT = 1000  # of a factor that is itself an ordinary number
MAX_VALUE = 1e30  # of new rows, which may lie far outside


def column_factors(X: Any) -> np.ndarray:
    """Return a power of two for each column of a dense or CSR matrix, which brings its largest size near 1.

    Powers of two change no digit: what is learned from ordinary rows stays the same to the last bit.

    >>> column_factors(np.array([[0.0, 3.0], [0.0, -1e300]])).tolist() == [1.0, 2.0**-997]
    True
    """
    largest = abs(X).max(axis=0)
    largest = largest.toarray().ravel() if sparse.issparse(largest) else largest
    exponents = np.frexp(largest)[1]
    return np.ldexp(1.0, -np.clip(exponents, -MAX_EXPONENT, MAX_EXPONENT))


def resized(X: Any, factors: np.ndarray) -> Any:
    """Return the columns times their factors, a dense array or CSR matrix like X."""
    if sparse.issparse(X):
        return sparse.csr_array((_product(X.data, factors[X.indices]), X.indices, X.indptr), shape=X.shape)
    return _product(X, factors)


def _product(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.clip(values * factors, -MAX_VALUE, MAX_VALUE)
