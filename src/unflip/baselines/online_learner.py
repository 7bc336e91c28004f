"""What AROW and NHERD share: a linear classifier that learns from one row at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from unflip.baselines.binary_classifier import BinaryClassifier
from unflip.baselines.online_passes import FULL, PROJECT, Rows, online_pass
from unflip.foundation.checks import check_choice, check_count, check_positive, generator
from unflip.foundation.errors import refusal

# Measured cost per dense row and pass: 11 microseconds full and 1.4 diagonal at 128 columns, 37 and 1.9 at 256.
MAX_FULL_COLUMNS = 128


class OnlineLearner(BinaryClassifier):
    """Base: a Gaussian over weights, whose mean each row inside the margin moves and whose covariance it shrinks."""

    _forms: ClassVar[dict[str, int]]
    _herding: ClassVar[bool]
    _regularizer: ClassVar[str]  # the name of the parameter that r is computed from

    def __init__(
        self,
        *,
        covariance: str = "auto",
        epochs: int = 10,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: Any = None,
    ):
        self.covariance = covariance
        self.epochs = epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def _r(self) -> float:
        raise NotImplementedError

    def fit(self, X: Any, y: Any) -> Self:
        """Train in as many passes over the rows as there are epochs.

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
        X, y = self._validated(X, y)
        classes = self._two_classes(y, "y")
        random, n_rows = generator(self.random_state), X.shape[0]
        orders = (random.permutation(n_rows) if self.shuffle else np.arange(n_rows) for _ in range(self.epochs))
        return self._learn(X, y, classes, self._initial_state(), orders)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Train on more rows in one pass, in the given order.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            More training rows.
        y : array-like of shape (n_samples,)
            Their observed labels.
        classes : array-like of shape (2,) or None, default=None
            Both labels; None takes them from y on the first call.

        Returns
        -------
        self : object
            The updated classifier.
        """
        self._check_parameters()
        first = not hasattr(self, "coef_")
        X, y = self._validated(X, y, reset=first)
        both = self._first_classes(y, classes) if first else self.classes_
        if classes is not None and not np.array_equal(np.unique(classes), both):
            raise refusal(self, "classes", f"those of the first call, {both.tolist()}", classes)
        unknown = np.setdiff1d(y, both)
        if len(unknown):
            raise refusal(self, "y", f"of the labels {both.tolist()}", unknown.tolist()[0])
        state = self._initial_state() if first else self._learned_state()
        return self._learn(X, y, both, state, [np.arange(X.shape[0])])

    def _decision(self, X: Any) -> np.ndarray:
        return X @ self.coef_[0] + self.intercept_[0]

    def _check_parameters(self) -> None:
        check_positive(self, self._regularizer, getattr(self, self._regularizer))
        check_choice(self, "covariance", self.covariance, ("auto", *self._forms))
        check_count(self, "epochs", self.epochs)
        for switch in ("fit_intercept", "shuffle"):
            if not isinstance(getattr(self, switch), (bool, np.bool_)):
                raise refusal(self, switch, "True or False", getattr(self, switch))

    def _validated(self, X: Any, y: Any, *, reset: bool = True) -> tuple[Any, np.ndarray]:
        X, y = super()._validated(X, y, reset=reset)
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X, y

    def _first_classes(self, y: np.ndarray, classes: Any) -> np.ndarray:
        return self._two_classes(y, "y") if classes is None else self._two_classes(classes, "classes")

    def _two_classes(self, labels: Any, parameter: str) -> np.ndarray:
        classes = np.unique(labels)
        self._check_two_classes(classes, parameter)
        return classes

    def _form(self) -> int:
        if self.covariance != "auto":
            return self._forms[self.covariance]
        return FULL if self.n_features_in_ <= MAX_FULL_COLUMNS else PROJECT

    def _initial_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Return zero weights and unit covariances; the constant column, if there is one, comes last."""
        size = self.n_features_in_ + bool(self.fit_intercept)
        return np.zeros(size), np.eye(size) if self._form() == FULL else np.ones(size)

    def _learned_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Return copies of the learned weights and covariances."""
        if self.covariance_.shape != self._initial_state()[1].shape:
            raise refusal(self, "covariance", "as it was in the first call, and 'fit_intercept' too", self.covariance)
        weights = np.append(self.coef_[0], self.intercept_) if self.fit_intercept else self.coef_[0].copy()
        return weights, self.covariance_.copy()

    def _learn(
        self,
        X: Any,
        y: np.ndarray,
        classes: np.ndarray,
        state: tuple[np.ndarray, np.ndarray],
        orders: Iterable[np.ndarray],
    ) -> Self:
        weights, covariance = state
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
