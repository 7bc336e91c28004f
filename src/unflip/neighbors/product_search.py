"""Exact search by matrix products: the engine for many columns, where boxes rule nothing out, and for wide sparse data.

|x - y|**2 = |x|**2 + |y|**2 - 2 x.y costs one matrix product, but loses digits. The slack (see `screen`) bounds how
many, every point within it is kept, and the order is settled in float64.
"""

import numpy as np
from numba import njit
from scipy import sparse
from threadpoolctl import threadpool_limits

from unflip.neighbors.candidates import NO_LIMIT, Task, bits_of, clear, make_buffer, thin, write_nearest
from unflip.neighbors.pairs import SparseRows
from unflip.neighbors.screen import SQUARES_VANISH_BELOW, UNIT, Screen, Slack, power_of_two
from unflip.neighbors.threads import row_blocks, run_blocks

QUERIES_PER_BLOCK = 512
POINTS_PER_BLOCK = 2048
SPARSE_QUERIES_PER_BLOCK = 64
RUN = 32  # points that are compared together before any is looked at alone


class ProductEngine:
    """Squared euclidean distances by blocks of a matrix product; dense (float32 copies) or CSR (float64) points."""

    metrics = frozenset({"squared"})

    def fit(self, points, n_jobs=None):
        """Keep the points, a C-contiguous float64 array or a CSR matrix, and their norms."""
        self.points = points
        self._side = _SparseSide(points) if sparse.issparse(points) else _DenseSide(points, n_jobs)
        return self

    def search(self, queries, k, exclude=None, n_jobs=None):
        """Return the squared distances and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1.
        """
        n_queries = queries.shape[0]
        exclude = np.full(n_queries, -1) if exclude is None else exclude
        side = self._side
        query_side = side if queries is self.points else side.like(queries, n_jobs)
        task = Task.of(query_side.rows64, side.rows64, exclude, k, side.slack(query_side))
        squared, rows = np.empty((n_queries, k)), np.empty((n_queries, k), np.int32)

        def search_block(block):
            buffer, scratch = make_buffer(block.stop - block.start, k)
            clear(buffer, block.stop - block.start)
            for first, products in side.products(query_side, block):
                norms = side.norms[first : first + products.shape[1]]
                _scan(products, query_side.norms[block], norms, block.start, first, buffer, scratch, task)
            _write_block(block.start, block.stop, buffer, scratch, task, squared, rows)

        # Our threads take a block each; within one the product stays on its thread.
        with threadpool_limits(1, user_api="blas"):
            run_blocks(search_block, row_blocks(n_queries, side.queries_per_block), n_jobs)
        return squared, rows


class _DenseSide:
    """Float32 copies, their squared norms, and the float64 rows behind them."""

    queries_per_block = QUERIES_PER_BLOCK

    def __init__(self, rows, n_jobs, screen=None):
        self.rows64 = rows
        if screen is None:
            self.screen = Screen(rows, rotate=False, n_jobs=n_jobs)
            self.copies, self.residual = self.screen.points, self.screen.residual
        else:
            self.screen = screen
            self.copies, self.residual = screen.copy(rows, n_jobs)
        self.norms = np.einsum("ij,ij->i", self.copies, self.copies, dtype=np.float64).astype(np.float32)

    def like(self, rows, n_jobs):
        """Put other rows into the same frame."""
        return _DenseSide(rows, n_jobs, self.screen)

    def slack(self, queries):
        """Return how far off the products of these queries can be."""
        reach = float(np.sqrt(queries.norms.max(initial=0)) + np.sqrt(self.norms.max(initial=0))) * (1 + 1e-6)
        return self.screen.product_slack(queries.rows64, queries.residual, reach)

    def products(self, queries, block):
        """Yield (first point, -2 x.y) for a block of queries."""
        doubled = -2 * queries.copies[block]
        for points in row_blocks(len(self.copies), POINTS_PER_BLOCK):
            yield points.start, doubled @ self.copies[points].T


class _SparseSide:
    """CSR rows in float64: centering would fill them."""

    queries_per_block = SPARSE_QUERIES_PER_BLOCK

    def __init__(self, rows, scale=None):
        self.scale = power_of_two(np.abs(rows.data).max(initial=0.0)) if scale is None else scale
        self.matrix = rows * self.scale
        self.rows64 = SparseRows(rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64))
        self.norms = np.asarray(self.matrix.multiply(self.matrix).sum(axis=1)).ravel()

    def like(self, rows, n_jobs):
        """Put other rows on the same scale."""
        return _SparseSide(rows, self.scale)

    def slack(self, queries):
        """Return how far off the products of these queries can be: float64 sums, compared as float32."""
        reach = np.sqrt(queries.norms.max(initial=0)) + np.sqrt(self.norms.max(initial=0))
        longest = int(np.diff(self.rows64.starts).max(initial=0)) + int(np.diff(queries.rows64.starts).max(initial=0))
        return Slack(1 + 2.0**-22, 2 * SQUARES_VANISH_BELOW * self.scale, 2 * (longest + 16) * 2.0**-52 * reach**2)

    def products(self, queries, block):
        """Yield (first point, -2 x.y) for a block of queries."""
        yield 0, np.ascontiguousarray((self.matrix @ (-2 * queries.matrix[block].toarray().T)).T)


@njit(nogil=True, cache=True)
def _any_within(products, slot, norms, start, stop, bound):
    """Tell whether any sum of norm and product is within the bound; numba vectorizes only unsigned indices here."""
    found = np.int32(0)
    for point in range(np.uint64(start), np.uint64(stop)):
        found |= np.int32(norms[point] + products[np.uint64(slot), point] <= bound)
    return found != 0


@njit(nogil=True, cache=True)
def _bound(limit, norm):
    """Return what the rest of the sum may be at the most, rounded up: the sum itself is compared afterwards."""
    return (limit - norm) + np.float32(4 * UNIT) * (limit + norm)


@njit(nogil=True, cache=True)
def _scan(products, query_norms, norms, first_query, first_point, buffer, scratch, task):
    """Offer a block of points to a block of queries: those within a query's limit become its candidates.

    products holds -2 x.y, so that a squared distance is the sum of two norms and a product.
    """
    bits, rows, counts, limits = buffer.bits, buffer.rows, buffer.counts, buffer.limits
    exclude, exact, size, k = task.exclude, task.exact, bits.shape[1], task.k
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
                value = max(np.float32(norm + rest), np.float32(0))
                if value > limits[slot] or first_point + point == exclude[query]:
                    continue
                if exact and value == limits[slot]:
                    continue  # points come in the order of their rows: at the limit, this one is too late
                count = counts[slot]
                bits[slot, count], rows[slot, count] = bits_of(value), first_point + point
                counts[slot] = count + 1
                if count + 1 == size:
                    thin(buffer, scratch, slot, query, task, max(4, k >> 3))
                    bound = _bound(limits[slot], norm)
        if counts[slot] >= k and limits[slot] == NO_LIMIT:
            thin(buffer, scratch, slot, query, task, max(4, k >> 3))


@njit(nogil=True, cache=True)
def _write_block(start, stop, buffer, scratch, task, squared, rows):
    for query in range(start, stop):
        write_nearest(buffer, scratch, query - start, query, task, squared, rows)
