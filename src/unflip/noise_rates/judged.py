"""A judgement as NoiseRates: rates with intervals, the share of wrong labels, and whether the data determine them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unflip.noise.transition import NoiseModel
from unflip.noise_rates.class_posterior import rate_weights, wrong_shares
from unflip.noise_rates.identifiability import find_notes_on_share
from unflip.noise_rates.judgement import EstimatedJudgement
from unflip.noise_rates.noise_prior import RATES, UNIFORM
from unflip.noise_rates.result import NoiseRates, make_noise_rates
from unflip.opinions.rowwise import Probabilities, in_blocks, leading


def share_by_data_alone(probabilities: Probabilities, labels: np.ndarray) -> float:
    """Return the share of wrong labels if all rates were equally likely beforehand; of many classes, about the same."""
    n_classes = probabilities.shape[1]
    if n_classes == 2:
        weights = rate_weights(in_blocks(lambda some: some[:, 1], probabilities), labels == 1, UNIFORM)
        shares = wrong_shares(float(np.mean(labels == 1)))
        return float(shares.ravel() @ weights.ravel())
    likeliest, _, shares = leading(probabilities)
    weights = rate_weights(shares, labels == likeliest, UNIFORM, n_classes - 1)
    return float(weights.sum(axis=0) @ RATES)


def judged_rates(
    judgement: EstimatedJudgement,
    probabilities: Probabilities,
    classes: np.ndarray,
    labels: np.ndarray,
    confidence: float,
    alternatives: Mapping[str, np.ndarray] | None = None,
) -> NoiseRates:
    """Return the rates that a judgement found.

    Parameters
    ----------
    judgement : EstimatedJudgement
        Of the labels.
    probabilities : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        P(observed label | x), by which they were judged.
    classes : ndarray
        The labels that occur, sorted.
    labels : ndarray of int
        Observed class numbers.
    confidence : float
        Of the intervals.
    alternatives : mapping or None, default=None
        Rates by other estimators.

    Returns
    -------
    noise_rates : NoiseRates
        With the share of wrong labels, its interval, and what it would be if all rates were equally likely beforehand.
    """
    share = judgement.share_wrong(confidence)
    by_data_alone = share_by_data_alone(probabilities, labels)
    noise = NoiseModel(classes, judgement.transition_matrix)
    return make_noise_rates(
        noise,
        labels,
        judgement.intervals(confidence),
        noise_estimator="auto",
        confidence=confidence,
        alternatives=alternatives,
        notes=find_notes_on_share(classes, noise.rates, share, by_data_alone),
        wrong=share,
    )
