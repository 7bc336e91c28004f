"""Any scikit-learn classifier as an opinion: each row is judged by a copy fitted to the other folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier

from unflip.foundation.rows import in_memory, take_rows
from unflip.opinions.contract import bounded_probabilities
from unflip.opinions.folds import make_folds

CALIBRATION_FOLDS = 3


class CrossFitted(BaseEstimator):
    """Out-of-fold probabilities of a classifier; one without predict_proba is calibrated first.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier, or a pipeline that ends in one.
    n_folds : int, default=5
        Each row is judged by a copy fitted to the other folds.
    seed : int, default=0
        Of the folds.
    n_jobs : int or None, default=None
        Folds fitted at once.
    name : str or None, default=None
        What reports call it; None means the name of its class.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_rows, n_classes)
        Out of fold.
    estimator_ : classifier
        Fitted to all rows.
    """

    def __init__(
        self,
        estimator: Any,
        n_folds: int = 5,
        *,
        seed: int = 0,
        n_jobs: int | None = None,
        name: str | None = None,
    ):
        self.estimator = estimator
        self.n_folds = n_folds
        self.seed = seed
        self.n_jobs = n_jobs
        self.name = name

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> CrossFitted:
        """Learn from rows and class numbers."""
        self._n_classes = n_classes
        X = in_memory(X)
        folds = make_folds(labels, self.n_folds, self.seed)
        model = with_probabilities(self.estimator)
        min_rows = 1 if model is self.estimator else CALIBRATION_FOLDS
        everyone = [np.flatnonzero(folds != fold) for fold in range(int(folds.max()) + 1)] + [np.arange(len(labels))]
        *fitted, self.estimator_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_copy)(model, take_rows(X, rows), labels[rows], min_rows) for rows in everyone
        )
        self.probabilities_ = np.empty((len(labels), n_classes))
        for fold, each in enumerate(fitted):
            held_out = np.flatnonzero(folds == fold)
            self.probabilities_[held_out] = self._probabilities(each, take_rows(X, held_out))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        return self._probabilities(self.estimator_, X)

    def _probabilities(self, fitted: Any, X: Any) -> np.ndarray:
        full = np.zeros((X.shape[0], self._n_classes))
        full[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
        return bounded_probabilities(full)


def with_probabilities(estimator: Any) -> Any:
    """Return a classifier that has predict_proba: the given one, or one calibrated on folds."""
    return estimator if hasattr(estimator, "predict_proba") else CalibratedClassifierCV(estimator, cv=CALIBRATION_FOLDS)


def _fit_copy(model: Any, X: Any, labels: np.ndarray, min_rows: int) -> Any:
    """Fit to the classes that have enough rows; fewer than two such classes leave nothing but frequencies to learn."""
    enough = np.flatnonzero(np.bincount(labels)[labels] >= min_rows)
    if len(np.unique(labels[enough])) < 2:
        return DummyClassifier(strategy="prior").fit(X, labels)
    return clone(model).fit(take_rows(X, enough), labels[enough])
