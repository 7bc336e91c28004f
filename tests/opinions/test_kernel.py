"""The opinion of a kernel machine: in closed form, what ridge regression on the other folds says."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from unflip.opinions import KernelOpinion, kernel
from unflip.opinions.contract import bounded_probabilities
from unflip.opinions.folds import make_folds
from unflip.opinions.order import content_order, put_back

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(70, 3))
LABELS = (X[:, 0] ** 2 + 0.3 * RANDOM.normal(size=70) > 1).astype(int) + (X[:, 1] > 1)
NEW = RANDOM.normal(size=(9, 3))
TARGETS = np.eye(3)[LABELS]
ORDER = content_order(X, LABELS)


def slow_features(rows, n_landmarks, width):
    """Return features of rows whose products are the kernel where it is known, by a Cholesky root."""
    centers = X[ORDER[np.random.RandomState(0).permutation(70)[:n_landmarks]]]
    unit = np.median([d for d in squared_distances(X, centers).ravel() if d > 0])
    root = np.linalg.cholesky(np.exp(-width * squared_distances(centers, centers) / unit))
    return np.linalg.solve(root, np.exp(-width * squared_distances(centers, rows) / unit)).T


def squared_distances(first, second):
    return ((first[:, None] - second[None]) ** 2).sum(axis=2)


def slow_answer(features, folds, ridge):
    said = np.empty((70, 3))
    for fold in range(folds.max() + 1):
        rest = folds != fold
        said[~rest] = Ridge(alpha=ridge, solver="svd").fit(features[rest], TARGETS[rest]).predict(features[~rest])
    return bounded_probabilities(said, 1 / 71)


@pytest.mark.parametrize("n_landmarks", [20, 300])
@pytest.mark.parametrize("n_folds", [4, 10])
def test_the_closed_form_is_ridge_regression_on_the_other_folds(n_landmarks, n_folds):
    opinion = KernelOpinion(n_landmarks, n_folds=n_folds).fit(X, LABELS, 3)
    features = slow_features(X, n_landmarks, opinion.width_)
    folds = put_back(make_folds(LABELS[ORDER], n_folds, 0), ORDER)
    np.testing.assert_allclose(opinion.probabilities_, slow_answer(features, folds, opinion.ridge_), atol=1e-5)
    everyone = Ridge(alpha=opinion.ridge_, solver="svd").fit(features, TARGETS)
    expected = bounded_probabilities(everyone.predict(slow_features(NEW, n_landmarks, opinion.width_)), 1 / 71)
    np.testing.assert_allclose(opinion.predict(NEW), expected, atol=1e-5)


def test_width_and_ridge_have_the_least_error_on_rows_left_out_one_by_one(monkeypatch):
    monkeypatch.setattr(kernel, "WIDTHS", (0.25, 1.0, 4.0))
    monkeypatch.setattr(kernel, "RIDGES", (0.01, 0.1, 1.0))
    errors = {}
    for width in kernel.WIDTHS:
        features = slow_features(X, 20, width)
        for ridge in kernel.RIDGES:
            said = slow_answer(features, np.arange(70), ridge)
            errors[width, ridge] = np.mean(np.sum((said - TARGETS) ** 2, axis=1))
        found = kernel._leave_one_out_errors(features, TARGETS, kernel.RIDGES)
        np.testing.assert_allclose(found, [errors[width, ridge] for ridge in kernel.RIDGES], rtol=1e-6)
    opinion = KernelOpinion(20).fit(X, LABELS, 3)
    assert (opinion.width_, opinion.ridge_) == min(errors, key=errors.get)


def test_some_of_many_rows_choose_for_all_and_blocks_do_not_matter(monkeypatch):
    expected = KernelOpinion(20).fit(X, LABELS, 3)
    monkeypatch.setattr(kernel, "ROWS_AT_ONCE", 7)
    opinion = KernelOpinion(20).fit(X, LABELS, 3)
    np.testing.assert_allclose(opinion.probabilities_, expected.probabilities_, rtol=1e-9)
    np.testing.assert_allclose(opinion.predict(NEW), expected.predict(NEW), rtol=1e-9)
    seen = []
    choose = KernelOpinion._choose
    monkeypatch.setattr(
        KernelOpinion, "_choose", lambda self, *given: seen.append(len(given[1])) or choose(self, *given)
    )
    monkeypatch.setattr(kernel, "ROWS_TO_CHOOSE_BY", 30)
    assert KernelOpinion(20).fit(X, LABELS, 3).probabilities_.shape == (70, 3)
    assert seen == [30]


def test_curved_classes_are_told_apart():
    rows = np.random.RandomState(1).normal(size=(400, 2))
    labels = (np.hypot(*rows.T) > 1.2).astype(int)
    opinion = KernelOpinion().fit(rows[:300], labels[:300], 2)
    assert np.mean(opinion.probabilities_.argmax(axis=1) == labels[:300]) > 0.93
    assert np.mean(opinion.predict(rows[300:]).argmax(axis=1) == labels[300:]) > 0.93


def test_sparse_rows_give_what_dense_ones_do():
    dense, filled = KernelOpinion(20).fit(X, LABELS, 3), KernelOpinion(20).fit(sparse.csr_array(X), LABELS, 3)
    np.testing.assert_array_equal(filled.probabilities_, dense.probabilities_)
    np.testing.assert_array_equal(filled.predict(sparse.csr_array(NEW)), dense.predict(NEW))


@pytest.mark.parametrize("power", [-900, 900])
def test_the_size_of_the_rows_does_not_matter(power, monkeypatch):
    """Nor does it change the landmarks, once the order of the rows is held."""
    monkeypatch.setattr(kernel, "content_order", lambda X, labels: np.arange(len(labels)))
    expected, opinion = KernelOpinion(20).fit(X, LABELS, 3), KernelOpinion(20).fit(X * 2.0**power, LABELS, 3)
    np.testing.assert_array_equal(opinion.probabilities_, expected.probabilities_)
    np.testing.assert_array_equal(opinion.predict(NEW * 2.0**power), expected.predict(NEW))


def test_a_large_offset_does_not_drown_the_differences(monkeypatch):
    monkeypatch.setattr(kernel, "content_order", lambda X, labels: np.arange(len(labels)))
    rounded = np.round(X * 1024) / 1024  # exact beside the offset
    expected, opinion = KernelOpinion(20).fit(rounded, LABELS, 3), KernelOpinion(20).fit(rounded + 2.0**30, LABELS, 3)
    np.testing.assert_allclose(opinion.probabilities_, expected.probabilities_, atol=1e-3)
