"""Wide sparse rows, by products."""

import numpy as np
import pytest
from scipy import sparse

from neighbors.data import awkward_data, brute_force
from unflip.neighbors import ExactIndex
from unflip.neighbors import exact as index_module

DATA = awkward_data()


@pytest.mark.parametrize("name", ["uniform", "whole numbers", "large offset", "copies"])
def test_wide_sparse_data_give_the_brute_force_answer(name, monkeypatch):
    monkeypatch.setattr(index_module, "DENSE_VALUES", 0)
    X = DATA[name] * (np.random.RandomState(2).random_sample(DATA[name].shape) < 0.5)
    index = ExactIndex(n_jobs=2).fit(sparse.csr_array(X))
    assert sparse.issparse(index.points_)
    squared, rows = brute_force(X, X, 20, exclude=np.arange(len(X)))
    graph = index.graph(20)
    np.testing.assert_array_equal(graph.indices, rows)
    np.testing.assert_array_equal(graph.distances, np.sqrt(squared))
    squared, rows = brute_force(X, X[::7], 20)
    np.testing.assert_array_equal(index.query(sparse.csr_array(X[::7]), 20).indices, rows)


def test_few_queries_of_wide_sparse_rows_stay_sparse_as_the_rows_do(monkeypatch):
    X = DATA["uniform"] * (np.random.RandomState(2).random_sample(DATA["uniform"].shape) < 0.5)
    monkeypatch.setattr(index_module, "DENSE_VALUES", 1000)  # less than the rows have, more than the queries
    index = ExactIndex().fit(sparse.csr_array(X))
    assert sparse.issparse(index.points_)
    _, rows = brute_force(X, X[:20], 5)
    for queries in (X[:20], sparse.csr_array(X[:20])):
        np.testing.assert_array_equal(index.query(queries, 5).indices, rows)


def test_differences_that_vanish_in_float32_are_no_negative_distances(monkeypatch):
    """Rounded to float32, a tiny negative sum of products is -0.0, whose bits were once taken for a distance."""
    monkeypatch.setattr(index_module, "DENSE_VALUES", 0)
    X = np.where(np.arange(130) % 3, 0, 1e19 + 2048.0 * (np.arange(130) % 7))[:, None]
    X[5] = 9.97e36
    graph = ExactIndex().fit(sparse.csr_matrix(X)).graph(7)
    squared, rows = brute_force(X, X, 7, exclude=np.arange(130))
    np.testing.assert_array_equal(graph.indices, rows)
    np.testing.assert_array_equal(graph.distances, np.sqrt(squared))
