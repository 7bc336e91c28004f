"""The space of a forest: cross-fitted, the same for a seed whatever the order of rows and the threads."""

import numpy as np
import pytest
from scipy import sparse

from unflip import UnflipError
from unflip.neighbors import ForestSpace
from unflip.neighbors.spaces import forest_space
from unflip.neighbors.spaces.parts import Parts

RANDOM = np.random.RandomState(0)
X = np.round(RANDOM.normal(size=(300, 4)), 1)
X[200:] = X[RANDOM.randint(0, 200, size=100)]  # copies, some with another label
LABELS = (X[:, 0] + 0.3 * RANDOM.normal(size=300) > 0).astype(int) + (X[:, 1] > 1)
SPACE = ForestSpace(6, random_state=3)
GROWN = SPACE.grow(X, LABELS)
KINDS = [np.asarray, sparse.csr_matrix]


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_a_row_has_a_leaf_in_every_tree_but_those_of_its_own_part(parts):
    grown = ForestSpace(5, parts=parts).grow(X, LABELS)
    assert grown.leaves.shape == (300, 5 * parts)
    part_of_tree = np.repeat(np.arange(parts), 5)
    np.testing.assert_array_equal(grown.leaves == -1, grown.parts.part[:, None] == part_of_tree)
    for number, trees in enumerate(grown.trees):
        assert {tree.tree_.n_node_samples[0] <= np.sum(grown.parts.part == number) for tree in trees} == {True}


def thresholds(grown):
    return [[tree.tree_.threshold.tolist() for tree in trees] for trees in grown.trees]


def test_no_tree_changes_with_the_labels_of_rows_of_other_parts(monkeypatch):
    parts = Parts(np.arange(200) % 3, np.arange(200), 3)
    monkeypatch.setattr(forest_space, "make_parts", lambda *_: parts)
    rows, labels = RANDOM.normal(size=(200, 3)), RANDOM.randint(0, 2, size=200)
    others = np.where(parts.part == 1, labels[::-1], labels)
    one, other = thresholds(SPACE.grow(rows, labels)), thresholds(SPACE.grow(rows, others))
    assert [one[part] == other[part] for part in range(3)] == [True, False, True]
    reseeded = thresholds(ForestSpace(6, random_state=4).grow(rows, labels))
    assert [one[part] == reseeded[part] for part in range(3)] == [False, False, False]


def test_leaves_are_numbered_through_and_lie_below_their_number():
    for tree in range(18):
        own = GROWN.leaves[:, tree][GROWN.leaves[:, tree] >= 0]
        later = GROWN.leaves[:, tree + 1 :]
        assert own.max() < later[later >= 0].min(initial=GROWN.n_leaves)


def test_leaves_of_fitted_rows_asked_about_as_new_ones_are_their_own():
    leaves = GROWN.leaves_of(X, n_jobs=2)
    assert leaves.min() >= 0
    np.testing.assert_array_equal(np.where(GROWN.leaves == -1, -1, leaves), GROWN.leaves)


def test_rows_in_a_leaf_are_where_its_tree_puts_them():
    scaled = GROWN.scale(X)
    trees = [tree for part in GROWN.trees for tree in part]
    for tree, leaves in zip(trees, GROWN.leaves_of(X).T, strict=True):
        np.testing.assert_array_equal(leaves - leaves.min(), tree.apply(scaled) - tree.apply(scaled).min())


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_space_whatever_the_threads_and_another_gives_another(kind):
    grown = SPACE.grow(kind(X), LABELS, n_jobs=3)
    np.testing.assert_array_equal(grown.leaves, SPACE.grow(kind(X), LABELS).leaves)
    other = ForestSpace(6, random_state=4).grow(kind(X), LABELS)
    assert not np.array_equal(grown.parts.part, other.parts.part)


def test_a_seed_of_its_own_comes_before_the_one_it_is_grown_with():
    np.testing.assert_array_equal(SPACE.grow(X, LABELS, seed=8).leaves, GROWN.leaves)
    np.testing.assert_array_equal(ForestSpace(6).grow(X, LABELS, seed=3).leaves, GROWN.leaves)


@pytest.mark.parametrize("seed", [-1, 2**32, 2**70])
def test_any_integer_is_a_seed(seed):
    space = ForestSpace(2, random_state=seed)
    space.check("owner")
    np.testing.assert_array_equal(space.grow(X, LABELS).leaves, ForestSpace(2).grow(X, LABELS, seed=seed).leaves)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_the_rows_does_not_matter(kind):
    order = RANDOM.permutation(300)
    whole, shuffled = SPACE.grow(kind(X), LABELS), SPACE.grow(kind(X[order]), LABELS[order])
    np.testing.assert_array_equal(shuffled.leaves, whole.leaves[order])


def test_nor_does_it_for_weights_whose_sums_depend_on_it():
    order, rows, weights = RANDOM.permutation(300), RANDOM.normal(size=(300, 4)), RANDOM.random_sample(300) + 0.1
    one, other = SPACE.grow(rows, LABELS, weights), SPACE.grow(rows[order], LABELS[order], weights[order])
    for trees, others in zip(one.trees, other.trees, strict=True):
        for tree, same in zip(trees, others, strict=True):
            np.testing.assert_array_equal(tree.tree_.value, same.tree_.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_leaf", [1, 5])
def test_weights_are_copies(min_leaf, kind):
    space, copies = ForestSpace(6, min_leaf=min_leaf), RANDOM.randint(1, 4, size=300)
    rows = RANDOM.permutation(np.repeat(np.arange(300), copies))
    weighted, repeated = space.grow(kind(X), LABELS, copies), space.grow(kind(X[rows]), LABELS[rows])
    np.testing.assert_array_equal(repeated.leaves, weighted.leaves[rows])
    assert not np.array_equal(weighted.leaves, space.grow(kind(X), LABELS).leaves)


def test_the_size_of_leaves_and_the_number_of_columns_reach_the_trees():
    small, large = (ForestSpace(3, min_leaf=min_leaf).grow(X, LABELS).n_leaves for min_leaf in (1, 30))
    assert small > 5 * large
    labels = (X[:, 2] > 0).astype(int)
    for max_features, firsts in ((None, {2}), (1, {0, 1, 2, 3})):
        grown = ForestSpace(15, max_features=max_features).grow(X, labels)
        assert {tree.tree_.feature[0] for trees in grown.trees for tree in trees} == firsts


def test_sparse_rows_give_the_leaves_of_dense_ones_where_both_have_the_same_range():
    counts = RANDOM.randint(0, 6, size=(300, 8)) * (RANDOM.random_sample((300, 8)) < 0.4)
    counts = counts.astype(float)
    labels = (counts[:, 0] > counts[:, 1]).astype(int)
    dense, thin = SPACE.grow(counts, labels), SPACE.grow(sparse.csr_matrix(counts), labels)
    np.testing.assert_array_equal(thin.leaves, dense.leaves)
    new = counts[::-1] + 1.0
    np.testing.assert_array_equal(thin.leaves_of(sparse.csr_matrix(new)), dense.leaves_of(new))


def test_importances_sum_to_one_and_favor_the_column_that_tells_labels_apart():
    rows = RANDOM.normal(size=(300, 6))
    importances = SPACE.grow(rows, (rows[:, 2] > 0).astype(int)).importances
    assert importances.sum() == pytest.approx(1)
    assert importances.min() >= 0
    assert np.argmax(importances) == 2
    assert importances[2] > 0.4


def test_where_no_tree_splits_all_importances_are_zero():
    grown = SPACE.grow(np.ones((20, 3)), np.arange(20) % 2)
    assert grown.importances.tolist() == [0, 0, 0]
    assert grown.parts.n_parts == 1
    assert (grown.leaves == -1).all()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"n_trees": 0}, "Owner: 'metric.n_trees' must be an integer >= 1, got 0."),
        ({"n_trees": 2.0}, "Owner: 'metric.n_trees' must be an integer >= 1, got 2.0."),
        ({"min_leaf": True}, "Owner: 'metric.min_leaf' must be an integer >= 1, got True."),
        ({"parts": 1}, "Owner: 'metric.parts' must be an integer >= 2, got 1."),
        ({"parts": "3"}, "Owner: 'metric.parts' must be an integer >= 2, got '3'."),
        ({"random_state": 0.5}, "Owner: 'metric.random_state' must be None or an integer, got 0.5."),
        *(
            (
                {"max_features": value},
                'Owner: \'metric.max_features\' must be "sqrt", "log2", None, an integer >= 1 or a share above 0 up '
                f"to 1, got {value!r}.",
            )
            for value in (0, 1.5, "all", float("nan"), True, [1], np.float32(0.5))
        ),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_in_one_sentence(parameters, said):
    with pytest.raises(UnflipError) as caught:
        ForestSpace(**parameters).check("Owner")
    assert str(caught.value) == said


@pytest.mark.parametrize("max_features", ["sqrt", "log2", None, 1, 100, 0.01, 1.0, np.int64(2), np.float64(0.5)])
def test_every_accepted_number_of_columns_can_be_used(max_features):
    space = ForestSpace(2, max_features=max_features)
    space.check("Owner")
    assert space.grow(X[:50], LABELS[:50]).leaves.shape == (50, 6)
