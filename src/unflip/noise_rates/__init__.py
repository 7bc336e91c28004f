"""Estimators of the transition matrix T[true, observed] from a neighbor graph and the observed labels."""

from unflip.noise_rates.extremes import Extremes

ESTIMATORS = {"extremes": Extremes}

__all__ = ["ESTIMATORS", "Extremes"]
