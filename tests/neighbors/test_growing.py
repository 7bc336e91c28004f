"""An index to which rows are added gives the answers of one that was fitted to all of them."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from neighbors.sharding import assert_same, problems
from unflip.neighbors import ExactIndex
from unflip.neighbors.growing import GrowingIndex

PROBLEMS = problems()


def grown(X, n_batches, k=None, **parameters):
    """Return the index of rows that came in batches; with k, its graph was asked for after each."""
    first, *others = np.array_split(np.arange(X.shape[0]), n_batches)
    index = ExactIndex(**parameters).fit(X[first])
    for batch in others:
        index = index.extended(X[batch])
        if k:
            index.graph(k)
    return index


@pytest.mark.parametrize("k", [None, 20])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_batches_give_the_graph_of_all_rows_whether_it_was_asked_for_in_between_or_not(name, engine, k):
    X = PROBLEMS[name]
    index = grown(X, 8, k, engine=engine)
    assert_same(index.graph(20), ExactIndex().fit(X).graph(20))
    assert_same(index.graph(9), ExactIndex().fit(X).graph(9))
    assert_same(index.graph(50), ExactIndex().fit(X).graph(50))


@pytest.mark.parametrize("name", PROBLEMS)
def test_some_rows_and_new_ones_find_the_same_neighbors(name):
    X, random = PROBLEMS[name], np.random.RandomState(1)
    index, whole = grown(X, 5, 10), ExactIndex().fit(X)
    rows, queries = random.permutation(len(X))[:60], random.random_sample((30, X.shape[1]))
    assert_same(index.graph(12, rows), whole.graph(12, rows))
    assert_same(index.query(queries, 12), whole.query(queries, 12))
    for inside in (True, False):
        keep = random.random_sample(len(X)) < 0.3
        keep[rows] = inside
        assert_same(index.among(rows, keep, 12), whole.among(rows, keep, 12))


@pytest.mark.parametrize("metric", ["cosine", "manhattan", "chebyshev", "seuclidean", "mahalanobis"])
def test_every_metric_grows(metric):
    X = PROBLEMS["continuous"][:300]
    found, expected = grown(X, 4, 7, metric=metric).graph(7), ExactIndex(metric).fit(X).graph(7)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_allclose(found.distances, expected.distances, rtol=1e-12)


def test_sparse_rows_grow(monkeypatch):
    monkeypatch.setattr("unflip.neighbors.exact.DENSE_VALUES", 10)
    X = sparse.random(400, 50, density=0.1, format="csr", random_state=0)
    index = grown(X, 4, 7)
    assert sparse.issparse(index.segments[0].points_)
    assert_same(index.graph(7), ExactIndex().fit(X).graph(7))


def test_there_are_few_segments_and_the_former_index_stays_as_it_was():
    X = PROBLEMS["continuous"]
    index = ExactIndex().fit(X[:100])
    for start in range(100, 1000, 100):
        before, index = index, index.extended(X[start : start + 100])
        index.graph(5)
    assert before.n_rows == 900
    assert_same(before.graph(5), ExactIndex().fit(X[:900]).graph(5))
    assert len(index.segments) <= 4
    assert sum(each.n_rows for each in index.segments) == index.n_rows == 1000


def test_only_new_rows_are_searched_for_old_ones(monkeypatch):
    X = PROBLEMS["continuous"]
    asked = []
    nearest = ExactIndex.nearest

    def watched(self, queries, k, *more):
        asked.append(queries.shape[0] * self.n_rows)
        return nearest(self, queries, k, *more)

    index = GrowingIndex.of(ExactIndex().fit(X[:1400]))
    index.graph(10)
    monkeypatch.setattr(ExactIndex, "nearest", watched)
    index.extended(X[1400:]).graph(10)
    assert sum(asked) == 1400 * 100 + 100 * 1500


def test_a_copy_by_pickle_gives_the_same_answers():
    index = grown(PROBLEMS["ties"], 3, 10)
    assert_same(pickle.loads(pickle.dumps(index)).graph(10), index.graph(10))
