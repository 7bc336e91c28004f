"""The regions that the theorems exclude, A_0, A_Delta and A^r_Delta, and their probability mass.

Each is a set of values of eta(x) = P(y = 1 | x), an interval on either side of 1/2. A_0 is where flips reverse the
majority. A_Delta adds the points where eta_hat(x), the probability of observing a positive label, is within Delta of
1/2. A^r_Delta, for the robust method, replaces that 1/2 by its threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unflip.foundation.checks import check_count, generator
from unflip.foundation.errors import refusal
from unflip.theory.assumptions import check_margin, check_rates


def hard_posteriors(
    *, tau_plus: float, tau_minus: float, margin: float = 0.0, robust: bool = False
) -> tuple[float, float]:
    """Return (lower, upper): the region is where lower < eta < 1/2 or 1/2 < eta < upper.

    >>> lower, upper = hard_posteriors(tau_plus=0.1, tau_minus=0.3)  # A_0: only eta below 1/2 can be misled
    >>> round(lower, 3), round(upper, 3)
    (0.333, 0.333)
    """
    kappa = 1 - tau_plus - tau_minus
    shift = 0 if robust else (tau_minus - tau_plus) / 2
    return 0.5 - (margin + shift) / kappa, 0.5 + (margin - shift) / kappa


def in_hard_region(
    eta: ArrayLike, *, tau_plus: float, tau_minus: float, margin: float = 0.0, robust: bool = False
) -> np.ndarray:
    """Tell which points lie in the region that Theorem 1 (or Theorem 5) excludes.

    Parameters
    ----------
    eta : array-like
        P(y = 1 | x) of each point.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    margin : float, default=0.0
        Delta; with 0 the region is A_0, where flips reverse the majority.
    robust : bool, default=False
        Use A^r_Delta of Theorem 5; with a margin of 0 it is empty.

    Returns
    -------
    inside : ndarray of bool
        One value per point. Points with eta = 1/2 are never inside, since both labels are right there.

    Notes
    -----
    As Delta falls to 0, A_Delta tends to the union of A_0 and the points with eta_hat = 1/2 that are not on the
    boundary; the paper says A_0.

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


def sampled_mass(
    eta: Callable[[Any], ArrayLike],
    sampler: Callable[..., Any],
    *,
    tau_plus: float,
    tau_minus: float,
    margin: float = 0.0,
    robust: bool = False,
    n_samples: int = 100_000,
    random_state: Any = None,
) -> tuple[float, float]:
    """Estimate the mass of A_0, A_Delta or A^r_Delta by Monte Carlo, for any distribution.

    Parameters
    ----------
    eta : callable
        From points of shape (n, d) to P(y = 1 | x) of shape (n,).
    sampler : callable
        ``sampler(n, random)`` draws n points using a RandomState.
    tau_plus, tau_minus : float
        Flip rates of positive and of negative labels.
    margin : float, default=0.0
        Delta.
    robust : bool, default=False
        Use A^r_Delta of Theorem 5 instead of A_Delta of Theorem 1.
    n_samples : int, default=100_000
        Number of points to draw.
    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    Returns
    -------
    mass : float
        Share of the points inside.
    standard_error : float
        Standard error of the mass.

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


def integrated_mass(
    eta: Callable[[np.ndarray], ArrayLike],
    box: Sequence[tuple[float, float]],
    *,
    tau_plus: float,
    tau_minus: float,
    margin: float = 0.0,
    robust: bool = False,
    density: Callable[[np.ndarray], ArrayLike] | None = None,
    n_cells: int = 500,
) -> float:
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
        Use A^r_Delta of Theorem 5 instead of A_Delta of Theorem 1.
    density : callable or None, default=None
        Density of the points, from (n, d) to (n,), up to a constant factor; None means uniform.
    n_cells : int, default=500
        Cells along each side. Eta is linearized within each cell, or within each of its two triangles. For a smooth eta
        the error falls with the square of this number.

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
    shares = [
        _share_between(pieces, low, high)
        for pieces in _linear_pieces(values)
        for low, high in ((lower, 0.5), (0.5, upper))
    ]
    inside = reduce(np.add, shares) / len(box)
    weights = None if density is None else np.asarray(density(centers)).reshape(inside.shape)
    return min(1.0, float(np.average(inside, weights=weights)))  # a mean of ones can round to above one


def _check_region(owner: str, tau_plus: float, tau_minus: float, margin: float) -> None:
    check_rates(owner, tau_plus, tau_minus)
    check_margin(owner, margin)


def _grid(box: Sequence[tuple[float, float]], n_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners and the centers of the cells of a box."""
    sides = np.asarray(box, dtype=float)
    if sides.shape not in ((1, 2), (2, 2)) or not np.all(sides[:, 0] < sides[:, 1]):
        raise refusal("integrated_mass", "box", "one or two sides (low, high) with low < high", box)
    ticks = [np.linspace(low, high, n_cells + 1) for low, high in sides]
    return _product(ticks), _product([(side[:-1] + side[1:]) / 2 for side in ticks])


def _product(axes: list[np.ndarray]) -> np.ndarray:
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def _linear_pieces(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sorted values at the corners of each cell: the ends of a segment, or the corners of two triangles."""
    if values.ndim == 1:
        yield np.sort([values[:-1], values[1:]], axis=0)
        return
    for other in (values[1:, :-1], values[:-1, 1:]):
        yield np.sort([values[:-1, :-1], other, values[1:, 1:]], axis=0)


def _share_between(corners: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return which share of each segment or triangle has values strictly between low and high."""
    if low >= high:
        return np.zeros(corners.shape[1:])
    share_below: Callable[..., np.ndarray] = _segment_below if len(corners) == 2 else _triangle_below
    flat = corners[0] == corners[-1]
    inside = (low < corners[0]) & (corners[0] < high)
    # Invalid quotients arise only where they are not used: a level outside of the corners, or two equal corners.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(flat, inside, share_below(*corners, high) - share_below(*corners, low))


def _segment_below(least: np.ndarray, most: np.ndarray, level: float) -> np.ndarray:
    return np.clip((level - least) / (most - least), 0, 1)


def _triangle_below(least: np.ndarray, middle: np.ndarray, most: np.ndarray, level: float) -> np.ndarray:
    """Return the share of a triangle below a level, from the part cut off at its lowest or its highest corner."""
    low_part = (level - least) / (middle - least) * ((level - least) / (most - least))
    high_part = (most - level) / (most - middle) * ((most - level) / (most - least))
    share = np.where(level < middle, low_part, 1 - high_part)
    return np.where(level <= least, 0, np.where(level >= most, 1, share))
