"""Noise rates that do not come from neighbors: given by the user, or counted from a model's probabilities."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unflip.noise.transition import NoiseModel
from unflip.noise_rates.estimators.confident import confident_joint, transition_matrix
from unflip.noise_rates.result import NoiseRates, make_noise_rates

DRAWS = 200


def given_rates(noise: NoiseModel, labels: np.ndarray, confidence: float) -> NoiseRates:
    """Return rates that the user knows; their intervals have no width."""
    intervals = np.column_stack([noise.rates, noise.rates])
    return make_noise_rates(noise, labels, intervals, noise_estimator="given", confidence=confidence, notes=())


def counted_rates(
    pred_probs: np.ndarray,
    classes: np.ndarray,
    labels: np.ndarray,
    confidence: float,
    random: np.random.RandomState,
) -> NoiseRates:
    """Return rates counted from out-of-sample probabilities by confident learning, with intervals by resampling."""
    joint = confident_joint(pred_probs, labels, np.ones(len(labels)))
    label_counts = np.bincount(labels, minlength=len(classes))
    noise = NoiseModel(classes, transition_matrix(joint, label_counts))
    drawn = [1 - np.diag(transition_matrix(counts, label_counts)) for counts in _resampled(joint, random)]
    intervals = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0).T
    widened = np.column_stack([np.minimum(intervals[:, 0], noise.rates), np.maximum(intervals[:, 1], noise.rates)])
    return make_noise_rates(noise, labels, widened, noise_estimator="confident", confidence=confidence)


def _resampled(joint: np.ndarray, random: np.random.RandomState) -> Iterable[np.ndarray]:
    """Yield joint counts of as many rows, drawn with replacement."""
    total = joint.sum()
    if total == 0:
        return [joint]
    return (random.multinomial(int(total), joint.ravel() / total).reshape(joint.shape) for _ in range(DRAWS))
