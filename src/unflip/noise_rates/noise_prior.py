"""What is believed of noise before the labels are seen: rates are mostly low, and classes are mostly pure somewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unflip.foundation.checks import check_positive, is_number
from unflip.foundation.errors import refusal

# The values of rates that are considered: dense where real tables lie.
RATES = np.concatenate(
    [[0, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1], np.arange(5, 20) / 40]
)
EDGES = np.concatenate([[0], (RATES[1:] + RATES[:-1]) / 2, [RATES[-1] + 0.0125]])
P_EXPECTED = 0.9  # how much a user's expectation is believed: data can still speak against it
SAME = 0.05  # by how much the square roots of rates differ that are about the same (standard deviation)
ACCEPTED = 'a NoisePrior, "auto", "uniform", or the expected share of wrong labels between 0 and 0.5'


@dataclass(frozen=True)
class NoisePrior:
    """A prior of noise rates, and of how pure the classes are where they are purest.

    A table is one of two kinds, with little noise or with much; rates of a kind are beta-distributed. Where a class is
    purest, the share of other labels is its floor. Noise sets the floor; but with some probability the columns cannot
    tell the classes apart even there, and part of the floor is overlap. From labels alone nobody can tell the two
    apart: this prior says how much of a floor is believed to be noise.

    Parameters
    ----------
    low : float, default=30
        Rates of a table with little noise follow Beta(1, low), whose mean is 1 / (1 + low).
    high : float, default=1.5
        The same for much noise; rates of 1/2 and more are left out.
    p_low : float, default=0.5
        How likely a table has little noise.
    p_pure : float, default=0.9
        How likely a class is pure somewhere.
    overlap : float, default=0.05
        Where it is not: the mean share of other classes where it is purest, exponentially distributed.
    p_same : float, default=0.5
        How likely two classes are flipped about equally often, as by one careless hand.

    Notes
    -----
    The defaults were chosen by the log-loss of ``p_wrong`` and by what cleaning gains, over 18 tables with noise drawn
    so that half of the rates lie below 5 % and the others reach 40 %; what they do on other tables is in the
    documentation.
    """

    low: float = 30.0
    high: float = 1.5
    p_low: float = 0.5
    p_pure: float = 0.9
    overlap: float = 0.05
    p_same: float = 0.5

    def __post_init__(self) -> None:
        for parameter in ("low", "high", "overlap"):
            check_positive(self, parameter, getattr(self, parameter))
        for parameter in ("p_low", "p_pure", "p_same"):
            value = getattr(self, parameter)
            if not is_number(value) or not 0 <= value <= 1:
                raise refusal(self, parameter, "a number from 0 to 1", value)

    @classmethod
    def of(cls, owner: object, noise_prior: Any) -> NoisePrior:
        """Return the prior that a user asks for, or refuse it in one sentence."""
        if isinstance(noise_prior, NoisePrior):
            return noise_prior
        if isinstance(noise_prior, str) and noise_prior == "auto":
            return cls()
        if isinstance(noise_prior, str) and noise_prior == "uniform":
            return UNIFORM
        if is_number(noise_prior) and 0 < noise_prior < 0.5:
            return cls(low=1 / noise_prior - 1, p_low=P_EXPECTED)
        raise refusal(owner, "noise_prior", ACCEPTED, noise_prior)

    def kinds(self, n_others: int = 1) -> list[Kind]:
        """Return the two kinds of table; labels of n_others other classes share the flips that reach one class."""
        share_of_overlap = 1 - np.exp(-EDGES / self.overlap)
        overlaps = np.diff(share_of_overlap) / share_of_overlap[-1] * (1 - self.p_pure)
        overlaps[0] += self.p_pure
        return [
            Kind(
                chance,
                _floors(_beta(b * n_others), overlaps),
                _floors(_beta(b), overlaps),
                self.p_same if n_others == 1 else 0.0,
            )
            for chance, b in ((self.p_low, self.low), (1 - self.p_low, self.high))
        ]

    def rates(self, n_others: int = 1) -> np.ndarray:
        """Return how likely each of the RATES is that of a class."""
        total = np.sum([kind.chance * kind.plus.chances @ kind.plus.rates for kind in self.kinds(n_others)], axis=0)
        return total / total.sum()


UNIFORM = NoisePrior(low=1.0, high=1.0)  # all rates are equally likely


@dataclass(frozen=True, eq=False)
class Floors:
    """The floors that a prior makes likely, and what part of each is noise.

    Parameters
    ----------
    chances : ndarray of shape (n_rates,)
        How likely each of the RATES is the floor.
    rates : ndarray of shape (n_rates, n_rates)
        For each floor, how likely each of the RATES is the noise in it.
    """

    chances: np.ndarray
    rates: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """The expected noise in each floor."""
        return self.rates @ RATES


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of table: how likely it is, and the floors of the positive (minus) and the negative labels (plus).

    Parameters
    ----------
    chance : float
        How likely a table is of this kind.
    minus, plus : Floors
        Of the two classes.
    p_same : float
        How likely both are about the same.
    """

    chance: float
    minus: Floors
    plus: Floors
    p_same: float = 0.0

    @property
    def chances(self) -> np.ndarray:
        """How likely a table is of this kind and has each pair of floors, (n_rates, n_rates)."""
        apart = np.outer(self.minus.chances, self.plus.chances)
        same = np.sqrt(apart) * nearness(SAME)
        return self.chance * ((1 - self.p_same) * apart + self.p_same * same * (apart.sum() / same.sum()))


def nearness(spread: float) -> np.ndarray:
    """Return how near each two of the RATES are, from 1 to 0, by a normal distribution of their square roots."""
    roots = np.sqrt(RATES)
    return np.exp(-0.5 * ((roots[:, None] - roots) / spread) ** 2)


def _beta(b: float) -> np.ndarray:
    """Return the mass of Beta(1, b) near each of the RATES, cut off above them."""
    below = 1 - (1 - EDGES) ** b
    return np.diff(below) / below[-1]


def _floors(rates: np.ndarray, overlaps: np.ndarray) -> Floors:
    """Combine noise and overlap: a floor is tau + (1 - tau) overlap, shared out to the two nearest of the RATES."""
    joint = np.zeros((len(RATES), len(RATES)))
    for noise, chance in enumerate(rates):
        floors = RATES[noise] + (1 - RATES[noise]) * RATES
        possible = np.flatnonzero(floors <= RATES[-1])
        above = np.searchsorted(RATES, floors[possible])
        below = np.maximum(above - 1, 0)
        part = np.divide(floors[possible] - RATES[below], RATES[above] - RATES[below], where=above > below,
                         out=np.ones(len(above)))  # fmt: skip
        np.add.at(joint[:, noise], above, part * chance * overlaps[possible])
        np.add.at(joint[:, noise], below, (1 - part) * chance * overlaps[possible])
    chances = joint.sum(axis=1)
    return Floors(chances, joint / np.maximum(chances, 1e-300)[:, None])
