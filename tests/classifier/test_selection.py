"""Scores off one graph equal those of a model fitted for every candidate and fold."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, PredefinedSplit

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.classifier.selection import graph_neighbors_for, k_candidates
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.voting.folds import make_folds

PaperClassifier = partial(RobustKNeighborsClassifier, noise_estimator="extremes")
K_VALUES = (5, 10, 15)
NOISE_K_VALUES = (5, 15)


def problem(n_classes, seed=0, n=150):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 3)) + 2 * np.eye(n_classes, 3)[y]
    return X, make_label_noise(y, 0.2, random_state=seed)


@pytest.fixture
def few_candidates(monkeypatch):
    monkeypatch.setattr("unflip.classifier.selection.K_VALUES", K_VALUES)


def corrected_accuracy(y_true, y_pred, matrix):
    return np.mean(np.linalg.inv(matrix)[y_true, y_pred])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", ["noisy_accuracy", "balanced_accuracy", "corrected_accuracy"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_scores_equal_a_fit_for_every_candidate_and_fold(n_classes, criterion, weights, few_candidates):
    X, y = problem(n_classes)
    model = PaperClassifier(selection=criterion, weights=weights, random_state=3).fit(X, y)
    folds = make_folds(y, 3)
    reference = PaperClassifier(5, noise_neighbors=150 // 4).fit(X, y).transition_matrix_
    score = {
        "noisy_accuracy": accuracy_score,
        "balanced_accuracy": balanced_accuracy_score,
        "corrected_accuracy": lambda true, predicted: corrected_accuracy(true, predicted, reference),
    }[criterion]
    for row, k in enumerate(K_VALUES):
        for column, noise_neighbors in enumerate(K_VALUES):
            slow = PaperClassifier(k, noise_neighbors=noise_neighbors, weights=weights)
            scores = []
            for fold in range(4):
                train, test = folds != fold, folds == fold
                scores.append(score(y[test], clone(slow).fit(X[train], y[train]).predict(X[test])))
            assert model.selection_.scores[row, column] == pytest.approx(np.mean(scores), abs=1e-12), (
                k,
                noise_neighbors,
            )


def test_the_choice_is_that_of_grid_search(few_candidates):
    X, y = make_sine_product(400, random_state=0)
    y = make_label_noise(y, [0.3, 0.1], random_state=0)
    fast = PaperClassifier(selection="noisy_accuracy").fit(X, y)
    grid = {"n_neighbors": K_VALUES, "noise_neighbors": K_VALUES}
    slow = GridSearchCV(PaperClassifier(), grid, cv=4).fit(X, y)
    scores = slow.cv_results_["mean_test_score"].reshape(3, 3)
    np.testing.assert_allclose(fast.selection_.scores, scores, atol=1e-12)
    assert slow.best_params_ == {"n_neighbors": fast.n_neighbors_, "noise_neighbors": fast.noise_neighbors_}


def test_rows_that_run_short_are_searched_again(few_candidates, monkeypatch):
    X, y = problem(2)
    expected = PaperClassifier(selection="noisy_accuracy").fit(X, y).selection_.scores
    searched = []
    among = ExactIndex.among
    monkeypatch.setattr(ExactIndex, "among", lambda *args: searched.append(len(args[1])) or among(*args))
    monkeypatch.setattr("unflip.classifier.learning.graph_neighbors_for", lambda k: k)  # a graph without reserve
    short = PaperClassifier(selection="noisy_accuracy").fit(X, y).selection_.scores
    assert sum(searched) > 100
    np.testing.assert_array_equal(short, expected)


def test_a_graph_of_the_planned_depth_leaves_few_rows_short():
    X, y = make_sine_product(4000, random_state=0)
    folds = make_folds(y, 0)
    graph = ExactIndex(n_jobs=2).fit(X).graph(graph_neighbors_for(100))
    left = (folds[graph.indices] != folds[:, None]).sum(axis=1)
    assert graph_neighbors_for(100) == 160
    assert np.mean(left < 100) < 0.001


def test_at_equal_scores_the_smaller_k_is_taken():
    X, y = np.repeat([[0.0], [100.0]], 200, axis=0), np.repeat([0, 1], 200)
    for criterion in ("noisy_accuracy", "balanced_accuracy"):
        model = PaperClassifier(selection=criterion).fit(X, y)
        assert (model.n_neighbors_, model.noise_neighbors_) == (5, 5)


def test_known_rates_leave_only_k_to_choose(few_candidates):
    X, y = problem(2)
    model = RobustKNeighborsClassifier(selection="noisy_accuracy", noise_rates=[0.1, 0.3]).fit(X, y)
    assert model.selection_.noise_neighbors is None
    assert model.selection_.scores.shape == (3,)
    assert model.noise_neighbors_ is None


def test_a_given_k_stays_although_folds_are_smaller():
    X, y = problem(2, n=12)
    model = PaperClassifier(11, selection="noisy_accuracy").fit(X, y)
    assert model.n_neighbors_ == 11
    assert model.selection_.n_neighbors == (9,)


def test_a_given_k_leaves_only_the_noise_k_to_choose(few_candidates):
    X, y = problem(2)
    model = PaperClassifier(7, selection="noisy_accuracy").fit(X, y)
    assert model.n_neighbors_ == 7
    assert model.selection_.n_neighbors == (7,)
    assert model.selection_.noise_neighbors == K_VALUES


def test_candidates_fit_the_data():
    assert k_candidates("auto", 1000) == tuple(range(5, 101, 5))
    assert k_candidates("auto", 23) == (5, 10, 15, 20)
    assert k_candidates("auto", 3) == (3,)
    assert k_candidates(70, 50) == (50,)


def test_a_split_given_as_folds_is_what_grid_search_uses(few_candidates):
    X, y = problem(2, n=120)
    slow = GridSearchCV(
        RobustKNeighborsClassifier(noise_rates=None), {"n_neighbors": K_VALUES}, cv=PredefinedSplit(make_folds(y, 1))
    ).fit(X, y)
    fast = RobustKNeighborsClassifier(noise_rates=None, selection="noisy_accuracy", random_state=1).fit(X, y)
    np.testing.assert_allclose(fast.selection_.scores, slow.cv_results_["mean_test_score"], atol=1e-12)
