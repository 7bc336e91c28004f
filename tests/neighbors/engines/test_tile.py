"""The vector code of the tile against plain numpy."""

import numpy as np
import pytest
from numba import njit

from unflip.neighbors.engines.tile import (
    POINTS,
    QUERIES,
    add_by_loops,
    add_products,
    add_squares,
    lowest_bit,
    squares_tile,
)


@njit
def squares_of(queries, points, fresh, sums, limits):
    return add_squares(
        queries.ctypes.data, points.ctypes.data, len(queries), fresh, sums.ctypes.data, limits.ctypes.data
    )  # fmt: skip


@njit
def products_of(queries, points, fresh, sums, limits):
    return add_products(
        queries.ctypes.data, points.ctypes.data, len(queries), fresh, sums.ctypes.data, limits.ctypes.data
    )  # fmt: skip


@njit
def tile_of(queries, points, sums, limits):
    return squares_tile(queries.ctypes.data, points.ctypes.data, len(queries), sums.ctypes.data, limits.ctypes.data)


@njit
def lowest(mask):
    return lowest_bit(np.uint64(mask))


def whole_numbers(seed, n_columns):
    """Sums of squares of small whole numbers are exact in float32, in any order, fused or not."""
    random = np.random.RandomState(seed)
    queries = random.randint(0, 9, (n_columns, QUERIES)).astype(np.float32)
    points = random.randint(0, 9, (n_columns, POINTS)).astype(np.float32)
    limits = (n_columns * random.randint(3, 15, QUERIES)).astype(np.float32)
    return queries, points, limits


@pytest.mark.parametrize("products", [False, True])
@pytest.mark.parametrize("n_columns", [0, 1, 2, 7, 16, 33])
def test_vector_code_equals_the_loops(n_columns, products):
    for seed in range(20):
        queries, points, limits = whole_numbers(seed, n_columns)
        by_vectors = np.random.RandomState(seed).randint(0, 5, (QUERIES, POINTS)).astype(np.float32)
        by_loops = by_vectors.copy()
        before, fresh = by_vectors.copy(), seed % 2
        mask = (products_of if products else squares_of)(queries, points, fresh, by_vectors, limits)
        assert mask == add_by_loops(queries, points, fresh, by_loops, limits, products=products)
        np.testing.assert_array_equal(by_vectors, by_loops if mask else before)


@pytest.mark.parametrize("n_columns", [1, 32, 33, 100])
def test_a_tile_sums_all_columns_unless_no_point_is_near(n_columns):
    for seed in range(20):
        queries, points, limits = whole_numbers(seed, n_columns)
        sums, expected = np.empty(QUERIES * POINTS, np.float32), np.zeros((QUERIES, POINTS), np.float32)
        mask, columns = tile_of(queries, points, sums, limits)
        expected_mask = add_by_loops(queries, points, True, expected, limits)
        assert mask == expected_mask
        if mask:
            assert columns == n_columns
            np.testing.assert_array_equal(sums.reshape(expected.shape), expected)
    mask, columns = tile_of(queries, points + 1000, sums, limits)
    assert mask == 0
    assert columns == min(n_columns, 32)


def test_lowest_bit():
    assert [lowest(mask) for mask in np.array([1, 2, 12, 2**63], np.uint64)] == [0, 1, 2, 63]
