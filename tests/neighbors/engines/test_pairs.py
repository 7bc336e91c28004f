"""The distance of two rows: the definition, dense and sparse, to the last bit."""

import numpy as np
import pytest
from numba import njit
from reference import squared_distance
from scipy import sparse

from unflip.neighbors.engines.pairs import SparseRows, squared_distances_to


@njit
def distances(queries, query, points, rows):
    out = np.empty(len(rows))
    squared_distances_to(queries, query, points, rows, len(rows), out)
    return out


def sparse_rows(X):
    matrix = sparse.csr_array(X)
    return SparseRows(matrix.data, matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64))


@pytest.mark.parametrize("n_rows", [1, 3, 4, 5, 11])
def test_squares_are_summed_column_by_column_without_fusing(n_rows):
    random = np.random.RandomState(n_rows)
    X = np.where(random.random_sample((n_rows + 2, 7)) < 0.5, 0, random.normal(size=(n_rows + 2, 7)) * 1e3)
    rows = random.permutation(n_rows + 2)[:n_rows].astype(np.int32)
    expected = [squared_distance(X[1], X[row]) for row in rows]
    assert distances(X, 1, X, rows).tolist() == expected
    assert distances(sparse_rows(X), 1, sparse_rows(X), rows).tolist() == expected


def test_it_is_for_compiled_code_only():
    with pytest.raises(NotImplementedError, match="compiled code only"):
        squared_distances_to(None, 0, None, None, 0, None)
