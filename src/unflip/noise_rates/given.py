"""Noise rates that the user knows."""

from __future__ import annotations

import numpy as np

from unflip.noise.transition import NoiseModel
from unflip.noise_rates.result import NoiseRates, make_noise_rates


def given_rates(noise: NoiseModel, labels: np.ndarray, confidence: float) -> NoiseRates:
    """Return rates that the user knows; their intervals have no width."""
    intervals = np.column_stack([noise.rates, noise.rates])
    return make_noise_rates(noise, labels, intervals, noise_estimator="given", confidence=confidence, notes=())
