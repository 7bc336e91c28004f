"""Sampling error of a rate estimate: labels are redrawn on the same graph, and the rates estimated again."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.estimators.contract import RateEstimator
from unflip.noise_rates.neighborhoods import neighborhoods
from unflip.voting.votes import vote_totals

DRAWS = 20
NEIGHBORS = 50


def bootstrap_intervals(
    estimator: RateEstimator,
    graph: NeighborGraph,
    labels: np.ndarray,
    rates: np.ndarray,
    confidence: float,
    random: np.random.RandomState,
) -> np.ndarray:
    """Return an interval of each rate, (n_classes, 2), from the estimate's sampling error; its bias is not included.

    Each label is redrawn from the shares of labels among its neighbors, so that one graph serves all draws.
    """
    n_classes = len(rates)
    counts = neighborhoods(graph, labels, NEIGHBORS, own=False).counts + 1 / n_classes
    steps = np.cumsum(counts / vote_totals(counts)[:, None], axis=1)[:, :-1]
    drawn = np.full((DRAWS, n_classes), np.nan)
    for draw in range(DRAWS):
        again = (random.random_sample(len(labels))[:, None] > steps).sum(axis=1)
        found = estimator.estimate(graph, again)
        drawn[draw, : len(found)] = 1 - np.diag(found)
    reach = norm.ppf((1 + confidence) / 2) * np.nanstd(drawn, axis=0, ddof=1)
    return np.clip(np.column_stack([rates - reach, rates + reach]), 0, 1)
