"""The vector code of the tile against plain numpy."""

import numpy as np
import pytest
from numba import njit

from neighbors.engines.tiles import add_by_numpy, whole_numbers
from unflip.neighbors.engines.loop_tile import POINTS, QUERIES
from unflip.neighbors.engines.vector_tile import add_products, add_squares, lowest_bit


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
def lowest(mask):
    return lowest_bit(np.uint64(mask))


@pytest.mark.parametrize("products", [False, True])
@pytest.mark.parametrize("n_columns", [0, 1, 2, 7, 16, 33])
def test_vector_code_equals_numpy_and_writes_only_where_any_point_is_near(n_columns, products):
    for seed in range(20):
        queries, points, limits = whole_numbers(seed, n_columns)
        by_vectors = np.random.RandomState(seed).randint(0, 5, (QUERIES, POINTS)).astype(np.float32)
        by_numpy = by_vectors.copy()
        before, fresh = by_vectors.copy(), seed % 2
        mask = (products_of if products else squares_of)(queries, points, fresh, by_vectors, limits)
        assert mask == add_by_numpy(queries, points, fresh, by_numpy, limits, products=products)
        np.testing.assert_array_equal(by_vectors, by_numpy if mask else before)


def test_lowest_bit():
    assert [lowest(mask) for mask in np.array([1, 2, 12, 2**63], np.uint64)] == [0, 1, 2, 63]
