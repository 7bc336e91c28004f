import numpy as np
from scipy import sparse

from unflip.foundation.row_hashes import row_hashes
from unflip.neighbors.shards import ArrayShards


def test_equal_rows_have_equal_hashes_and_others_differ():
    random = np.random.RandomState(0)
    X = random.randint(0, 40, size=(5000, 3)).astype(float)
    hashes = row_hashes(X)
    _, place = np.unique(X, axis=0, return_inverse=True)
    assert len(np.unique(hashes)) == place.max() + 1
    for group in range(50):
        assert len(set(hashes[place == group].tolist())) == 1


def test_zeros_of_both_signs_are_equal_and_the_order_of_columns_matters():
    a, b, c = row_hashes(np.array([[0.0, 1.0], [-0.0, 1.0], [1.0, 0.0]]))
    assert a == b != c


def test_a_sparse_matrix_has_the_hashes_of_the_dense_one():
    X = np.where(np.random.RandomState(0).random_sample((60, 9)) < 0.7, 0, np.arange(9.0))
    np.testing.assert_array_equal(row_hashes(sparse.csr_matrix(X)), row_hashes(X))


def test_rows_that_come_in_blocks_have_the_same_hashes():
    X = np.random.RandomState(0).normal(size=(30, 4)).astype(np.float32)
    np.testing.assert_array_equal(row_hashes(ArrayShards([X[:11], X[11:]])), row_hashes(X.astype(float)))
