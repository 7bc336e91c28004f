"""Estimators of the transition matrix T[true, observed] from a neighbor graph and the observed labels."""

from unflip.noise_rates.bayes import Bayes
from unflip.noise_rates.beta_binomial import BetaBinomial
from unflip.noise_rates.confident import Confident
from unflip.noise_rates.debiased_extremes import DebiasedExtremes
from unflip.noise_rates.estimation import estimate_noise_rates
from unflip.noise_rates.estimators import ESTIMATORS, estimator_named
from unflip.noise_rates.extremes import Extremes
from unflip.noise_rates.moments import Moments
from unflip.noise_rates.quantile import Quantile
from unflip.noise_rates.result import NoiseRates

__all__ = [
    "ESTIMATORS",
    "Bayes",
    "BetaBinomial",
    "Confident",
    "DebiasedExtremes",
    "Extremes",
    "Moments",
    "NoiseRates",
    "Quantile",
    "estimate_noise_rates",
    "estimator_named",
]
