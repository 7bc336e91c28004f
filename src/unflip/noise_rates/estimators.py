"""The estimators of the transition matrix by name."""

from unflip.noise_rates.bayes import Bayes
from unflip.noise_rates.beta_binomial import BetaBinomial
from unflip.noise_rates.confident import Confident
from unflip.noise_rates.debiased_extremes import DebiasedExtremes
from unflip.noise_rates.extremes import Extremes
from unflip.noise_rates.moments import Moments
from unflip.noise_rates.quantile import Quantile

ESTIMATORS = {
    "bayes": Bayes,
    "extremes": Extremes,
    "debiased_extremes": DebiasedExtremes,
    "quantile": Quantile,
    "moments": Moments,
    "confident": Confident,
    "beta_binomial": BetaBinomial,
}


def estimator_named(name, n_neighbors=None):
    """Return the estimator of that name, with its own or the given number of neighbors; "auto" is "bayes"."""
    made = ESTIMATORS["bayes" if name == "auto" else name]
    return made() if n_neighbors is None else made(n_neighbors)
