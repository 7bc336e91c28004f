"""Rows of any size: powers of two, so that no digit changes."""

import numpy as np
import pytest
from fuzzing import cases, random_numbers
from scipy import sparse

from unflip.opinions.magnitude import MAX_VALUE, column_factors, resized

KINDS = [np.asarray, sparse.csr_array, sparse.csr_matrix]
X = np.random.RandomState(0).normal(size=(30, 4)) * [1.0, 1e300, 1e-300, 0.0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_of_each_column_comes_near_one_and_the_rest_stays_in_proportion(kind):
    factors = column_factors(kind(X))
    found = sparse.csr_array(resized(kind(X), factors)).toarray()
    largest = np.abs(found).max(axis=0)
    assert ((largest[:3] >= 0.5) & (largest[:3] < 1)).all()
    assert set(np.frexp(factors)[0].tolist()) == {0.5}  # powers of two
    np.testing.assert_array_equal(found / factors, X)


def test_the_smallest_and_the_largest_numbers_stay_what_they_are():
    extreme = np.array([[5e-324, np.finfo(float).max]])
    factors = column_factors(extreme)
    assert np.isfinite(factors).all()
    np.testing.assert_array_equal(resized(extreme, factors) / factors, extreme)


def test_dense_rows_stay_dense_and_sparse_ones_sparse():
    assert isinstance(resized(X, column_factors(X)), np.ndarray)
    found = resized(sparse.csr_matrix(X), column_factors(X))
    assert (sparse.issparse(found), found.format) == (True, "csr")


@pytest.mark.parametrize("kind", KINDS)
def test_new_rows_far_outside_are_drawn_in(kind):
    found = resized(kind([[1e308, -1e308, 1.0, 0.0]]), column_factors(kind(X)))
    assert sparse.csr_array(found).toarray()[0, [0, 2, 3]].tolist() == [MAX_VALUE, MAX_VALUE, 0]


def test_squares_of_random_finite_rows_are_finite():
    for seed in cases(100):
        rows = random_numbers(np.random.RandomState(seed), (20, 3))
        assert np.isfinite((resized(rows, column_factors(rows)) ** 2).sum()), seed
