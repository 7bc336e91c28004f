"""Noise rates that were not estimated from neighbors: given by the user, or counted from a model's probabilities."""

from __future__ import annotations

import numpy as np

from unflip.noise_model import NoiseModel
from unflip.noise_rates import NoiseRates
from unflip.noise_rates.confident import confident_joint, transition_matrix
from unflip.noise_rates.identifiability import find_notes

DRAWS = 200


def given_rates(noise, labels, confidence):
    """Return rates that the user knows: their intervals have no width.

    Parameters
    ----------
    noise : NoiseModel
        Classes and T.
    labels : ndarray of int
        Observed class numbers.
    confidence : float
        Recorded; certainty needs none.
    """
    return _rates(noise, labels, confidence, "given", np.column_stack([noise.rates, noise.rates]), ())


def counted_rates(pred_probs, classes, labels, confidence, random):
    """Return rates counted from out-of-sample probabilities by confident learning, with intervals by resampling."""
    weights = np.ones(len(labels))
    joint = confident_joint(pred_probs, labels, weights)
    label_counts = np.bincount(labels, minlength=len(classes))
    noise = NoiseModel(classes, transition_matrix(joint, label_counts))
    drawn = [1 - np.diag(transition_matrix(counts, label_counts)) for counts in _resampled(joint, random)]
    intervals = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0).T
    intervals = np.column_stack([np.minimum(intervals[:, 0], noise.rates), np.maximum(intervals[:, 1], noise.rates)])
    notes = find_notes(classes, noise.rates, intervals)
    return _rates(noise, labels, confidence, "confident", intervals, notes)


def _resampled(joint, random):
    """Yield joint counts of as many rows, drawn with replacement."""
    total = joint.sum()
    if total == 0:
        return [joint]
    return (random.multinomial(int(total), joint.ravel() / total).reshape(joint.shape) for _ in range(DRAWS))


def _rates(noise, labels, confidence, method, intervals, notes):
    observed = np.bincount(labels, minlength=len(noise.classes)) / len(labels)
    return NoiseRates(
        classes=noise.classes,
        transition_matrix=noise.transition_matrix,
        rates=noise.rates,
        interval=intervals,
        class_prior=noise.clean_prior(observed),
        method=method,
        identifiable=not notes,
        notes=notes,
        confidence=float(confidence),
        n_samples=len(labels),
        alternatives={},
    )
