"""The paper's bounds on the clean error of nearest neighbors with one flip rate for both classes: Theorems 2 and 3."""

from __future__ import annotations

import math

from unflip.theory.assumptions import check_bayes_error, check_sample, check_smoothness, check_symmetric_rate


def symmetric_knn_bound(n: float, *, k: int, d: int, lipschitz: float, bayes_error: float, tau: float = 0.0) -> float:
    """Bound the expected clean error of plain k-NN with one flip rate for both classes (Theorem 2).

    R* + 2 R* / sqrt(k) + 2 tau / ((1 - 2 tau) sqrt(k)) + 5 max(L, sqrt(L)) sqrt(d) (k / n)^(1 / (1 + d)) for k >= 8;
    tau = 0 is the paper's corollary for clean labels.

    Parameters
    ----------
    n : int or math.inf
        Sample size.
    k : int
        Number of neighbors, 8 or more.
    d : int
        Dimension of the points.
    lipschitz : float
        Lipschitz constant L of P(y = 1 | x) for the Euclidean distance.
    bayes_error : float
        R*, the best possible clean error.
    tau : float, default=0.0
        The flip rate of both classes.

    Returns
    -------
    bound : float
        Vacuous above 1.

    Notes
    -----
    On the paper's synthetic distribution with its n = 8000 and tau = .2 the bound exceeds 3 for every k from 10 to 200:
    it gives a rate of convergence, not a usable number. The expectation is over samples of the corrupted distribution,
    though the theorem prints the clean one, and the corollary's "tau_0" is tau_minus.

    The lemma behind the theorem, (1 - 2p) exp(k (1/2 - p)) (2p)^(k / 2) <= p sqrt(2 / k) for p in [0, 1/2], is false:
    at worst the left side is 2 exp(g(k)) times the right, where g(k) = sqrt(k / 2) + (k / 2 - 1) log(1 - sqrt(2 / k))
    falls from -.08 at k = 8 to -1/2. The paper prints sqrt(2 / k) as its first term, and g <= -1. By the paper's route
    the constant 2 therefore needs k >= 45. If all neighbors have the same posterior, the binomial tail is at most .53
    of what the lemma allows (checked for k from 8 to 1000), so the theorem looks safe; for unequal posteriors there is
    no proof.

    Examples
    --------
    >>> from unflip.theory import symmetric_knn_bound
    >>> round(symmetric_knn_bound(10_000, k=100, d=1, lipschitz=0.04, bayes_error=0.1, tau=0.25), 3)
    0.32
    """
    check_sample("symmetric_knn_bound", n, k, min_neighbors=8)
    check_smoothness("symmetric_knn_bound", d, lipschitz)
    check_bayes_error("symmetric_knn_bound", bayes_error)
    check_symmetric_rate("symmetric_knn_bound", tau)
    far_neighbors = 5 * max(lipschitz, math.sqrt(lipschitz)) * math.sqrt(d) * (k / n) ** (1 / (1 + d))
    wrong_votes = 2 * (bayes_error + tau / (1 - 2 * tau)) / math.sqrt(k)
    return bayes_error + wrong_votes + far_neighbors


def one_nn_bounds(n: float, *, d: int, lipschitz: float, bayes_error: float, tau: float = 0.0) -> tuple[float, float]:
    """Bound the expected clean error of 1-NN from both sides, with one flip rate for both classes (Theorem 3).

    tau + (1 - 2 tau) (R* - e) and tau + (1 - 2 tau) (2 R* + e), where e = 3 L sqrt(d) / (2 n^(1 / (d + 1))).

    Parameters
    ----------
    n : int or math.inf
        Sample size.
    d : int
        Dimension of the points.
    lipschitz : float
        Lipschitz constant L of P(y = 1 | x) for the Euclidean distance.
    bayes_error : float
        R*, the best possible clean error.
    tau : float, default=0.0
        The flip rate of both classes.

    Returns
    -------
    lower, upper : float
        The expected error lies between them; vacuous below 0 and above 1.

    Notes
    -----
    The theorem is right as printed. On the paper's synthetic distribution with n = 8000 and tau = .2 it gives .178 to
    .757, while the error tends to .425 (`SineProduct.one_nn_limit`).

    Examples
    --------
    >>> import math
    >>> from unflip.theory import one_nn_bounds
    >>> lower, upper = one_nn_bounds(math.inf, d=2, lipschitz=1.0, bayes_error=0.1, tau=0.25)
    >>> round(lower, 3), round(upper, 3)
    (0.3, 0.35)
    """
    check_sample("one_nn_bounds", n, 1)
    check_smoothness("one_nn_bounds", d, lipschitz)
    check_bayes_error("one_nn_bounds", bayes_error)
    check_symmetric_rate("one_nn_bounds", tau)
    far_neighbor = 3 * lipschitz * math.sqrt(d) / (2 * n ** (1 / (d + 1)))
    lower = tau + (1 - 2 * tau) * (bayes_error - far_neighbor)
    return lower, tau + (1 - 2 * tau) * (2 * bayes_error + far_neighbor)
