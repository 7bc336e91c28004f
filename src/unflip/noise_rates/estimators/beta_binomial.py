"""Noise rates as the ends of a distribution: counts of labels are beta-binomial between tau_minus and 1 - tau_plus."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, gammaln, logit
from scipy.stats import beta
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods

QUADRATURE = (np.arange(48) + 0.5) / 48
TYPICAL_SHAPE = np.log(0.7)  # most posteriors lie near 0 or 1


class BetaBinomial(BaseEstimator):
    """Maximum likelihood of a posterior that follows a beta distribution, squeezed between the two noise rates.

    The share of positives is tau_minus + (1 - tau_plus - tau_minus) Q with Q ~ Beta; the counts in neighborhoods are
    binomial. Neighborhoods overlap, so that their log-likelihood counts for one in each m, against a prior on the
    shape. With more than two classes each is held against the rest.

    Parameters
    ----------
    n_neighbors : int, default=30
        How many neighbors make a neighborhood, besides the row itself.
    """

    def __init__(self, n_neighbors: int = 30):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors)
        if around.counts.shape[1] == 2:
            return matrix_from_rates(fit_ends(around.histogram(1)), around)
        rates = [fit_ends(around.histogram(c))[1] for c in range(around.counts.shape[1])]
        return matrix_from_rates(rates, around)


def fit_ends(histogram: np.ndarray) -> tuple[float, float]:
    """Return tau_minus and tau_plus, each in [0, 1/2], from how many neighborhoods have each number of positives."""
    size = len(histogram) - 1
    values = np.flatnonzero(histogram)
    weights = histogram[values]
    log_choose = (gammaln(size + 1) - gammaln(values + 1) - gammaln(size - values + 1))[:, None]

    def loss(parameters: np.ndarray) -> float:
        low, high = expit(parameters[0]) / 2, 1 - expit(parameters[1]) / 2
        shapes = np.exp(np.clip(parameters[2:], -4, 4))
        p = np.clip(low + (high - low) * beta.ppf(QUADRATURE, *shapes), 1e-6, 1 - 1e-6)
        terms = log_choose + values[:, None] * np.log(p) + (size - values)[:, None] * np.log1p(-p)
        likelihood = np.exp(terms).mean(axis=1)
        prior = 0.5 * ((parameters[2:] - TYPICAL_SHAPE) ** 2).sum()
        return -(weights @ np.log(np.maximum(likelihood, 1e-300))) / size + prior

    low, high = np.quantile(values / size, [0.05, 0.95], method="inverted_cdf", weights=weights)
    ends = np.clip([2 * low, 2 * (1 - high)], 0.02, 0.95)
    options = {"maxiter": 140, "xatol": 1e-2, "fatol": 1e-2}
    starts = (np.concatenate([logit(ends), [shape, shape]]) for shape in (-0.5, 0.5))
    best = min((minimize(loss, start, method="Nelder-Mead", options=options) for start in starts), key=lambda r: r.fun)
    return float(expit(best.x[0]) / 2), float(expit(best.x[1]) / 2)
