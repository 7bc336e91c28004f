"""Posteriors of observed and of true labels, and the threshold at which the true label changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

# Below this smallest singular value a matrix cannot be inverted in float64 with any digits left.
SMALLEST_SINGULAR_VALUE = 1e-6


def decision_threshold(*, tau_plus: float, tau_minus: float) -> float:
    """Return the share of observed positives from which the true label is more likely positive.

    >>> round(decision_threshold(tau_plus=0.3, tau_minus=0.1), 3)
    0.4
    """
    return (1 + tau_minus - tau_plus) / 2


def corrupted_posterior(posterior: ArrayLike, transition_matrix: np.ndarray) -> np.ndarray:
    """Return P(observed class | x) from P(true class | x)."""
    return np.asarray(posterior) @ transition_matrix


def clean_posterior(shares: ArrayLike, transition_matrix: np.ndarray) -> np.ndarray:
    """Undo label noise: solve shares = posterior @ T, then project onto the simplex."""
    return project_to_simplex(unprojected_posterior(shares, transition_matrix))


def unprojected_posterior(shares: ArrayLike, transition_matrix: np.ndarray) -> np.ndarray:
    """Solve shares = posterior @ T; sampling can put the solution outside the simplex."""
    return np.linalg.solve(transition_matrix.T, np.asarray(shares).T).T


def project_to_simplex(points: np.ndarray) -> np.ndarray:
    """Return the nearest probability vector (Euclidean) of each row."""
    descending = -np.sort(-points, axis=1)
    excess = (np.cumsum(descending, axis=1) - 1) / np.arange(1, points.shape[1] + 1)
    last = np.count_nonzero(descending > excess, axis=1) - 1
    return np.maximum(points - excess[np.arange(len(points)), last][:, None], 0)


def invertible(transition_matrix: np.ndarray) -> bool:
    """Tell whether labels flipped by this matrix still carry enough to undo it."""
    n_classes = len(transition_matrix)
    if n_classes == 2 and np.trace(transition_matrix) <= 1:
        return False
    # Of a matrix whose diagonal outweighs the rest of each row by a, no singular value is below a / sqrt(n_classes)
    # (Varah, 1975). Most are such matrices; of a thousand classes the values themselves take a second.
    diagonal = np.abs(np.diag(transition_matrix))
    excess = (2 * diagonal - np.abs(transition_matrix).sum(axis=1)).min()
    if excess >= np.sqrt(n_classes) * 2 * SMALLEST_SINGULAR_VALUE:
        return True
    return bool(np.linalg.svd(transition_matrix, compute_uv=False)[-1] >= SMALLEST_SINGULAR_VALUE)


def invertible_or_identity(transition_matrix: np.ndarray) -> np.ndarray:
    """Return an estimated matrix, or the identity (no correction) where it cannot be inverted."""
    return transition_matrix if invertible(transition_matrix) else np.eye(len(transition_matrix))
