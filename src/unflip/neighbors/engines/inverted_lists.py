"""Approximate search: rows in lists around centers; a query is compared with the rows of the lists nearest to it.

The lists begin as the leaves of a k-d partition. A few steps of k-means, in which a row moves only to a list near its
own, make them as good as those of full k-means at a cost that grows with the number of rows alone. All queries of one
list are searched together: each list that any of them probes is gone through once, by those that probe it. Among the
rows compared the answer is exact, as in `leaf`; when all lists are probed it is exact.
"""

from typing import NamedTuple

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.foundation.progress import reporting
from unflip.foundation.threads import row_blocks, run_blocks
from unflip.neighbors.engines.candidates import NO_LIMIT, Task, bits_of, clear, make_buffer, thin, write_nearest
from unflip.neighbors.engines.leaf import LeafEngine
from unflip.neighbors.engines.leaves import make_leaves
from unflip.neighbors.engines.loop_tile import POINTS, QUERIES
from unflip.neighbors.engines.parts import MAX_REACH, distances_from
from unflip.neighbors.engines.screen import Screen
from unflip.neighbors.engines.tile import lowest_bit, squares_tile

# Of a distance: if float32 may be off by more, too many rows have to be compared in float64.
MAX_SLACK = 0.02
STEPS = 4  # of k-means; 8 raise a recall of .990 to .992 (uniform rows, 16 columns), at twice the cost
NEAR_LISTS = 32  # that a row may move to in a step
# The lists a query probes are chosen among so many times as many that are nearest to its own list: with 4 times as
# many, one row in two hundred misses most of its neighbors.
SPREAD = 16
MORE_LISTS = 16
MOST_QUERIES = 256  # of one list at once: their candidates stay in a core's cache
MOST_BLOCKS = 64  # enough for threads to share the work evenly
NEAR_AT_ONCE = 1 << 23  # numbers of lists near to others
LISTS_PER_BLOCK = 64


class Lists(NamedTuple):
    """Float32 rows list by list, each list in the order of the rows' numbers."""

    rows: np.ndarray  # (n,) the row number at each place
    starts: np.ndarray  # (n_lists + 1,) the places of each list
    copies: np.ndarray  # (n, d) the float32 rows, by place


class Boxes(NamedTuple):
    """The boxes of the k-d partition that the lists began with: what exact search would rule rows out by."""

    low: np.ndarray  # (n_boxes, d)
    high: np.ndarray  # (n_boxes, d)
    sizes: np.ndarray  # (n_boxes,)

    def rows_within(self, copy, squared):
        """Return how many rows lie in boxes within this squared distance of a row."""
        outside = np.maximum(0, np.maximum(self.low - copy, copy - self.high))
        return int(self.sizes[np.einsum("ij,ij->i", outside, outside) <= squared].sum())


class ListEngine:
    """Squared euclidean distances to the rows of a few inverted lists."""

    def fit(self, points, n_jobs=None):
        """Partition the points: a C-contiguous array of float64 or float32."""
        self.points = points
        self.screen = Screen(points, n_jobs=n_jobs)
        leaves = make_leaves(self.screen.points)
        self.boxes = Boxes(leaves.low, leaves.high, np.diff(leaves.starts))
        self.centers, self.own = leaves.center, np.empty(len(points), np.int32)
        self.own[leaves.rows] = np.repeat(np.arange(self.n_lists, dtype=np.int32), self.boxes.sizes)
        return self

    def make_lists(self, n_jobs=None):
        """Put the points into lists: the second half of fit, without which there is no search."""
        copies = self.screen.points
        improve(copies, self.own, self.centers, n_jobs)
        self.lists = in_lists(copies, self.own, self.n_lists)
        del self.screen.points  # the lists hold them, in their order
        self.packed, self.tile_starts = pack(self.lists.copies, self.lists.starts)
        self.sizes = np.diff(self.lists.starts)
        self.center_engine = LeafEngine().fit(self.centers.astype(np.float64))
        return self

    @property
    def n_lists(self):
        """How many lists there are."""
        return len(self.centers)

    def is_precise(self, squared):
        """Tell whether float32 rows are close enough to the true ones for distances like these to be told apart."""
        return 4 * self.screen.residual <= MAX_SLACK * np.sqrt(np.median(squared)) * self.screen.scale

    def compared_exactly(self, rows, squared):
        """Return with how many points exact search would compare a point, on average, given the k-th distances."""
        copies, _ = self.screen.copy(self.points[rows])
        limits = squared * self.screen.scale**2
        return np.mean([self.boxes.rows_within(copy, limit) for copy, limit in zip(copies, limits, strict=True)])

    def within_reach(self, queries, n_jobs=None):
        """Return a mask of the new rows whose distances float32 can tell apart."""
        with np.errstate(over="ignore"):
            return distances_from(queries, self.screen.shift, n_jobs) * self.screen.scale <= MAX_REACH

    def search(self, k, n_probes, rows=None, n_jobs=None):
        """Return squared distances and numbers of the nearest other points of some points, or of all, sorted by both.

        Also return with how many points they were compared in all.
        """
        if rows is None:
            task = self._task(self.points, self.screen.residual, np.arange(len(self.points)), k)
            return self._search(task, self.lists, n_probes, n_jobs)
        queries = np.ascontiguousarray(self.points[rows])
        copies, residual = self.screen.copy(queries, n_jobs)
        task = self._task(queries, residual, rows, k)
        return self._search(task, in_lists(copies, self.own[rows], self.n_lists), n_probes, n_jobs)

    def search_new(self, queries, k, n_probes, n_jobs=None):
        """Return the same for new rows within reach: each begins at the list with the nearest center."""
        copies, residual = self.screen.copy(queries, n_jobs)
        own = self._nearest_lists(copies, 1, n_jobs)[:, 0]
        task = self._task(queries, residual, np.full(len(queries), -1), k)
        return self._search(task, in_lists(copies, own, self.n_lists), n_probes, n_jobs)

    def _task(self, queries, residual, exclude, k):
        return Task.of(queries, self.points, exclude, k, self.screen.slack(queries, residual))

    def _search(self, task, lists, n_probes, n_jobs):
        k, n_near = task.k, min(self.n_lists, SPREAD * n_probes + MORE_LISTS)
        squared, rows = np.empty((len(lists.rows), k)), np.empty((len(lists.rows), k), np.int32)

        def search_block(block):
            buffer, scratch = make_buffer(MOST_QUERIES, k)
            lanes = np.empty((MOST_QUERIES // QUERIES, self.packed.shape[1], QUERIES), np.float32)
            compared = 0
            for own, others in zip(*block, strict=True):
                for first in range(lists.starts[own], lists.starts[own + 1], MOST_QUERIES):
                    last = min(first + MOST_QUERIES, lists.starts[own + 1])
                    wanted = _probed(lists.copies[first:last], self.centers, others[:n_near], n_probes)
                    compared += _search_list(
                        lists.rows[first:last], lists.copies[first:last], others, wanted, lanes, self.lists,
                        self.packed, self.tile_starts, buffer, scratch, task, squared, rows,
                    )  # fmt: skip
            return compared

        compared = 0
        for asked, near in self._near(np.flatnonzero(np.diff(lists.starts)), n_near, k, n_jobs):
            n_blocks = min(MOST_BLOCKS, len(asked))
            blocks = zip(np.array_split(asked, n_blocks), np.array_split(near, n_blocks), strict=True)
            compared += sum(run_blocks(search_block, list(blocks), n_jobs, tell=True))
        return squared, rows, compared

    def _near(self, asked, n_near, k, n_jobs):
        """Yield some lists and the n_near lists nearest to each, or so many more that they hold k other rows."""
        for block in row_blocks(len(asked), NEAR_AT_ONCE // n_near):
            count, centers = n_near, self.centers[asked[block]]
            near = self._nearest_lists(centers, count, n_jobs)
            while count < self.n_lists and self.sizes[near].sum(axis=1).min() <= k:
                count = min(self.n_lists, 2 * count)
                near = self._nearest_lists(centers, count, n_jobs)
            yield asked[block], near

    def _nearest_lists(self, copies, count, n_jobs):
        with reporting(None):
            return self.center_engine.search(copies.astype(np.float64), count, None, n_jobs)[1]


def improve(copies, own, centers, n_jobs=None):
    """Make lists rounder by a few steps of k-means; own, the list of each row, and the centers are changed in place."""
    rows, starts = _places(own, len(centers))
    blocks = row_blocks(len(centers), LISTS_PER_BLOCK)
    for _ in range(STEPS):
        engine = LeafEngine().fit(centers.astype(np.float64))
        near = engine.search(engine.points, min(NEAR_LISTS, len(centers)), None, n_jobs)[1]
        _run(_move, blocks, n_jobs, copies, rows, starts, centers, near, own)
        rows, starts = _places(own, len(centers))
        _run(_set_centers, blocks, n_jobs, copies, rows, starts, centers)


def in_lists(copies, own, n_lists):
    """Return rows in the order of their lists."""
    rows, starts = _places(own, n_lists)
    return Lists(rows, starts, copies[rows])


def _places(own, n_lists):
    rows = np.argsort(own, kind="stable").astype(np.int32)
    return rows, np.concatenate([[0], np.cumsum(np.bincount(own, minlength=n_lists))])


def _run(work, blocks, n_jobs, *arguments):
    run_blocks(lambda block: work(block.start, block.stop, *arguments), blocks, n_jobs)


@compiled(fastmath=True)
def _move(first, last, copies, rows, starts, centers, near, own):
    """Write for the rows of some lists which of the lists near theirs has the nearest center; ties stay."""
    for at in range(first, last):
        for place in range(starts[at], starts[at + 1]):
            row = rows[place]
            nearest, best = at, _squared(copies, row, centers, at)
            for other in near[at]:
                squared = _squared(copies, row, centers, other)
                if squared < best:
                    nearest, best = other, squared
            own[row] = nearest


@compiled(fastmath=True, inline="always")
def _squared(copies, row, centers, at):
    total = np.float32(0)
    for column in range(copies.shape[1]):
        difference = copies[row, column] - centers[at, column]
        total += difference * difference
    return total


@compiled()
def _set_centers(first, last, copies, rows, starts, centers):
    """Write the means of some lists; the center of an empty one stays where it is."""
    total = np.empty(copies.shape[1])
    for at in range(first, last):
        if starts[at + 1] > starts[at]:
            total[:] = 0
            for place in range(starts[at], starts[at + 1]):
                for column in range(len(total)):
                    total[column] += copies[rows[place], column]
            for column in range(len(total)):
                centers[at, column] = total[column] / (starts[at + 1] - starts[at])


@compiled()
def pack(ordered, starts):
    """Return the rows of each list sixteen side by side, missing ones infinitely far, and where its tiles start."""
    n_lists, n_columns = len(starts) - 1, ordered.shape[1]
    tile_starts = np.zeros(n_lists + 1, np.int64)
    for at in range(n_lists):
        tile_starts[at + 1] = tile_starts[at] + (starts[at + 1] - starts[at] + POINTS - 1) // POINTS
    packed = np.full((tile_starts[n_lists], n_columns, POINTS), np.float32(np.inf))
    for at in range(n_lists):
        for place in range(starts[at], starts[at + 1]):
            tile, lane = tile_starts[at] + (place - starts[at]) // POINTS, (place - starts[at]) % POINTS
            for column in range(n_columns):
                packed[tile, column, lane] = ordered[place, column]
    return packed, tile_starts


@compiled(fastmath=True)
def _probed(copies, centers, others, n_probes):
    """Return a mask: for each query, the lists among these whose centers are the n_probes nearest."""
    n_others, n_columns = len(others), centers.shape[1]
    n_probes = min(n_probes, n_others)
    columns = np.empty((n_columns, n_others), np.float32)
    for position in range(n_others):
        for column in range(n_columns):
            columns[column, position] = centers[others[position], column]
    wanted = np.empty((len(copies), n_others), np.bool_)
    squared = np.empty(n_others, np.float32)
    bits = squared.view(np.int32)  # of non-negative floats, in the same order
    for query in range(len(copies)):
        squared[:] = 0
        for column in range(n_columns):
            value = copies[query, column]
            for position in range(n_others):
                difference = value - columns[column, position]
                squared[position] += difference * difference
        low, high = np.int64(-1), np.int64(bits.max())
        while high - low > 1:
            middle = np.int32(low + ((high - low) >> 1))
            below = np.int32(0)
            for position in range(n_others):
                below += np.int32(bits[position] <= middle)
            if below < n_probes:
                low = np.int64(middle)
            else:
                high = np.int64(middle)
                if below == n_probes:
                    break
        for position in range(n_others):
            wanted[query, position] = bits[position] <= high
    return wanted


@compiled()
def _search_list(
    queries, copies, others, wanted, lanes, points, packed, tile_starts, buffer, scratch, task, out_squared, out_rows
):  # fmt: skip
    """Answer some queries of one list; return with how many points they were compared in all.

    One long function, as in `leaf`, and for the same reason. A query goes on beyond the lists that it wants until it
    has k candidates.
    """
    n_queries, n_columns, k = len(queries), packed.shape[1], task.k
    bits, rows, counts, thinned, limits, latest = buffer
    point_rows, starts, exclude, size = points.rows, points.starts, task.exclude, bits.shape[1]
    sums, tile_limits = np.empty(QUERIES * POINTS, np.float32), np.empty(len(lanes) * QUERIES, np.float32)
    lanes_at, packed_at = lanes.ctypes.data, packed.ctypes.data
    sums_at, limits_at = sums.ctypes.data, tile_limits.ctypes.data
    slots = np.empty(n_queries, np.int64)
    clear(buffer, n_queries)
    compared = 0
    for position in range(len(others)):
        other, n_asking = others[position], 0
        for slot in range(n_queries):
            if counts[slot] < k or (position < wanted.shape[1] and wanted[slot, position]):
                slots[n_asking], tile_limits[n_asking] = slot, limits[slot]
                for column in range(n_columns):
                    lanes[n_asking // QUERIES, column, n_asking % QUERIES] = copies[slot, column]
                n_asking += 1
        n_groups = (n_asking + QUERIES - 1) // QUERIES
        for spare in range(n_asking, n_groups * QUERIES):
            tile_limits[spare] = -1
            for column in range(n_columns):
                lanes[spare // QUERIES, column, spare % QUERIES] = 0
        compared += n_asking * (starts[other + 1] - starts[other])
        for number in range(tile_starts[other], tile_starts[other + 1]):
            place = starts[other] + (number - tile_starts[other]) * POINTS
            for group in range(n_groups):
                mask, _ = squares_tile(
                    lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, tile_limits, limits_at
                )  # fmt: skip
                while mask != 0:
                    cell = lowest_bit(mask)
                    mask &= mask - np.uint64(1)
                    asking = group * QUERIES + cell // POINTS
                    slot, value, row = slots[asking], sums[cell], point_rows[place + cell % POINTS]
                    query = queries[slot]
                    if value > limits[slot] or row == exclude[query] or (value == limits[slot] and row > latest[slot]):
                        continue
                    count = counts[slot]
                    bits[slot, count], rows[slot, count] = bits_of(value), row
                    counts[slot] = count + 1
                    if count + 1 == size:
                        thin(buffer, scratch, slot, query, task, max(4, k >> 3))
                        tile_limits[asking] = limits[slot]
        for asking in range(n_asking):
            slot = slots[asking]
            gained = counts[slot] - thinned[slot]
            if counts[slot] >= k and (limits[slot] == NO_LIMIT or gained > k):
                thin(buffer, scratch, slot, queries[slot], task, max(4, k >> 3))
    for slot in range(n_queries):
        write_nearest(buffer, scratch, slot, queries[slot], task, out_squared, out_rows)
    return compared
