"""Folds that hold equal shares of every label."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.opinions.folds import make_folds


@settings(max_examples=50, deadline=None)
@given(labels=st.lists(st.integers(0, 4), min_size=1, max_size=60), n_folds=st.integers(2, 12), seed=st.integers(0, 99))
def test_folds_and_the_labels_in_them_differ_by_one_row_at_most(labels, n_folds, seed):
    labels = np.array(labels)
    folds = make_folds(labels, n_folds, seed)
    n_made = min(n_folds, len(labels))
    for rows in (labels >= 0, *(labels == label for label in set(labels.tolist()))):
        counts = np.bincount(folds[rows], minlength=n_made)
        assert len(counts) == n_made
        assert np.ptp(counts) <= 1


def test_a_class_of_few_rows_has_each_in_a_fold_of_its_own():
    labels = np.array([0] * 20 + [1] * 3)
    assert len(set(make_folds(labels, 5, seed=0)[20:].tolist())) == 3


def test_the_seed_draws_the_folds():
    labels = np.arange(100) % 3
    first, again, other = (make_folds(labels, 4, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert 0.5 < np.mean(first != other) < 0.95


def test_neighboring_rows_do_not_take_turns():
    folds = make_folds(np.zeros(400, int), 4, seed=0)
    assert abs(np.mean(folds[1:] == folds[:-1]) - 0.25) < 0.07


def test_the_global_generator_is_left_alone():
    np.random.seed(0)  # noqa: NPY002
    expected = np.random.random_sample()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    make_folds(np.arange(9) % 3, 3, seed=5)
    assert np.random.random_sample() == expected  # noqa: NPY002
