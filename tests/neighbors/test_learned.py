"""Neighbors in a learned space are those that the leaves say, and their labels are as independent as chance."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

from unflip import UnflipError
from unflip.neighbors import ExactIndex, ForestSpace, LearnedIndex

RANDOM = np.random.RandomState(0)
X = RANDOM.randint(0, 5, size=(90, 3)).astype(float)  # copies and ties
LABELS = (X[:, 0] + RANDOM.normal(size=90) > 2).astype(int)
NEW = RANDOM.randint(0, 7, size=(25, 3)).astype(float)
SPACE = ForestSpace(7, random_state=1)
INDEX = LearnedIndex(SPACE).fit_labeled(X, LABELS)


def share_apart(leaves, others):
    """Return the share of the trees that grew on neither row in which their leaves differ, None if there are none."""
    pairs = [(one, other) for one, other in zip(leaves, others, strict=True) if one != -1 and other != -1]
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else None


def reference(points, queries, k, among):
    """Return the k nearest by (share apart, row number), for each query of the rows it may find."""
    rows, apart = np.full((len(queries), k), -1), np.full((len(queries), k), np.inf)
    for number, query in enumerate(queries):
        shares = [(share_apart(query, points[row]), row) for row in among[number]]
        for place, (share, row) in enumerate(sorted(pair for pair in shares if pair[0] is not None)[:k]):
            rows[number, place], apart[number, place] = row, share
    return rows, apart


def assert_found(graph, expected):
    np.testing.assert_array_equal(graph.indices, expected[0])
    np.testing.assert_array_equal(graph.distances, expected[1])


def all_but(rows, among):
    return [[other for other in among if other != row] for row in rows]


@pytest.mark.parametrize("parts", [2, 3, 4])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_the_graph_is_what_the_leaves_say(kind, parts):
    index = LearnedIndex(ForestSpace(7, parts=parts), n_jobs=2).fit_labeled(kind(X), LABELS)
    leaves = index.grown_.leaves
    assert_found(index.graph(12), reference(leaves, leaves, 12, all_but(range(90), range(90))))


def test_the_graph_has_all_other_rows_at_most():
    assert INDEX.graph(1000).indices.shape == (90, 89)
    assert INDEX.query(NEW, 1000).indices.shape == (25, 90)
    alone = LearnedIndex(SPACE).fit_labeled(X[:1], LABELS[:1])
    assert alone.graph(5).indices.shape == (1, 0)
    assert alone.query(NEW, 5).indices.tolist() == [[0]] * 25


def test_the_neighbors_of_some_rows_are_theirs_in_the_graph_of_all():
    rows, whole = np.array([7, 80, 3]), INDEX.graph(9)
    assert_found(INDEX.graph(9, rows), (whole.indices[rows], whole.distances[rows]))


@pytest.mark.parametrize("parts", [2, 3])
def test_among_finds_only_kept_rows(parts):
    index = LearnedIndex(ForestSpace(7, parts=parts)).fit_labeled(X, LABELS)
    leaves, keep = index.grown_.leaves, RANDOM.random_sample(90) < 0.5
    kept = np.flatnonzero(keep)
    for rows, most in ((kept[:20], len(kept) - 1), (np.flatnonzero(~keep)[:20], len(kept))):
        for k in (5, most):
            assert_found(index.among(rows, keep, k), reference(leaves, leaves[rows], k, all_but(rows, kept)))
        assert index.among(rows, keep, 1000).indices.shape == (20, most)


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_new_rows_are_compared_with_each_row_by_the_trees_that_did_not_grow_on_it(kind, parts):
    index = LearnedIndex(ForestSpace(7, parts=parts), n_jobs=2).fit_labeled(kind(X), LABELS)
    expected = reference(index.grown_.leaves, index.grown_.leaves_of(kind(NEW)), 12, [range(90)] * 25)
    for new in (NEW, sparse.csr_matrix(NEW)):
        assert_found(index.query(new, 12), expected)


def test_the_seed_is_that_of_the_space_or_else_of_the_index():
    expected = INDEX.graph(5)
    for space, seed in ((ForestSpace(7), 1), (SPACE, 4)):
        graph = LearnedIndex(space, seed=seed).fit_labeled(X, LABELS).graph(5)
        assert_found(graph, (expected.indices, expected.distances))
    other = LearnedIndex(ForestSpace(7), seed=4).fit_labeled(X, LABELS).graph(5)
    assert (other.indices != expected.indices).any()


def test_weights_reach_the_trees():
    weights = RANDOM.randint(1, 5, size=90)
    index = LearnedIndex(SPACE).fit_labeled(X, LABELS, weights)
    np.testing.assert_array_equal(index.grown_.leaves, SPACE.grow(X, LABELS, weights).leaves)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("more", [np.asarray, sparse.csr_matrix])
def test_an_extended_index_is_that_of_all_rows_at_once_stored_as_the_first_were(kind, more):
    first, weights = LearnedIndex(SPACE).fit_labeled(kind(X[:60]), LABELS[:60]), RANDOM.randint(1, 3, size=90)
    expected = LearnedIndex(SPACE).fit_labeled(kind(X), LABELS, weights)
    extended = first.extended_labeled(more(X[60:]), LABELS, weights)
    assert_found(extended.graph(9), (expected.graph(9).indices, expected.graph(9).distances))
    assert (first.n_rows, extended.n_rows) == (60, 90)


def test_a_pickled_index_answers_alike_and_leaves_its_engine_behind():
    expected = INDEX.graph(5)
    copy = pickle.loads(pickle.dumps(INDEX))
    assert copy._fitted is None
    assert_found(copy.graph(5), (expected.indices, expected.distances))


def test_refusals_name_the_owner():
    for index, said in (
        (
            LearnedIndex(SPACE, n_jobs=0, owner="Model"),
            "Model: 'n_jobs' must be None or an integer other than 0, got 0.",
        ),
        (LearnedIndex(ForestSpace(0)), "LearnedIndex: 'metric.n_trees' must be an integer >= 1, got 0."),
    ):
        with pytest.raises(UnflipError) as caught:
            index.fit_labeled(X, LABELS)
        assert str(caught.value) == said


def test_neighbors_agree_on_labels_that_one_of_many_columns_decides():
    rows = np.random.RandomState(0).normal(size=(400, 40))
    labels = (rows[:, 0] > 0).astype(int)
    agree = [
        np.mean(labels[graph.indices] == labels[:, None])
        for graph in (
            LearnedIndex(ForestSpace(30)).fit_labeled(rows, labels).graph(10),
            ExactIndex().fit(rows).graph(10),
        )
    ]
    assert agree[0] > 0.9 > 0.7 > agree[1]


def variance_ratio(neighbors, labels):
    """Return the variance of the labels' counts among neighbors over that of as many independent draws."""
    share, k = labels.mean(), neighbors.shape[1]
    return labels[neighbors].sum(axis=1).var() / (k * share * (1 - share))


def in_sample_neighbors(rows, labels, k, seed):
    forest = RandomForestClassifier(30, min_samples_leaf=5, random_state=seed).fit(rows, labels)
    leaves = forest.apply(rows)
    apart = (leaves[:, None] != leaves[None]).mean(axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1, kind="stable")[:, :k]


def random_labels(seed, share):
    random = np.random.RandomState(seed)
    return random.normal(size=(800, 3)), random.permutation(np.arange(800) < 800 * share).astype(int)


@pytest.mark.parametrize("parts", [2, 3, 4])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_random_labels_among_neighbors_vary_as_independent_draws_do(share, parts):
    ratios, agreements = [], []
    for seed in range(6):
        rows, labels = random_labels(seed, share)
        found = LearnedIndex(ForestSpace(20, parts=parts), seed=seed).fit_labeled(rows, labels).graph(8).indices
        ratios.append(variance_ratio(found, labels))
        agreements.append(np.mean(labels[found] == labels[:, None]))
    assert 0.85 < np.mean(ratios) < 1.1
    assert abs(np.mean(agreements) - share**2 - (1 - share) ** 2) < 0.015


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_trees_grown_on_the_rows_that_they_compare_would_put_equal_labels_together(share):
    ratios = []
    for seed in range(3):
        rows, labels = random_labels(seed, share)
        ratios.append(variance_ratio(in_sample_neighbors(rows, labels, 8, seed), labels))
    assert np.mean(ratios) > 1.25
