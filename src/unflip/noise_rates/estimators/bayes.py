"""Noise rates as the mean of their posterior: the estimator that "auto" stands for."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import Neighborhoods, matrix_from_rates, neighborhoods
from unflip.noise_rates.posterior import RatePosterior, rate_posterior
from unflip.noise_rates.shrinkage import shrink_flips, shrink_rates

SIZES = (0.2, 0.4, 0.6, 1.0)  # of the neighborhoods, in parts of n_neighbors
MAX_RATE = 0.5  # two classes: more labels right than wrong, in each
MAX_RATE_OF_MANY = 0.8  # many classes: a label can be wrong more often than not, and still be the most common
MIN_MAJORITY_SHARE = 0.01  # of the neighborhoods have a class in the majority; if fewer do, the purest speak for it
PUREST = 0.03


class Bayes(BaseEstimator):
    """Posterior mean of the rates, given how many labels of each class occur in neighborhoods of several sizes.

    For two classes the difference of the rates, which decides the classification, is moved halfway to the one with the
    highest expected accuracy. With more classes the rate of each comes from the neighborhoods in which it is the most
    common, against the share of its labels elsewhere. Rates are shrunk towards their mean by their uncertainty, and
    each class's flip distribution towards uniform.

    Parameters
    ----------
    n_neighbors : int, default=50
        How many neighbors make the largest neighborhood, besides the row itself; smaller ones have a fifth, two and
        three fifths of them.
    """

    def __init__(self, n_neighbors: int = 50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        return self.estimate_with_posteriors(graph, labels)[0]

    def estimate_with_posteriors(
        self, graph: NeighborGraph, labels: np.ndarray
    ) -> tuple[np.ndarray, list[RatePosterior]]:
        """Return T and the posteriors behind it: for two classes one, for more one for each class against the rest."""
        around = [neighborhoods(graph, labels, k) for k in self._sizes(graph)]
        n_classes = around[0].counts.shape[1]
        if n_classes == 1:
            return np.eye(1), []
        if n_classes == 2:
            posterior = rate_posterior([each.histogram(1) for each in around], MAX_RATE)
            return matrix_from_rates(_for_decisions(posterior), around[-1]), [posterior]
        posteriors = [_flips_of_one(around, c) for c in range(n_classes)]
        rates = np.array([posterior.means[1] for posterior in posteriors])
        variances = np.array([posterior.variances[1] for posterior in posteriors])
        matrix = matrix_from_rates(shrink_rates(rates, variances), around[-1])
        return shrink_flips(
            matrix, np.bincount(labels[: len(graph)], around[-1].weights, minlength=n_classes)
        ), posteriors

    @staticmethod
    def intervals(posteriors: list[RatePosterior], confidence: float) -> tuple[tuple[float, float], ...]:
        """Return an interval of each class's flip rate."""
        if len(posteriors) == 1:
            return posteriors[0].intervals(confidence)
        return tuple(posterior.intervals(confidence)[1] for posterior in posteriors)

    def _sizes(self, graph: NeighborGraph) -> list[int]:
        """Return the numbers of neighbors; of few rows only the smaller ones are left."""
        rows = len(graph) if graph.own_mass is None else graph.own_mass.sum()
        most = max(2, int(rows) // 4)
        return sorted({min(most, max(2, round(part * self.n_neighbors))) for part in SIZES})


def _flips_of_one(around: list[Neighborhoods], c: int) -> RatePosterior:
    """Return the posterior of one of many classes, from the neighborhoods where it is the most common."""
    histograms, elsewhere = [], []
    for each in around:
        counts = each.by_class[c]
        common = counts == each.most
        if np.average(common, weights=each.weights) < MIN_MAJORITY_SHARE:
            common = counts >= each.quantile(counts, 1 - PUREST)
        histograms.append(each.histogram(c, common))
        rest = each.weights * ~common
        elsewhere.append(rest @ each.shares_of(c) / max(rest.sum(), 1))
    return rate_posterior(histograms, MAX_RATE_OF_MANY, min(float(np.mean(elsewhere)), MAX_RATE))


def _for_decisions(posterior: RatePosterior) -> tuple[float, float]:
    """Return tau_minus and tau_plus: the sum as in the mean, the difference halfway from the mean to the best."""
    tau_minus, tau_plus = posterior.means
    best = float(np.clip(posterior.best_difference, -MAX_RATE, MAX_RATE))
    difference = (tau_minus - tau_plus + best) / 2
    total = max(tau_minus + tau_plus, abs(difference))
    return (total + difference) / 2, (total - difference) / 2
