"""The exact search against brute force in float64, to the last bit, for rows of any finite numbers."""

import numpy as np
import pytest
from fuzzing import cases, one_of, random_numbers
from scipy import sparse

from neighbors.data import brute_force
from unflip.neighbors import ExactIndex
from unflip.neighbors import exact as exact_module

GROUPS = 20


def problem(seed):
    """Return points and queries, or None for the points themselves, and k: sizes around those of tiles and leaves."""
    random = np.random.RandomState(seed)
    n_rows = one_of(random, 2, 3, 15, 16, 17, 63, 64, 65, 130, 255, 256, 257, 300, 520)
    n_columns = one_of(random, 1, 2, 3, 8, 9, 16, 33, 40)
    points = random_numbers(random, (n_rows, n_columns))
    queries = None
    if random.random_sample() < 0.5:
        queries = random_numbers(random, (one_of(random, 1, 4, 5, 40), n_columns))
        if random.random_sample() < 0.5:
            queries = np.vstack([queries, points[: 1 + n_rows // 2]])
    most = n_rows - (queries is None)
    return points, queries, min(one_of(random, 1, 2, 7, 16, 50, most), most)


def expected(points, queries, k):
    with np.errstate(over="ignore"):
        if queries is None:
            squared, rows = brute_force(points, points, k, exclude=np.arange(len(points)))
        else:
            squared, rows = brute_force(points, queries, k)
    return rows, np.sqrt(squared)


def assert_exact(index, points, queries, k, answer):
    graph = index.graph(k) if queries is None else index.query(queries, k)
    np.testing.assert_array_equal(graph.indices, answer[0])
    np.testing.assert_array_equal(graph.distances, answer[1])


@pytest.mark.parametrize("group", range(GROUPS))
def test_dense_rows(group):
    for seed in cases(600):
        if seed % GROUPS == group:
            points, queries, k = problem(seed)
            answer = expected(points, queries, k)
            for engine in ("leaf", "plain"):
                try:
                    assert_exact(ExactIndex(engine=engine, n_jobs=1 + seed % 2).fit(points), points, queries, k, answer)
                except AssertionError as error:
                    raise AssertionError(f"seed {seed}, {engine}: {error}") from None


@pytest.mark.parametrize("group", range(GROUPS))
def test_sparse_rows(group, monkeypatch):
    monkeypatch.setattr(exact_module, "DENSE_VALUES", 0)
    for seed in cases(200):
        if seed % GROUPS == group:
            points, queries, k = problem(seed)
            points = np.where(np.random.RandomState(seed).random_sample(points.shape) < 0.6, 0, points)
            answer = expected(points, queries, k)
            index = ExactIndex().fit(sparse.csr_matrix(points))
            asked = None if queries is None else sparse.csr_matrix(queries)
            try:
                assert_exact(index, points, asked, k, answer)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}") from None
