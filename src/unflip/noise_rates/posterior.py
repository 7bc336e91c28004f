"""What counts of labels in neighborhoods say about two noise rates: their posterior distribution, on a grid.

In a neighborhood of m labels the number of positives is binomial with probability tau_minus + (1 - tau_plus -
tau_minus) eta, where eta is the clean share. The clean shares of all neighborhoods follow a beta distribution. Its mean
is implied by the observed share of positives; its spread towards 0 and 1 is how much of the clean label the columns
explain (R^2), and is integrated out. Where they explain little, high rates with pure regions and low rates without
cannot be told apart, and the posterior is wide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, expit, gammaln, logit

N_RATES = 21  # values of each rate on the grid
MAX_REFINEMENTS = 6
NEGLIGIBLE = 1e-3  # relative to the mode: left out of a finer grid
EDGES = np.sin(np.linspace(0, np.pi / 2, 32)) ** 2  # of cells of the clean share, narrow near 0 and 1
CENTERS = np.concatenate([[0.3 * EDGES[1]], (EDGES[1:-2] + EDGES[2:-1]) / 2, [1 - 0.3 * EDGES[1]]])
CONCENTRATIONS = np.geomspace(0.05, 80, 16)
EXPLAINED = 1 / (1 + CONCENTRATIONS)  # R^2
PRIOR = EXPLAINED**2 * (1 - EXPLAINED)  # Beta(2, 1) on R^2: columns that explain nothing are unlikely
SMALLEST_PRIOR = 4e-4  # of a class
LOGITS = np.linspace(-8, 8, 67)


class RatePosterior(NamedTuple):
    """Probabilities of pairs of rates; of each pair, how the clean shares are spread over the CENTERS."""

    tau_minus: np.ndarray  # (n_minus,)
    tau_plus: np.ndarray  # (n_plus,)
    weights: np.ndarray  # (n_minus, n_plus), summing to 1
    shares: np.ndarray  # (n_minus, n_plus, n_centers), each summing to its weight

    @property
    def means(self) -> tuple[float, float]:
        """Posterior mean of tau_minus and of tau_plus."""
        return float(self.weights.sum(axis=1) @ self.tau_minus), float(self.weights.sum(axis=0) @ self.tau_plus)

    @property
    def variances(self) -> tuple[float, ...]:
        """Posterior variance of tau_minus and of tau_plus."""
        squares = self.weights.sum(axis=1) @ self.tau_minus**2, self.weights.sum(axis=0) @ self.tau_plus**2
        return tuple(float(square - mean**2) for square, mean in zip(squares, self.means, strict=True))

    def intervals(self, confidence: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the highest-density interval of tau_minus and of tau_plus."""
        return (
            _highest_density(self.tau_minus, self.weights.sum(axis=1), confidence),
            _highest_density(self.tau_plus, self.weights.sum(axis=0), confidence),
        )

    @property
    def best_difference(self) -> float:
        """The tau_minus - tau_plus whose threshold has the highest expected accuracy, were the votes exact."""
        minus, plus = self.tau_minus[:, None, None], self.tau_plus[None, :, None]
        observed = minus + (1 - plus - minus) * CENTERS
        order = np.argsort(-observed, axis=None)
        gains = np.cumsum((self.shares * (2 * CENTERS - 1)).ravel()[order])  # of calling all that is above positive
        last = int(gains.argmax())
        sides = observed.ravel()[order[last : last + 2]]
        return float(2 * sides.mean() - 1)


def rate_posterior(
    histograms: list[np.ndarray], max_rate: float = 0.5, tau_minus: float | None = None
) -> RatePosterior:
    """Return the posterior of (tau_minus, tau_plus) from histograms of counts, one for each size of neighborhood.

    Neighborhoods overlap, so one in m counts; all sizes see the same labels, so their log-likelihoods are averaged. The
    prior is uniform on rates up to max_rate. The grid is refined until it fits the posterior.

    Parameters
    ----------
    histograms : list of ndarray
        The c-th value: how many neighborhoods have c positives; the length is the size plus one.
    max_rate : float, default=0.5
        The largest rate considered.
    tau_minus : float or None, default=None
        Where it is known.

    Returns
    -------
    posterior : RatePosterior
        On a grid of N_RATES values of each unknown rate.
    """
    rates = np.linspace(0, max_rate, N_RATES)
    if tau_minus is None:
        axes = [rates, rates]
    else:  # tau_minus cannot exceed the observed positive share
        axes = [np.array([min(tau_minus, 0.9 * _observed_share(histograms))]), rates]
    for _ in range(MAX_REFINEMENTS):
        posterior = _on_grid(histograms, *axes)
        finer = [_narrowed(axis, posterior.weights.sum(axis=1 - i)) for i, axis in enumerate(axes)]
        if all(_width(new) > 0.5 * _width(old) for new, old in zip(finer, axes, strict=True)):
            break
        axes = finer
    return posterior


def _on_grid(histograms: list[np.ndarray], tau_minus: np.ndarray, tau_plus: np.ndarray) -> RatePosterior:
    minus, plus = np.meshgrid(tau_minus, tau_plus, indexing="ij")
    kept = 1 - plus - minus
    positives = _observed_share(histograms)
    prior = np.divide(positives - minus, kept, out=np.full(kept.shape, -1.0), where=kept > 0.02)
    possible = (prior >= SMALLEST_PRIOR) & (prior <= 1 - SMALLEST_PRIOR)
    minus, plus, kept = minus[possible], plus[possible], kept[possible]
    spread = _spread(prior[possible])  # (n_pairs, n_concentrations, n_centers)
    observed = np.clip(minus[:, None] + kept[:, None] * CENTERS, 1e-4, 1 - 1e-4)
    log_odds = np.log(observed), np.log1p(-observed)
    evidence = np.zeros(spread.shape[:2])
    for histogram in histograms:
        seen = np.flatnonzero(histogram)
        chances = spread @ _binomial(*log_odds, len(histogram) - 1, seen)
        evidence += np.log(np.maximum(chances, 1e-300)) @ histogram[seen] / (len(histogram) - 1)
    evidence = evidence / len(histograms) + np.log(PRIOR)
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    on_grid = np.zeros((*possible.shape, 1 + len(CENTERS)))
    on_grid[possible, 0] = weights.sum(axis=1)
    on_grid[possible, 1:] = np.einsum("ps,psc->pc", weights, spread)
    return RatePosterior(tau_minus, tau_plus, on_grid[..., 0], on_grid[..., 1:])


def _observed_share(histograms: list[np.ndarray]) -> float:
    """Return the share of positives, kept off 0 and 1."""
    share = np.mean([histogram @ np.linspace(0, 1, len(histogram)) / histogram.sum() for histogram in histograms])
    return np.clip(share, 1.5 * SMALLEST_PRIOR, 1 - 1.5 * SMALLEST_PRIOR)


@lru_cache(maxsize=1)
def _spread_table() -> np.ndarray:
    """Return the beta distribution's mass in each cell, for each mean (by LOGITS) and concentration."""
    mean = expit(LOGITS)[:, None, None]
    concentration = CONCENTRATIONS[None, :, None]
    return np.diff(betainc(mean * concentration, (1 - mean) * concentration, EDGES), axis=-1)


def _spread(prior: np.ndarray) -> np.ndarray:
    """Return the spread of clean shares about each mean, interpolated in the table."""
    place = (logit(prior) - LOGITS[0]) / (LOGITS[1] - LOGITS[0])
    before = np.clip(place.astype(int), 0, len(LOGITS) - 2)
    part = (place - before)[:, None, None]
    table = _spread_table()
    return table[before] * (1 - part) + table[before + 1] * part


def _binomial(log_p: np.ndarray, log_q: np.ndarray, size: int, count: np.ndarray) -> np.ndarray:
    """Return the binomial probability of each of some counts (last axis)."""
    log_choose = gammaln(size + 1) - gammaln(count + 1) - gammaln(size - count + 1)
    return np.exp(log_choose + count * log_p[..., None] + (size - count) * log_q[..., None])


def _narrowed(values: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Return a grid over the values that are not negligible, and one more on each side."""
    kept = np.flatnonzero(mass >= NEGLIGIBLE * mass.max())
    return np.linspace(values[max(kept[0] - 1, 0)], values[min(kept[-1] + 1, len(values) - 1)], len(values))


def _width(values: np.ndarray) -> float:
    return values[-1] - values[0]


def _highest_density(values: np.ndarray, mass: np.ndarray, confidence: float) -> tuple[float, float]:
    """Return the ends of the likeliest values that together hold the probability, half a step wider within the grid."""
    likeliest = np.argsort(-mass, kind="stable")
    needed = int(np.searchsorted(np.cumsum(mass[likeliest]), confidence)) + 1
    chosen = values[likeliest[:needed]]
    half = _width(values) / max(len(values) - 1, 1) / 2
    ends = np.clip([chosen.min() - half, chosen.max() + half], values[0], values[-1])
    return float(ends[0]), float(ends[1])
