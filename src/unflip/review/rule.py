"""How the probability that a label is wrong changes when a person has decided about its neighbors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

# A probability of 0 or 1 has no logit; nearer than this to either, a neighborhood says no more.
CLIP = 0.001
ROUNDING = 1e-12


class Verdict(NamedTuple):
    """What the neighbors say of a label: the probability that it is wrong, and the likeliest other class if any."""

    p_wrong: float
    suggested: int | None


def class_posteriors(transition_matrix, class_prior):
    """Return what each observed label says of the true class, before anybody has looked at it.

    Parameters
    ----------
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    class_prior : ndarray of shape (n_classes,)
        Frequencies of the true classes.

    Returns
    -------
    posteriors : ndarray of shape (n_classes, n_classes)
        ``P[observed, true]``; a label that no class should ever be given is taken at its word.

    Examples
    --------
    >>> class_posteriors(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.5, 0.5]))
    array([[0.75 , 0.25 ],
           [0.125, 0.875]])
    """
    joint = (class_prior[:, None] * transition_matrix).T
    total = joint.sum(axis=1, keepdims=True)
    return np.where(total > 0, joint / np.where(total > 0, total, 1), np.eye(len(joint)))


def clean_shares(votes, decided, posteriors):
    """Average what each neighbor says of its true class: its posterior, or what a person has decided.

    Parameters
    ----------
    votes : sequence of (row, class number)
        The neighbors and their observed classes.
    decided : mapping of row to class number
        The classes that a person gave.
    posteriors : ndarray of shape (n_classes, n_classes)
        By observed class, then true class.

    Returns
    -------
    shares : ndarray of shape (n_classes,)
        The estimated probability of each true class.

    Examples
    --------
    >>> posteriors = np.array([[0.75, 0.25], [0.125, 0.875]])
    >>> clean_shares([(5, 0), (6, 1)], {6: 0}, posteriors)
    array([0.875, 0.125])
    """
    total = np.zeros(len(posteriors))
    for row, label in votes:
        if row in decided:
            total[decided[row]] += 1
        else:
            total += posteriors[label]
    return total / len(votes)


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
    if abs(p_with - p_without) <= ROUNDING:
        return p_document
    moved = float(expit(_logit(p_document) + _logit(p_with) - _logit(p_without)))
    # Where the audit was surer than the clip, clipping it might move it the other way.
    return max(moved, p_document) if p_with > p_without else min(moved, p_document)


def _logit(p: float) -> float:
    return logit(np.clip(p, CLIP, 1 - CLIP))


def updated(suspect, decided, transition_matrix, posteriors):
    """Return the verdict on a suspect after decisions; exactly the audit's where none concerns its neighbors."""
    own = Verdict(suspect.p_wrong, suspect.suggested)
    if not any(row in decided for row, _ in suspect.votes):
        return own
    before, after = (
        verdict(clean_shares(suspect.votes, known, posteriors), suspect.given, transition_matrix)
        for known in ({}, decided)
    )
    moved = after.suggested is not None and after.suggested != before.suggested
    return Verdict(shifted(own.p_wrong, after.p_wrong, before.p_wrong), after.suggested if moved else own.suggested)
