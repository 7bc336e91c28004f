"""Neighbors that somebody else found."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KNeighborsTransformer, NearestNeighbors

from unflip import RobustKNeighborsClassifier, UnflipError
from unflip.neighbors import ExactIndex, ForeignIndex, PrecomputedIndex

RANDOM = np.random.RandomState(0)
X = RANDOM.randint(0, 4, size=(120, 3)).astype(float)
X_NEW = RANDOM.randint(0, 4, size=(15, 3)).astype(float)
EXPECTED = ExactIndex().fit(X)


def assert_same(graph, expected):
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_allclose(graph.distances, expected.distances)


def test_precomputed_distances_give_the_exact_neighbors():
    index = PrecomputedIndex().fit(pairwise_distances(X, metric="sqeuclidean") ** 0.5)
    assert_same(index.graph(9), EXPECTED.graph(9))
    assert_same(index.query(pairwise_distances(X_NEW, X, metric="sqeuclidean") ** 0.5, 9), EXPECTED.query(X_NEW, 9))
    keep = RANDOM.random_sample(len(X)) < 0.5
    for rows in (np.flatnonzero(keep), np.flatnonzero(~keep)):
        assert_same(index.among(rows, keep, 9), EXPECTED.among(rows, keep, 9))


def test_a_sparse_matrix_holds_neighbors_only():
    # Rows 0 and 1 know each other (at distance 0) and row 2; row 2 knows nobody; row 3 itself alone.
    stored = sparse.csr_array(([0.0, 2.0, 0.0, 1.0, 0.0], ([0, 0, 1, 1, 3], [1, 2, 0, 2, 3])), shape=(4, 4))
    graph = PrecomputedIndex().fit(stored).graph(3)
    assert graph.indices.tolist() == [[1, 2], [0, 2], [-1, -1], [-1, -1]]
    assert graph.distances.tolist() == [[0, 2], [0, 1], [np.inf, np.inf], [np.inf, np.inf]]


def test_the_graph_of_a_scikit_learn_transformer():
    unique = RANDOM.normal(size=(80, 3))
    transformer = KNeighborsTransformer(n_neighbors=12).fit(unique)
    index = PrecomputedIndex().fit(transformer.transform(unique))
    assert_same(index.graph(10), ExactIndex().fit(unique).graph(10))
    assert_same(
        index.query(transformer.transform(unique[:4] + 0.1), 10), ExactIndex().fit(unique).query(unique[:4] + 0.1, 10)
    )


@pytest.mark.parametrize("bad", [np.ones((3, 4)), -np.ones((3, 3))])
def test_precomputed_distances_are_square_and_not_negative(bad):
    with pytest.raises(ValueError, match="metric='precomputed': 'X' must be"):
        PrecomputedIndex().fit(bad)


def test_an_object_with_kneighbors_is_asked_and_its_ties_put_in_order():
    unique = RANDOM.normal(size=(80, 3))
    expected = ExactIndex().fit(unique)
    index = ForeignIndex(NearestNeighbors(algorithm="kd_tree")).fit(unique)
    assert_same(index.graph(10), expected.graph(10))
    assert_same(index.query(unique[:5] + 1, 10), expected.query(unique[:5] + 1, 10))
    keep = RANDOM.random_sample(80) < 0.5
    rows = np.flatnonzero(keep)
    assert_same(index.among(rows, keep, 7), expected.among(rows, keep, 7))


def test_the_users_object_is_left_alone():
    searcher = NearestNeighbors()
    ForeignIndex(searcher).fit(X)
    assert not hasattr(searcher, "n_features_in_")


def test_an_object_that_finds_copies_instead_of_the_row_itself():
    class Copies:
        def kneighbors(self, X, n_neighbors):
            return np.zeros((len(X), n_neighbors)), np.tile(np.arange(n_neighbors), (len(X), 1))

    graph = ForeignIndex(Copies()).fit(np.ones((6, 1))).graph(2)
    assert graph.indices.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1], [0, 1]]


class Careless:
    """A searcher whose answer is spoiled by a function of (distances, indices)."""

    def __init__(self, spoil):
        self.spoil = spoil

    def kneighbors(self, X, n_neighbors):
        distances, indices = NearestNeighbors().fit(X).kneighbors(X, n_neighbors=n_neighbors)
        return self.spoil(distances, indices)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda d, i: (d, i + len(X)), "row numbers from 0 to 119, got 1"),
        (lambda d, i: (d, np.where(i == 5, -2, i)), "row numbers from 0 to 119, got -2"),
        (lambda d, i: (d, i + 0.5), r"row numbers from 0 to 119, got \d+\.5"),
        (lambda d, i: (d[:, :1], i[:, :1]), r"two arrays of \(120, 6\), got 'shapes \(120, 1\)"),
        (lambda d, i: (d * np.nan, i), "returns distances, got 'NaN'"),
    ],
)
def test_an_answer_that_is_none_is_refused_before_anything_reads_it(spoil, said):
    with pytest.raises(UnflipError, match=said):
        ForeignIndex(Careless(spoil)).fit(X).graph(5)
    with pytest.raises(UnflipError, match=r"^RobustKNeighborsClassifier: 'algorithm' must be an object"):
        RobustKNeighborsClassifier(5, algorithm=Careless(spoil)).fit(X, np.arange(120) % 2)
