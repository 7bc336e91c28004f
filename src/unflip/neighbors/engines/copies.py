"""Copies of rows are one point with a list of rows: a search among many equal rows costs what one among few does.

Of the k nearest rows, in the order of (distance, row number), each belongs to one of the k nearest different points, in
the order of (distance, smallest row number): every point that comes before its own has a row that comes before it.
"""

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.foundation.row_hashes import row_hashes

MAX_DIFFERENT = 0.9  # of the rows; with fewer copies than that the detour does not pay


def find_copies(points):
    """Return the smallest row number of each different row, ascending, and the place therein of every row.

    None where few rows are copies. Rows are told apart by a hash; those of equal hash are compared.
    """
    keys = row_hashes(points)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) > MAX_DIFFERENT * len(points) or not (points == points[first[place]]).all():
        return None
    order = np.argsort(first)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[place]


class CopiesEngine:
    """An engine over different points, in front of another one; rows are copies of them.

    Parameters
    ----------
    engine : object
        Not fitted, with fit and search.
    first : ndarray of int
        The smallest row number of each different point.
    place : ndarray of int
        Which point each row is a copy of.
    """

    def __init__(self, engine, first, place):
        self.engine, self.first, self.place = engine, first, place

    def fit(self, points, n_jobs=None):
        """Index the different points."""
        self.points = points
        self.different = np.ascontiguousarray(points[self.first])
        self.engine.fit(self.different, n_jobs)
        self.rows = np.argsort(self.place, kind="stable").astype(np.int32)  # of each point in turn, ascending
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(self.place, minlength=len(self.first)))])
        return self

    def search(self, queries, k, exclude=None, n_jobs=None):
        """Return the squared distances and row numbers of the k nearest rows, sorted by both.

        exclude gives a row number to leave out for each query, or -1.
        """
        if queries is self.points:  # copies ask the same question
            squared, found = self._points_near(self.different, k, n_jobs)
            asks = self.place
        else:
            squared, found = self._points_near(queries, k, n_jobs)
            asks = np.arange(len(queries))
        exclude = np.full(len(asks), -1) if exclude is None else np.asarray(exclude)
        return expanded(squared, found, asks, exclude, self.rows, self.starts, k)

    def _points_near(self, queries, k, n_jobs):
        return self.engine.search(queries, min(k + 1, len(self.first)), None, n_jobs)


@compiled()
def expanded(squared, found, asks, exclude, rows, starts, k):
    """Return the k nearest rows of each query from its nearest points, merging the rows of equally near ones."""
    out_squared, out_rows = np.empty((len(asks), k)), np.empty((len(asks), k), np.int32)
    n_found = found.shape[1]
    heads = np.empty(n_found, np.int64)
    for query in range(len(asks)):
        ask, count, place = asks[query], 0, 0
        while count < k and place < n_found:
            stop = place + 1
            while stop < n_found and squared[ask, stop] == squared[ask, place]:
                stop += 1
            for at in range(place, stop):
                heads[at] = starts[found[ask, at]]
            while count < k:
                best, best_row = -1, 0
                for at in range(place, stop):
                    if heads[at] < starts[found[ask, at] + 1]:
                        row = rows[heads[at]]
                        if best < 0 or row < best_row:
                            best, best_row = at, row
                if best < 0:
                    break
                heads[best] += 1
                if best_row != exclude[query]:
                    out_squared[query, count], out_rows[query, count] = squared[ask, place], best_row
                    count += 1
            place = stop
        out_rows[query, count:] = -1
    return out_squared, out_rows
