"""The opinion of logistic regression, cross-fitted."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from unflip.foundation.threads import one_blas_thread, run_blocks
from unflip.opinions.contract import bounded_probabilities, log_likelihood
from unflip.opinions.folds import make_folds
from unflip.opinions.magnitude import column_factors, resized
from unflip.opinions.order import content_order, put_back

STRENGTHS = (0.003, 0.03, 0.3, 3.0)  # values of C


class LinearOpinion(BaseEstimator):
    """Logistic regression on standardized columns; its strength is the one under which held-out labels are likeliest.

    Parameters
    ----------
    n_folds : int, default=5
        Each row is judged by the model of the other folds.
    seed : int, default=0
        Of the folds.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_rows, n_classes)
        Out of fold.
    strength_ : float
        The chosen C.
    """

    name = "linear model"

    def __init__(self, n_folds: int = 5, *, seed: int = 0, n_jobs: int | None = None):
        self.n_folds = n_folds
        self.seed = seed
        self.n_jobs = n_jobs

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> LinearOpinion:
        """Learn from rows and class numbers."""
        self._n_classes = n_classes
        order = content_order(X, labels)
        X, labels = X[order], labels[order]
        self._factors = column_factors(X)
        self._scaler = StandardScaler(with_mean=not sparse.issparse(X)).fit(resized(X, self._factors))
        rows = self._standardized(X)
        folds = make_folds(labels, self.n_folds, self.seed)
        out_of_fold = np.empty((len(STRENGTHS), len(labels), n_classes))

        def judge(fold: int) -> None:
            held_out = folds == fold
            for number, model in enumerate(self._models(rows[~held_out], labels[~held_out], STRENGTHS)):
                out_of_fold[number, held_out] = model(rows[held_out])

        with one_blas_thread():
            run_blocks(judge, range(int(folds.max()) + 1), self.n_jobs)
            best = int(np.argmax([log_likelihood(each, labels) for each in out_of_fold]))
            self.probabilities_, self.strength_ = put_back(out_of_fold[best], order), STRENGTHS[best]
            *_, self._model = self._models(rows, labels, STRENGTHS[: best + 1])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        with one_blas_thread():
            return self._model(self._standardized(X))

    def _standardized(self, X: Any) -> Any:
        return self._scaler.transform(resized(X, self._factors))

    def _models(self, X: Any, labels: np.ndarray, strengths: tuple[float, ...]) -> Any:
        """Yield functions of rows, one for each strength; each fit starts from the one before."""
        present = np.unique(labels)
        if len(present) == 1:
            for _ in strengths:
                yield _Constant(int(present[0]), self._n_classes)
            return
        model = LogisticRegression(max_iter=200, tol=1e-3, warm_start=True)
        for strength in strengths:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.set_params(C=strength).fit(X, labels)
            yield _Fitted(model, self._n_classes)


class _Constant:
    """Only one class was seen."""

    def __init__(self, label: int, n_classes: int):
        self.label, self.n_classes = label, n_classes

    def __call__(self, X: Any) -> np.ndarray:
        probabilities = np.zeros((X.shape[0], self.n_classes))
        probabilities[:, self.label] = 1
        return bounded_probabilities(probabilities)


class _Fitted:
    """The coefficients of a fitted model as they are now: the next fit changes the model."""

    def __init__(self, model: LogisticRegression, n_classes: int):
        self.classes, self.n_classes = model.classes_, n_classes
        self.coefficients, self.intercepts = model.coef_.copy(), model.intercept_.copy()

    def __call__(self, X: Any) -> np.ndarray:
        scores = np.asarray(X @ self.coefficients.T) + self.intercepts
        if scores.shape[1] == 1:
            scores = np.column_stack([np.zeros(len(scores)), scores[:, 0]])
        scores -= scores.max(axis=1, keepdims=True)
        exponentials = np.exp(scores)
        probabilities = np.zeros((X.shape[0], self.n_classes))
        probabilities[:, self.classes] = exponentials / exponentials.sum(axis=1, keepdims=True)
        return bounded_probabilities(probabilities)
