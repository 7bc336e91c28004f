"""A float32 copy of the data for a fast first look, and a certificate of how far off its distances can be.

The search compares float32 distances and keeps every point that could be among the k nearest in float64. What "could"
means is computed here, never guessed. With u = 2**-24, for two rows at float64 distance r whose copies lie at
distance z: each copy is off by at most its residual (measured), so |z - r| <= residuals; and the float32 sum of d
squared differences has relative error at most (d + 8) u. Distances of integers in a small range are exact in float32
as well. All of this holds while no square overflows float32, so rows far from the rest are left to `parts`.
"""

from typing import NamedTuple

import numpy as np

from unflip.foundation.threads import one_blas_thread, row_blocks, run_blocks

UNIT = 2.0**-24
LARGEST_EXACT_SUM = 2**24
ROTATED_SAMPLE = 5_000
VALUES_PER_BLOCK = 1 << 16  # the few float64 copies that a block takes stay in a core's cache
MOST_ROTATED_COLUMNS = 1024
FEWEST_ROTATED_COLUMNS = 9


# Squares of smaller differences vanish in float64, so that rows closer than this may count as equal there.
SQUARES_VANISH_BELOW = 1e-150


class Slack(NamedTuple):
    """If k points are within t (float32, squared), the k nearest are within (factor * sqrt(t + extra) + offset)**2."""

    factor: float
    offset: float
    extra: float


EXACT = Slack(1.0, 0.0, 0.0)


class Screen:
    """Centers, scales and rotates rows into float32 ones whose distances are close to the true ones.

    Centering keeps large offsets from eating the digits, scaling by a power of two (exact) keeps squares within
    float32's range, and rotation to principal axes lets boxes and the first few columns tell far points from near
    ones.
    """

    def __init__(self, points, *, rotate=True, n_jobs=None):
        n_rows, n_columns = points.shape
        self._low, self._high, mean, whole = _summary(points, n_jobs)
        self.lattice = whole and ((self._high - self._low) ** 2).sum() < LARGEST_EXACT_SUM
        # Rounding may put a mean outside of the values, which for a constant column would be an offset without need.
        mean = np.clip(mean, self._low, self._high)
        self.shift = np.round(mean) if self.lattice else mean
        largest = np.maximum(self._high - self.shift, self.shift - self._low).max()
        self.scale = 1.0 if self.lattice else power_of_two(largest)
        rotate &= not self.lattice and FEWEST_ROTATED_COLUMNS <= n_columns <= MOST_ROTATED_COLUMNS
        self.rotation = self._principal_axes(points) if rotate and n_rows > n_columns else None
        self.points, self.residual = self.copy(points, n_jobs)

    def copy(self, rows, n_jobs=None):
        """Return the float32 copy and the largest distance between a row and its copy."""
        copies = np.empty(rows.shape, np.float32)

        def copy_block(block):
            centered = (rows[block] - self.shift) * self.scale
            reach = _longest(centered)
            if self.rotation is not None:
                centered = centered @ self.rotation
            copies[block] = centered
            return reach, _longest(centered - copies[block])

        with one_blas_thread():
            lengths = run_blocks(copy_block, _cached_blocks(rows), n_jobs)
        reach, measured = np.max(lengths, axis=0) if lengths else (0.0, 0.0)
        # float64 rounding: one subtraction and, if rotated, sums of products by axes that are orthogonal to rounding.
        rounding = 2.0**-52 * (1 if self.rotation is None else 4 * (rows.shape[1] + 8) ** 1.5) * reach
        rounding += SQUARES_VANISH_BELOW * self.scale
        return copies, 0.0 if self.lattice and measured == 0.0 else measured * (1 + 1e-9) + rounding

    def _principal_axes(self, points):
        sample = (points[:: max(1, len(points) // ROTATED_SAMPLE)] - self.shift) * self.scale
        return np.linalg.eigh(sample.T @ sample)[1][:, ::-1]

    def slack(self, queries, residual):
        """Return the slack of difference-form distances between these queries and the points."""
        if self._is_exact(queries, residual) and self._sums_are_small(queries):
            return EXACT
        error = 1.02 * (queries.shape[1] + 8) * UNIT
        return Slack(np.sqrt((1 + error) / (1 - error)), 2 * (residual + self.residual) * (1 + error), 0.0)

    def product_slack(self, queries, residual, reach):
        """Return the slack of |x|**2 + 2 (|y|**2 / 2 - xy) in float32, reach being the largest |x| + |y|."""
        if self._is_exact(queries, residual) and 2 * reach**2 < LARGEST_EXACT_SUM:
            return EXACT
        error = 1.02 * (queries.shape[1] + 16) * UNIT * reach**2
        return Slack(1.0 + 1e-6, 2 * (residual + self.residual) * (1 + 1e-6), 2 * error)

    def _is_exact(self, queries, residual):
        """Tell whether points and queries are all integers: sums of squares of fractions may need more digits."""
        return self.lattice and residual == 0.0 and np.array_equal(queries, np.round(queries))

    def _sums_are_small(self, queries):
        low = np.minimum(self._low, queries.min(axis=0, initial=np.inf))
        high = np.maximum(self._high, queries.max(axis=0, initial=-np.inf))
        return ((high - low) ** 2).sum() < LARGEST_EXACT_SUM


def _summary(points, n_jobs):
    """Return smallest, largest and mean values of the columns, and whether all values are integers."""

    def summarize(block):
        rows = points[block]
        with np.errstate(over="ignore"):  # the mean is clipped to the values
            total = rows.sum(axis=0, dtype=np.float64)
        return rows.min(axis=0), rows.max(axis=0), total, np.array_equal(rows, np.round(rows))

    parts = run_blocks(summarize, _cached_blocks(points), n_jobs)
    low, high, total, whole = zip(*parts, strict=True)
    low, high = np.min(low, axis=0).astype(np.float64), np.max(high, axis=0).astype(np.float64)
    return low, high, np.sum(total, axis=0) / len(points), all(whole)


def _cached_blocks(rows):
    return row_blocks(len(rows), VALUES_PER_BLOCK // max(1, rows.shape[1]))


def _longest(rows):
    return np.sqrt(np.einsum("ij,ij->i", rows, rows).max(initial=0.0))


def power_of_two(largest):
    """Return the power of two that brings the largest value near 1: scaling by it is exact.

    Of values below 2**-1000 it only does so in part; their squares vanish in float64, so that nothing is lost.
    """
    return 2.0 ** np.clip(-np.round(np.log2(largest)), -1000, 1000) if largest > 0 else 1.0
