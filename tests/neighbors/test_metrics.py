"""The metrics: all that scikit-learn knows, and no others."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import pairwise_distances

from unflip.neighbors import ExactIndex
from unflip.neighbors.metrics import BOOLEAN, KNOWN, resolve_metric

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(150, 4))


def rows_for(metric):
    if metric == "haversine":
        return X[:, :2]
    return X > 0 if metric in BOOLEAN else X


@pytest.mark.parametrize("metric", KNOWN)
def test_distances_are_those_of_scikit_learn(metric):
    rows = rows_for(metric)
    pairs = pairwise_distances(rows, metric=metric)
    np.fill_diagonal(pairs, np.inf)
    graph = ExactIndex(metric, n_jobs=2).fit(rows).graph(6)
    np.testing.assert_allclose(graph.distances, np.sort(pairs, axis=1)[:, :6], atol=1e-12)
    np.testing.assert_allclose(np.take_along_axis(pairs, graph.indices, axis=1), graph.distances, atol=1e-12)


@pytest.mark.parametrize("metric", KNOWN)
def test_ties_go_to_the_smaller_row_number_and_blocks_do_not_matter(metric, monkeypatch):
    rows = np.repeat(rows_for(metric)[:20], 5, axis=0)
    graph = ExactIndex(metric).fit(rows).graph(30)
    monkeypatch.setattr("unflip.neighbors.engines.plain.PAIRS_PER_BLOCK", 300)
    again = ExactIndex(metric, n_jobs=2).fit(rows).graph(30)
    np.testing.assert_array_equal(graph.indices, again.indices)
    np.testing.assert_array_equal(graph.distances, again.distances)
    tied = np.diff(graph.distances, axis=1) == 0
    assert tied.any()
    assert (np.diff(graph.indices, axis=1)[tied] > 0).all()


@pytest.mark.parametrize(
    "metric", ["euclidean", "manhattan", "cosine", "sqeuclidean", "l1", "l2", "cityblock", "jaccard"]
)
def test_sparse_rows_give_what_dense_ones_do(metric):
    rows = X * (RANDOM.random_sample(X.shape) < 0.4)
    dense, filled = ExactIndex(metric).fit(rows), ExactIndex(metric).fit(sparse.csr_array(rows))
    for first, second in (
        (dense.graph(9), filled.graph(9)),
        (dense.query(rows[:5], 9), filled.query(sparse.csr_array(rows[:5]), 9)),
    ):
        np.testing.assert_array_equal(first.indices, second.indices)
        np.testing.assert_array_equal(first.distances, second.distances)


@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_cosine_gives_the_same_by_every_engine_and_zero_rows_are_at_right_angles(engine):
    rows = np.vstack([X, np.zeros((2, 4))])
    graph = ExactIndex("cosine", engine=engine).fit(rows).graph(151)
    expected = ExactIndex("cosine", engine="plain").fit(rows).graph(151)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.distances, expected.distances)
    zero = dict(zip(graph.indices[150].tolist(), graph.distances[150].tolist(), strict=True))
    assert zero.pop(151) == 0
    assert set(np.round(list(zero.values()), 12)) == {1.0}


def test_wide_sparse_cosine(monkeypatch):
    rows = X * (RANDOM.random_sample(X.shape) < 0.4)
    expected = ExactIndex("cosine").fit(rows).graph(9)
    monkeypatch.setattr("unflip.neighbors.exact.DENSE_VALUES", 0)
    index = ExactIndex("cosine").fit(sparse.csr_array(rows))
    assert sparse.issparse(index.points_)
    graph = index.graph(9)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.distances, expected.distances)


def test_minkowski_with_p_is_the_metric_it_is():
    for p, name in ((1, "manhattan"), (2, "euclidean")):
        assert resolve_metric("minkowski", {"p": p}).name == name
    pairs = pairwise_distances(X, metric="minkowski", p=3)
    np.fill_diagonal(pairs, np.inf)
    graph = ExactIndex("minkowski", {"p": 3}).fit(X).graph(4)
    np.testing.assert_allclose(graph.distances, np.sort(pairs, axis=1)[:, :4])


def test_a_function_is_a_metric():
    graph = ExactIndex(lambda a, b: np.abs(a - b).max()).fit(X).graph(5)
    np.testing.assert_array_equal(graph.indices, ExactIndex("chebyshev").fit(X).graph(5).indices)


@pytest.mark.parametrize("metric", ["angular", "nan_euclidean", "precomputed", 3, None])
def test_other_metrics_are_refused_by_name(metric):
    with pytest.raises(
        ValueError, match=r"ExactIndex: 'metric' must be a function, a ForestSpace, or one of learned, .*got"
    ):
        ExactIndex(metric).fit(X)


def test_an_undefined_distance_is_infinite():
    rows = np.vstack([X, np.ones((1, 4))])  # the correlation of a constant row
    graph = ExactIndex("correlation").fit(rows).graph(150)
    assert (graph.indices[:150, -1] == 150).all()
    assert np.isinf(graph.distances[150]).all()


def test_mahalanobis_of_a_constant_column_asks_for_its_matrix():
    with pytest.raises(ValueError, match="metric_params"):
        ExactIndex("mahalanobis").fit(np.column_stack([X, np.zeros(len(X))]))


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e307])
def test_cosine_does_not_depend_on_the_scale_of_rows(scale):
    X = np.random.RandomState(0).normal(size=(60, 3)) * np.where(np.arange(60) % 2, 1, scale)[:, None]
    for rows in (X, sparse.csr_matrix(X)):
        graph = ExactIndex("cosine").fit(rows).graph(5)
        assert np.isfinite(graph.distances).all()
        assert graph.distances.max() < 2.1
    if scale > 1e-300:  # denormal numbers have lost digits
        plain = ExactIndex("cosine").fit(np.random.RandomState(0).normal(size=(60, 3))).graph(5)
        np.testing.assert_array_equal(graph.indices, plain.indices)


def test_manhattan_distances_that_overflow_are_infinite():
    graph = ExactIndex("manhattan").fit(np.array([[1e308], [-1e308], [0.0]])).graph(2)
    assert graph.indices.tolist() == [[2, 1], [2, 0], [0, 1]]
    assert graph.distances[0].tolist() == [1e308, np.inf]
