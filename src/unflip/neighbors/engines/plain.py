"""Exact search by brute force in numpy: the definition of the answer, for small problems and rare metrics.

Nothing is compiled, so nobody waits for a compiler to classify 500 rows.
"""

import numpy as np

from unflip.foundation.threads import row_blocks, run_blocks

PAIRS_PER_BLOCK = 1 << 17  # two arrays of so many float64 stay within a core's cache


class PlainEngine:
    """All pairs in float64, a block of queries at a time."""

    def __init__(self, metric):
        self.metric = metric

    def fit(self, points, n_jobs=None):
        """Keep the points."""
        self.n_points = len(points)
        self.prepared = self.metric.prepared(points)
        return self

    def search(self, queries, k, exclude=None, n_jobs=None):
        """Return the scores and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1.
        """
        scores, rows = np.empty((len(queries), k)), np.empty((len(queries), k), np.int32)

        def search_block(block):
            pairs = self.metric.scores(queries[block], self.prepared)
            if exclude is not None:
                left_out = np.flatnonzero(exclude[block] >= 0)
                pairs[left_out, exclude[block][left_out]] = np.nan
            scores[block], rows[block] = nearest_in_rows(pairs, k)

        run_blocks(search_block, row_blocks(len(queries), PAIRS_PER_BLOCK // max(1, self.n_points)), n_jobs)
        return scores, rows


def nearest_in_rows(scores, k):
    """Return the k smallest values of each row and their columns, sorted by (value, column); NaN is never taken.

    >>> nearest_in_rows(np.array([[3.0, 1.0, 1.0, np.nan, 0.0]]), 2)
    (array([[0., 1.]]), array([[4, 1]]))
    """
    kth = np.partition(scores, k - 1, axis=1)[:, k - 1, None]
    rows, columns = np.nonzero(scores <= kth)  # k of each row, more where values tie with the k-th
    values = scores[rows, columns]
    order = np.lexsort((columns, values, rows))
    starts = np.searchsorted(rows, np.arange(len(scores)))
    first_k = order[starts[:, None] + np.arange(k)]
    return values[first_k], columns[first_k]
