"""A float32 copy of the data for a fast first look, and a certificate of how far off its distances can be.

The search compares float32 distances and keeps every point that could be among the k nearest in float64. What "could"
means is computed here, never guessed. With u = 2**-24, for two rows at float64 distance r whose copies lie at
distance z: each copy is off by at most its residual (measured), so |z - r| <= residuals; and the float32 sum of d
squared differences has relative error at most (d + 8) u. Distances of integers in a small range are exact in float32
as well.
"""

from typing import NamedTuple

import numpy as np

UNIT = 2.0**-24
LARGEST_EXACT_SUM = 2**24
ROTATED_SAMPLE = 10_000
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
    """Centers, scales and rotates float64 rows into float32 ones whose distances are close to the true ones.

    Centering keeps large offsets from eating the digits, scaling by a power of two (exact) keeps squares within
    float32's range, and rotation to principal axes lets boxes and the first few columns tell far points from near
    ones.
    """

    def __init__(self, points, *, rotate=True):
        self.lattice = _is_lattice(points)
        self.shift = np.round(points.mean(axis=0)) if self.lattice else points.mean(axis=0)
        self.scale = 1.0 if self.lattice else power_of_two(np.abs(points - self.shift).max(initial=0.0))
        self.rotation = None
        rotate &= not self.lattice and FEWEST_ROTATED_COLUMNS <= points.shape[1] <= MOST_ROTATED_COLUMNS
        if rotate and len(points) > points.shape[1]:
            self.rotation = _principal_axes((points - self.shift) * self.scale)
        self.points, self.residual = self.copy(points)
        self._low, self._high = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)

    def copy(self, rows):
        """Return the float32 copy and the largest distance between a row and its copy."""
        centered = (rows - self.shift) * self.scale
        reach = np.sqrt(np.einsum("ij,ij->i", centered, centered).max(initial=0.0))
        if self.rotation is not None:
            centered = centered @ self.rotation
        copies = centered.astype(np.float32)
        centered -= copies
        measured = np.sqrt(np.einsum("ij,ij->i", centered, centered).max(initial=0.0))
        n_columns = rows.shape[1]
        # float64 rounding: one subtraction and, if rotated, sums of n_columns products by axes orthogonal to rounding.
        rounding = 2.0**-52 * (1 if self.rotation is None else 4 * (n_columns + 8) ** 1.5) * reach
        rounding += SQUARES_VANISH_BELOW * self.scale
        return copies, 0.0 if self.lattice and measured == 0.0 else measured * (1 + 1e-9) + rounding

    def slack(self, queries, residual):
        """Return the slack of difference-form distances between these queries and the points."""
        if self.lattice and residual == 0.0 and self._sums_are_exact(queries):
            return EXACT
        error = 1.02 * (queries.shape[1] + 8) * UNIT
        return Slack(np.sqrt((1 + error) / (1 - error)), 2 * (residual + self.residual) * (1 + error), 0.0)

    def product_slack(self, queries, residual, reach):
        """Return the slack of |x|**2 + |y|**2 - 2xy in float32, reach being the largest |x| + |y|."""
        if self.lattice and residual == 0.0 and reach**2 < LARGEST_EXACT_SUM and self._sums_are_exact(queries):
            return EXACT
        error = 1.02 * (queries.shape[1] + 16) * UNIT * reach**2
        return Slack(1.0 + 1e-6, 2 * (residual + self.residual) * (1 + 1e-6), 2 * error)

    def _sums_are_exact(self, queries):
        low = np.minimum(self._low, queries.min(axis=0, initial=np.inf))
        high = np.maximum(self._high, queries.max(axis=0, initial=-np.inf))
        return ((high - low) ** 2).sum() < LARGEST_EXACT_SUM


def _is_lattice(points):
    """Tell whether all values are integers in a range so small that float32 sums of squared differences are exact."""
    if not np.array_equal(points[:256], np.round(points[:256])):
        return False
    spread = np.ptp(points, axis=0) if len(points) else np.zeros(points.shape[1])
    return (spread**2).sum() < LARGEST_EXACT_SUM and np.array_equal(points, np.round(points))


def power_of_two(largest):
    """Return the power of two that brings the largest value near 1: scaling by it is exact."""
    return 2.0 ** -np.round(np.log2(largest)) if largest > 0 else 1.0


def _principal_axes(centered):
    sample = centered[:: max(1, len(centered) // ROTATED_SAMPLE)]
    return np.linalg.eigh(sample.T @ sample)[1][:, ::-1]
