"""Rates of many classes, shrunk by their uncertainty."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

MIN_VARIANCE = 1e-8


def shrink_rates(rates: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """Shrink rates towards their weighted mean, each by its own variance (random effects, Paule and Mandel, 1982).

    The variance between classes is the one at which the squared deviations from the mean, in units of total variance,
    sum to their expectation.

    >>> shrink_rates(np.array([0.1, 0.2, 0.3]), np.array([1.0, 1.0, 1.0])).round(3)  # no more than error
    array([0.2, 0.2, 0.2])
    >>> shrink_rates(np.array([0.1, 0.2, 0.3]), np.array([1e-4, 1e-4, 1e-4])).round(3)
    array([0.101, 0.2  , 0.299])
    """
    variances = np.maximum(variances, MIN_VARIANCE)

    def center(between: float) -> float:
        return np.average(rates, weights=1 / (between + variances))

    def excess(between: float) -> float:
        return ((rates - center(between)) ** 2 / (between + variances)).sum() - (len(rates) - 1)

    between = brentq(excess, 0, len(rates)) if excess(0) > 0 else 0.0
    mean = center(between)
    return mean + (rates - mean) * between / (between + variances)


def shrink_flips(matrix: np.ndarray, label_counts: np.ndarray) -> np.ndarray:
    """Shrink each row's flip distribution towards uniform (James-Stein); the rates stay.

    About rate x count labels of a class are flipped; with few of them or many classes, the shares of where they went
    are mostly chance.

    >>> T = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> shrink_flips(T, np.array([10, 10, 10]))[0].round(2), shrink_flips(T, np.array([1000, 10, 10]))[0].round(3)
    (array([0.7 , 0.15, 0.15]), array([0.7  , 0.199, 0.101]))
    """
    n_classes = len(matrix)
    others = 1 - np.eye(n_classes)
    rates = (matrix * others).sum(axis=1)
    flips = matrix * others / np.maximum(rates, np.finfo(float).tiny)[:, None]
    distance = ((flips - others / (n_classes - 1)) ** 2).sum(axis=1)
    chance = (flips * (1 - flips)).sum(axis=1) / np.maximum(rates * label_counts, 1)
    kept = np.clip(1 - chance / np.maximum(distance, np.finfo(float).tiny), 0, 1)[:, None]
    shrunk = kept * flips + (1 - kept) * others / (n_classes - 1)
    return np.diag(1 - rates) + rates[:, None] * shrunk
