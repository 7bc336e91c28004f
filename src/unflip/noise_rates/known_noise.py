"""What P(observed label | x) says of the true labels where the transition matrix is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unflip.foundation.threads import one_blas_thread
from unflip.noise.posterior import clean_posterior, unprojected_posterior
from unflip.opinions.order import put_back
from unflip.opinions.rowwise import Probabilities, RowwiseProbabilities, in_blocks

MANY_CLASSES = 100  # with more, a system of equations for every class of every row takes minutes
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

    def p_wrong(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong.

        P(true = y | x, observed = y) = P(true = y | x) T[y, y] / P(observed = y | x).
        """
        if by_columns(probabilities):
            return wrong_by_matrix(self.transition_matrix[None], probabilities, labels)[:, 0]
        assert not isinstance(probabilities, RowwiseProbabilities)
        rows = np.arange(len(labels))
        clean = unprojected_posterior(probabilities, self.transition_matrix)
        right = clean[rows, labels] * self.transition_matrix[labels, labels] / probabilities[rows, labels]
        return bounded(1 - right)

    def p_better_changed(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return 1 where a label is more likely wrong than right: nothing else is unknown of the noise."""
        return (self.p_wrong(probabilities, labels) > 0.5).astype(float)

    def wrong_and_better_changed(
        self, probabilities: Probabilities, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return ``p_wrong`` and ``p_better_changed``, in the time of one of them."""
        p_wrong = self.p_wrong(probabilities, labels)
        return p_wrong, (p_wrong > 0.5).astype(float)

    def clean(self, probabilities: np.ndarray) -> np.ndarray:
        """Return P(true label | x) from P(observed label | x), rows summing to 1."""
        return clean_posterior(probabilities, self.transition_matrix)


def by_columns(probabilities: Probabilities) -> bool:
    """Tell whether ``wrong_by_matrix`` is to be asked: for many classes, or probabilities that are not kept."""
    return probabilities.shape[1] > MANY_CLASSES or isinstance(probabilities, RowwiseProbabilities)


def wrong_by_matrix(matrices: np.ndarray, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
    """Return how likely each label is wrong under each of several matrices, (n_rows, n_matrices).

    The same as ``KnownNoise.p_wrong``, to rounding. There a system of equations is solved for P(true | x) of every
    class. Here only that of the observed label is asked for, by one column of the inverse, which all rows of a label
    share: with many classes that is much less work.
    """
    order = np.argsort(labels, kind="stable")
    inverses = np.linalg.inv(matrices)
    by_label = RowwiseProbabilities(probabilities.shape, lambda rows: probabilities[order[rows]])

    def of_block(some: np.ndarray, labels: np.ndarray) -> np.ndarray:
        p_wrong = np.empty((len(labels), len(matrices)))
        starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1]))
        for rows in map(slice, starts, np.append(starts[1:], len(labels))):
            label = labels[rows.start]
            clean = some[rows] @ inverses[:, :, label].T
            p_wrong[rows] = bounded(1 - clean * matrices[:, label, label] / some[rows, label, None])
        return p_wrong

    with one_blas_thread():
        return put_back(in_blocks(of_block, by_label, labels[order]), order)


def bounded(values: np.ndarray) -> np.ndarray:
    """Keep the order of values while they are brought into [0, 1): below 0 they are 0, near 1 they approach it.

    >>> bounded(np.array([-1.0, 0.5, 0.95, 1.0, 3.0])).round(4)
    array([0.    , 0.5   , 0.95  , 0.975 , 0.9988])
    """
    far = np.maximum(values - 1 + 2 * TAIL, TAIL)
    return np.where(values > 1 - TAIL, 1 - TAIL**2 / far, np.maximum(values, 0))
