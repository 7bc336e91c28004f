"""Noise rates from how often neighbors agree: the first three orders of consensus (HOC; Zhu, Song and Liu, 2021).

If a row and its neighbors share their true class and flips are independent, the labels of one, two and three of them
have moments that determine the prior and the matrix. Where classes overlap neighbors do not share it, and the rates
come out too high.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import Neighborhoods, neighborhoods
from unflip.voting.votes import vote_totals


class Moments(BaseEstimator):
    """Consensus of order one to three: in closed form for two classes, fitted for more.

    Parameters
    ----------
    n_neighbors : int, default=10
        How many neighbors make a neighborhood, besides the row itself.
    """

    def __init__(self, n_neighbors: int = 10):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors)
        enough = vote_totals(around.counts) >= 3
        first, second, third = consensus(Neighborhoods(around.counts[enough], around.weights[enough]))
        if len(first) == 2:
            tau_minus, tau_plus = rates_from_moments(first[1], second[1, 1], third[1, 1, 1])
            return np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
        return _fit(first, second, third)


def rates_from_moments(first: float, second: float, third: float) -> tuple[float, float]:
    """Return tau_minus, tau_plus for which a mixture of two kinds of neighborhoods has these moments.

    >>> a, b, prior = 0.7, 0.2, 0.4  # P(1 | true 1) = 1 - tau_plus, P(1 | true 0) = tau_minus
    >>> rates = rates_from_moments(*(prior * a**r + (1 - prior) * b**r for r in (1, 2, 3)))
    >>> [round(rate, 6) for rate in rates]
    [0.2, 0.3]
    """
    spread = second - first**2
    if spread <= 1e-9:
        return min(0.49, first), min(0.49, 1 - first)
    total = (third - first * second) / spread
    product = (first * third - second**2) / spread
    root = np.sqrt(max(total**2 - 4 * product, 0.0))
    low, high = (total - root) / 2, (total + root) / 2
    return float(np.clip(low, 0, 0.49)), float(np.clip(1 - high, 0, 0.49))


def consensus(around: Neighborhoods) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the chances of one, two and three labels drawn from a neighborhood: shapes (K,), (K, K) and (K, K, K)."""
    counts = around.counts.astype(float)
    size = vote_totals(counts)[:, None]
    n_classes = counts.shape[1]
    shares_of_rows = around.weights / around.weights.sum()
    one = counts / size
    same = np.eye(n_classes)
    two = np.stack([one[:, [i]] * (counts - same[i]) / (size - 1) for i in range(n_classes)], axis=1)
    three = np.empty((n_classes,) * 3)
    for i in range(n_classes):
        for j in range(n_classes):
            three[i, j] = shares_of_rows @ (two[:, i, [j]] * (counts - same[i] - same[j]) / (size - 2))
    return shares_of_rows @ one, np.tensordot(shares_of_rows, two, axes=1), three


def _fit(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> np.ndarray:
    """Fit prior and matrix to the consensus by least squares, from a matrix near the identity."""
    n_classes = len(first)
    # Derivatives by hand are worth it: with 26 classes there are 700 parameters.

    def unpack(parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return softmax(parameters[:n_classes]), softmax(parameters[n_classes:].reshape(n_classes, n_classes), axis=1)

    def loss_and_gradient(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        prior, matrix = unpack(parameters)
        pairs = (matrix[:, :, None] * matrix[:, None, :]).reshape(n_classes, -1)  # of two labels of one true class
        off1 = prior @ matrix - first
        off2 = (prior @ pairs).reshape(second.shape) - second
        off3 = ((prior[:, None] * matrix).T @ pairs).reshape(third.shape) - third
        by2 = matrix @ off2
        by3 = pairs @ off3.reshape(n_classes, -1).T
        d_prior = 2 * (matrix @ off1 + (by2 * matrix).sum(axis=1) + (by3 * matrix).sum(axis=1))
        d_matrix = 2 * prior[:, None] * (off1 + 2 * by2 + 3 * by3)
        d_prior = prior * (d_prior - prior @ d_prior)
        d_matrix = matrix * (d_matrix - (matrix * d_matrix).sum(axis=1, keepdims=True))
        loss = (off1**2).sum() + (off2**2).sum() + (off3**2).sum()
        return n_classes * loss, n_classes * np.concatenate([d_prior, d_matrix.ravel()])

    start = np.concatenate([np.log(np.maximum(first, 1e-6)), (4 * np.eye(n_classes)).ravel()])
    found = minimize(loss_and_gradient, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "ftol": 1e-12})
    return unpack(found.x)[1]
