"""Exact search that visits only the leaves that can hold a neighbor: the engine for most data."""

import numpy as np
from numba import njit

from unflip.neighbors.candidates import NO_LIMIT, Task, bits_of, clear, make_buffer, thin, write_nearest
from unflip.neighbors.leaves import make_leaves
from unflip.neighbors.screen import UNIT, Screen
from unflip.neighbors.threads import run_blocks
from unflip.neighbors.tile import POINTS, QUERIES, lowest_bit, tile

MOST_BLOCKS = 64  # enough for threads to share the work evenly


class LeafEngine:
    """Squared euclidean distances over a k-d partition of a float32 copy; see `screen` for why the answer is exact."""

    metrics = frozenset({"squared"})

    def fit(self, points, n_jobs=None):
        """Partition the points: a C-contiguous float64 array."""
        self.points = points
        self.screen = Screen(points, n_jobs=n_jobs)
        self.leaves = make_leaves(self.screen.points)
        return self

    def search(self, queries, k, exclude=None, n_jobs=None):
        """Return the squared distances and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1.
        """
        search = self.start(queries, k, exclude, n_jobs)
        search.run(np.arange(search.n_leaves), n_jobs)
        return search.squared, search.rows

    def start(self, queries, k, exclude=None, n_jobs=None):
        """Return the search as a task whose leaves can be run in any order."""
        return LeafSearch(self, queries, k, exclude, n_jobs)


class LeafSearch:
    """One search under way: the queries in leaves of their own, and the answers."""

    def __init__(self, engine, queries, k, exclude, n_jobs):
        self.points = engine.leaves
        if queries is engine.points:
            residual, self.leaves = engine.screen.residual, engine.leaves
        else:
            copies, residual = engine.screen.copy(queries, n_jobs)
            self.leaves = make_leaves(copies)
        slack = engine.screen.slack(queries, residual)
        self.task = Task.of(queries, engine.points, np.full(len(queries), -1) if exclude is None else exclude, k, slack)
        self.shrink = np.float32(1 - 8 * (queries.shape[1] + 8) * UNIT)  # for the rounding of box distances
        self.squared = np.empty((len(queries), k))
        self.rows = np.empty((len(queries), k), np.int32)

    @property
    def n_leaves(self):
        """Into how many leaves the queries are cut."""
        return len(self.leaves.starts) - 1

    def full_work(self, leaves):
        """Return what run would return for these leaves if nothing could be ruled out."""
        groups = -(np.diff(self.leaves.starts)[leaves] // -QUERIES)
        return int(groups.sum()) * self.points.packed.shape[0] * self.points.packed.shape[1]

    def run(self, leaves, n_jobs=None):
        """Answer the queries of these leaves; return the number of columns that tiles went through."""
        blocks = np.array_split(leaves, MOST_BLOCKS)
        return sum(run_blocks(self._run_block, [block for block in blocks if len(block)], n_jobs))

    def _run_block(self, block):
        return _search_leaves(block, self.leaves, self.points, self.task, self.shrink, self.squared, self.rows)


@njit(nogil=True, cache=True, fastmath=True)
def _box_to_point(copies, place, low, high, leaf):
    total = np.float32(0)
    for column in range(copies.shape[1]):
        value = copies[place, column]
        outside = max(np.float32(0), max(low[leaf, column] - value, value - high[leaf, column]))
        total += outside * outside
    return total


@njit(nogil=True, cache=True, fastmath=True)
def _leaf_keys(leaf, queries, points, shrink):
    """Return a lower bound of the squared distance from one query leaf to every point leaf.

    Where boxes overlap the key is negative, smaller for nearer centers, so that the nearest are visited first.
    """
    n_leaves, n_columns = points.low.shape
    keys = np.empty(n_leaves, np.float32)
    for other in range(n_leaves):
        gap, apart = np.float32(0), np.float32(0)
        for column in range(n_columns):
            below = points.low[other, column] - queries.high[leaf, column]
            above = queries.low[leaf, column] - points.high[other, column]
            outside = max(np.float32(0), max(below, above))
            gap += outside * outside
            between = points.center[other, column] - queries.center[leaf, column]
            apart += between * between
        keys[other] = gap * shrink if gap > 0 else np.float32(-1) / (np.float32(1) + apart)
    return keys


@njit(nogil=True, cache=True)
def _search_leaves(block, queries, points, task, shrink, out_distances, out_rows):
    """Answer the queries of a block of leaves; return the number of columns that tiles went through."""
    largest = 0
    for leaf in block:
        largest = max(largest, queries.starts[leaf + 1] - queries.starts[leaf])
    n_groups = (largest + QUERIES - 1) // QUERIES
    buffer, scratch = make_buffer(n_groups * QUERIES, task.k)
    lanes = np.empty((n_groups, queries.copies.shape[1], QUERIES), np.float32)
    work = 0
    for leaf in block:
        first, n_queries = queries.starts[leaf], queries.starts[leaf + 1] - queries.starts[leaf]
        clear(buffer, n_queries)
        _fill_lanes(lanes, queries.copies, first, n_queries)
        work += _search_leaf(leaf, lanes, queries, points, buffer, scratch, task, shrink)
        for slot in range(n_queries):
            write_nearest(buffer, scratch, slot, queries.rows[first + slot], task, out_distances, out_rows)
    return work


@njit(nogil=True, cache=True)
def _fill_lanes(lanes, copies, first, n_queries):
    """Lay the queries of a leaf out in groups of four, column by column; the last query fills up the last group."""
    for slot in range((n_queries + QUERIES - 1) // QUERIES * QUERIES):
        place = first + min(slot, n_queries - 1)
        for column in range(copies.shape[1]):
            lanes[slot // QUERIES, column, slot % QUERIES] = copies[place, column]


@njit(nogil=True, cache=True)
def _search_leaf(leaf, lanes, queries, points, buffer, scratch, task, shrink):
    """Collect the candidates of one leaf's queries; return the number of columns that tiles went through.

    One long function: passing arrays to another one costs two locked counters each, which in this loop is most of the
    time (measured: four times slower with the candidates handed to a function of their own).
    """
    first, n_queries = queries.starts[leaf], queries.starts[leaf + 1] - queries.starts[leaf]
    n_groups, n_columns, k = (n_queries + QUERIES - 1) // QUERIES, lanes.shape[1], task.k
    bits, rows, counts, thinned, limits, latest = buffer
    copies, query_rows, point_rows, exclude = queries.copies, queries.rows, points.rows, task.exclude
    low, high, starts, tile_starts = points.low, points.high, points.starts, points.tile_starts
    query_address, point_address = lanes.ctypes.data, points.packed.ctypes.data
    size = bits.shape[1]
    sums, lane_limits = np.empty(QUERIES * POINTS, np.float32), np.empty(QUERIES, np.float32)
    sums_address, limits_address = sums.ctypes.data, lane_limits.ctypes.data
    keys = _leaf_keys(leaf, queries, points, shrink)
    widest = np.float32(NO_LIMIT)
    work = 0
    for other in np.argsort(keys):
        if keys[other] > widest:
            break
        for group in range(n_groups):
            near = False
            for lane in range(QUERIES):
                limit = limits[group * QUERIES + lane]
                if 0 <= limit < NO_LIMIT:
                    bound = _box_to_point(copies, first + group * QUERIES + lane, low, high, other)
                    if bound * shrink > limit:
                        limit = np.float32(-1)
                lane_limits[lane] = limit
                near |= limit >= 0
            if not near:
                continue
            lane_address = query_address + 4 * QUERIES * n_columns * group
            for number in range(tile_starts[other], tile_starts[other + 1]):
                tile_address = point_address + 4 * POINTS * n_columns * number
                mask, columns = tile(lane_address, tile_address, n_columns, sums_address, limits_address)
                work += columns
                place = starts[other] + (number - tile_starts[other]) * POINTS
                while mask != 0:
                    cell = lowest_bit(mask)
                    mask &= mask - np.uint64(1)
                    lane = cell // POINTS
                    slot = group * QUERIES + lane
                    row = point_rows[place + cell % POINTS]
                    query = query_rows[first + slot]
                    if sums[cell] > lane_limits[lane] or row == exclude[query]:
                        continue
                    if sums[cell] == limits[slot] and row > latest[slot]:
                        continue
                    count = counts[slot]
                    bits[slot, count], rows[slot, count] = bits_of(sums[cell]), row
                    counts[slot] = count + 1
                    if count + 1 == size:
                        thin(buffer, scratch, slot, query, task, max(4, k >> 3))
                        lane_limits[lane] = limits[slot]
        widest = np.float32(0)
        for slot in range(n_queries):
            gained = counts[slot] - thinned[slot]
            if counts[slot] >= k and (limits[slot] == NO_LIMIT or gained > k):
                thin(buffer, scratch, slot, query_rows[first + slot], task, max(4, k >> 3))
            widest = max(widest, limits[slot])
    return work
