"""How decisions about its neighbors change the probability that a label is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import expit, logit

if TYPE_CHECKING:
    from unflip.review.document import Suspect

CLIP = 0.001  # a probability of 0 or 1 has no logit, and no neighborhood is that certain
ROUNDING = 1e-12


class Verdict(NamedTuple):
    """The probability that a label is wrong, and the likeliest other class, if any."""

    p_wrong: float
    suggested: int | None


def class_posteriors(transition_matrix: np.ndarray, class_prior: np.ndarray) -> np.ndarray:
    """Return the posterior of the true class for each observed label.

    Parameters
    ----------
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    class_prior : ndarray of shape (n_classes,)
        Prior probabilities of the true classes.

    Returns
    -------
    posteriors : ndarray of shape (n_classes, n_classes)
        ``P[observed, true]``; a label that should never occur is taken as true.

    Examples
    --------
    >>> class_posteriors(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.5, 0.5]))
    array([[0.75 , 0.25 ],
           [0.125, 0.875]])
    """
    joint = (class_prior[:, None] * transition_matrix).T
    total = joint.sum(axis=1, keepdims=True)
    return np.where(total > 0, joint / np.where(total > 0, total, 1), np.eye(len(joint)))


def clean_shares(votes: Sequence[tuple[int, int]], decided: Mapping[int, int], posteriors: np.ndarray) -> np.ndarray:
    """Average the true classes of the neighbors: the decided class, or the posterior of an undecided one.

    Parameters
    ----------
    votes : sequence of (row, class number)
        The neighbors and their observed classes.
    decided : mapping of row to class number
        The classes that the reviewer gave.
    posteriors : ndarray of shape (n_classes, n_classes)
        ``P[observed, true]``.

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


def verdict(shares: np.ndarray, given: int, transition_matrix: np.ndarray) -> Verdict:
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


def shift_probability(p_audit: float, p_after: float, p_before: float) -> float:
    """Shift the probability of the audit by the change in logits that the decisions caused.

    The audit may use more than the votes, so only the difference is applied.
    """
    if abs(p_after - p_before) <= ROUNDING:
        return p_audit
    shifted = float(expit(_logit(p_audit) + _logit(p_after) - _logit(p_before)))
    # Clipping could move a probability beyond CLIP in the wrong direction.
    return max(shifted, p_audit) if p_after > p_before else min(shifted, p_audit)


def _logit(p: float) -> float:
    return logit(np.clip(p, CLIP, 1 - CLIP))


def updated_verdict(
    suspect: Suspect, decided: Mapping[int, int], transition_matrix: np.ndarray, posteriors: np.ndarray
) -> Verdict:
    """Return the verdict on a suspect after decisions; exactly the audit's if none affects its neighbors."""
    audit = Verdict(suspect.p_wrong, suspect.suggested)
    if not any(row in decided for row, _ in suspect.votes):
        return audit
    before = verdict(clean_shares(suspect.votes, {}, posteriors), suspect.given, transition_matrix)
    after = verdict(clean_shares(suspect.votes, decided, posteriors), suspect.given, transition_matrix)
    changed = after.suggested is not None and after.suggested != before.suggested
    p_wrong = shift_probability(audit.p_wrong, after.p_wrong, before.p_wrong)
    return Verdict(p_wrong, after.suggested if changed else audit.suggested)
