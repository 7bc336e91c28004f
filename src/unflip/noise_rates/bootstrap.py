"""How much an estimate of noise rates varies: labels redrawn on the same graph, and estimated again."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from unflip.noise_rates.neighborhoods import neighborhoods
from unflip.votes import vote_totals

DRAWS = 20
NEIGHBORS = 50


def bootstrap_intervals(estimator, graph, labels, rates, confidence, random):
    """Return an interval of each rate from how the estimate scatters, (n_classes, 2): its bias is not in it.

    Each label is redrawn from the shares of labels among its neighbors, so that the graph serves all draws.
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
