"""Rows far from the rest are searched apart, exactly and without slowing down the others."""

import time

import numpy as np
import pytest

from neighbors.data import brute_force
from unflip.neighbors.engines.parts import MAX_REACH, PartedEngine, distances_from, divided


def rows_with(value, n_rows=500):
    X = np.random.RandomState(0).normal(size=(n_rows, 4))
    X[7, 2] = value
    return X


def test_most_rows_come_first_and_every_row_is_in_one_part():
    X = np.random.RandomState(0).standard_cauchy((5000, 3)) ** 3
    parts = divided(X)
    assert len(parts) >= 2
    assert sorted(np.concatenate(parts).tolist()) == list(range(5000))
    assert all((np.diff(rows) > 0).all() for rows in parts)
    assert len(parts[0]) > 0.9 * 5000


def test_rows_of_one_magnitude_are_one_part():
    assert len(divided(np.random.RandomState(0).normal(size=(1000, 4)))) == 1
    assert len(divided(np.ones((1000, 4)))) == 1
    assert [len(rows) for rows in divided(rows_with(1e12))] == [499, 1]


@pytest.mark.parametrize("value", [1e3, 1e12, -1e38, 1e160, 1e308])
def test_outliers_are_found_and_find_as_by_brute_force(value):
    X = rows_with(value)
    engine = PartedEngine().fit(X)
    exclude = np.arange(len(X))
    with np.errstate(over="ignore"):
        for queries, left_out in ((X, exclude), (X.copy(), exclude), (rows_with(-value)[:20], None)):
            squared, rows = engine.search(queries, 9, left_out)
            expected = brute_force(X, queries, 9, left_out)
            np.testing.assert_array_equal(rows, expected[1])
            np.testing.assert_array_equal(squared, expected[0])


def test_the_distance_from_the_middle_is_the_largest_over_the_columns():
    assert distances_from(np.array([[1.0, -5.0], [2.0, 0.0]]), np.array([1.0, 1.0])).tolist() == [6, 1]
    assert MAX_REACH > 1


@pytest.mark.speed
def test_one_outlier_costs_little():
    def seconds(X):
        start = time.perf_counter()
        PartedEngine().fit(X).search(X, 20, np.arange(len(X)))
        return time.perf_counter() - start

    plain, outlying = rows_with(0.0, 20_000), rows_with(1e20, 20_000)
    seconds(plain)
    assert min(seconds(outlying) for _ in range(3)) < 5 * min(seconds(plain) for _ in range(3)) + 0.2
