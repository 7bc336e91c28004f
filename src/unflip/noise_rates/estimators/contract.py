"""What an estimator of noise rates can be asked, and how its answer becomes a matrix that can be used."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from unflip.foundation.errors import refusal
from unflip.neighbors import NeighborGraph
from unflip.noise.posterior import invertible, invertible_or_identity

ROUNDING = 1e-6
NOT_ESTIMABLE = (
    "The noise rates cannot be estimated, because all neighborhoods look alike: no noise is assumed and nothing is "
    "corrected."
)


@runtime_checkable
class RateEstimator(Protocol):
    """Estimates T[true, observed]; any object with this method can be passed as noise_estimator."""

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> Any:
        """Return T, or a value with a ``transition_matrix``, from a graph of the labeled rows and class numbers."""


@runtime_checkable
class TunableEstimator(RateEstimator, Protocol):
    """An estimator whose number of neighbors k' can be chosen by a criterion, all candidates at once."""

    def estimate_each(
        self, graph: NeighborGraph, labels: np.ndarray, k_values: Sequence[int], n_classes: int
    ) -> list[np.ndarray]:
        """Return one estimate for each k'."""

    def from_votes(self, votes: np.ndarray, labels: np.ndarray, own_mass: np.ndarray | None = None) -> list[np.ndarray]:
        """Return one estimate for each k' from votes, (n_rows, n_k_values, n_classes), and the rows' own labels."""


def estimated_matrix(estimator: RateEstimator, graph: NeighborGraph, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the estimate as a matrix of all classes; classes absent from the labels keep an identity row."""
    estimate = estimator.estimate(graph, labels)
    found = _checked(estimator, getattr(estimate, "transition_matrix", estimate), n_classes)
    matrix = np.eye(n_classes)
    matrix[: len(found), : len(found)] = found
    return matrix


def _checked(estimator: RateEstimator, found: Any, n_classes: int) -> np.ndarray:
    """Refuse an answer that is no transition matrix, naming the estimator that gave it."""
    owner, accepted = type(estimator).__name__, "a matrix T[true, observed] of probabilities whose rows sum to 1"
    try:
        matrix = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise refusal(owner, "estimate()", accepted, found) from None
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and 1 <= len(matrix) <= n_classes
    if not square:
        raise refusal(owner, "estimate()", f"{accepted}, for {n_classes} classes", f"shape {matrix.shape}")
    if not ((matrix >= -ROUNDING) & (np.abs(matrix.sum(axis=1, keepdims=True) - 1) < ROUNDING)).all():
        raise refusal(owner, "estimate()", accepted, matrix.tolist())
    return matrix


def correctable(matrix: np.ndarray, *, stacklevel: int = 2) -> np.ndarray:
    """Return an estimate that can be inverted; where it cannot, warn and return the identity."""
    if not invertible(matrix):
        warnings.warn(NOT_ESTIMABLE, stacklevel=stacklevel + 1)
    return invertible_or_identity(matrix)
