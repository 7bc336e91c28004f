"""The plain loops of the tile against numpy, beside the vector code."""

import numpy as np
import pytest
from numba import njit

from neighbors.engines.tiles import add_by_numpy, whole_numbers
from unflip.neighbors.engines import loop_tile, vector_tile
from unflip.neighbors.engines.loop_tile import COLUMNS_PER_PASS, POINTS, QUERIES


def caller_of(tile):
    squares_tile, products_tile, lowest_bit = tile.squares_tile, tile.products_tile, tile.lowest_bit

    @njit
    def squares(lanes, packed, sums, limits):
        at = lanes.ctypes.data, packed.ctypes.data, sums.ctypes.data, limits.ctypes.data
        return squares_tile(lanes, at[0], 1, packed, at[1], 2, sums, at[2], limits, at[3])

    @njit
    def products(lanes, packed, sums, limits):
        at = lanes.ctypes.data, packed.ctypes.data, sums.ctypes.data, limits.ctypes.data
        return products_tile(lanes, at[0], 1, packed, at[1], 2, sums, at[2], limits, at[3])

    @njit
    def lowest(mask):
        return lowest_bit(mask)

    return squares, products, lowest


TILES = {"loops": caller_of(loop_tile), "vectors": caller_of(vector_tile)}


def placed(queries, points, limits):
    """Return the tile as the second of two groups of queries, the third of three groups of points."""
    n_columns = len(queries)
    lanes = np.full((2, n_columns, QUERIES), np.float32(np.nan))
    packed = np.full((3, n_columns, POINTS), np.float32(np.nan))
    lanes[1], packed[2] = queries, points
    return lanes, packed, np.concatenate([np.full(QUERIES, np.nan, np.float32), limits])


@pytest.mark.parametrize("name", TILES)
@pytest.mark.parametrize("n_columns", [1, 31, 32, 33, 100])
def test_squares_sum_all_columns_unless_no_point_is_near(name, n_columns):
    squares, _, _ = TILES[name]
    for seed in range(10):
        queries, points, limits = whole_numbers(seed, n_columns)
        sums, expected = np.full(QUERIES * POINTS, np.float32(7)), np.zeros((QUERIES, POINTS), np.float32)
        mask, columns = squares(*placed(queries, points, limits)[:2], sums, placed(queries, points, limits)[2])
        assert mask == add_by_numpy(queries, points, True, expected, limits)
        if mask:
            assert columns == n_columns
            np.testing.assert_array_equal(sums.reshape(expected.shape), expected)
    lanes, packed, limits = placed(queries, points + 1000, limits)
    assert squares(lanes, packed, sums, limits) == (0, min(n_columns, COLUMNS_PER_PASS))


@pytest.mark.parametrize("name", TILES)
@pytest.mark.parametrize("n_columns", [1, 40])
def test_products_sum_all_columns(name, n_columns):
    _, products, _ = TILES[name]
    for seed in range(10):
        queries, points, limits = whole_numbers(seed, n_columns)
        sums, expected = np.full(QUERIES * POINTS, np.float32(7)), np.zeros((QUERIES, POINTS), np.float32)
        lanes, packed, all_limits = placed(queries, points, limits)
        mask = products(lanes, packed, sums, all_limits)
        assert mask == add_by_numpy(queries, points, True, expected, limits, products=True)
        if mask:
            np.testing.assert_array_equal(sums.reshape(expected.shape), expected)


@pytest.mark.parametrize("name", TILES)
def test_lowest_bit(name):
    lowest = TILES[name][2]
    assert [lowest(mask) for mask in np.array([1, 2, 12, 2**63], np.uint64)] == [0, 1, 2, 63]
