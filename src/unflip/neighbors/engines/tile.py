"""Sums over the columns for 4 queries and 16 points in one go: the innermost loop of the exact search.

Both functions take the queries (group, column, 4), the points (tile, column, 16), the 64 sums and the limits of the
queries, each as an array and as its address, and return one bit for each sum that is within its query's limit:
``squares_tile`` sums (query - point)**2 and also returns how many columns that took, since it gives up where no point
can be near enough; ``products_tile`` sums query * point, at half the arithmetic. Vector code reads addresses, because
handing arrays on costs locked counters; loops read arrays.
"""

import warnings

import numpy as np

from unflip.foundation.compiled import PLAIN_LOOPS, compiled
from unflip.neighbors.engines import loop_tile
from unflip.neighbors.engines.loop_tile import POINTS, QUERIES


def vector_code():
    """Return the vector code if it can be built here; else say so, and return None."""
    if PLAIN_LOOPS:
        return None
    try:
        from unflip.neighbors.engines import vector_tile

        @compiled()
        def probe(lanes, packed, sums, limits):
            at = lanes.ctypes.data, packed.ctypes.data, sums.ctypes.data, limits.ctypes.data
            mask, _ = vector_tile_squares(lanes, at[0], 0, packed, at[1], 0, sums, at[2], limits, at[3])
            return mask

        vector_tile_squares = vector_tile.squares_tile
        lanes, packed = np.zeros((1, 1, QUERIES), np.float32), np.zeros((1, 1, POINTS), np.float32)
        if probe(lanes, packed, np.empty(QUERIES * POINTS, np.float32), np.zeros(QUERIES, np.float32)) != 2**64 - 1:
            raise ArithmeticError("wrong sums")
    except Exception as error:  # llvmlite or LLVM refuse in many ways
        warnings.warn(f"Vector code cannot be built, loops are slower: {type(error).__name__}: {error}", stacklevel=2)
        return None
    return vector_tile


_TILE = vector_code() or loop_tile
squares_tile, products_tile, lowest_bit = _TILE.squares_tile, _TILE.products_tile, _TILE.lowest_bit
