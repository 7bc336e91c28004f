"""From votes to the clean label: the moved threshold, its form for many classes, and the paper's Algorithm 1."""

from __future__ import annotations

import numpy as np

from unflip.noise.posterior import unprojected_posterior
from unflip.voting.votes import vote_shares, vote_totals

RULES = ("threshold", "algorithm_1")

# Votes are whole numbers and rates ratios of them, so that two sides differ by far more than this or not at all.
ROUNDING = 1e-12


def decide(votes: np.ndarray, transition_matrix: np.ndarray, rule: str = "threshold") -> np.ndarray:
    """Return the number of the most likely clean class for each vector of votes.

    A tie goes to the later class: for two classes, share >= threshold means the second, as in the paper.

    Parameters
    ----------
    votes : ndarray of shape (..., n_classes)
        Counts or weights of observed labels.
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    rule : {"threshold", "algorithm_1"}, default="threshold"
        "algorithm_1" (two classes) corrects only strictly between 1/2 and the threshold, as the paper prints it.

    Examples
    --------
    >>> T = np.array([[0.7, 0.3], [0.1, 0.9]])  # threshold (1 + 0.3 - 0.1) / 2 = 0.6
    >>> votes = np.array([[6, 4], [5, 5], [4, 6]])  # shares 0.4, 0.5 and 0.6
    >>> decide(votes, T), decide(votes, T, "algorithm_1")
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    n_classes = votes.shape[-1]
    if n_classes == 1:
        return np.zeros(votes.shape[:-1], dtype=np.intp)
    if n_classes > 2:
        flat = vote_shares(votes).reshape(-1, n_classes)
        return last_argmax(unprojected_posterior(flat, transition_matrix)).reshape(votes.shape[:-1])
    total = vote_totals(votes)
    lead = votes[..., 1] * 2 - total  # a whole number: ties at 1/2 are exact
    margin = lead - total * _difference(transition_matrix)
    corrected = margin >= -ROUNDING * total
    if rule == "threshold":
        return corrected.astype(np.intp)
    plain = lead >= 0
    # Open intervals: at 1/2 and at the threshold itself the plain vote stands.
    stands = (lead == 0) | (np.abs(margin) <= ROUNDING * total)
    return np.where(stands, plain, corrected).astype(np.intp)


def margins(votes: np.ndarray, transition_matrix: np.ndarray) -> np.ndarray:
    """Return share minus threshold for two classes, positive exactly where decide gives the second."""
    total = np.maximum(vote_totals(votes), np.finfo(float).tiny)
    margin = (votes[..., 1] * 2 - total * (1 + _difference(transition_matrix))) / (2 * total)
    return np.where(np.abs(margin) <= ROUNDING, ROUNDING, margin)


def favor_last(probabilities: np.ndarray) -> np.ndarray:
    """Give the last of equally likely classes a lead of rounding size, so that argmax agrees with decide."""
    rows = np.arange(len(probabilities))
    winners = last_argmax(probabilities)
    tied = np.argmax(probabilities, axis=1) != winners
    favored = probabilities.copy()
    favored[rows[tied], winners[tied]] += 2 * ROUNDING
    return favored / favored.sum(axis=1, keepdims=True)


def last_argmax(values: np.ndarray) -> np.ndarray:
    """Return the position of each row's largest value; of those equal to rounding, the last."""
    near = values >= values.max(axis=1, keepdims=True) - ROUNDING
    return values.shape[1] - 1 - np.argmax(near[:, ::-1], axis=1)


def _difference(transition_matrix: np.ndarray) -> float:
    """Return tau_minus - tau_plus."""
    return transition_matrix[0, 1] - transition_matrix[1, 0]
