"""The estimators of noise rates by name."""

from __future__ import annotations

from typing import Any

from unflip.foundation.checks import check_choice
from unflip.noise_rates.estimators.bayes import Bayes
from unflip.noise_rates.estimators.beta_binomial import BetaBinomial
from unflip.noise_rates.estimators.confident import Confident
from unflip.noise_rates.estimators.contract import RateEstimator
from unflip.noise_rates.estimators.debiased_extremes import DebiasedExtremes
from unflip.noise_rates.estimators.extremes import Extremes
from unflip.noise_rates.estimators.moments import Moments
from unflip.noise_rates.estimators.quantile import Quantile
from unflip.noise_rates.estimators.reeve_kaban import ReeveKaban

ESTIMATORS: dict[str, type] = {
    "bayes": Bayes,
    "extremes": Extremes,
    "debiased_extremes": DebiasedExtremes,
    "quantile": Quantile,
    "moments": Moments,
    "confident": Confident,
    "beta_binomial": BetaBinomial,
    "reeve_kaban": ReeveKaban,
}
DEFAULT = "bayes"  # what "auto" stands for where neighbors alone are asked


def check_noise_estimator(owner: object, noise_estimator: Any, *, named_only: bool = False) -> None:
    """Refuse anything but the name of an estimator or, unless only names are accepted, an object with estimate."""
    if named_only:
        check_choice(owner, "noise_estimator", noise_estimator, ("auto", *ESTIMATORS))
    elif not hasattr(noise_estimator, "estimate"):
        accepted = "an object with estimate(graph, labels)"
        check_choice(owner, "noise_estimator", noise_estimator, ("auto", *ESTIMATORS), accepted)


def make_estimator(noise_estimator: Any, n_neighbors: int | None = None) -> RateEstimator:
    """Return the estimator of a name, with its own or the given number of neighbors; an object as it is."""
    if not isinstance(noise_estimator, str):
        return noise_estimator
    named = ESTIMATORS[DEFAULT if noise_estimator == "auto" else noise_estimator]
    return named() if n_neighbors is None else named(n_neighbors)
