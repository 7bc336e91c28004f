"""Estimators of the transition matrix T[true, observed] from a neighbor graph and the observed labels.

To add one: a file here with a class that has ``estimate(graph, labels)``, and its name in `registry.ESTIMATORS`.
"""

from unflip.noise_rates.estimators.bayes import Bayes
from unflip.noise_rates.estimators.beta_binomial import BetaBinomial
from unflip.noise_rates.estimators.confident import Confident
from unflip.noise_rates.estimators.contract import RateEstimator
from unflip.noise_rates.estimators.debiased_extremes import DebiasedExtremes
from unflip.noise_rates.estimators.extremes import Extremes
from unflip.noise_rates.estimators.moments import Moments
from unflip.noise_rates.estimators.quantile import Quantile
from unflip.noise_rates.estimators.reeve_kaban import ReeveKaban
from unflip.noise_rates.estimators.registry import ESTIMATORS, make_estimator

__all__ = [
    "ESTIMATORS",
    "Bayes",
    "BetaBinomial",
    "Confident",
    "DebiasedExtremes",
    "Extremes",
    "Moments",
    "Quantile",
    "RateEstimator",
    "ReeveKaban",
    "make_estimator",
]
