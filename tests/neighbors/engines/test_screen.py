"""The float32 copy, and the certificate of how far off its distances can be."""

import numpy as np
import pytest

from neighbors.data import awkward_data, brute_force
from unflip.neighbors import ExactIndex
from unflip.neighbors.engines.candidates import limit_of
from unflip.neighbors.engines.screen import EXACT, Screen, power_of_two

DATA = {name: X for name, X in awkward_data().items() if len(X) > 1}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("rotate", [False, True])
def test_no_true_neighbor_lies_beyond_the_limit(name, rotate):
    """If k points are within t by float32 distances, the k nearest in float64 are within limit_of(t)."""
    X = DATA[name][:200]
    screen = Screen(X, rotate=rotate)
    slack = screen.slack(X, screen.residual)
    true = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    copies = screen.points
    rough = ((copies[:, None] - copies[None]) ** 2).sum(axis=-1, dtype=np.float32)
    k = 10
    kth = np.sort(rough, axis=1)[:, k - 1]
    nearest = np.argsort(true, axis=1, kind="stable")[:, :k]
    farthest = np.take_along_axis(rough, nearest, axis=1).max(axis=1)
    limits = [value if slack == EXACT else limit_of(value, slack) for value in kth]
    assert (farthest <= limits).all()


def test_whole_numbers_in_a_small_range_are_exact():
    X = np.random.RandomState(0).randint(0, 200, size=(50, 3)).astype(float)
    screen = Screen(X)
    assert screen.slack(X, screen.residual) == EXACT
    assert Screen(X * 100).slack(X * 100, 0.0) != EXACT
    assert Screen(X + 0.5).slack(X + 0.5, 0.0) != EXACT


def test_scaling_is_by_a_power_of_two():
    for largest in (1e-300, 0.3, 1.0, 5.0, 1e140):
        scale = power_of_two(largest)
        assert np.frexp(scale)[0] == 0.5
        assert 0.5 < largest * scale < 2
    assert power_of_two(0.0) == 1.0


def test_fractional_queries_of_whole_numbers_are_not_exact():
    """Their copies are, but float32 has too few digits for the sums of their squares."""
    random = np.random.RandomState(0)
    points, queries = random.randint(0, 256, (300, 64)).astype(float), random.randint(0, 4096, (300, 64)) / 16
    screen = Screen(points)
    assert screen.slack(np.round(queries), 0.0) == EXACT
    assert screen.slack(queries, 0.0) != EXACT
    squared, rows = brute_force(points, queries, 5)
    graph = ExactIndex(engine="leaf").fit(points).query(queries, 5)
    np.testing.assert_array_equal(graph.indices, rows)
    np.testing.assert_array_equal(graph.distances, np.sqrt(squared))
