"""A number for each row of a matrix, the same for equal rows: to find copies, and to pick rows whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


def row_hashes(matrix: Any) -> np.ndarray:
    """Return a 64-bit hash of each row of an array, a CSR matrix, or what yields its rows in blocks.

    Examples
    --------
    >>> first, second, third = row_hashes(np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]]))
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    if hasattr(matrix, "blocks"):  # rows that are not in memory
        return np.concatenate([row_hashes(block) for block in matrix.blocks()])
    factors = np.random.RandomState(0).randint(0, 2**63, size=matrix.shape[1], dtype=np.uint64) | np.uint64(1)
    hashes = np.zeros(matrix.shape[0], np.uint64)
    if sparse.issparse(matrix):
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        np.add.at(hashes, rows, _mixed(matrix.data.astype(np.float64)) * factors[matrix.indices])
        return hashes
    for column, factor in zip(matrix.T, factors, strict=True):
        hashes += _mixed(column.astype(np.float64)) * factor
    return hashes


def _mixed(values: np.ndarray) -> np.ndarray:
    """Return the bits of values, stirred; -0.0 is 0.0, which it equals, and becomes 0."""
    bits = (values + 0.0).view(np.uint64)
    bits = (bits ^ (bits >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(29))
