"""Estimators of the transition matrix T[true, observed] from a neighbor graph and the observed labels."""

from unflip.noise_rates.beta_binomial import BetaBinomial
from unflip.noise_rates.confident import Confident
from unflip.noise_rates.debiased_extremes import DebiasedExtremes
from unflip.noise_rates.extremes import Extremes
from unflip.noise_rates.moments import Moments
from unflip.noise_rates.quantile import Quantile

ESTIMATORS = {
    "extremes": Extremes,
    "debiased_extremes": DebiasedExtremes,
    "quantile": Quantile,
    "moments": Moments,
    "confident": Confident,
    "beta_binomial": BetaBinomial,
}

__all__ = ["ESTIMATORS", "BetaBinomial", "Confident", "DebiasedExtremes", "Extremes", "Moments", "Quantile"]
