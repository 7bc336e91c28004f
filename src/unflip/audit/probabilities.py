"""How likely each label is wrong, what it should be instead, and which ones to flag: arithmetic on shares and T."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unflip.noise.posterior import clean_posterior, project_to_simplex, unprojected_posterior

TAIL = 0.05  # no label is wrong with certainty: beyond 1 - TAIL, 1 is only approached


class Scores(NamedTuple):
    """One value per row."""

    p_wrong: np.ndarray
    alternative: np.ndarray  # the likeliest class other than the given one


def score(shares: np.ndarray, labels: np.ndarray, transition_matrix: np.ndarray) -> Scores:
    """Return how likely each label is wrong, and the likeliest other class.

    Bayes' rule: P(true = y | x, observed = y) = P(true = y | x) T[y, y] / P(observed = y | x), where the neighbors'
    shares stand for P(observed | x), and shares @ inv(T) for P(true | x).

    Parameters
    ----------
    shares : ndarray of shape (n_rows, n_classes)
        P(observed class | x), none of them zero.
    labels : ndarray of int
        Observed class numbers.
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``, invertible.

    Examples
    --------
    >>> T = np.array([[0.9, 0.1], [0.3, 0.7]])
    >>> found = score(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1]), T)
    >>> found.p_wrong.round(3), found.alternative
    (array([0.062, 0.417]), array([1, 0]))
    """
    rows = np.arange(len(labels))
    clean = unprojected_posterior(shares, transition_matrix)
    unbounded = 1 - clean[rows, labels] * transition_matrix[labels, labels] / shares[rows, labels]
    behind = project_to_simplex(clean) * transition_matrix[:, labels].T
    return Scores(bounded(unbounded), _likeliest_other(behind, shares, labels))


def _likeliest_other(behind: np.ndarray, shares: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the class other than the label that is most likely behind it."""
    # Where no other class can be behind the label, the neighbors' own labels decide between them.
    others = behind + np.finfo(float).tiny * shares
    others[np.arange(len(labels)), labels] = -1
    return others.argmax(axis=1)


def score_carefully(shares: np.ndarray, labels: np.ndarray, transition_matrix: np.ndarray) -> Scores:
    """Return scores that rely on T only by half: with many classes, estimates take part of the overlap for flips.

    The other half is the square of (1 + lead) / 2, where lead is how far another class is ahead of the label among the
    neighbors, divided by how far one could be ahead if all classes had the same flip rate.

    Parameters
    ----------
    shares, labels, transition_matrix : ndarray
        As for score.

    Examples
    --------
    >>> T = np.full((3, 3), 0.1) + 0.7 * np.eye(3)  # flips of 0.2: shares of 0.8 and 0.1 are one class alone
    >>> score_carefully(np.array([[0.45, 0.45, 0.1]]), np.array([1]), T).p_wrong.round(3)  # (0.111 + 0.5 ** 2) / 2
    array([0.181])
    """
    rows = np.arange(len(labels))
    behind = clean_posterior(shares, transition_matrix) * transition_matrix[:, labels].T
    total = behind.sum(axis=1)
    p_wrong = np.divide(total - behind[rows, labels], total, out=np.zeros(len(total)), where=total > 0)
    others = shares.copy()
    others[rows, labels] = -1
    lead = (others.max(axis=1) - shares[rows, labels]) / _widest_lead(transition_matrix)
    return Scores((p_wrong + bounded((1 + lead) / 2) ** 2) / 2, _likeliest_other(behind, shares, labels))


def _widest_lead(transition_matrix: np.ndarray) -> float:
    """Return how far a class leads where there is no other, if all classes are flipped as often as on average."""
    n_classes = len(transition_matrix)
    rate = 1 - np.diag(transition_matrix).mean()
    return max(1 - rate * n_classes / (n_classes - 1), TAIL)


def bounded(values: np.ndarray) -> np.ndarray:
    """Keep the order of values while they are brought into [0, 1): below 0 they are 0, near 1 they approach it.

    >>> bounded(np.array([-1.0, 0.5, 0.95, 1.0, 3.0])).round(4)
    array([0.    , 0.5   , 0.95  , 0.975 , 0.9988])
    """
    far = np.maximum(values - 1 + 2 * TAIL, TAIL)
    return np.where(values > 1 - TAIL, 1 - TAIL**2 / far, np.maximum(values, 0))


def worst(p_wrong: np.ndarray, how_many: int) -> np.ndarray:
    """Return a mask of the labels that are likeliest wrong; of equal ones the first; none that cannot be wrong."""
    flagged = np.zeros(len(p_wrong), bool)
    flagged[ranking(p_wrong)[: min(how_many, int(np.count_nonzero(p_wrong)))]] = True
    return flagged


def ranking(p_wrong: np.ndarray) -> np.ndarray:
    """Return the row numbers, worst first."""
    return np.argsort(-p_wrong, kind="stable")
