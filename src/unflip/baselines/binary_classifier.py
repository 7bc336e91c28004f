"""What all baselines share: two classes, and predictions by the sign of a decision function."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.foundation.errors import UnflipError, refusal


class BinaryClassifier(ClassifierMixin, BaseEstimator):
    """Base of the baselines: a subclass fits two classes and scores rows in `_decision`."""

    classes_: np.ndarray

    def decision_function(self, X: Any) -> np.ndarray:
        """Score rows: log odds for logistic models, the signed margin for the others.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_queries,)
            Positive where the second of ``classes_`` is predicted.
        """
        check_is_fitted(self)
        return self._decision(validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
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
        return self.classes_[positive.astype(np.intp)]

    def _decision(self, X: Any) -> np.ndarray:
        """Return the scores of validated rows."""
        raise NotImplementedError

    def _validated(self, X: Any, y: Any, *, reset: bool = True) -> tuple[Any, np.ndarray]:
        """Return training rows as float64 (dense or CSR) and their labels."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_classification_targets(y)
        return X, y

    def _check_two_classes(self, classes: np.ndarray, parameter: str) -> None:
        if len(classes) < 2:
            raise refusal(self, parameter, "labels of two classes, not one class", classes.tolist())
        if len(classes) > 2:
            raise UnflipError(
                f"{type(self).__name__}: Only binary classification is supported, "
                f"'{parameter}' has {len(classes)} classes{self._multiclass_hint()}."
            )

    def _multiclass_hint(self) -> str:
        return "; wrap it in sklearn.multiclass.OneVsRestClassifier"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags
