"""What P(observed label | x) says of the true labels where the transition matrix is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unflip.noise.posterior import clean_posterior, unprojected_posterior

TAIL = 0.05  # no label is wrong with certainty: beyond 1 - TAIL, 1 is only approached


@dataclass(frozen=True, eq=False)
class KnownNoise:
    """Bayes' rule with a matrix that is taken as it is; answers the same questions as a Judgement.

    Parameters
    ----------
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``, invertible.

    Examples
    --------
    >>> known = KnownNoise(np.array([[0.9, 0.1], [0.3, 0.7]]))
    >>> shares = np.array([[0.8, 0.2], [0.8, 0.2]])
    >>> known.p_wrong(shares, np.array([0, 1])).round(3)
    array([0.062, 0.417])
    """

    transition_matrix: np.ndarray

    def p_wrong(self, probabilities: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong.

        P(true = y | x, observed = y) = P(true = y | x) T[y, y] / P(observed = y | x).
        """
        rows = np.arange(len(labels))
        clean = unprojected_posterior(probabilities, self.transition_matrix)
        right = clean[rows, labels] * self.transition_matrix[labels, labels] / probabilities[rows, labels]
        return bounded(1 - right)

    def p_better_changed(self, probabilities: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return 1 where a label is more likely wrong than right: nothing else is unknown of the noise."""
        return (self.p_wrong(probabilities, labels) > 0.5).astype(float)

    def clean(self, probabilities: np.ndarray) -> np.ndarray:
        """Return P(true label | x) from P(observed label | x), rows summing to 1."""
        return clean_posterior(probabilities, self.transition_matrix)


def bounded(values: np.ndarray) -> np.ndarray:
    """Keep the order of values while they are brought into [0, 1): below 0 they are 0, near 1 they approach it.

    >>> bounded(np.array([-1.0, 0.5, 0.95, 1.0, 3.0])).round(4)
    array([0.    , 0.5   , 0.95  , 0.975 , 0.9988])
    """
    far = np.maximum(values - 1 + 2 * TAIL, TAIL)
    return np.where(values > 1 - TAIL, 1 - TAIL**2 / far, np.maximum(values, 0))
