"""Noise rates as the mean of their posterior: the estimator that "auto" stands for."""

from __future__ import annotations

import numpy as np

from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods
from unflip.noise_rates.pooling import draw_together, even_out_flips
from unflip.noise_rates.rate_posterior import rate_posterior

PARTS = (0.2, 0.4, 0.6, 1.0)
HIGHEST = 0.5  # two classes: more labels right than wrong, in each
HIGHEST_OF_MANY = 0.8  # many classes: a label can be wrong more often than not, and still the most common
FEWEST = 0.01  # of the neighborhoods speak for a class
PUREST = 0.03


class Bayes:
    """Posterior mean of the rates, given how many labels of each class occur in neighborhoods of several sizes.

    For two classes the difference of the rates is moved half the way to that of the best expected accuracy, since it
    decides the classification. With more classes the rate of each comes from the neighborhoods in which it is the most
    common, against the share of its labels elsewhere. Rates are drawn together as far as they differ by no more than
    their uncertainty, and so are the classes that flipped labels go to.

    Parameters
    ----------
    n_neighbors : int, default=50
        How many neighbors make the largest neighborhood, besides the row itself; smaller ones have a fifth, two and
        three fifths of them.
    """

    def __init__(self, n_neighbors=50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph, labels):
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        return self.estimate_with_posteriors(graph, labels)[0]

    def estimate_with_posteriors(self, graph, labels):
        """Return T and the posteriors behind it: for two classes one, for more one for each class against the rest."""
        around = [neighborhoods(graph, labels, k) for k in self._sizes(graph)]
        n_classes = around[0].counts.shape[1]
        if n_classes == 1:
            return np.eye(1), []
        if n_classes == 2:
            posterior = rate_posterior([each.histogram(1) for each in around], HIGHEST)
            return matrix_from_rates(_for_decisions(posterior), around[-1]), [posterior]
        posteriors = [_flips_of_one(around, c) for c in range(n_classes)]
        rates = np.array([posterior.means[1] for posterior in posteriors])
        variances = np.array([posterior.variances[1] for posterior in posteriors])
        matrix = matrix_from_rates(draw_together(rates, variances), around[-1])
        return even_out_flips(matrix, np.bincount(labels, around[-1].weights)), posteriors

    @staticmethod
    def intervals(posteriors, confidence):
        """Return an interval of each class's flip rate."""
        if len(posteriors) == 1:
            return posteriors[0].intervals(confidence)
        return tuple(posterior.intervals(confidence)[1] for posterior in posteriors)

    def _sizes(self, graph):
        """Return the numbers of neighbors, each once, of which few rows leave only the smaller."""
        rows = len(graph) if graph.own_mass is None else graph.own_mass.sum()
        most = max(2, int(rows) // 4)
        return sorted({min(most, max(2, round(part * self.n_neighbors))) for part in PARTS})


def _flips_of_one(around, c):
    """Return the posterior of one of many classes, from the neighborhoods where it is the most common."""
    histograms, elsewhere = [], []
    for each in around:
        counts = each.counts[:, c]
        common = counts == each.counts.max(axis=1)
        if np.average(common, weights=each.weights) < FEWEST:
            common = counts >= each.quantile(counts, 1 - PUREST)
        histograms.append(each.histogram(c, common))
        rest = each.weights * ~common
        elsewhere.append(rest @ each.shares[:, c] / max(rest.sum(), 1))
    return rate_posterior(histograms, HIGHEST_OF_MANY, min(float(np.mean(elsewhere)), HIGHEST))


def _for_decisions(posterior):
    """Return tau_minus and tau_plus: the sum as in the mean, the difference between mean and best."""
    tau_minus, tau_plus = posterior.means
    best = float(np.clip(posterior.best_difference, -HIGHEST, HIGHEST))
    difference = (tau_minus - tau_plus + best) / 2
    total = max(tau_minus + tau_plus, abs(difference))
    return (total + difference) / 2, (total - difference) / 2
