"""The engine in front of `leaf`: rows far from the rest are searched apart, whatever finite numbers they hold.

The float32 copy of `screen` resolves what lies within a few dozen times the spread of most rows. A single cell of 1e12
would set its scale, and nothing else could be told apart; one of 1e20 would overflow. So points are divided by how far
they lie from the middle of all: each part has a copy, a scale and leaves of its own. Every part answers a query; the
answers are merged by (float64 squared distance, row number): exact, because each part's answer is. Where squares of
differences overflow even float64, brute force in numpy answers.
"""

import numpy as np

from unflip.foundation.threads import row_blocks, run_blocks
from unflip.neighbors.engines.leaf import LeafEngine
from unflip.neighbors.engines.plain import PlainEngine
from unflip.neighbors.metrics import Metric

SAMPLE = 5_000
BULK = 0.98  # of the sample lie within the reach
MAX_REACH = 32.0  # reaches beyond which a row is searched apart
MAX_SCALED = 2.0**40  # of a query in units of a part: its square fits float32, summed over any number of columns
MAX_DIFFERENCE = 1e150  # squares of larger ones may overflow float64
MIN_PART = 64  # fewer rows are not divided again
VALUES_PER_BLOCK = 1 << 17


class PartedEngine:
    """Exact neighbors of any finite float64 rows by squared euclidean distance."""

    def fit(self, points, n_jobs=None):
        """Divide the points, a C-contiguous array of float64 or float32, and prepare each part."""
        self.points = points
        self.parts = [
            Part(points if len(rows) == len(points) else points[rows], rows, n_jobs) for rows in divided(points, n_jobs)
        ]
        return self

    def search(self, queries, k, exclude=None, n_jobs=None, within=None):
        """Return the squared distances and row numbers of the k nearest points, sorted by both.

        exclude gives a row number to leave out for each query, or -1; within a squared distance beyond which nobody is
        asked for: where there are fewer than k, rows may be -1 and distances NaN.
        """
        if len(self.parts) == 1:
            return self.parts[0].search(queries, k, exclude, n_jobs, within)
        if queries is not self.points:
            return self._merged(queries, k, exclude, n_jobs)
        squared, rows = np.empty((len(queries), k)), np.empty((len(queries), k), np.int32)
        for part in self.parts:
            own = None if exclude is None else exclude[part.rows]
            squared[part.rows], rows[part.rows] = self._merged(part.points, k, own, n_jobs)
        return squared, rows

    def _merged(self, queries, k, exclude, n_jobs):
        # One more than asked for, because the row to leave out is only left out here.
        answers = [part.search(queries, min(k + 1, len(part.rows)), None, n_jobs) for part in self.parts]
        squared = np.concatenate([scores for scores, _ in answers], axis=1)
        rows = np.concatenate([part.rows[found] for part, (_, found) in zip(self.parts, answers, strict=True)], axis=1)
        left_out = np.zeros(rows.shape, bool) if exclude is None else rows == exclude[:, None]
        order = np.lexsort((rows, squared, left_out), axis=1)[:, :k]
        return np.take_along_axis(squared, order, axis=1), np.take_along_axis(rows, order, axis=1).astype(np.int32)


class Part:
    """Some of the points, all of about the same magnitude; rows are their numbers."""

    def __init__(self, points, rows, n_jobs):
        self.points, self.rows = points, rows
        self.plain = PlainEngine(Metric("sqeuclidean"))
        self.middle = middle_of(points)
        self.overflows = distances_from(points, self.middle, n_jobs).max(initial=0.0) > MAX_DIFFERENCE
        self.engine = None if self.overflows else LeafEngine().fit(points, n_jobs)

    def search(self, queries, k, exclude, n_jobs, within=None):
        """Answer queries of any magnitude."""
        if self.engine is None:
            return self._by_brute_force(queries, k, exclude, n_jobs)
        if queries is self.points:
            return self.engine.search(queries, k, exclude, n_jobs, within)
        far = distances_from(queries, self.engine.screen.shift, n_jobs)
        with np.errstate(over="ignore"):
            scaled = far * self.engine.screen.scale
        near = scaled <= MAX_REACH
        if near.all():
            return self.engine.search(queries, k, exclude, n_jobs, within)
        beyond = (scaled > MAX_SCALED) | (far > MAX_DIFFERENCE)
        squared, rows = np.empty((len(queries), k)), np.empty((len(queries), k), np.int32)
        for chosen, search in (
            (near, self.engine.search),
            (~near & ~beyond, self.engine.search),  # with a slack of their own: one far query would widen all
            (beyond, self._by_brute_force),
        ):
            some = np.flatnonzero(chosen)
            if len(some):
                own = None if exclude is None else exclude[some]
                limits = None if within is None else within[some]
                squared[some], rows[some] = search(np.ascontiguousarray(queries[some]), k, own, n_jobs, limits)
        return squared, rows

    def _by_brute_force(self, queries, k, exclude, n_jobs, within=None):
        with np.errstate(over="ignore"):  # infinitely far, then, and ordered by row number
            return self.plain.fit(self.points).search(queries, k, exclude, n_jobs)


def divided(points, n_jobs=None):
    """Return the row numbers of each part, ascending: most rows first, then those ever farther from the rest."""
    rows, parts = np.arange(len(points)), []
    while True:
        far = far_rows(points if len(rows) == len(points) else points[rows], n_jobs)
        if len(rows) < MIN_PART or not far.any() or far.all():
            return [*parts, rows]
        parts.append(rows[~far])
        rows = rows[far]


def far_rows(points, n_jobs=None):
    """Return a mask of the rows that lie many times farther from the middle than most do."""
    middle = middle_of(points)
    reach = np.quantile(distances_from(sampled(points), middle), BULK, method="lower")
    return distances_from(points, middle, n_jobs) / MAX_REACH > reach


def middle_of(points):
    """Return the median of each column, of some rows where there are many: always a value of the column."""
    return np.quantile(sampled(points), 0.5, axis=0, method="lower").astype(np.float64)


def sampled(points):
    """Return some of the rows, evenly spaced."""
    return points[:: max(1, len(points) // SAMPLE)]


def distances_from(rows, middle, n_jobs=None):
    """Return the largest absolute difference of each row from the middle over the columns."""
    largest = np.empty(len(rows))

    def measure(block):
        with np.errstate(over="ignore"):
            largest[block] = np.abs(rows[block] - middle).max(axis=1, initial=0.0)

    run_blocks(measure, row_blocks(len(rows), VALUES_PER_BLOCK // max(1, rows.shape[1])), n_jobs)
    return largest
