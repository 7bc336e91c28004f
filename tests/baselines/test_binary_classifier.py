"""What all six baselines promise: two classes, predicted by the sign of the decision function."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import unflip.baselines
from unflip.baselines.binary_classifier import BinaryClassifier
from unflip.foundation.errors import UnflipError

ALL_SIX = [getattr(unflip.baselines, name) for name in unflip.baselines.__all__]
every_one = pytest.mark.parametrize("make", ALL_SIX)


class FirstColumn(BinaryClassifier):
    """Scores a row by its first column."""

    def fit(self, X, y):
        X, y = self._validated(X, y)
        self.classes_ = np.unique(y)
        self._check_two_classes(self.classes_, "y")
        return self

    def _decision(self, X):
        self.scored = X
        return np.asarray(X[:, [0]].sum(axis=1)).ravel()


def test_only_a_positive_score_predicts_the_second_class():
    X = np.array([[-2.0, 1.0], [0.0, 1.0], [1e-9, 1.0]])
    model = FirstColumn().fit(X, ["no", "yes", "no"])
    np.testing.assert_array_equal(model.decision_function(X), [-2, 0, 1e-9])
    assert model.predict(X).tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize("form", [sparse.csc_matrix, sparse.coo_array])
def test_sparse_rows_are_scored_as_csr_of_float64(form):
    X = np.array([[1, 0], [0, 3]], dtype=np.float32)
    model = FirstColumn().fit(X, [0, 1])
    np.testing.assert_array_equal(model.decision_function(form(X)), [1, 0])
    assert (model.scored.format, model.scored.dtype) == ("csr", np.float64)


def test_rows_are_scored_only_after_fit_and_with_the_same_columns():
    with pytest.raises(NotFittedError):
        FirstColumn().predict([[1.0]])
    with pytest.raises(ValueError, match="X has 1 features"):
        FirstColumn().fit([[0.0, 1.0], [1.0, 1.0]], [0, 1]).predict([[1.0]])


@every_one
def test_predictions_follow_the_decision_function(make):
    X = np.random.RandomState(0).normal(size=(40, 2))
    labels = np.where(X[:, 0] > 0, "b", "a")
    model = make().fit(X, labels)
    np.testing.assert_array_equal(model.predict(X) == "b", model.decision_function(X) > 0)
    assert set(model.predict(X)) == {"a", "b"}


@every_one
def test_the_tags_say_binary_and_sparse(make):
    tags = make().__sklearn_tags__()
    assert not tags.classifier_tags.multi_class
    assert tags.input_tags.sparse


@every_one
def test_one_class_is_refused(make):
    sentence = rf"^{make.__name__}: 'y' must be labels of two classes, not one class, got \['a'\]\.$"
    with pytest.raises(UnflipError, match=sentence):
        make().fit([[0.0], [1.0]], ["a", "a"])


@every_one
def test_three_classes_are_refused_with_a_hint(make):
    sentence = (
        f"^{make.__name__}: Only binary classification is supported, 'y' has 3 classes; "
        "wrap it in sklearn.multiclass.OneVsRestClassifier"
    )
    with pytest.raises(UnflipError, match=sentence):
        make().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])


@every_one
def test_continuous_labels_are_refused(make):
    with pytest.raises(ValueError, match="Unknown label type"):
        make().fit([[0.0], [1.0], [2.0]], [0.1, 0.2, 0.3])
