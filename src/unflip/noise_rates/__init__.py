"""How often labels are wrong: estimators of the transition matrix, the posterior of the rates, and the answer."""

from unflip.noise_rates.estimation import estimate_noise_rates
from unflip.noise_rates.estimators import (
    ESTIMATORS,
    Bayes,
    BetaBinomial,
    Confident,
    DebiasedExtremes,
    Extremes,
    Moments,
    Quantile,
    RateEstimator,
    ReeveKaban,
    make_estimator,
)
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.noise_rates.result import NoiseRates

__all__ = [
    "ESTIMATORS",
    "Bayes",
    "BetaBinomial",
    "Confident",
    "DebiasedExtremes",
    "Extremes",
    "Moments",
    "NoisePrior",
    "NoiseRates",
    "Quantile",
    "RateEstimator",
    "ReeveKaban",
    "estimate_noise_rates",
    "make_estimator",
]
