"""Data on which a careless search goes wrong."""

import numpy as np


def awkward_data():
    """Return {name: rows}: offsets, mixed scales, copies, ties, constants, many columns, tiny and huge values."""
    random = np.random.RandomState(0)
    two_groups = random.random_sample((600, 4))
    two_groups[300:] += 1e4
    return {
        "uniform": random.random_sample((900, 5)),
        "whole numbers": random.randint(0, 3, size=(900, 12)).astype(float),
        "few distinct rows": random.randint(0, 2, size=(900, 3)).astype(float),
        "few distinct rows, scaled": random.randint(0, 2, size=(900, 3)) * 0.3,
        "binary, scaled": random.randint(0, 2, size=(700, 20)) * 0.3,
        "large offset": random.random_sample((700, 7)) + 1e6,
        "mixed scales": random.random_sample((700, 12)) * 10.0 ** np.arange(-6, 6),
        "copies": np.repeat(random.random_sample((40, 3)), 20, axis=0),
        "one column": random.random_sample((600, 1)),
        "many columns": random.normal(size=(500, 301)),
        "constant": np.ones((400, 4)),
        "far groups": two_groups,
        "tiny": random.random_sample((400, 3)) * 1e-160,
        "huge": random.random_sample((400, 3)) * 1e140,
        "vanishing squares": np.where(
            random.random_sample((400, 3)) < 0.5, random.randint(0, 5, (400, 3)) * 1e-170, 1.0
        ),
    }


def brute_force(points, queries, k, exclude=None):
    """Return the k nearest by (float64 squared distance summed column by column, row number)."""
    pairs = np.zeros((len(queries), len(points)))
    for column in range(points.shape[1]):
        difference = queries[:, column, None] - points[None, :, column]
        pairs += difference * difference
    if exclude is not None:
        pairs[np.arange(len(queries)), exclude] = np.nan
    rows = np.argsort(pairs, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(pairs, rows, axis=1), rows
