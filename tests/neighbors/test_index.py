"""Every index keeps the contract, and the rule picks the right one."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from unflip import LabelAudit, RobustKNeighborsClassifier, UnflipError
from unflip.neighbors import (
    ExactIndex,
    ForeignIndex,
    NeighborIndex,
    PrecomputedIndex,
    SubsetIndex,
    TrainingIndex,
    WeightedIndex,
    make_index,
)

X = np.random.RandomState(0).normal(size=(60, 3))
EXACT = ExactIndex().fit(X)
INDEXES = {
    "exact": EXACT,
    "precomputed": PrecomputedIndex().fit(pairwise_distances(X)),
    "foreign": ForeignIndex(NearestNeighbors(algorithm="brute")).fit(X),
    "weighted": WeightedIndex(EXACT, np.ones(60)),
    "subset": SubsetIndex(EXACT.graph(20), EXACT, np.arange(60)),
}


@pytest.mark.parametrize("name", INDEXES)
def test_every_index_keeps_the_contract_and_finds_the_same_neighbors(name):
    index = INDEXES[name]
    assert isinstance(index, TrainingIndex)
    assert isinstance(index, NeighborIndex) == (name != "subset")
    assert index.n_rows == 60
    rows, keep = np.array([3, 59, 7]), np.arange(60) % 3 > 0
    first = 1 if name == "weighted" else 0  # a place for copies of the row itself, of which there are none
    expected = EXACT.graph(5).indices
    np.testing.assert_array_equal(index.graph(5).indices[:, first:], expected)
    np.testing.assert_array_equal(index.graph(5, rows).indices[:, first:], expected[rows])
    some = np.array([3, 9, 57])  # none of them kept
    np.testing.assert_array_equal(index.among(some, keep, 5).indices, EXACT.among(some, keep, 5).indices)


def test_the_metric_and_the_algorithm_pick_the_index():
    assert isinstance(make_index("owner", "cosine"), ExactIndex)
    assert isinstance(make_index("owner", "precomputed", algorithm="auto"), PrecomputedIndex)
    assert isinstance(make_index("owner", "euclidean", algorithm=NearestNeighbors()), ForeignIndex)


@pytest.mark.parametrize("estimator", [RobustKNeighborsClassifier, LabelAudit])
def test_a_bad_metric_is_blamed_on_the_estimator_that_was_called(estimator):
    y = np.arange(60) % 2
    with pytest.raises(UnflipError, match=f"^{estimator.__name__}: 'metric' must be"):
        estimator(metric="furlongs").fit(X, y)
    with pytest.raises(UnflipError, match=f"^{estimator.__name__} .*: 'X' must be a square matrix"):
        estimator(metric="precomputed").fit(X, y)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "seuclidean", "mahalanobis", "jaccard"])
def test_rows_added_to_an_index_are_found_as_if_fitted_at_once(metric):
    rows = X > 0 if metric == "jaccard" else X
    grown = ExactIndex(metric).fit(rows[:25]).extended(rows[25:40]).extended(rows[40:])
    expected = ExactIndex(metric).fit(rows).graph(9)
    np.testing.assert_array_equal(grown.graph(9).indices, expected.indices)
    np.testing.assert_array_equal(grown.graph(9).distances, expected.distances)
