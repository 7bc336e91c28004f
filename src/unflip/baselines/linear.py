"""Noise-aware linear models with the logistic link: the parameters they share, and probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, log_expit

from unflip.baselines.noise_aware import NoiseAwareClassifier
from unflip.foundation.checks import check_count, check_positive


class LogisticModel(NoiseAwareClassifier):
    """Base of the noise-aware logistic regressions: a subclass fits ``coef_`` and ``intercept_`` in `_learn`."""

    coef_: np.ndarray
    intercept_: np.ndarray

    def __init__(
        self,
        noise_rates: Any = "estimate",
        *,
        noise_estimator: Any = "auto",
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 100,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive(self, "C", self.C)
        check_positive(self, "tol", self.tol)
        check_count(self, "max_iter", self.max_iter)

    def _decision(self, X: Any) -> np.ndarray:
        return X @ self.coef_[0] + self.intercept_[0]

    def predict_proba(self, X: Any) -> np.ndarray:
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

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Estimate the log probability of each clean label.

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
