"""Tiles to try, and what they should sum to."""

import numpy as np

from unflip.neighbors.engines.loop_tile import POINTS, QUERIES


def whole_numbers(seed, n_columns):
    """Sums of squares of small whole numbers are exact in float32, in any order, fused or not."""
    random = np.random.RandomState(seed)
    queries = random.randint(0, 9, (n_columns, QUERIES)).astype(np.float32)
    points = random.randint(0, 9, (n_columns, POINTS)).astype(np.float32)
    limits = (n_columns * random.randint(3, 15, QUERIES)).astype(np.float32)
    return queries, points, limits


def add_by_numpy(queries, points, fresh, sums, limits, *, products=False):
    """Add to the sums (4, 16) and return one bit for each that is within its query's limit."""
    left, right = queries[:, :, None], points[:, None, :]
    sums *= not fresh
    sums += (left * right if products else (left - right) ** 2).sum(axis=0, dtype=np.float32)
    within = (sums <= limits[:, None]).ravel()
    return sum(1 << position for position in np.flatnonzero(within).tolist())
