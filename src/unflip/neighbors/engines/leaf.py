"""Exact search that visits only the leaves that can hold a neighbor: the engine for all but small problems.

Squared distances are summed in two ways. By squares of differences: few columns often suffice to rule 16 points out.
By products, |x|**2 + |y|**2 - 2 x.y, at half the arithmetic: better where neither boxes nor first columns rule much
out, as long as the digits that this form loses (see `screen`) do not let too many candidates through.
"""

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.foundation.threads import run_blocks
from unflip.neighbors.engines.candidates import (
    NO_LIMIT,
    Task,
    bits_of,
    clear,
    make_buffer,
    set_limits,
    thin,
    write_nearest,
)
from unflip.neighbors.engines.leaves import make_leaves, pack_for_products
from unflip.neighbors.engines.loop_tile import POINTS, QUERIES
from unflip.neighbors.engines.screen import EXACT, UNIT, Screen
from unflip.neighbors.engines.tile import lowest_bit, products_tile, squares_tile

MOST_BLOCKS = 64  # enough for threads to share the work evenly
PROBED_LEAVES = 4
# By products from this share of the whole arithmetic on, if they are good to this part of a squared distance.
PRODUCT_SHARE = 0.6
PRODUCT_PRECISION = 0.01


class LeafEngine:
    """Squared euclidean distances over a k-d partition of a float32 copy; see `screen` for why the answer is exact."""

    def fit(self, points, n_jobs=None):
        """Partition the points: a C-contiguous array of float64 or float32."""
        self.points = points
        self.screen = Screen(points, n_jobs=n_jobs)
        self.leaves = make_leaves(self.screen.points)
        del self.screen.points  # the leaves hold them, in their order
        self._packed_for_products = None
        return self

    def packed_for_products(self):
        """Return the points as sums of products want them, made on first use."""
        if self._packed_for_products is None:
            self._packed_for_products = pack_for_products(self.leaves.packed)
        return self._packed_for_products

    def search(self, queries, k, exclude=None, n_jobs=None, within=None):
        """Return the squared distances and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1; within a squared distance beyond which nobody is
        asked for: where there are fewer than k, rows are -1 and distances NaN.
        """
        search = LeafSearch(self, queries, k, exclude, n_jobs, within)
        probed = np.unique(np.linspace(0, search.n_leaves - 1, PROBED_LEAVES).astype(int))
        share = search.run(probed, n_jobs) / search.full_work(probed)
        if share > PRODUCT_SHARE:
            search.try_products(probed)
        search.run(np.setdiff1d(np.arange(search.n_leaves), probed), n_jobs)
        return search.squared, search.rows


class LeafSearch:
    """One search under way: the queries in leaves of their own, and the answers."""

    def __init__(self, engine, queries, k, exclude, n_jobs, within):
        self.engine = engine
        if queries is engine.points:
            self.residual, self.leaves = engine.screen.residual, engine.leaves
        else:
            copies, self.residual = engine.screen.copy(queries, n_jobs)
            self.leaves = make_leaves(copies)
        exclude = np.full(len(queries), -1) if exclude is None else exclude
        slack = engine.screen.slack(queries, self.residual)
        with np.errstate(over="ignore"):  # beyond all points, then
            within = None if within is None else (np.sqrt(within) * engine.screen.scale) ** 2
        self.task = Task.of(queries, engine.points, exclude, k, slack, within)
        self.packed = engine.leaves.packed
        self.lengths = np.empty(0, np.float32)  # squared, of the queries; only products need them
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
        return int(groups.sum()) * self.packed.shape[0] * self.packed.shape[1]

    def try_products(self, answered):
        """Go on by products, if they are precise enough for the distances in the leaves answered so far."""
        lengths = _squared_lengths(self.leaves.copies)
        own = self.leaves is self.engine.leaves
        longest = lengths.max() if own else _squared_lengths(self.engine.leaves.copies).max()
        reach = (np.sqrt(lengths.max()) + np.sqrt(longest)) * (1 + 1e-6)
        slack = self.engine.screen.product_slack(self.task.queries, self.residual, reach)
        places = np.concatenate([np.arange(*self.leaves.starts[leaf : leaf + 2]) for leaf in answered])
        rows = self.leaves.rows[places]
        with np.errstate(over="ignore"):
            found = (np.sqrt(self.squared[rows, -1]) * self.engine.screen.scale) ** 2
        typical = np.median(np.fmin(found, self.task.within[rows]))
        if slack.extra <= PRODUCT_PRECISION * max(typical, np.finfo(float).tiny):
            self.task = self.task._replace(slack=slack, exact=slack == EXACT)
            self.packed, self.lengths = self.engine.packed_for_products(), lengths.astype(np.float32)

    def run(self, leaves, n_jobs=None):
        """Answer the queries of these leaves; return the number of columns that tiles went through."""
        blocks = np.array_split(leaves, MOST_BLOCKS)
        return sum(run_blocks(self._run_block, [block for block in blocks if len(block)], n_jobs, tell=True))

    def _run_block(self, block):
        points = self.engine.leaves
        keys = _leaf_keys(block, self.leaves, points, self.shrink)
        order = np.argsort(keys, axis=1)
        n_groups = -(int(np.diff(self.leaves.starts)[block].max()) // -QUERIES)
        buffer, scratch = make_buffer(n_groups * QUERIES, self.task.k)
        lanes = np.empty((n_groups, self.packed.shape[1], QUERIES), np.float32)
        return sum(
            _search_leaf(
                leaf, keys[position], order[position], lanes, self.leaves, points, self.packed, self.lengths,
                buffer, scratch, self.task, self.shrink, self.squared, self.rows,
            )
            for position, leaf in enumerate(block)
        )  # fmt: skip


def _squared_lengths(copies):
    return np.einsum("ij,ij->i", copies, copies, dtype=np.float64)


@compiled(fastmath=True)
def _box_to_point(copies, place, low, high, leaf):
    total = np.float32(0)
    for column in range(copies.shape[1]):
        value = copies[place, column]
        outside = max(np.float32(0), max(low[leaf, column] - value, value - high[leaf, column]))
        total += outside * outside
    return total


@compiled(fastmath=True)
def _leaf_keys(block, queries, points, shrink):
    """Return a lower bound of the squared distance from each query leaf of a block to every point leaf.

    Where boxes overlap the key is negative, smaller for nearer centers, so that the nearest are visited first.
    """
    n_leaves, n_columns = points.low.shape
    keys = np.empty((len(block), n_leaves), np.float32)
    for position in range(len(block)):
        leaf = block[position]
        for other in range(n_leaves):
            gap, apart = np.float32(0), np.float32(0)
            for column in range(n_columns):
                below = points.low[other, column] - queries.high[leaf, column]
                above = queries.low[leaf, column] - points.high[other, column]
                outside = max(np.float32(0), max(below, above))
                gap += outside * outside
                between = points.center[other, column] - queries.center[leaf, column]
                apart += between * between
            keys[position, other] = gap * shrink if gap > 0 else np.float32(-1) / (np.float32(1) + apart)
    return keys


@compiled()
def _fill_lanes(lanes, copies, first, n_queries):
    """Lay the queries of a leaf out in groups of four, column by column; the last query fills up the last group.

    For products, lanes have a column more: the query is (1, -x).
    """
    more = lanes.shape[1] - copies.shape[1]
    sign = np.float32(-1 if more else 1)
    for slot in range((n_queries + QUERIES - 1) // QUERIES * QUERIES):
        place = first + min(slot, n_queries - 1)
        lanes[slot // QUERIES, 0, slot % QUERIES] = 1
        for column in range(copies.shape[1]):
            lanes[slot // QUERIES, column + more, slot % QUERIES] = sign * copies[place, column]


@compiled()
def _search_leaf(
    leaf, keys, order, lanes, queries, points, packed, lengths, buffer, scratch, task, shrink, out_distances, out_rows
):  # fmt: skip
    """Answer the queries of one leaf; return the number of columns that tiles went through.

    One long function: passing arrays to another one costs two locked counters each, which in this loop is most of the
    time (measured: four times slower with the candidates handed to a function of their own).
    """
    first, n_queries = queries.starts[leaf], queries.starts[leaf + 1] - queries.starts[leaf]
    n_groups, n_columns, k = (n_queries + QUERIES - 1) // QUERIES, packed.shape[1], task.k
    by_products = n_columns > queries.copies.shape[1]
    bits, rows, counts, thinned, limits, latest = buffer
    copies, query_rows, point_rows, exclude = queries.copies, queries.rows, points.rows, task.exclude
    low, high, starts, tile_starts = points.low, points.high, points.starts, points.tile_starts
    lanes_at, packed_at, size = lanes.ctypes.data, packed.ctypes.data, bits.shape[1]
    sums, tile_limits = np.empty(QUERIES * POINTS, np.float32), np.empty(n_groups * QUERIES, np.float32)
    sums_at, limits_at = sums.ctypes.data, tile_limits.ctypes.data
    near_groups = np.empty(n_groups, np.int64)
    clear(buffer, n_queries)
    set_limits(buffer, 0, query_rows[first : first + n_queries], task)
    _fill_lanes(lanes, copies, first, n_queries)
    widest = limits.max()
    work = 0
    for other in order:
        if keys[other] > widest:
            break
        n_near = 0
        for group in range(n_groups):
            near = False
            for slot in range(group * QUERIES, (group + 1) * QUERIES):
                limit = limits[slot]
                if 0 <= limit < NO_LIMIT:
                    bound = _box_to_point(copies, first + slot, low, high, other)
                    if bound * shrink > limit:
                        limit = np.float32(-1)
                near |= limit >= 0
                if by_products:
                    limit = _half_above(limit, lengths[first + min(slot, n_queries - 1)])
                tile_limits[slot] = limit
            near_groups[n_near] = group
            n_near += near
        for number in range(tile_starts[other], tile_starts[other + 1]):
            place = starts[other] + (number - tile_starts[other]) * POINTS
            for position in range(n_near):
                group = near_groups[position]
                if by_products:
                    mask = products_tile(
                        lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, tile_limits, limits_at
                    )  # fmt: skip
                else:
                    mask, columns = squares_tile(
                        lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, tile_limits, limits_at
                    )  # fmt: skip
                    work += columns
                while mask != 0:
                    cell = lowest_bit(mask)
                    mask &= mask - np.uint64(1)
                    slot = group * QUERIES + cell // POINTS
                    value = sums[cell]
                    if by_products:
                        value = lengths[first + slot] + np.float32(2) * value
                        value = value if value > 0 else np.float32(0)
                    row, query = point_rows[place + cell % POINTS], query_rows[first + slot]
                    if value > limits[slot] or row == exclude[query] or (value == limits[slot] and row > latest[slot]):
                        continue
                    count = counts[slot]
                    bits[slot, count], rows[slot, count] = bits_of(value), row
                    counts[slot] = count + 1
                    if count + 1 == size:
                        thin(buffer, scratch, slot, query, task, max(4, k >> 3))
                        limit = limits[slot]
                        tile_limits[slot] = _half_above(limit, lengths[first + slot]) if by_products else limit
        widest = np.float32(0)
        for slot in range(n_queries):
            gained = counts[slot] - thinned[slot]
            if counts[slot] >= k and (limits[slot] == NO_LIMIT or gained > k):
                thin(buffer, scratch, slot, query_rows[first + slot], task, max(4, k >> 3))
            widest = max(widest, limits[slot])
    for slot in range(n_queries):
        write_nearest(buffer, scratch, slot, query_rows[first + slot], task, out_distances, out_rows)
    return work


@compiled()
def _half_above(limit, length):
    """Return what a sum of products may be, rounded up: the squared distance itself is compared afterwards.

    Always finite, or below all sums: the missing points of a tile are infinitely far and must never be looked at.
    """
    if limit < 0:
        return np.float32(-np.inf)
    if limit == NO_LIMIT:
        return np.float32(NO_LIMIT / 2)
    return np.float32(0.5) * ((limit - length) + np.float32(4 * UNIT) * (limit + length))
