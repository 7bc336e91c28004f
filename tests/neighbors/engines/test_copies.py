"""Copies of rows are one point, and come out as the rows they are."""

import time

import numpy as np
import pytest

from neighbors.data import brute_force
from unflip.neighbors import ExactIndex
from unflip.neighbors.engines.copies import CopiesEngine, find_copies
from unflip.neighbors.engines.parts import PartedEngine


def test_different_rows_are_numbered_by_their_first_copy():
    X = np.array([[1.0, 2], [0, 0], [1, 2], [-0.0, 0], [3, 4], [1, 2], [0, 0]])
    first, place = find_copies(X)
    assert first.tolist() == [0, 1, 4]
    assert place.tolist() == [0, 1, 0, 1, 2, 0, 1]
    assert find_copies(np.random.RandomState(0).normal(size=(50, 2))) is None


def test_rows_whose_hashes_collide_are_not_taken_for_copies(monkeypatch):
    monkeypatch.setattr("unflip.neighbors.engines.copies.row_hashes", lambda points: np.zeros(len(points), np.uint64))
    assert find_copies(np.array([[0.0], [1.0], [0.0]])) is None


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [1, 5, 60, 119])
def test_neighbors_among_copies_and_ties_are_those_of_brute_force(seed, k):
    random = np.random.RandomState(seed)
    X = random.randint(0, 3, size=(120, 2)).astype(float)  # at most nine different rows, many equally far
    engine = CopiesEngine(PartedEngine(), *find_copies(X)).fit(X)
    queries = random.randint(-1, 4, size=(30, 2)).astype(float)
    for asked, exclude in ((X, np.arange(120)), (queries, None), (X.copy(), np.arange(120))):
        squared, rows = engine.search(asked, k, exclude)
        expected = brute_force(X, asked, k, exclude)
        np.testing.assert_array_equal(rows, expected[1])
        np.testing.assert_array_equal(squared, expected[0])


@pytest.mark.speed
def test_a_hundred_thousand_equal_rows_take_seconds():
    ExactIndex(engine="leaf").fit(np.ones((500, 1))).graph(5)
    start = time.perf_counter()
    graph = ExactIndex().fit(np.ones((100_000, 1))).graph(50)
    assert time.perf_counter() - start < 20
    assert graph.indices[0].tolist() == list(range(1, 51))
    assert graph.indices[99_999].tolist() == list(range(50))
