"""What an opinion is: P(observed label | x), out of sample for the rows it was fitted to, and for new rows."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from unflip.opinions.rowwise import Probabilities

MIN_PROBABILITY = 1e-4  # no observed label is impossible


@runtime_checkable
class Opinion(Protocol):
    """A source of P(observed label | x).

    After ``fit``, ``probabilities_`` has shape (n_rows, n_classes); what it says of a row must not depend on that row's
    own label. Then the observed labels can judge it, and flipped ones stand out. It is an array, or for very many rows
    and classes `RowwiseProbabilities`.
    """

    probabilities_: Probabilities

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> Opinion:
        """Learn from rows (a dense array or CSR matrix of finite numbers) and class numbers."""

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows, (n_rows, n_classes)."""


def bounded_probabilities(probabilities: np.ndarray, least: float = MIN_PROBABILITY) -> np.ndarray:
    """Keep probabilities off zero, and let each row sum to 1.

    >>> bounded_probabilities(np.array([[0.0, 1.0]])).round(4).tolist()
    [[0.0001, 0.9999]]
    """
    bounded = np.maximum(probabilities, least)
    return bounded / bounded.sum(axis=1, keepdims=True)


def log_likelihood(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean log-probability of the labels."""
    own = probabilities[np.arange(len(labels)), labels]
    return float(np.log(np.maximum(own, MIN_PROBABILITY)).mean())
