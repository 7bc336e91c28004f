"""Linear models with the logistic link: the parameters they share, and what they answer."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_expit
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.foundation.checks import check_count, check_positive


class LogisticModel:
    """The parameters C, tol and max_iter, and methods that read ``coef_`` and ``intercept_``."""

    def _check_parameters(self):
        super()._check_parameters()
        check_positive(self, "C", self.C)
        check_positive(self, "tol", self.tol)
        check_count(self, "max_iter", self.max_iter)

    def decision_function(self, X):
        """Return the log odds of the second class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        log_odds : ndarray of shape (n_queries,)
            Positive where the second class is predicted.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return safe_sparse_dot(X, self.coef_[0]) + self.intercept_[0]

    def predict_proba(self, X):
        """Estimate the probability of each clean label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_queries, 2)
            In the order of ``classes_``.
        """
        log_odds = self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def predict_log_proba(self, X):
        """Estimate the logarithm of the probability of each clean label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        log_probabilities : ndarray of shape (n_queries, 2)
            In the order of ``classes_``.
        """
        log_odds = self.decision_function(X)
        return np.column_stack([log_expit(-log_odds), log_expit(log_odds)])
