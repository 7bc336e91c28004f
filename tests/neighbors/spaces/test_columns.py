"""Columns in a common range: ranks of dense ones, whatever outliers do, and sparse ones that keep their zeros."""

import numpy as np
import pytest
from fuzzing import cases, random_numbers
from scipy import sparse

from unflip.neighbors.spaces.columns import MAX_VALUE, ColumnRanks

RANDOM = np.random.RandomState(0)


@pytest.mark.parametrize(("offset", "scale"), [(0, 1), (1e6, 1e-3), (-5, 1e300), (0, 1e-300)])
def test_distinct_values_lie_at_equal_steps_from_zero_to_one(offset, scale):
    X = offset + RANDOM.random_sample((51, 3)) * scale
    ranked = ColumnRanks.of(X)(X)
    assert ranked.dtype == np.float32
    np.testing.assert_array_equal(
        np.sort(ranked, axis=0), np.repeat(np.linspace(0, 1, 51)[:, None], 3, axis=1).astype("f")
    )


def test_values_by_hand():
    X = np.array([[2.0, -1e308], [6.0, 1e308], [3.0, 0.0]])
    ranks = ColumnRanks.of(X)
    assert ranks(X).tolist() == [[0, 0], [1, 1], [0.5, 0.5]]
    assert ranks(np.array([[4.5, 0.5e308], [99.0, -1e308]])).tolist() == [[0.75, 0.75], [1, 0]]  # new rows


def test_an_outlier_does_not_squeeze_the_others_together():
    X = np.append(np.arange(100.0), 1e300)[:, None]
    assert np.diff(ColumnRanks.of(X)(X)[:, 0]).min() > 0.009


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_a_constant_column_is_constant_and_new_values_of_it_are_finite(kind):
    X = np.array([[7.0, 0.0, 1.0], [7.0, 0.0, 2.0]])
    ranks = ColumnRanks.of(kind(X))
    ranked = sparse.csr_matrix(ranks(kind(X))).toarray()
    assert np.ptp(ranked[:, :2], axis=0).tolist() == [0, 0]
    new = sparse.csr_matrix(ranks(kind([[1e300, -1e300, 5.0]])))
    assert np.isfinite(new.data).all()


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_columns_are_divided_by_their_largest_size_and_keep_their_zeros(kind):
    X = kind([[0.0, -8.0, 0.0], [5.0, 4.0, 0.0], [0.0, 0.0, 0.0]])
    scaled = ColumnRanks.of(X)(X)
    assert sparse.isspmatrix_csr(scaled)
    assert (scaled.dtype, scaled.nnz, scaled.indices.dtype) == (np.float32, X.nnz, np.int32)
    assert scaled.toarray().tolist() == [[0, -1, 0], [1, 0.5, 0], [0, 0, 0]]


def test_rows_asked_about_may_be_sparse_where_the_others_were_not_and_the_other_way_round():
    X = np.where(RANDOM.random_sample((40, 4)) < 0.5, 0, RANDOM.normal(size=(40, 4)))
    dense, thin = ColumnRanks.of(X), ColumnRanks.of(sparse.csr_matrix(X))
    np.testing.assert_array_equal(dense(sparse.csr_matrix(X)), dense(X))
    np.testing.assert_array_equal(thin(X), thin(sparse.csr_matrix(X)).toarray())


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_copies_of_rows_and_their_order_do_not_change_it(kind):
    X = RANDOM.normal(size=(30, 3))
    repeated = X[RANDOM.permutation(np.repeat(np.arange(30), RANDOM.randint(1, 5, size=30)))]
    one, other = ColumnRanks.of(kind(X))(kind(X)), ColumnRanks.of(kind(repeated))(kind(X))
    np.testing.assert_array_equal(sparse.csr_matrix(one).toarray(), sparse.csr_matrix(other).toarray())


def test_the_answer_is_contiguous_whatever_the_layout():
    X = np.asfortranarray(RANDOM.normal(size=(30, 3)))
    assert ColumnRanks.of(X)(X).flags.c_contiguous


def test_random_finite_rows_stay_in_order_in_their_range_and_new_ones_stay_finite():
    for seed in cases(200):
        random = np.random.RandomState(seed)
        X, new = random_numbers(random, (20, 3)), random_numbers(random, (20, 3))
        ranks = ColumnRanks.of(X)
        ranked = np.take_along_axis(ranks(X), np.argsort(X, axis=0), axis=0)
        assert (np.diff(ranked, axis=0) >= 0).all(), seed
        assert 0 <= min(ranked.min(), ranks(new).min()) <= max(ranked.max(), ranks(new).max()) <= 1, seed
        thin = ColumnRanks.of(sparse.csr_matrix(X))
        assert np.abs(thin(sparse.csr_matrix(X)).data).max(initial=0) <= 1, seed
        assert np.abs(thin(sparse.csr_matrix(new)).data).max(initial=0) <= np.float32(MAX_VALUE), seed
