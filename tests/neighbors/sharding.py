"""Rows cut into parts, and how answers are compared."""

import hashlib

import numpy as np


def problems():
    """Return {name: rows}: continuous, of few distinct values, of float32, with more columns."""
    random = np.random.RandomState(0)
    return {
        "continuous": random.random_sample((1500, 5)),
        "ties": random.randint(0, 3, (1500, 6)).astype(float),
        "float32 ties": (random.randint(0, 2, (1800, 7)) * 0.3).astype(np.float32),
        "wide": random.normal(size=(900, 40)),
    }


def digest(graph):
    """Return a digest of all bits of a graph."""
    return hashlib.sha256(
        np.ascontiguousarray(graph.indices).tobytes() + np.ascontiguousarray(graph.distances).tobytes()
    ).hexdigest()


def assert_same(one, other):
    """Two graphs are equal to the last bit."""
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.distances, other.distances)
