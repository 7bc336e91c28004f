"""Transition matrices of more than two classes that an opinion makes likely.

A row counts for the class that seems likeliest; its label agrees with that class or not. How agreement rises with the
class's probability, up to a ceiling of one minus the rate, is the same question as for two classes, asked of all rows
together and of each class's rows alone. Both answers are kept: together rows are many, alone rates may differ.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unflip.noise_rates.class_posterior import ClassPosterior, grouped_rate_weights, rate_weights, weighted_quantiles
from unflip.noise_rates.known_noise import MANY_CLASSES
from unflip.noise_rates.noise_prior import RATES, SAME, NoisePrior, nearness
from unflip.noise_rates.shrinkage import shrink_flips
from unflip.opinions.rowwise import Probabilities, leading

N_LEVELS = 10  # quantiles of the rates, which are high together or low together
LIKE_THE_OTHERS = 0.8  # how likely a class's rate is near that of all
MIN_ROWS = 10  # of a class, to have a rate of its own
PURITY = 8  # rows show where flips go as much as this power of how likely their class is


def likely_matrices(probabilities: Probabilities, labels: np.ndarray, prior: NoisePrior) -> np.ndarray:
    """Return matrices T[true, observed] that are equally likely, (n_matrices, n_classes, n_classes).

    Parameters
    ----------
    probabilities : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        P(observed label | x), out of sample.
    labels : ndarray of int of shape (n_rows,)
        Observed class numbers.
    prior : NoisePrior
        What is believed of the rates beforehand.
    """
    n_classes = probabilities.shape[1]
    likeliest, _, shares = leading(probabilities)
    agrees = labels == likeliest
    posterior = ClassPosterior.of(shares, agrees, prior, n_classes - 1)
    pure = posterior.at(shares, posterior.clean) ** PURITY
    flips = _flips(pure, likeliest, labels, n_classes)
    counts = np.bincount(labels, minlength=n_classes)
    together = posterior.weights.sum(axis=0)
    alone = _own_rates(shares, agrees, likeliest, together, prior, n_classes)
    levels = (np.arange(N_LEVELS) + 0.5) / N_LEVELS
    same = np.tile(weighted_quantiles(RATES, together, levels), (n_classes, 1))
    own = np.array([weighted_quantiles(RATES, weights, levels) for weights in alone])
    return np.array([_matrix(rates, flips, counts) for rates in (*same.T, *own.T)])


def _own_rates(
    shares: np.ndarray,
    agrees: np.ndarray,
    likeliest: np.ndarray,
    together: np.ndarray,
    prior: NoisePrior,
    n_classes: int,
) -> np.ndarray:
    """Return how likely each of the RATES is that of each class, by its rows, if it is probably near that of all."""
    alone = np.tile(together, (n_classes, 1))
    enough = np.flatnonzero(np.bincount(likeliest, minlength=n_classes) >= MIN_ROWS)
    beforehand = prior.rates(n_classes - 1)
    expected = LIKE_THE_OTHERS * (together @ _nearby()) + (1 - LIKE_THE_OTHERS) * beforehand
    for c, of_class in zip(enough, _rates_by_class(shares, agrees, likeliest, enough, prior, n_classes), strict=True):
        weights = of_class * expected / np.maximum(beforehand, np.finfo(float).tiny)
        alone[c] = weights / weights.sum()
    return alone


def _rates_by_class(
    shares: np.ndarray,
    agrees: np.ndarray,
    likeliest: np.ndarray,
    classes: np.ndarray,
    prior: NoisePrior,
    n_classes: int,
) -> Iterable[np.ndarray]:
    """Return how likely each of the RATES is that of some classes, by their rows alone."""
    n_others = n_classes - 1
    if n_classes <= MANY_CLASSES:  # each takes a tenth of a second
        masks = (likeliest == c for c in classes)
        return (rate_weights(shares[rows], agrees[rows], prior, n_others).sum(axis=0) for rows in masks)
    rows = np.isin(likeliest, classes)
    group = np.searchsorted(classes, likeliest[rows])
    return grouped_rate_weights(shares[rows], agrees[rows], group, len(classes), prior, n_others)


def _nearby() -> np.ndarray:
    """Return how likely a rate is each of the RATES if the others have each of them."""
    chances = nearness(SAME)
    return chances / chances.sum(axis=1, keepdims=True)


def _flips(weights: np.ndarray, likeliest: np.ndarray, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Return where the flips of each class go, by the labels of rows that surely belong to it."""
    cells = likeliest * n_classes + labels
    seen = np.bincount(cells, weights=weights, minlength=n_classes**2).reshape(n_classes, n_classes) + 1 / n_classes
    np.fill_diagonal(seen, 0)
    return seen / seen.sum(axis=1, keepdims=True)


def _matrix(rates: np.ndarray, flips: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return shrink_flips(np.diag(1 - rates) + rates[:, None] * flips, counts)
