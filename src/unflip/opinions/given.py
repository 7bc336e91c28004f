"""Probabilities that the user brings, as an opinion."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from unflip.foundation.errors import UnflipError
from unflip.opinions.contract import bounded_probabilities
from unflip.opinions.rowwise import Probabilities, RowwiseProbabilities, is_kept


class GivenProbabilities(BaseEstimator):
    """Out-of-sample probabilities of any model, given for the training rows only.

    Parameters
    ----------
    pred_probs : ndarray of shape (n_rows, n_classes)
        P(observed label | x).
    name : str, default="pred_probs"
        What reports call it.

    Attributes
    ----------
    probabilities_ : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        The same, kept off zero.
    """

    def __init__(self, pred_probs: np.ndarray, name: str = "pred_probs"):
        self.pred_probs = pred_probs
        self.name = name

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> GivenProbabilities:
        """Take them as they are."""
        given = np.asarray(self.pred_probs, dtype=float)
        self.probabilities_: Probabilities = (
            bounded_probabilities(given)
            if is_kept(*given.shape)
            else RowwiseProbabilities(given.shape, partial(_bounded_rows, given))
        )
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Refuse: nothing is known of new rows."""
        raise UnflipError("pred_probs were given for the training rows only; they say nothing about new rows.")


def _bounded_rows(given: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return bounded_probabilities(given[rows])
