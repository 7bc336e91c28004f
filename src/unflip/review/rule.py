"""How the probability that a label is wrong changes when a person has decided about its neighbors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unflip.noise_model import invertible, project_to_simplex

# A probability of 0 or 1 has no logit; nearer than this to either, a neighborhood says no more.
CLIP = 0.001


class Verdict(NamedTuple):
    """What the neighbors say of a label: the probability that it is wrong, and the likeliest other class if any."""

    p_wrong: float
    suggested: int | None


def usable_inverse(transition_matrix):
    """Return the inverse of T[true, observed], or None where labels flipped by it cannot be undone."""
    if not np.isfinite(transition_matrix).all() or not invertible(transition_matrix):
        return None
    return np.linalg.inv(transition_matrix)


def clean_shares(votes, decided, inverse):
    """Average what each neighbor says of its true class, and project onto the simplex.

    A row of the inverse is the unbiased estimate of the true class of a label that may be flipped; about a label that
    a person has decided nothing is left to estimate.

    Parameters
    ----------
    votes : sequence of (row, class number)
        The neighbors and their observed classes.
    decided : mapping of row to class number
        The classes that a person gave.
    inverse : ndarray of shape (n_classes, n_classes)
        Of the transition matrix.

    Returns
    -------
    shares : ndarray of shape (n_classes,)
        The estimated probability of each true class.

    Examples
    --------
    >>> inverse = np.linalg.inv([[0.9, 0.1], [0.3, 0.7]])
    >>> clean_shares([(5, 0), (6, 1)], {5: 0, 6: 0}, inverse)
    array([1., 0.])
    """
    total = np.zeros(len(inverse))
    for row, label in votes:
        if row in decided:
            total[decided[row]] += 1
        else:
            total += inverse[label]
    return project_to_simplex(total[None] / len(votes))[0]


def verdict(shares, given, transition_matrix):
    """Judge a given label by the shares of the true classes around it.

    >>> verdict(np.array([0.2, 0.8]), 0, np.array([[0.9, 0.1], [0.3, 0.7]]))
    Verdict(p_wrong=0.571..., suggested=1)
    """
    weights = shares * transition_matrix[:, given]
    total = weights.sum()
    p_wrong = 1 - weights[given] / total if total > 0 else 0.5
    others = weights.copy()
    others[given] = 0
    return Verdict(float(p_wrong), int(others.argmax()) if others.max() > 0 else None)


def shifted(p_document, p_with, p_without):
    """Move the audit's own probability as far, in logits, as the decisions moved the rule's.

    The audit may know more than the votes; what the decisions add is a difference, and only that is taken over.
    """
    logit = _logit(p_document) + _logit(p_with) - _logit(p_without)
    return float(1 / (1 + np.exp(-logit)))


def _logit(p):
    p = np.clip(p, CLIP, 1 - CLIP)
    return np.log(p / (1 - p))


def updated(suspect, decided, transition_matrix, inverse):
    """Return the verdict on a suspect after decisions; exactly the audit's where none concerns its neighbors."""
    own = Verdict(suspect.p_wrong, suspect.suggested)
    if inverse is None or not any(row in decided for row, _ in suspect.votes):
        return own
    before, after = (
        verdict(clean_shares(suspect.votes, known, inverse), suspect.given, transition_matrix)
        for known in ({}, decided)
    )
    moved = after.suggested is not None and after.suggested != before.suggested
    return Verdict(shifted(own.p_wrong, after.p_wrong, before.p_wrong), after.suggested if moved else own.suggested)
