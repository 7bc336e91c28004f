"""Counting for all folds at once against filtering fold by fold."""

import numpy as np
import pytest

from unflip import make_label_noise
from unflip.neighbors import ExactIndex
from unflip.voting.folds import FoldVotes, LabeledGraph, make_folds


def problem(n_classes, seed=0, n=150):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 3)) + 2 * np.eye(n_classes, 3)[y]
    return X, make_label_noise(y, 0.2, random_state=seed)


def _fold_numbers(splitter, y):
    folds = np.zeros(len(y), int)
    for number, (_, test) in enumerate(splitter.split(y, y)):
        folds[test] = number
    return folds.tolist()


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("n_neighbors", [12, 40])  # with 12, most rows run short and are searched again
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_counting_in_one_pass_equals_filtering(n_classes, n_neighbors, n_jobs, monkeypatch):
    random = np.random.RandomState(0)
    X, labels = random.randint(0, 6, size=(1500, 3)).astype(float), random.randint(0, n_classes, size=1500)
    folds = random.randint(0, 4, size=1500)
    index = ExactIndex().fit(X)
    labeled = LabeledGraph(index.graph(n_neighbors), index, labels, n_classes)
    k_values = [1, 5, 10]
    filtered = FoldVotes(labeled, folds, k_values)
    monkeypatch.setattr("unflip.voting.folds.SMALL_GRAPH", 0)
    counted = FoldVotes(labeled, folds, k_values, n_jobs=n_jobs)
    assert filtered._counted is None
    assert counted._counted is not None
    for fold in range(4):
        for rows in (np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)):
            for some in (k_values, [5]):
                np.testing.assert_array_equal(counted.votes(fold, rows, some), filtered.votes(fold, rows, some))


def test_folds_are_those_of_scikit_learn_unless_shuffled():
    from sklearn.model_selection import StratifiedKFold

    _, y = problem(3)
    assert make_folds(y).tolist() == _fold_numbers(StratifiedKFold(4), y)
    assert make_folds(y, 5).tolist() == _fold_numbers(StratifiedKFold(4, shuffle=True, random_state=5), y)
    assert make_folds(np.array([0, 1, 2])).tolist() == [0, 1, 2]
