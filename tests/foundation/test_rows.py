"""Rows picked by their numbers, whatever holds them."""

import numpy as np
import pandas as pd
from scipy import sparse

from unflip.foundation.rows import take_rows

X = np.random.RandomState(0).normal(size=(40, 2))


def test_rows_of_arrays_sparse_matrices_and_frames():
    rows = np.array([3, 1])
    assert take_rows(X, rows).tolist() == X[rows].tolist()
    assert take_rows(sparse.csr_matrix(X), rows).toarray().tolist() == X[rows].tolist()
    assert take_rows(pd.DataFrame(X, index=np.arange(40)[::-1]), rows).to_numpy().tolist() == X[rows].tolist()
