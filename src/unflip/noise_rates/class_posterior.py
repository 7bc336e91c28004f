"""What probabilities of the observed labels say about one class against the rest: rates, and which labels are wrong.

Let s(x) be an opinion of P(observed = positive | x), out of sample. The observed labels show how it responds: it has a
floor where negatives are purest, a ceiling where positives are, and rises between them as

    P(observed = positive | s) = floor_minus + (1 - floor_minus - floor_plus) expit(slope (logit s - center)).

All four are integrated over, on a grid, with the prior of NoisePrior for the floors. A floor is noise, or overlap that
the columns cannot resolve; the prior says how the two share it. Nothing is estimated first and then believed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logit

from unflip.foundation.threads import one_blas_thread
from unflip.noise_rates.noise_prior import RATES, Kind, NoisePrior
from unflip.noise_rates.response import (
    MIN_SHARE,
    MIN_SIGNAL,
    Bins,
    GroupedBins,
    Shapes,
    bounded_logit,
    evidence_of,
    grouped_evidence,
)

N_INTERVALS = 41  # of which the shortest is taken
MAX_COMBINATIONS = 2000  # of floors and shapes: more are represented by as many, of equal weight
NEGLIGIBLE = 1e-4  # relative to the likeliest
TINY = 1e-9
POINTS = np.linspace(logit(MIN_SHARE), logit(1 - MIN_SHARE), 149)  # values of logit s at which answers are kept


@dataclass(frozen=True, eq=False)
class ClassPosterior:
    """The posterior of one class's noise, and answers for any value of s.

    Parameters
    ----------
    weights : ndarray of shape (n_rates, n_rates)
        How likely each pair of the RATES is (tau_minus, tau_plus), summing to 1.
    wrong_positive, wrong_negative : ndarray of shape (n_points,)
        How likely a positive, a negative label is wrong, by logit s.
    sure_positive, sure_negative : ndarray of shape (n_points,)
        How likely, over all that is not known, such a label is more likely wrong than right.
    clean : ndarray of shape (n_points,)
        P(true = positive).
    positives : float
        Observed share of positives.
    """

    weights: np.ndarray
    wrong_positive: np.ndarray
    wrong_negative: np.ndarray
    sure_positive: np.ndarray
    sure_negative: np.ndarray
    clean: np.ndarray
    positives: float

    @classmethod
    def of(cls, shares: np.ndarray, positive: np.ndarray, prior: NoisePrior, n_others: int = 1) -> ClassPosterior:
        """Learn from an opinion's P(observed = positive | x), and which labels are positive.

        Parameters
        ----------
        shares : ndarray of shape (n_rows,)
            Out of sample.
        positive : ndarray of bool of shape (n_rows,)
            The observed labels.
        prior : NoisePrior
            Of the rates.
        n_others : int, default=1
            How many classes make up the rest.
        """
        shapes, found = _combinations(shares, positive, prior, n_others)
        answers = _Answers()
        for some in found:
            answers.add(some, shapes)
        return answers.posterior(_rates(found), float(np.mean(positive)))

    @property
    def means(self) -> tuple[float, float]:
        """Posterior mean of tau_minus and of tau_plus."""
        return float(self.weights.sum(axis=1) @ RATES), float(self.weights.sum(axis=0) @ RATES)

    def intervals(self, confidence: float) -> np.ndarray:
        """Return the shortest interval of tau_minus and of tau_plus, (2, 2)."""
        return np.array([shortest_interval(RATES, self.weights.sum(axis=axis), confidence) for axis in (1, 0)])

    def at(self, shares: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the answers kept by logit s, for given s."""
        return np.interp(bounded_logit(shares), POINTS, values)

    @property
    def wrong_share(self) -> tuple[np.ndarray, np.ndarray]:
        """The share of all labels that are wrong for each pair of rates, and how likely that is."""
        return wrong_shares(self.positives).ravel(), self.weights.ravel()


def wrong_shares(positives: float) -> np.ndarray:
    """Return the share of labels that are wrong for each pair of rates, given the observed share of positives."""
    minus, plus = RATES[:, None], RATES[None, :]
    true = _clean(positives, minus, plus)
    return true * plus + (1 - true) * minus


def rate_weights(shares: np.ndarray, positive: np.ndarray, prior: NoisePrior, n_others: int = 1) -> np.ndarray:
    """Return how likely each pair of the RATES is (tau_minus, tau_plus): the weights of a ClassPosterior alone."""
    return _rates(_combinations(shares, positive, prior, n_others)[1])


def grouped_rate_weights(
    shares: np.ndarray, positive: np.ndarray, group: np.ndarray, n_groups: int, prior: NoisePrior, n_others: int = 1
) -> np.ndarray:
    """Return how likely each of the RATES is tau_plus of each group of rows, (n_groups, n_rates).

    The same question as ``rate_weights`` asks of the rows of one group; but all share the bins and the shapes of all
    rows together, so that many groups are answered in little more time than one.
    """
    bins = GroupedBins.of(bounded_logit(shares), positive, group, n_groups)
    kinds = prior.kinds(n_others)
    with one_blas_thread():  # of small products, many threads are slower
        parts = [
            _rates([_Combinations.of(kind, evidence) for kind in kinds]).sum(axis=0)
            for evidence in grouped_evidence(bins, Shapes.of(bins.centers))
        ]
    return np.array(parts)


def weighted_quantiles(values: np.ndarray, weights: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return quantiles of values that have weights, between the values where a level is reached.

    >>> weighted_quantiles(np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.array([0.0, 0.5, 1.0]))
    array([0. , 0.5, 1. ])
    """
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    kept = weights > 0
    values, weights = values[kept], weights[kept]
    middles = np.cumsum(weights) - weights / 2
    if len(values) == 1:
        return np.repeat(values, len(levels))
    # From the first value at 0 to the last at 1.
    places = (middles - middles[0]) / (middles[-1] - middles[0])
    return np.interp(levels, places, values)


def shortest_interval(values: np.ndarray, weights: np.ndarray, confidence: float) -> tuple[float, float]:
    """Return the shortest interval that holds a share of the weights; it reaches 0 where 0 is likeliest.

    >>> shortest_interval(np.arange(101) / 100, np.exp(-np.arange(101.0)), 0.9)[0]
    0.0
    """
    lows = np.linspace(0, 1 - confidence, N_INTERVALS)
    ends = weighted_quantiles(values, weights, np.concatenate([lows, lows + confidence])).reshape(2, -1)
    low, high = ends[:, int((ends[1] - ends[0]).argmin())]
    return float(low) if low >= RATES[1] else 0.0, float(high)  # less than the least of the RATES is none


def _combinations(
    shares: np.ndarray, positive: np.ndarray, prior: NoisePrior, n_others: int
) -> tuple[Shapes, list[_Combinations]]:
    bins = Bins.of(bounded_logit(shares), positive)
    shapes = Shapes.of(bins.centers)
    evidence = evidence_of(bins, shapes)
    return shapes, [_Combinations.of(kind, evidence) for kind in prior.kinds(n_others)]


def _rates(found: list[_Combinations]) -> np.ndarray:
    total = np.sum([some.rates for some in found], axis=0)
    return total / total.sum()


@dataclass(frozen=True, eq=False)
class _Combinations:
    """The likeliest combinations of floors and shapes of one kind of table, with their weights."""

    kind: Kind
    minus: np.ndarray
    plus: np.ndarray
    shape: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, kind: Kind, evidence: np.ndarray) -> _Combinations:
        weights = kind.chances[:, :, None] * np.exp(evidence)
        weights = np.where(weights > NEGLIGIBLE * weights.max(), weights, 0.0)
        kept = np.flatnonzero(weights)
        chosen = weights.ravel()[kept]
        if len(kept) > MAX_COMBINATIONS:
            sums = np.cumsum(chosen)
            steps = (np.arange(MAX_COMBINATIONS) + 0.5) * (sums[-1] / MAX_COMBINATIONS)
            kept = kept[np.searchsorted(sums, steps)]
            chosen = np.full(MAX_COMBINATIONS, sums[-1] / MAX_COMBINATIONS)
        minus, plus, shape = np.unravel_index(kept, weights.shape)
        return cls(kind, minus, plus, shape, chosen)

    @property
    def rates(self) -> np.ndarray:
        """How likely each pair of rates is, up to a factor that all kinds share."""
        minus, plus = self.kind.minus.rates[self.minus], self.kind.plus.rates[self.plus]
        return (self.weight[:, None] * minus).T @ plus


class _Answers:
    """Sums over kinds of tables, floors, shapes and rates, each with its probability."""

    def __init__(self) -> None:
        self.total = 0.0
        self.wrong, self.sure = np.zeros((2, len(POINTS))), np.zeros((2, len(POINTS)))
        self.clean = np.zeros(len(POINTS))

    def add(self, some: _Combinations, shapes: Shapes) -> None:
        """Add what the combinations of one kind of table say."""
        floor, ceiling = RATES[some.minus, None], 1 - RATES[some.plus, None]
        observed = np.clip(floor + (ceiling - floor) * shapes.response(POINTS)[some.shape], TINY, 1 - TINY)
        minus, plus = some.kind.minus, some.kind.plus
        mean_minus, mean_plus = minus.means[some.minus, None], plus.means[some.plus, None]
        self.total += some.weight.sum()
        for number, rate in enumerate(RATES):
            chance, kept = _notable(some.weight * minus.rates[some.minus, number])
            clean = _clean(observed[kept], rate, mean_plus[kept])
            self._count(0, chance, rate * (1 - clean) / observed[kept])
            self.clean += chance @ clean
            chance, kept = _notable(some.weight * plus.rates[some.plus, number])
            clean = _clean(observed[kept], mean_minus[kept], rate)
            self._count(1, chance, rate * clean / (1 - observed[kept]))

    def _count(self, which: int, chance: np.ndarray, wrong: np.ndarray) -> None:
        self.wrong[which] += chance @ np.minimum(wrong, 1)
        self.sure[which] += chance @ (wrong > 0.5)

    def posterior(self, rates: np.ndarray, positives: float) -> ClassPosterior:
        wrong, sure = np.clip(self.wrong / self.total, 0, 1), np.clip(self.sure / self.total, 0, 1)
        clean = np.clip(self.clean / self.total, 0, 1)
        return ClassPosterior(rates, wrong[0], wrong[1], sure[0], sure[1], clean, positives)


def _notable(chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances that matter, and where they are."""
    kept = np.flatnonzero(chances > NEGLIGIBLE * chances.max(initial=0))
    return chances[kept], kept


def _clean(observed: np.ndarray | float, minus: np.ndarray | float, plus: np.ndarray | float) -> np.ndarray:
    """Return P(true = positive) from P(observed = positive)."""
    return np.clip((observed - minus) / np.maximum(1 - minus - plus, MIN_SIGNAL / 2), 0, 1)
