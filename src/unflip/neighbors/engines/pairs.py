"""The squared distance of two rows: float64, summed over the columns in their order, nothing fused.

This is the definition that every search must reproduce to the last bit. numba fuses nothing unless asked to, so these
loops and numpy's elementwise operations agree. Rows of float32 are taken as the float64 numbers that they are.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from unflip.foundation.compiled import compiled


class SparseRows(NamedTuple):
    """The three arrays of a CSR matrix with sorted columns."""

    data: np.ndarray
    columns: np.ndarray
    starts: np.ndarray


def squared_distances_to(queries, query, points, rows, count, out):
    """Write the squared distances of one query to the first count of the given rows into out."""
    raise NotImplementedError("compiled code only: see the two implementations below")


@overload(squared_distances_to)
def _squared_distances_to(queries, query, points, rows, count, out):
    return _sparse if isinstance(getattr(points, "instance_class", None), type) else _dense


def _dense(queries, query, points, rows, count, out):
    n_columns = queries.shape[1]
    last = count - count % 4
    for first in range(0, last, 4):  # four sums at a time: one alone waits for each of its additions
        a, b, c, d = rows[first], rows[first + 1], rows[first + 2], rows[first + 3]
        sum_a = sum_b = sum_c = sum_d = 0.0
        for column in range(n_columns):
            value = np.float64(queries[query, column])
            to_a, to_b = value - np.float64(points[a, column]), value - np.float64(points[b, column])
            to_c, to_d = value - np.float64(points[c, column]), value - np.float64(points[d, column])
            sum_a += to_a * to_a
            sum_b += to_b * to_b
            sum_c += to_c * to_c
            sum_d += to_d * to_d
        out[first], out[first + 1], out[first + 2], out[first + 3] = sum_a, sum_b, sum_c, sum_d
    for position in range(last, count):
        total = 0.0
        for column in range(n_columns):
            difference = np.float64(queries[query, column]) - np.float64(points[rows[position], column])
            total += difference * difference
        out[position] = total


def _sparse(queries, query, points, rows, count, out):
    for position in range(count):
        out[position] = _sparse_pair(queries, query, points, rows[position])


@compiled()
def _sparse_pair(queries, query, points, row):
    """Merge two sorted rows; a column that is zero in both adds nothing, to the last bit."""
    i, i_end = queries.starts[query], queries.starts[query + 1]
    j, j_end = points.starts[row], points.starts[row + 1]
    total = 0.0
    while i < i_end or j < j_end:
        difference = 0.0
        column_i = queries.columns[i] if i < i_end else np.iinfo(np.int64).max
        column_j = points.columns[j] if j < j_end else np.iinfo(np.int64).max
        if column_i <= column_j:
            difference += queries.data[i]
            i += 1
        if column_j <= column_i:
            difference -= points.data[j]
            j += 1
        total += difference * difference
    return total
