"""What AROW and NHERD share: a linear classifier of two classes that learns from one row after the other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.baselines.online_passes import FULL, PROJECT, Rows, online_pass
from unflip.foundation.checks import check_choice, check_count, check_positive, generator
from unflip.foundation.errors import UnflipError, refusal

# Measured at 128 dense columns: a row costs 11 microseconds a pass, of a diagonal 1.4; at 256 columns 37 and 1.9.
MOST_COLUMNS_OF_FULL = 128


class OnlineLearner(ClassifierMixin, BaseEstimator):
    """A Gaussian over weights: each row within the margin moves its mean, and makes its covariance smaller."""

    _forms: ClassVar[dict[str, int]]
    _herding: ClassVar[bool]
    _regularizer: ClassVar[str]  # the name of the parameter that r is made from

    def _r(self):
        raise NotImplementedError

    def fit(self, X, y):
        """Learn from rows, in as many passes as there are epochs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Observed labels of two classes, of any type.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._check_parameters()
        X, y = self._checked_rows(X, y, reset=True)
        classes = self._two_classes(y, "y")
        random, n_rows = generator(self.random_state), X.shape[0]
        orders = (random.permutation(n_rows) if self.shuffle else np.arange(n_rows) for _ in range(self.epochs))
        return self._learn(X, y, classes, *self._beginning(), orders)

    def partial_fit(self, X, y, classes=None):
        """Learn from more rows: one pass, in the order in which they come.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            More training rows.
        y : array-like of shape (n_samples,)
            Their observed labels.
        classes : array-like of shape (2,) or None, default=None
            Both labels; on the first call None takes them from y.

        Returns
        -------
        self : object
            The classifier, which has learned from these rows too.
        """
        self._check_parameters()
        first = not hasattr(self, "coef_")
        X, y = self._checked_rows(X, y, reset=first)
        if not first:
            known = self.classes_
        else:
            known = self._two_classes(y, "y") if classes is None else self._two_classes(classes, "classes")
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise refusal(self, "classes", f"those of the first call, {known.tolist()}", classes)
        strangers = np.setdiff1d(y, known)
        if len(strangers):
            raise refusal(self, "y", f"of the labels {known.tolist()}", strangers.tolist()[0])
        return self._learn(X, y, known, *(self._beginning() if first else self._so_far()), [np.arange(X.shape[0])])

    def decision_function(self, X):
        """Return the scores of rows: the margin is from -1 to 1, the boundary at 0.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_queries,)
            Above zero where the second of ``classes_`` is predicted.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X):
        """Predict the labels of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        y : ndarray of shape (n_queries,)
            Labels.
        """
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _check_parameters(self):
        check_positive(self, self._regularizer, getattr(self, self._regularizer))
        check_choice(self, "covariance", self.covariance, ("auto", *self._forms))
        check_count(self, "epochs", self.epochs)
        for switch in ("fit_intercept", "shuffle"):
            if not isinstance(getattr(self, switch), (bool, np.bool_)):
                raise refusal(self, switch, "True or False", getattr(self, switch))

    def _checked_rows(self, X, y, reset):
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_classification_targets(y)
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X, y

    def _two_classes(self, labels, parameter):
        classes = np.unique(labels)
        if len(classes) > 2:
            raise UnflipError(
                f"{type(self).__name__}: Only binary classification is supported, got {len(classes)} classes; "
                f"wrap it in sklearn.multiclass.OneVsRestClassifier."
            )
        if len(classes) < 2:
            raise refusal(self, parameter, "labels of two classes, not one class", classes.tolist())
        return classes

    def _form(self):
        if self.covariance != "auto":
            return self._forms[self.covariance]
        return FULL if self.n_features_in_ <= MOST_COLUMNS_OF_FULL else PROJECT

    def _beginning(self):
        """Return weights of zero and covariances of one; the constant column, where there is one, comes last."""
        size = self.n_features_in_ + bool(self.fit_intercept)
        return np.zeros(size), np.eye(size) if self._form() == FULL else np.ones(size)

    def _so_far(self):
        """Return copies of the weights and covariances that were learned."""
        if self.covariance_.shape != self._beginning()[1].shape:
            raise refusal(self, "covariance", "as it was in the first call, and 'fit_intercept' too", self.covariance)
        weights = np.append(self.coef_[0], self.intercept_) if self.fit_intercept else self.coef_[0].copy()
        return weights, self.covariance_.copy()

    def _learn(self, X, y, classes, weights, covariance, orders):
        rows, signs = Rows.of(X), np.where(y == classes[1], 1.0, -1.0)
        form, herding = self._form(), self._herding
        for order in orders:
            if not online_pass(rows, signs, order, weights, covariance, self._r(), form=form, herding=herding):
                largest = f"values up to {abs(X).max():g}"
                raise refusal(self, "X", f"of values that can be squared and divided by {self._r():g}", largest)
        self.classes_, self.covariance_ = classes, covariance
        n_columns = X.shape[1]
        self.coef_ = weights[np.newaxis, :n_columns]
        self.intercept_ = weights[n_columns:] if self.fit_intercept else np.zeros(1)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags
