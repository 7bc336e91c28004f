"""The paper's bounds on the clean error of nearest neighbors with any two flip rates: Theorems 1, 4 and 5.

All are for points in the d-dimensional unit cube and a Lipschitz P(y = 1 | x), in expectation over samples. The notes
of each list the errors in its statement or proof, and how vacuous it is at usual sample sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from unflip.theory.assumptions import check_bayes_error, check_number, check_rates, check_sample, check_smoothness


def hard_margin(n: float, *, k: int, d: int, lipschitz: float, tau_plus: float, tau_minus: float) -> float:
    """Return Delta of Theorems 1 and 5: points closer to the decision boundary of the vote count as hard.

    Parameters
    ----------
    n : int or math.inf
        Sample size.
    k : int
        Number of neighbors.
    d : int
        Dimension of the points.
    lipschitz : float
        Lipschitz constant of P(y = 1 | x) for the Euclidean distance.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.

    Returns
    -------
    margin : float
        At least sqrt(log k / k), however large the sample.

    Examples
    --------
    >>> import math
    >>> from unflip.theory import hard_margin
    >>> problem = dict(d=2, lipschitz=math.pi, tau_plus=0.1, tau_minus=0.2)
    >>> round(hard_margin(8000, k=10, **problem), 3), round(hard_margin(math.inf, k=10, **problem), 3)
    (0.578, 0.48)
    """
    check_sample("hard_margin", n, k)
    check_smoothness("hard_margin", d, lipschitz)
    check_rates("hard_margin", tau_plus, tau_minus)
    slope = (1 - tau_plus - tau_minus) * lipschitz
    distance_term = 2 * math.sqrt(d) * slope ** (d / (1 + d)) * (k * math.sqrt(d) / n) ** (1 / (1 + d))
    return max(distance_term, math.sqrt(math.log(k) / k))


def knn_bound(
    n: float,
    *,
    k: int,
    d: int,
    lipschitz: float,
    bayes_error: float,
    tau_plus: float,
    tau_minus: float,
    region_mass: float | Callable[[float], float],
) -> float:
    """Bound the expected clean error of plain k-NN under any flip rates (Theorem 1).

    R* + Pr[A_Delta] + 1 / sqrt(k) + 2 (kappa L / sqrt(d))^(d / (1 + d)) (k / n)^(1 / (1 + d)), where
    kappa = 1 - tau_plus - tau_minus and Delta is `hard_margin`.

    Parameters
    ----------
    n : int or math.inf
        Sample size.
    k : int
        Number of neighbors.
    d : int
        Dimension of the points.
    lipschitz : float
        Lipschitz constant L of P(y = 1 | x) for the Euclidean distance.
    bayes_error : float
        R*, the best possible clean error.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    region_mass : float or callable
        Pr[A_Delta], or a function of Delta that returns it.

    Returns
    -------
    bound : float
        Vacuous above 1.

    See Also
    --------
    SineProduct.hard_mass, sampled_mass, integrated_mass : Compute the mass of the region.

    Notes
    -----
    On the paper's synthetic distribution with its n = 8000 the bound exceeds 1.8 for every k from 10 to 200: it gives a
    rate of convergence, not a usable number. As n and k grow it tends to R* + Pr[A_0], which is an upper bound, not the
    limit of the error: that is R* + E[|2 eta - 1|; A_0] (`SineProduct.knn_limit`), whose excess is 7 to 16 times
    smaller at the paper's rates. The proof's lemma covers the event that x's box holds fewer than k points, not, as
    written, that the k-th neighbor lies outside the box; with the first event the argument holds. The lemma needs
    k >= 2, but for k = 1 the bound is above 1 anyway.

    Examples
    --------
    >>> from unflip.theory import SineProduct, knn_bound
    >>> mass = lambda margin: SineProduct.hard_mass(0.1, 0.2, margin=margin)
    >>> bound = knn_bound(
    ...     10**12, k=36_000, d=2, lipschitz=SineProduct.lipschitz, bayes_error=SineProduct.bayes_error,
    ...     tau_plus=0.1, tau_minus=0.2, region_mass=mass,
    ... )  # the best k for this n
    >>> round(bound, 3)
    0.47
    """
    return _bound_with_region("knn_bound", n, k, d, lipschitz, bayes_error, tau_plus, tau_minus, region_mass)


def robust_knn_bound(
    n: float,
    *,
    k: int,
    d: int,
    lipschitz: float,
    bayes_error: float,
    tau_plus: float,
    tau_minus: float,
    region_mass: float | Callable[[float], float],
) -> float:
    """Bound the expected clean error of robust k-NN with known flip rates (Theorem 5).

    The sum is that of Theorem 1 (`knn_bound`) with the region A^r_Delta, around the threshold
    (1 + tau_minus - tau_plus) / 2 instead of 1/2. A^r_0 is empty, so the bound tends to R* as k grows and k / n
    vanishes: that is the second half of Theorem 4, its corollary.

    Parameters
    ----------
    n : int or math.inf
        Sample size.
    k : int
        Number of neighbors.
    d : int
        Dimension of the points.
    lipschitz : float
        Lipschitz constant L of P(y = 1 | x) for the Euclidean distance.
    bayes_error : float
        R*, the best possible clean error.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels, known to the method.
    region_mass : float or callable
        Pr[A^r_Delta], or a function of Delta that returns it.

    Returns
    -------
    bound : float
        Vacuous above 1.

    See Also
    --------
    robust_knn_limit_bound : The first half of Theorem 4, for constant k.

    Notes
    -----
    Vacuous at the paper's sizes, like Theorem 1. On its synthetic distribution with n = 10^9 it is still larger than
    Theorem 1's bound, although the method is better. The paper derives R* + O(1 / sqrt(k)) for constant k from it,
    which does not follow: Delta stays above sqrt(log k / k), and so does Pr[A^r_Delta]. The proof assumes that the
    method predicts 1 only at or above the threshold. At a vote of exactly 1/2 with tau_minus > tau_plus, Algorithm 1 as
    printed predicts 1 below it. The rule ``decision="threshold"`` has no such gap.

    Examples
    --------
    >>> from unflip.theory import SineProduct, robust_knn_bound
    >>> mass = lambda margin: SineProduct.hard_mass(0.1, 0.2, margin=margin, robust=True)
    >>> bound = robust_knn_bound(
    ...     10**12, k=36_000, d=2, lipschitz=SineProduct.lipschitz, bayes_error=SineProduct.bayes_error,
    ...     tau_plus=0.1, tau_minus=0.2, region_mass=mass,
    ... )
    >>> round(bound, 3)
    0.422
    """
    return _bound_with_region("robust_knn_bound", n, k, d, lipschitz, bayes_error, tau_plus, tau_minus, region_mass)


def _bound_with_region(
    owner: str,
    n: float,
    k: int,
    d: int,
    lipschitz: float,
    bayes_error: float,
    tau_plus: float,
    tau_minus: float,
    region_mass: float | Callable[[float], float],
) -> float:
    check_sample(owner, n, k)
    check_smoothness(owner, d, lipschitz)
    check_bayes_error(owner, bayes_error)
    check_rates(owner, tau_plus, tau_minus)
    if callable(region_mass):
        margin = hard_margin(n, k=k, d=d, lipschitz=lipschitz, tau_plus=tau_plus, tau_minus=tau_minus)
        region_mass = region_mass(margin)
    accepted = "a probability, or a function of Delta that returns one"
    check_number(owner, "region_mass", region_mass, low=0, high=1, accepted=accepted)
    slope = (1 - tau_plus - tau_minus) * lipschitz
    far_neighbors = 2 * (slope / math.sqrt(d)) ** (d / (1 + d)) * (k / n) ** (1 / (1 + d))
    return bayes_error + region_mass + 1 / math.sqrt(k) + far_neighbors


def robust_knn_limit_bound(k: int, *, bayes_error: float, tau_plus: float, tau_minus: float) -> float:
    """Bound the limit of robust k-NN's clean error for constant k as the sample grows (Theorem 4, with a constant).

    R* + exp(-1/2) / (kappa sqrt(k)), where kappa = 1 - tau_plus - tau_minus. For tau_plus = tau_minus the method is
    plain k-NN, so the bound holds for plain k-NN as well.

    Parameters
    ----------
    k : int
        Number of neighbors.
    bayes_error : float
        R*, the best possible clean error.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels, known to the method.

    Returns
    -------
    bound : float
        Bound on the limit, for the rule ``decision="threshold"``.

    Notes
    -----
    Theorem 4 says R* + O(1 / sqrt(k)); the paper's route through Theorem 5 does not prove it. It is true: where eta_hat
    is t away from the threshold, a vote is wrong with probability at most exp(-2 k t^2) (Hoeffding) and costs
    |2 eta - 1| = 2 t / kappa, and the product is largest at t = 1 / (2 sqrt(k)).

    Examples
    --------
    >>> from unflip.theory import robust_knn_limit_bound
    >>> round(robust_knn_limit_bound(100, bayes_error=0.25, tau_plus=0.1, tau_minus=0.2), 4)
    0.3366
    """
    check_sample("robust_knn_limit_bound", math.inf, k)
    check_bayes_error("robust_knn_limit_bound", bayes_error)
    check_rates("robust_knn_limit_bound", tau_plus, tau_minus)
    return bayes_error + math.exp(-0.5) / ((1 - tau_plus - tau_minus) * math.sqrt(k))
