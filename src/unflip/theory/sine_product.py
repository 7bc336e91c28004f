"""Exact values for the paper's synthetic distribution: Bayes error, masses of regions, limits of the classifiers.

With u = sin(2 pi x1) sin(2 pi x2) and x uniform on the unit square, eta = (1 - u) / 2 and |u| has the density
(4 / pi^2) K(1 - u^2) on (0, 1), K the complete elliptic integral of the first kind as a function of its parameter m.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import ellipe, ellipkm1
from scipy.stats import binom

from unflip.datasets import sine_product_posterior
from unflip.foundation.checks import check_choice, check_count
from unflip.foundation.errors import refusal
from unflip.theory.assumptions import check_margin, check_rates
from unflip.theory.regions import hard_posteriors
from unflip.voting.decision import RULES, decide

HALF_DENSITY = 2 / math.pi**2
MAX_K = 1_000_000  # beyond it the sum over all votes takes minutes, and the excess is about 1e-6


class SineProduct:
    """Exact values for the distribution of `unflip.datasets.make_sine_product`.

    Attributes
    ----------
    dimension : int
        Dimension of the points, 2.
    bayes_error : float
        The best possible clean error, 1/2 - 2 / pi^2.
    lipschitz : float
        The Lipschitz constant of eta for the Euclidean distance, pi.

    Examples
    --------
    >>> from unflip.theory import SineProduct
    >>> round(SineProduct.bayes_error, 6)
    0.297358
    >>> round(SineProduct.misled_mass(0.1, 0.2), 5)
    0.12554
    """

    dimension = 2
    bayes_error = 0.5 - HALF_DENSITY
    lipschitz = math.pi

    @staticmethod
    def eta(X: ArrayLike) -> np.ndarray:
        """Return P(y = 1 | x).

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)
            Points of the unit square.

        Returns
        -------
        posterior : ndarray of shape (n_samples,)
            (1 - sin(2 pi x1) sin(2 pi x2)) / 2.

        Examples
        --------
        >>> SineProduct.eta([[0.25, 0.75]])
        array([1.])
        """
        points = np.asarray(X, dtype=float)
        if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
            raise refusal("SineProduct.eta", "X", "finite points of shape (n_samples, 2)", f"shape {points.shape}")
        return sine_product_posterior(points)

    @staticmethod
    def misled_mass(tau_plus: float, tau_minus: float) -> float:
        """Return Pr[A_0], the share of points whose majority the flips reverse (Theorem 1).

        Parameters
        ----------
        tau_plus, tau_minus : float
            Flip rates of positive and of negative labels.

        Returns
        -------
        mass : float
            (2 / pi^2) times the integral of K(1 - u^2) from 0 to |tau_minus - tau_plus| / kappa, at most 1/2.

        Examples
        --------
        >>> round(SineProduct.misled_mass(0.3, 0.1), 5)
        0.23657
        """
        check_rates("SineProduct.misled_mass", tau_plus, tau_minus)
        return SineProduct.hard_mass(tau_plus, tau_minus)

    @staticmethod
    def hard_mass(tau_plus: float, tau_minus: float, *, margin: float = 0.0, robust: bool = False) -> float:
        """Return Pr[A_Delta] of Theorem 1, or Pr[A^r_Delta] of Theorem 5.

        Parameters
        ----------
        tau_plus, tau_minus : float
            Flip rates of positive and of negative labels.
        margin : float, default=0.0
            Delta.
        robust : bool, default=False
            Use A^r_Delta instead of A_Delta.

        Returns
        -------
        mass : float
            Probability of the region.

        Examples
        --------
        >>> round(SineProduct.hard_mass(0.1, 0.2, margin=0.1), 4)
        0.4086
        >>> SineProduct.hard_mass(0.1, 0.2, robust=True)
        0.0
        """
        check_rates("SineProduct.hard_mass", tau_plus, tau_minus)
        check_margin("SineProduct.hard_mass", margin)
        lower, upper = hard_posteriors(tau_plus=tau_plus, tau_minus=tau_minus, margin=margin, robust=robust)
        return _mass_below(1 - 2 * lower) + _mass_below(2 * upper - 1)

    @staticmethod
    def knn_limit(tau_plus: float, tau_minus: float) -> float:
        """Return the limit of plain k-NN's clean error as k grows and k / n vanishes.

        Parameters
        ----------
        tau_plus, tau_minus : float
            Flip rates of positive and of negative labels.

        Returns
        -------
        error : float
            R* + E[|2 eta - 1|; A_0] = R* + (2 / pi^2) (1 - E(1 - c^2) + c^2 K(1 - c^2)) with c = min(1,
            |tau_minus - tau_plus| / kappa) and E the complete elliptic integral of the second kind.

        Notes
        -----
        The paper gives R* + Pr[A_0], an upper bound: in A_0 the vote is wrong, but a wrong vote near the boundary costs
        little. It has .423 and .534 for rates of .1 and .2, and .3 and .1, instead of .305 and .331.

        Examples
        --------
        >>> round(SineProduct.knn_limit(0.1, 0.2), 5), round(SineProduct.knn_limit(0.3, 0.1), 5)
        (0.3053, 0.33124)
        """
        check_rates("SineProduct.knn_limit", tau_plus, tau_minus)
        reach = min(1.0, abs(tau_minus - tau_plus) / (1 - tau_plus - tau_minus))
        if reach == 0:
            return SineProduct.bayes_error
        excess = HALF_DENSITY * (1 - ellipe(1 - reach**2) + reach**2 * ellipkm1(reach**2))
        return float(SineProduct.bayes_error + excess)

    @staticmethod
    def one_nn_limit(tau_plus: float, tau_minus: float | None = None) -> float:
        """Return the limit of 1-NN's clean error, which is not the Bayes error even without flips (Theorem 3).

        Parameters
        ----------
        tau_plus : float
            Flip rate of positive labels.
        tau_minus : float or None, default=None
            Flip rate of negative labels; None means the same rate.

        Returns
        -------
        error : float
            1/2 - kappa / 8, which for a single rate tau is tau + (1 - 2 tau) 3/8.

        Examples
        --------
        >>> SineProduct.one_nn_limit(0.0), SineProduct.one_nn_limit(0.1)
        (0.375, 0.4)
        """
        tau_minus = tau_plus if tau_minus is None else tau_minus
        check_rates("SineProduct.one_nn_limit", tau_plus, tau_minus)
        return 0.5 - (1 - tau_plus - tau_minus) / 8

    @staticmethod
    def excess_fixed_k(k: int, *, tau_plus: float, tau_minus: float, decision: str = "threshold") -> float:
        """Return the limit of the clean error above R* for constant k as the sample grows (Theorem 4).

        Parameters
        ----------
        k : int
            Number of neighbors.
        tau_plus, tau_minus : float
            Flip rates of positive and of negative labels.
        decision : {"threshold", "algorithm_1", "uncorrected"}, default="threshold"
            Decision rule of the robust method with known rates, or "uncorrected" for plain k-NN.

        Returns
        -------
        excess : float
            E[|2 eta - 1|; the vote of k labels drawn at x is wrong], by quadrature.

        Notes
        -----
        "algorithm_1" follows the paper to the letter: with tau_minus > tau_plus, votes of exactly 1/2 and of exactly
        the threshold stay 1, and those in between become 0. At k = 20 and rates of .1 and .2 there are none in between,
        and the method is plain k-NN.

        Examples
        --------
        >>> for decision in ("threshold", "algorithm_1", "uncorrected"):
        ...     print(round(SineProduct.excess_fixed_k(20, tau_plus=0.1, tau_minus=0.2, decision=decision), 4))
        0.0273
        0.0361
        0.0361
        """
        check_count("SineProduct.excess_fixed_k", "k", k)
        if k > MAX_K:
            raise refusal("SineProduct.excess_fixed_k", "k", f"at most {MAX_K:,}", k)
        check_rates("SineProduct.excess_fixed_k", tau_plus, tau_minus)
        check_choice("SineProduct.excess_fixed_k", "decision", decision, (*RULES, "uncorrected"))
        winning = _winning_votes(k, tau_plus, tau_minus, decision)

        def probability_of_one(eta: float) -> float:
            return binom.pmf(winning, k, (1 - tau_plus - tau_minus) * eta + tau_minus).sum()

        def expected_cost(u: float) -> float:
            wrong = probability_of_one((1 - u) / 2) + 1 - probability_of_one((1 + u) / 2)
            return u * ellipkm1(u**2) * wrong

        return HALF_DENSITY * quad(expected_cost, 0, 1, limit=200)[0]


def _mass_below(u: float) -> float:
    """Return Pr[0 < u(x) < u]; exactly one half for u >= 1, where quadrature would round."""
    if u <= 0 or u >= 1:
        return 0.5 * (u > 0)
    return HALF_DENSITY * quad(lambda v: ellipkm1(v**2), 0, u)[0]


def _winning_votes(k: int, tau_plus: float, tau_minus: float, decision: str) -> np.ndarray:
    """Return the numbers of positive labels among k for which the rule predicts 1."""
    positives = np.arange(k + 1)
    if decision == "uncorrected":
        return positives[2 * positives >= k]
    matrix = np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    return positives[decide(np.stack([k - positives, positives], axis=1), matrix, decision) == 1]
