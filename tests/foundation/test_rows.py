"""Rows picked by their numbers, whatever holds them."""

import numpy as np
import pandas as pd
from scipy import sparse

from unflip.foundation.rows import in_memory, take_rows
from unflip.neighbors.shards import ArrayShards

X = np.random.RandomState(0).normal(size=(40, 2))


def test_rows_of_arrays_sparse_matrices_and_frames():
    rows = np.array([3, 1])
    assert take_rows(X, rows).tolist() == X[rows].tolist()
    assert take_rows(sparse.csr_matrix(X), rows).toarray().tolist() == X[rows].tolist()
    assert take_rows(pd.DataFrame(X, index=np.arange(40)[::-1]), rows).to_numpy().tolist() == X[rows].tolist()


def test_rows_in_files_are_brought_together_and_others_left_alone():
    X = np.arange(12.0).reshape(6, 2)
    assert in_memory(X) is X
    np.testing.assert_array_equal(in_memory(ArrayShards([X[:2], X[2:]])), X)
