"""The regions that the theorems set aside, A_0, A_Delta and A^r_Delta, and how much of a distribution lies in them.

Each is a set of values of eta(x) = P(y = 1 | x), an interval on either side of 1/2. A_0 is where flips turn the
majority round; A_Delta adds the points where eta_hat(x), the chance to observe a positive label, is within Delta of
1/2; and A^r_Delta, for the robust method, has its threshold in place of that 1/2.
"""

from __future__ import annotations

import numpy as np

from unflip.foundation.checks import check_count, generator
from unflip.foundation.errors import refusal
from unflip.theory.assumptions import check_margin, check_rates


def hard_posteriors(*, tau_plus, tau_minus, margin=0.0, robust=False):
    """Return (lower, upper): the region is where lower < eta < 1/2 or 1/2 < eta < upper.

    >>> lower, upper = hard_posteriors(tau_plus=0.1, tau_minus=0.3)  # A_0: only eta below 1/2 can be misled
    >>> round(lower, 3), round(upper, 3)
    (0.333, 0.333)
    """
    kappa = 1 - tau_plus - tau_minus
    shift = 0 if robust else (tau_minus - tau_plus) / 2
    return 0.5 - (margin + shift) / kappa, 0.5 + (margin - shift) / kappa


def in_hard_region(eta, *, tau_plus, tau_minus, margin=0.0, robust=False):
    """Tell which points lie in the region that Theorem 1 (or Theorem 5) sets aside.

    Parameters
    ----------
    eta : array-like
        P(y = 1 | x) of each point.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    margin : float, default=0.0
        Delta; with 0 the region is A_0, where flips turn the majority round.
    robust : bool, default=False
        Take A^r_Delta of Theorem 5; with a margin of 0 it is empty.

    Returns
    -------
    inside : ndarray of bool
        One for each point. Where eta is 1/2 both labels are right, so such points are never inside.

    Notes
    -----
    As Delta falls to 0, A_Delta tends to A_0 and the points with eta_hat = 1/2 that are not on the boundary; the paper
    says A_0.

    Examples
    --------
    >>> from unflip.theory import in_hard_region
    >>> in_hard_region([0.2, 0.4, 0.5, 0.6], tau_plus=0.1, tau_minus=0.3)
    array([False,  True, False, False])
    """
    _check_region("in_hard_region", tau_plus, tau_minus, margin)
    lower, upper = hard_posteriors(tau_plus=tau_plus, tau_minus=tau_minus, margin=margin, robust=robust)
    eta = np.asarray(eta, dtype=float)
    return ((lower < eta) & (eta < 0.5)) | ((eta > 0.5) & (eta < upper))


def sampled_mass(eta, sampler, *, tau_plus, tau_minus, margin=0.0, robust=False, n_samples=100_000, random_state=None):
    """Estimate the mass of A_0, A_Delta or A^r_Delta by drawing points: for any distribution.

    Parameters
    ----------
    eta : callable
        From points of shape (n, d) to P(y = 1 | x) of shape (n,).
    sampler : callable
        ``sampler(n, random)`` draws n points with a RandomState.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    margin : float, default=0.0
        Delta.
    robust : bool, default=False
        Take A^r_Delta of Theorem 5 in place of A_Delta of Theorem 1.
    n_samples : int, default=100_000
        Number of draws.
    random_state : int, RandomState instance or None, default=None
        Pass an int for the same draws on every call.

    Returns
    -------
    mass : float
        Share of the draws inside.
    standard_error : float
        Of that share.

    Examples
    --------
    >>> from unflip.theory import sampled_mass
    >>> uniform = lambda n, random: random.random_sample((n, 1))
    >>> mass, error = sampled_mass(lambda X: X[:, 0], uniform, tau_plus=0.1, tau_minus=0.3, random_state=0)
    >>> abs(mass - (1 / 2 - 1 / 3)) < 3 * error
    True
    """
    _check_region("sampled_mass", tau_plus, tau_minus, margin)
    check_count("sampled_mass", "n_samples", n_samples)
    posterior = np.asarray(eta(sampler(n_samples, generator(random_state))))
    inside = in_hard_region(posterior, tau_plus=tau_plus, tau_minus=tau_minus, margin=margin, robust=robust)
    mass = float(np.mean(inside))
    return mass, float(np.sqrt(mass * (1 - mass) / n_samples))


def integrated_mass(eta, box, *, tau_plus, tau_minus, margin=0.0, robust=False, density=None, n_cells=500):
    """Integrate the mass of A_0, A_Delta or A^r_Delta over a box of one or two dimensions.

    Parameters
    ----------
    eta : callable
        From points of shape (n, d) to P(y = 1 | x) of shape (n,).
    box : sequence of (low, high)
        One or two sides.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    margin : float, default=0.0
        Delta.
    robust : bool, default=False
        Take A^r_Delta of Theorem 5 in place of A_Delta of Theorem 1.
    density : callable, default=None
        Of the points, from (n, d) to (n,), up to a factor; uniform without it.
    n_cells : int, default=500
        Cells along each side. Eta is taken as linear within a cell, or within each of its two triangles, so that the
        error of a smooth one falls with the square of this number.

    Returns
    -------
    mass : float
        Probability of the region.

    Examples
    --------
    >>> from unflip.theory import integrated_mass
    >>> round(integrated_mass(lambda X: X[:, 0], [(0, 1)], tau_plus=0.1, tau_minus=0.3), 6)
    0.166667
    """
    _check_region("integrated_mass", tau_plus, tau_minus, margin)
    check_count("integrated_mass", "n_cells", n_cells)
    corners, centers = _grid(box, n_cells)
    values = np.asarray(eta(corners), dtype=float).reshape((n_cells + 1,) * len(box))
    lower, upper = hard_posteriors(tau_plus=tau_plus, tau_minus=tau_minus, margin=margin, robust=robust)
    inside = sum(
        _share_between(pieces, low, high)
        for pieces in _linear_pieces(values)
        for low, high in ((lower, 0.5), (0.5, upper))
    ) / len(box)
    weights = None if density is None else np.asarray(density(centers)).reshape(inside.shape)
    return min(1.0, float(np.average(inside, weights=weights)))  # a mean of ones can round above one


def _check_region(owner, tau_plus, tau_minus, margin):
    check_rates(owner, tau_plus, tau_minus)
    check_margin(owner, margin)


def _grid(box, n_cells):
    """Return the corners and the centers of the cells of a box."""
    sides = np.asarray(box, dtype=float)
    if sides.shape not in ((1, 2), (2, 2)) or not np.all(sides[:, 0] < sides[:, 1]):
        raise refusal("integrated_mass", "box", "one or two sides (low, high) with low < high", box)
    ticks = [np.linspace(low, high, n_cells + 1) for low, high in sides]
    return _product(ticks), _product([(side[:-1] + side[1:]) / 2 for side in ticks])


def _product(axes):
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def _linear_pieces(values):
    """Yield the values at the corners of each cell, in ascending order: ends of a segment, or of two triangles."""
    if values.ndim == 1:
        yield np.sort([values[:-1], values[1:]], axis=0)
        return
    for other in (values[1:, :-1], values[:-1, 1:]):
        yield np.sort([values[:-1, :-1], other, values[1:, 1:]], axis=0)


def _share_between(corners, low, high):
    """Return how much of each segment or triangle has a value strictly between low and high."""
    if low >= high:
        return np.zeros(corners.shape[1:])
    share_below = _segment_below if len(corners) == 2 else _triangle_below
    flat = corners[0] == corners[-1]
    inside = (low < corners[0]) & (corners[0] < high)
    # Quotients of no meaning arise only where they are not used: a level outside the corners, or two equal corners.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(flat, inside, share_below(*corners, high) - share_below(*corners, low))


def _segment_below(least, most, level):
    return np.clip((level - least) / (most - least), 0, 1)


def _triangle_below(least, middle, most, level):
    """Return the share of a triangle below a level, from the part cut off at its lowest or at its highest corner."""
    low_part = (level - least) / (middle - least) * ((level - least) / (most - least))
    high_part = (most - level) / (most - middle) * ((most - level) / (most - least))
    share = np.where(level < middle, low_part, 1 - high_part)
    return np.where(level <= least, 0, np.where(level >= most, 1, share))
