"""Rows cut into small boxes: a k-d partition, packed so that a leaf's points lie side by side for the tile."""

from typing import NamedTuple

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.neighbors.engines.loop_tile import POINTS

LEAF_SIZE = 256
FINEST_SIZE = 8  # inside a leaf, rows are ordered down to groups of so many
VARIANCE_SAMPLE = 512


class Leaves(NamedTuple):
    """Float32 rows in leaf order, the rows' own numbers, and the box of each leaf."""

    rows: np.ndarray  # (n,) the row number at each place
    starts: np.ndarray  # (n_leaves + 1,) the places of each leaf
    copies: np.ndarray  # (n, d) the float32 rows, by place
    packed: np.ndarray  # (n_tiles, d, 16) the same, sixteen side by side; missing ones are infinitely far
    tile_starts: np.ndarray  # (n_leaves + 1,) the tiles of each leaf
    low: np.ndarray  # (n_leaves, d)
    high: np.ndarray  # (n_leaves, d)
    center: np.ndarray  # (n_leaves, d)


def make_leaves(copies):
    """Partition float32 rows by medians along the axis of largest variance."""
    rows, starts = _partition(copies, LEAF_SIZE)
    ordered = copies[rows]
    packed, tile_starts = _pack(ordered, starts)
    low, high, center = _boxes(ordered, starts)
    return Leaves(rows, starts, ordered, packed, tile_starts, low, high, center)


@compiled()
def _partition(copies, leaf_size):
    n = len(copies)
    rows = np.arange(n, dtype=np.int32)
    values = np.empty(n, np.float32)
    starts = np.zeros(4 * n // leaf_size + 3, np.int64)
    n_leaves = 0
    pending = [(0, n, False)]
    while len(pending) > 0:
        first, last, inside_leaf = pending.pop()
        if not inside_leaf and last - first <= leaf_size:
            n_leaves += 1
            starts[n_leaves] = last
            inside_leaf = True
        if last - first <= FINEST_SIZE:
            continue
        axis = _widest_axis(copies, rows, first, last)
        for place in range(first, last):
            values[place] = copies[rows[place], axis]
        half = (last - first) // 2
        if half > POINTS:
            half = (half + POINTS // 2) // POINTS * POINTS
        _order_around(values, rows, first, last, first + half)
        pending.append((first + half, last, inside_leaf))
        pending.append((first, first + half, inside_leaf))
    return rows, starts[: n_leaves + 1].copy()


@compiled()
def _widest_axis(copies, rows, first, last):
    n_columns = copies.shape[1]
    step = max(1, (last - first) // VARIANCE_SAMPLE)
    sums, squares = np.zeros(n_columns), np.zeros(n_columns)
    count = 0
    for place in range(first, last, step):
        count += 1
        for column in range(n_columns):
            value = np.float64(copies[rows[place], column])
            sums[column] += value
            squares[column] += value * value
    return np.argmax(squares / count - (sums / count) ** 2)


@compiled()
def _order_around(values, rows, first, last, place):
    """Move what is smaller than the value that belongs at `place` before it, what is larger behind it."""
    last -= 1
    while first < last:
        pivot = values[(first + last) >> 1]
        left, right = first, last
        while left <= right:
            while values[left] < pivot:
                left += 1
            while pivot < values[right]:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                rows[left], rows[right] = rows[right], rows[left]
                left += 1
                right -= 1
        if place <= right:
            last = right
        elif place >= left:
            first = left
        else:
            return


@compiled()
def _pack(ordered, starts):
    n_leaves, n_columns = len(starts) - 1, ordered.shape[1]
    tile_starts = np.zeros(n_leaves + 1, np.int64)
    for leaf in range(n_leaves):
        tile_starts[leaf + 1] = tile_starts[leaf] + (starts[leaf + 1] - starts[leaf] + POINTS - 1) // POINTS
    packed = np.full((tile_starts[n_leaves], n_columns, POINTS), np.float32(np.inf))
    for leaf in range(n_leaves):
        for tile in range(tile_starts[leaf], tile_starts[leaf + 1]):
            first = starts[leaf] + (tile - tile_starts[leaf]) * POINTS
            for column in range(n_columns):
                for lane in range(min(POINTS, starts[leaf + 1] - first)):
                    packed[tile, column, lane] = ordered[first + lane, column]
    return packed, tile_starts


@compiled()
def pack_for_products(packed):
    """Return the packed points with half their squared lengths as a first column; missing points are infinitely long.

    With a query (1, -x) the sum of products is |y|**2 / 2 - x.y: half of what the squared distance is above |x|**2.
    """
    n_tiles, n_columns, n_lanes = packed.shape
    longer = np.empty((n_tiles, n_columns + 1, n_lanes), np.float32)
    for tile in range(n_tiles):
        for lane in range(n_lanes):
            square = 0.0
            for column in range(n_columns):
                value = packed[tile, column, lane]
                square += np.float64(value) * np.float64(value)
                longer[tile, column + 1, lane] = 0 if np.isinf(value) else value
            longer[tile, 0, lane] = square / 2
    return longer


@compiled()
def _boxes(ordered, starts):
    n_leaves, n_columns = len(starts) - 1, ordered.shape[1]
    low = np.full((n_leaves, n_columns), np.float32(np.inf))
    high = np.full((n_leaves, n_columns), np.float32(-np.inf))
    center = np.zeros((n_leaves, n_columns), np.float32)
    for leaf in range(n_leaves):
        size = np.float32(starts[leaf + 1] - starts[leaf])
        for place in range(starts[leaf], starts[leaf + 1]):
            for column in range(n_columns):
                value = ordered[place, column]
                low[leaf, column] = min(low[leaf, column], value)
                high[leaf, column] = max(high[leaf, column], value)
                center[leaf, column] += value / size
    return low, high, center
