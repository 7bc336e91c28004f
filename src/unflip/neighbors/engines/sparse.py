"""Exact search of wide sparse rows, by products: the engine for what is too large to be filled up.

|x - y|**2 = |x|**2 + |y|**2 - 2 x.y costs a sparse product, but loses digits. The slack (see `screen`) bounds how many,
every point within it is kept, and the order is settled in float64.
"""

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.foundation.threads import row_blocks, run_blocks
from unflip.neighbors.engines.candidates import NO_LIMIT, Task, bits_of, clear, make_buffer, thin, write_nearest
from unflip.neighbors.engines.pairs import SparseRows, squared_distances_to
from unflip.neighbors.engines.plain import nearest_in_rows
from unflip.neighbors.engines.screen import SQUARES_VANISH_BELOW, UNIT, Slack, power_of_two

QUERIES_PER_BLOCK = 64
RUN = 32  # points that are compared together before any is looked at alone
MAX_REACH = 32.0  # of a query, in units of the largest value among the points
MAX_SCALED = 2.0**40  # its square fits float32
MAX_VALUE = 1e150  # squares of larger ones may overflow float64


class SparseEngine:
    """Squared euclidean distances of CSR rows, a block of queries against all points at a time."""

    def fit(self, points, n_jobs=None):
        """Keep the points, a CSR matrix of float64 with sorted columns, and their norms."""
        self.points = points
        self.overflows = np.abs(points.data).max(initial=0.0) > MAX_VALUE
        with np.errstate(over="ignore"):  # what overflows is answered pair by pair
            self._side = _SparseSide(points)
        return self

    def search(self, queries, k, exclude=None, n_jobs=None):
        """Return the squared distances and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1.
        """
        exclude = np.full(queries.shape[0], -1) if exclude is None else np.asarray(exclude)
        if queries is self.points and not self.overflows:
            return self._by_products(queries, k, exclude, n_jobs)
        largest = abs(queries).max(axis=1).toarray().ravel()
        with np.errstate(over="ignore"):
            scaled = largest * self._side.scale
        beyond = (largest > MAX_VALUE) | (scaled > MAX_SCALED) | self.overflows
        squared, rows = np.empty((queries.shape[0], k)), np.empty((queries.shape[0], k), np.int32)
        for chosen, search in (
            (~beyond & (scaled <= MAX_REACH), self._by_products),
            (~beyond & (scaled > MAX_REACH), self._by_products),  # with a slack of their own
            (beyond, self._pair_by_pair),
        ):
            some = np.flatnonzero(chosen)
            if len(some):
                squared[some], rows[some] = search(queries[some], k, exclude[some], n_jobs)
        return squared, rows

    def _pair_by_pair(self, queries, k, exclude, n_jobs):
        """Answer queries whose products overflow: slowly, in float64, as the distance is defined."""
        asked = _rows_of(queries)
        squared, rows = np.empty((queries.shape[0], k)), np.empty((queries.shape[0], k), np.int32)

        def search_one(query):
            pairs = _distances_of_one(asked, query, self._side.rows64, self.points.shape[0])
            if exclude[query] >= 0:
                pairs[exclude[query]] = np.nan
            (squared[query],), (rows[query],) = nearest_in_rows(pairs[None], k)

        run_blocks(search_one, range(queries.shape[0]), n_jobs)
        return squared, rows

    def _by_products(self, queries, k, exclude, n_jobs):
        n_queries, side = queries.shape[0], self._side
        query_side = side if queries is self.points else _SparseSide(queries, side.scale)
        task = Task.of(query_side.rows64, side.rows64, exclude, k, side.slack(query_side))
        squared, rows = np.empty((n_queries, k)), np.empty((n_queries, k), np.int32)

        def search_block(block):
            buffer, scratch = make_buffer(block.stop - block.start, k)
            clear(buffer, block.stop - block.start)
            products = side.products(query_side, block)
            _scan(products, query_side.norms[block], side.norms, block.start, buffer, scratch, task)
            _write_block(block.start, block.stop, buffer, scratch, task, squared, rows)

        run_blocks(search_block, row_blocks(n_queries, QUERIES_PER_BLOCK), n_jobs)
        return squared, rows


class _SparseSide:
    """CSR rows in float64, also column by column: centering would fill them."""

    def __init__(self, rows, scale=None):
        self.scale = power_of_two(np.abs(rows.data).max(initial=0.0)) if scale is None else scale
        self.matrix = rows * self.scale
        self.rows64 = _rows_of(rows)
        self.by_column = _rows_of(self.matrix.tocsc())  # its rows are the columns
        self.norms = np.asarray(self.matrix.multiply(self.matrix).sum(axis=1)).ravel()

    def slack(self, queries):
        """Return how far off the products of these queries can be: float64 sums, compared as float32."""
        reach = np.sqrt(queries.norms.max(initial=0)) + np.sqrt(self.norms.max(initial=0))
        longest = int(np.diff(self.rows64.starts).max(initial=0)) + int(np.diff(queries.rows64.starts).max(initial=0))
        return Slack(1 + 2.0**-22, 2 * SQUARES_VANISH_BELOW * self.scale, 2 * (longest + 16) * 2.0**-52 * reach**2)

    def products(self, queries, block):
        """Return -2 x.y for a block of queries: only columns that a query has are looked at."""
        products = np.zeros((block.stop - block.start, self.matrix.shape[0]))
        _add_products(_rows_of(queries.matrix), block.start, self.by_column, products)
        return products


def _rows_of(matrix):
    return SparseRows(matrix.data, matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64))


@compiled()
def _add_products(queries, first_query, by_column, products):
    for slot in range(len(products)):
        for i in range(queries.starts[first_query + slot], queries.starts[first_query + slot + 1]):
            column, value = queries.columns[i], -2 * queries.data[i]
            for j in range(by_column.starts[column], by_column.starts[column + 1]):
                products[slot, by_column.columns[j]] += value * by_column.data[j]


@compiled()
def _distances_of_one(queries, query, points, n_points):
    rows, out = np.arange(n_points), np.empty(n_points)
    squared_distances_to(queries, query, points, rows, n_points, out)
    return out


@compiled()
def _any_within(products, slot, norms, start, stop, bound):
    """Tell whether any sum of norm and product is within the bound; numba vectorizes only unsigned indices here."""
    found = np.int32(0)
    for point in range(np.uint64(start), np.uint64(stop)):
        found |= np.int32(norms[point] + products[np.uint64(slot), point] <= bound)
    return found != 0


@compiled()
def _bound(limit, norm):
    """Return what the rest of the sum may be at the most, rounded up: the sum itself is compared afterwards."""
    return (limit - norm) + np.float32(4 * UNIT) * (limit + norm)


@compiled()
def _scan(products, query_norms, norms, first_query, buffer, scratch, task):
    """Offer all points to a block of queries: those within a query's limit become its candidates.

    products holds -2 x.y, so that a squared distance is the sum of two norms and a product.
    """
    bits, rows, counts, limits = buffer.bits, buffer.rows, buffer.counts, buffer.limits
    exclude, size, k = task.exclude, bits.shape[1], task.k
    for slot in range(len(query_norms)):
        query, norm = first_query + slot, query_norms[slot]
        bound = _bound(limits[slot], norm)
        for start in range(0, len(norms), RUN):
            stop = min(start + RUN, len(norms))
            if not _any_within(products, slot, norms, start, stop, bound):
                continue
            for unsigned in range(np.uint64(start), np.uint64(stop)):
                rest = norms[unsigned] + products[np.uint64(slot), unsigned]
                if rest > bound:
                    continue
                point = np.int64(unsigned)
                value = np.float32(norm + rest)
                value = value if value > 0 else np.float32(0)  # never -0.0, whose bits are those of no distance
                if value > limits[slot] or point == exclude[query]:
                    continue
                count = counts[slot]
                bits[slot, count], rows[slot, count] = bits_of(value), point
                counts[slot] = count + 1
                if count + 1 == size:
                    thin(buffer, scratch, slot, query, task, max(4, k >> 3))
                    bound = _bound(limits[slot], norm)
        if counts[slot] >= k and limits[slot] == NO_LIMIT:
            thin(buffer, scratch, slot, query, task, max(4, k >> 3))


@compiled()
def _write_block(start, stop, buffer, scratch, task, squared, rows):
    for query in range(start, stop):
        write_nearest(buffer, scratch, query - start, query, task, squared, rows)
