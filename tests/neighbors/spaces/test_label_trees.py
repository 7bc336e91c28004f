"""Trees by labels first, by columns where labels agree; copies are weights, and threads do not matter."""

import numpy as np
import pytest
from scipy import sparse

from unflip.neighbors.spaces.label_trees import COLUMN_TARGETS, MAX_LABEL_TARGETS, Sample, grow_trees, make_targets

RANDOM = np.random.RandomState(0)
X = RANDOM.random_sample((600, 4)).astype(np.float32)
LABELS = RANDOM.randint(0, 3, size=600)
MOST_DRAWS = 8  # of one row, for one tree
PARTS_OF_A_TREE = ("feature", "threshold", "children_left", "children_right", "weighted_n_node_samples", "value")


def sample_of(rows, labels, group=None, weights=None, n_classes=3):
    targets = make_targets(rows, labels, n_classes, np.random.RandomState(5))
    group = np.arange(len(labels)) if group is None else group
    return Sample(rows, targets, group, np.ones(len(labels)) if weights is None else weights)


def grown(sample, n_trees=8, min_leaf=5, max_features="sqrt", seed=0, n_jobs=None):
    return [tree.tree_ for tree in grow_trees(sample, n_trees, min_leaf, max_features, seed, n_jobs)]


def assert_same_trees(trees, others):
    for tree, other in zip(trees, others, strict=True):
        for name in PARTS_OF_A_TREE:
            np.testing.assert_array_equal(getattr(tree, name), getattr(other, name))


def leaf_masses(tree):
    return tree.weighted_n_node_samples[tree.children_left == -1]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_targets_are_a_column_per_class_and_tiny_ones_that_add_up_exactly(kind):
    targets = make_targets(kind(X), LABELS, 3, np.random.RandomState(0))
    np.testing.assert_array_equal(targets[:, :3], np.eye(3)[LABELS])
    tiny = targets[:, 3:]
    assert tiny.shape[1] == COLUMN_TARGETS
    assert 0 < np.abs(tiny).max() < 0.01
    assert (tiny * 2**16 % 1 == 0).all()


def test_targets_of_a_row_do_not_depend_on_the_rows_beside_it():
    whole = make_targets(X, LABELS, 3, np.random.RandomState(0))
    np.testing.assert_array_equal(make_targets(X[7:8], LABELS[7:8], 3, np.random.RandomState(0)), whole[7:8])
    np.testing.assert_array_equal(make_targets(sparse.csr_matrix(X), LABELS, 3, np.random.RandomState(0)), whole)


def test_many_classes_are_told_apart_by_a_limited_number_of_targets():
    labels = np.repeat(np.arange(100), 12)
    rows = RANDOM.permutation(100)[labels, None].astype(np.float32)  # classes in any order along one column
    targets = make_targets(rows, labels, 100, np.random.RandomState(0))
    assert targets.shape[1] == MAX_LABEL_TARGETS + COLUMN_TARGETS
    assert len(np.unique(targets[:, :MAX_LABEL_TARGETS], axis=0)) == 100
    sample = Sample(rows, targets, np.arange(1200), np.ones(1200))
    for tree in grown(sample, min_leaf=1):
        leaves = tree.apply(rows).reshape(100, 12)
        assert (leaves == leaves[:, :1]).all()
        assert len(np.unique(leaves)) == 100


def test_labels_come_first():
    rows = np.column_stack([LABELS == 1, X]).astype(np.float32)
    for tree in grown(sample_of(rows, (LABELS == 1).astype(int)), max_features=None):
        assert tree.feature[0] == 0
        assert 0 not in tree.feature[1:]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_leaves_stay_small_where_all_labels_agree(kind):
    for tree in grown(sample_of(kind(X), np.zeros(600, int))):
        assert leaf_masses(tree).max() < 2 * 5 + MOST_DRAWS


@pytest.mark.parametrize("min_leaf", [1, 5, 40])
def test_no_leaf_has_less_than_asked_for_and_none_could_be_split_again(min_leaf):
    masses = np.concatenate([leaf_masses(tree) for tree in grown(sample_of(X, LABELS), min_leaf=min_leaf)])
    assert masses.min() == min_leaf
    assert masses.max() < 2 * min_leaf + MOST_DRAWS


def test_every_tree_draws_columns_of_its_own():
    sample = sample_of(X, (X[:, 0] > 0.5).astype(int))
    assert {tree.feature[0] for tree in grown(sample, max_features=None)} == {0}
    assert {tree.feature[0] for tree in grown(sample, n_trees=30, max_features=1)} == {0, 1, 2, 3}


def test_too_few_rows_for_two_leaves_are_split_into_equal_halves_or_not_at_all():
    for tree in grown(sample_of(X[:9], LABELS[:9]), n_trees=20, min_leaf=30):
        masses = leaf_masses(tree)
        assert len(masses) == 1 or (len(masses) == 2 and masses[0] == masses[1])


def test_copies_are_drawn_together_and_at_least_one_row_always():
    rows = X[[0] * 50]
    masses = [tree.weighted_n_node_samples[0] for tree in grown(sample_of(rows, LABELS[:50], np.zeros(50, int)), 40)]
    assert {mass % 50 for mass in masses} == {0}
    assert min(masses) == 50
    assert max(masses) > 50


def test_distinct_rows_are_drawn_one_by_one():
    masses = [tree.weighted_n_node_samples[0] for tree in grown(sample_of(X, LABELS), 40)]
    assert abs(np.mean(masses) - 600) < 5 * np.sqrt(600 / 40)
    assert 0.5 < np.std(masses) / np.sqrt(600) < 1.5


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("min_leaf", [1, 5])
def test_copies_are_weights(min_leaf, kind):
    copies, coarse = RANDOM.randint(1, 4, size=600), np.round(X, 1)
    _, group = np.unique(coarse, axis=0, return_inverse=True)  # some rows are copies with another label
    weighted = grown(sample_of(kind(coarse), LABELS, group, copies.astype(float)), min_leaf=min_leaf)
    rows = np.repeat(np.arange(600), copies)
    repeated = grown(sample_of(kind(coarse[rows]), LABELS[rows], group[rows]), min_leaf=min_leaf)
    assert_same_trees(weighted, repeated)


def test_the_number_of_threads_does_not_matter_and_the_seed_does():
    sample = sample_of(X, LABELS)
    one = grown(sample, n_jobs=1)
    assert_same_trees(one, grown(sample, n_jobs=3))
    assert len({tree.threshold.tobytes() for tree in [*one, *grown(sample, seed=1)]}) == 16
