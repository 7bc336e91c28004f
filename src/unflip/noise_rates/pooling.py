"""Rates of many classes, drawn together as far as their differences are no larger than their errors."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

SMALLEST_VARIANCE = 1e-8


def draw_together(rates, variances):
    """Shrink rates towards their weighted mean, each by its own uncertainty (random effects, Paule and Mandel, 1982).

    The true rates scatter about their mean with the variance at which the estimates' squared distances from it, in
    units of scatter plus error, sum to what they are expected to.

    >>> draw_together(np.array([0.1, 0.2, 0.3]), np.array([1.0, 1.0, 1.0])).round(3)  # no more than error
    array([0.2, 0.2, 0.2])
    >>> draw_together(np.array([0.1, 0.2, 0.3]), np.array([1e-4, 1e-4, 1e-4])).round(3)
    array([0.101, 0.2  , 0.299])
    """
    variances = np.maximum(variances, SMALLEST_VARIANCE)

    def center(scatter):
        return np.average(rates, weights=1 / (scatter + variances))

    def excess(scatter):
        return ((rates - center(scatter)) ** 2 / (scatter + variances)).sum() - (len(rates) - 1)

    scatter = brentq(excess, 0, len(rates)) if excess(0) > 0 else 0.0
    mean = center(scatter)
    return mean + (rates - mean) * scatter / (scatter + variances)


def even_out_flips(matrix, label_counts):
    """Draw where flips go towards everywhere alike, as far as that is no further off than chance (James and Stein).

    Of each class about rate x count labels are flipped; with few of them or many classes, shares of where they went are
    mostly chance. The rates themselves stay.

    >>> T = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> even_out_flips(T, np.array([10, 10, 10]))[0].round(2), even_out_flips(T, np.array([1000, 10, 10]))[0].round(3)
    (array([0.7 , 0.15, 0.15]), array([0.7  , 0.199, 0.101]))
    """
    n_classes = len(matrix)
    others = 1 - np.eye(n_classes)
    rates = (matrix * others).sum(axis=1)
    flips = matrix * others / np.maximum(rates, np.finfo(float).tiny)[:, None]
    distance = ((flips - others / (n_classes - 1)) ** 2).sum(axis=1)
    chance = (flips * (1 - flips)).sum(axis=1) / np.maximum(rates * label_counts, 1)
    kept = np.clip(1 - chance / np.maximum(distance, np.finfo(float).tiny), 0, 1)[:, None]
    evened = kept * flips + (1 - kept) * others / (n_classes - 1)
    return np.diag(1 - rates) + rates[:, None] * evened
