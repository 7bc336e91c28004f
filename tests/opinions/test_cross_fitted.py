"""Any classifier as an opinion: the out-of-fold probabilities that scikit-learn finds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

from unflip.opinions import CrossFitted
from unflip.opinions.contract import MIN_PROBABILITY, bounded_probabilities
from unflip.opinions.cross_fitted import with_probabilities
from unflip.opinions.folds import make_folds

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(90, 3))
LABELS = (X[:, 0] + 0.5 * RANDOM.normal(size=90) > 0).astype(int) + (X[:, 1] > 1)
NEW = RANDOM.normal(size=(9, 3))
FRAME = pd.DataFrame({"size": X[:, 0], "color": np.array(["red", "blue", "green"])[LABELS]}, index=np.arange(90) + 1000)


@pytest.mark.parametrize("estimator", [LogisticRegression(), make_pipeline(StandardScaler(), GaussianNB())])
@pytest.mark.parametrize(("n_folds", "seed"), [(5, 0), (3, 7)])
def test_it_says_what_cross_val_predict_says_with_the_same_folds(estimator, n_folds, seed):
    opinion = CrossFitted(estimator, n_folds, seed=seed).fit(X, LABELS, 3)
    folds = PredefinedSplit(make_folds(LABELS, n_folds, seed))
    expected = cross_val_predict(estimator, X, LABELS, cv=folds, method="predict_proba")
    np.testing.assert_allclose(opinion.probabilities_, bounded_probabilities(expected))
    everyone = clone(estimator).fit(X, LABELS)
    np.testing.assert_allclose(opinion.predict(NEW), bounded_probabilities(everyone.predict_proba(NEW)))
    np.testing.assert_array_equal(opinion.estimator_.predict(NEW), everyone.predict(NEW))


@pytest.mark.parametrize("estimator", [LinearSVC(), RidgeClassifier(), make_pipeline(StandardScaler(), LinearSVC())])
def test_classifiers_without_probabilities_are_calibrated(estimator):
    opinion = CrossFitted(estimator).fit(X, LABELS, 3)
    folds = PredefinedSplit(make_folds(LABELS, 5, 0))
    model = CalibratedClassifierCV(estimator, cv=3)
    expected = cross_val_predict(model, X, LABELS, cv=folds, method="predict_proba")
    np.testing.assert_allclose(opinion.probabilities_, bounded_probabilities(expected), atol=1e-4)
    assert opinion.predict(NEW).shape == (9, 3)


def test_classifiers_with_probabilities_are_taken_as_they_are():
    estimator = GaussianNB()
    assert with_probabilities(estimator) is estimator


def test_frames_keep_their_columns_whatever_their_index():
    columns = make_column_transformer((OneHotEncoder(), ["color"]), (StandardScaler(), ["size"]))
    opinion = CrossFitted(make_pipeline(columns, LogisticRegression())).fit(FRAME, LABELS, 3)
    assert (opinion.probabilities_.argmax(axis=1) == LABELS).all()  # the color says it all
    assert (opinion.predict(FRAME[:10]).argmax(axis=1) == LABELS[:10]).all()


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC()])
def test_the_class_of_a_single_row_is_nearly_impossible_to_those_who_did_not_see_it(estimator):
    labels = np.where(np.arange(90) == 4, 3, LABELS)
    said = CrossFitted(estimator).fit(X, labels, 5).probabilities_
    assert said[4, 3:] == pytest.approx(MIN_PROBABILITY, rel=0.01)
    np.testing.assert_allclose(said[:, 4], MIN_PROBABILITY, rtol=0.01)


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC()])
def test_labels_that_a_classifier_would_refuse_leave_frequencies(estimator):
    labels = (np.arange(90) == 4).astype(int)
    opinion = CrossFitted(estimator).fit(X, labels, 2)
    assert opinion.probabilities_[4, 1] == pytest.approx(MIN_PROBABILITY, rel=0.01)
    nobody_else = CrossFitted(estimator).fit(X, np.zeros(90, int), 2)
    np.testing.assert_allclose(nobody_else.predict(NEW)[:, 1], MIN_PROBABILITY, rtol=0.01)


def test_two_classes_of_too_few_rows_to_calibrate_are_as_likely_as_they_are_frequent():
    opinion = CrossFitted(LinearSVC()).fit(X[:3], np.array([0, 1, 1]), 2)
    np.testing.assert_allclose(opinion.predict(NEW), np.tile([1 / 3, 2 / 3], (9, 1)))


def test_the_users_classifier_is_left_alone():
    estimator = GaussianNB()
    CrossFitted(estimator).fit(X, LABELS, 3)
    assert not hasattr(estimator, "classes_")
