"""The tile in plain numba loops: used where the vector code cannot be built, with the same neighbors to the last bit.

Sums may be rounded differently than in vector code, which fuses multiplication and addition where the processor can;
the slack (see `screen`) covers both, and the order is settled in float64.
"""

import numpy as np

from unflip.foundation.compiled import compiled

# 4 queries and 16 points: their 64 sums fill the vector registers.
QUERIES = 4
POINTS = 16
COLUMNS_PER_PASS = 32  # after so many columns a tile without any point near enough is given up


@compiled(inline="always")
def squares_tile(lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, limits, limits_at):
    """Fill the 64 sums of squares unless none can stay within its limit: see `tile`; the addresses are not used."""
    n_columns = packed.shape[1]
    sums[:] = 0
    mask, column = np.uint64(0), 0
    while column < n_columns:
        stop = min(column + COLUMNS_PER_PASS, n_columns)
        for at in range(column, stop):
            for query in range(QUERIES):
                value = lanes[group, at, query]
                for point in range(POINTS):
                    difference = value - packed[number, at, point]
                    sums[query * POINTS + point] += difference * difference
        column = stop
        mask = within(sums, limits, group)
        if mask == 0:
            break
    return mask, column


@compiled(inline="always")
def products_tile(lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, limits, limits_at):
    """Fill the 64 sums of products: see `tile`; the addresses are not used."""
    sums[:] = 0
    for at in range(packed.shape[1]):
        for query in range(QUERIES):
            value = lanes[group, at, query]
            for point in range(POINTS):
                sums[query * POINTS + point] += value * packed[number, at, point]
    return within(sums, limits, group)


@compiled()
def within(sums, limits, group):
    """Return one bit for each sum that is within its query's limit."""
    mask = np.uint64(0)
    for cell in range(QUERIES * POINTS):
        near = sums[cell] <= limits[group * QUERIES + cell // POINTS]
        mask |= np.uint64(near) << np.uint64(cell)
    return mask


@compiled()
def lowest_bit(mask):
    """Return the position of the lowest set bit; the mask must not be 0."""
    position = 0
    while (mask >> np.uint64(position)) & np.uint64(1) == 0:
        position += 1
    return position
