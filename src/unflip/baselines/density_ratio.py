"""KLIEP: the ratio of the density of some rows to that of all rows, fitted directly as a sum of Gaussian kernels.

M. Sugiyama et al., "Direct Importance Estimation for Covariate Shift Adaptation", 2008: among all kernel sums whose
mean over all rows is 1, take the one with the highest likelihood on the rows of the numerator (the members).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.metrics.pairwise import euclidean_distances

from unflip.foundation.checks import generator

RELATIVE_WIDTHS = (0.1, 0.2, 0.5, 1.0, 2.0)  # times the median distance, so that the scale of the rows is irrelevant
MAX_FOLDS = 5
SAMPLE_SIZE = 500  # rows for the median distance
MAX_MEMBERS = 2000  # for selecting the width
TINY = np.finfo(float).tiny


def density_ratio(
    X: Any, members: np.ndarray, *, width: float | str = "auto", n_centers: int = 100, random_state: Any = None
) -> np.ndarray:
    """Estimate p(x | member) / p(x) at every row.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_rows, n_features)
        Rows.
    members : ndarray of bool
        Which rows belong to the numerator; at least one.
    width : float or "auto", default="auto"
        Standard deviation of the kernels. "auto" takes the one of .1, .2, .5, 1 and 2 times the median distance with
        the highest likelihood on held-out members (at most 2,000 of them).
    n_centers : int, default=100
        Number of kernels; their centers are sampled from the members.
    random_state : int, RandomState instance or None, default=None
        Samples the centers and the folds.

    Returns
    -------
    ratios : ndarray of shape (n_rows,)
        Nonnegative, with mean 1.

    Examples
    --------
    >>> X = np.random.RandomState(0).random_sample((4000, 1))
    >>> ratios = density_ratio(X, X[:, 0] < 0.5, random_state=0)  # the truth: 2 on the left, 0 on the right
    >>> print(ratios[X[:, 0] < 0.45].mean().round(1), ratios[X[:, 0] > 0.55].mean().round(1))
    2.0 0.0
    """
    random = generator(random_state)
    rows = random.permutation(np.flatnonzero(members))
    squared_distances = euclidean_distances(X, X[rows[:n_centers]], squared=True)
    if isinstance(width, str):
        width = best_width(squared_distances, rows, median_distance(X, random))
    kernels = gaussian_kernel(squared_distances, width)
    return kernels @ kliep_coefficients(kernels[rows], kernels.mean(axis=0))


def median_distance(X: Any, random: RandomState) -> float:
    """Return the median distance between distinct rows of a sample."""
    chosen = random.permutation(X.shape[0])[:SAMPLE_SIZE]
    distances = euclidean_distances(X[chosen])
    distances = distances[distances > 0]
    return float(np.median(distances)) if len(distances) else 1.0


def gaussian_kernel(squared_distances: np.ndarray, width: float) -> np.ndarray:
    """Return Gaussian kernels of squared distances."""
    return np.exp(squared_distances / (-2 * width**2))


def kliep_coefficients(
    member_kernels: np.ndarray, mean_kernels: np.ndarray, tol: float = 1e-2, max_iter: int = 1000
) -> np.ndarray:
    """Return a >= 0 with mean_kernels @ a = 1 that maximizes the mean of log(member_kernels @ a).

    With each kernel divided by its mean, the coefficients are mixture weights, fitted by expectation maximization.
    The default tol is about the error that a few thousand rows leave in a hundred weights.

    Parameters
    ----------
    member_kernels : ndarray of shape (n_members, n_centers)
        Kernels at the rows of the numerator.
    mean_kernels : ndarray of shape (n_centers,)
        Means of the kernels over all rows, above zero.
    tol : float, default=1e-2
        Maximum gap of the mean log-likelihood to its optimum.
    max_iter : int, default=1000
        Maximum number of iterations.

    Returns
    -------
    coefficients : ndarray of shape (n_centers,)
        The coefficients a.
    """
    relative = member_kernels / mean_kernels
    mixture = np.full(len(mean_kernels), 1 / len(mean_kernels))
    for _ in range(max_iter):
        gains = (1 / np.maximum(relative @ mixture, TINY)) @ relative
        total = mixture @ gains  # the number of members that any kernel reaches
        if gains.max() <= (1 + tol) * total:
            break
        mixture *= gains / total
    return mixture / mean_kernels


def best_width(squared_distances: np.ndarray, rows: np.ndarray, unit: float) -> float:
    """Return the width with the highest likelihood on held-out members, in folds.

    The members' row numbers come shuffled, and the first of them are the centers. The kernel of a held-out center is
    left out: otherwise, in one of ten selections on the paper's data, narrow kernels win by scoring their own centers.
    """
    rows = rows[:MAX_MEMBERS]
    n_folds = min(MAX_FOLDS, len(rows))
    if n_folds < 2:
        return unit
    folds = np.arange(len(rows)) % n_folds
    widths = [relative * unit for relative in RELATIVE_WIDTHS]
    scores = [held_out_likelihood(gaussian_kernel(squared_distances, width), rows, folds) for width in widths]
    return widths[int(np.argmax(scores))]


def held_out_likelihood(kernels: np.ndarray, rows: np.ndarray, folds: np.ndarray) -> float:
    """Return the sum of the members' log ratios, each fitted without the member's fold."""
    mean_kernels, member_kernels = kernels.mean(axis=0), kernels[rows]
    total = 0.0
    for fold in range(folds.max() + 1):
        held_out = folds == fold
        centers = ~held_out[: kernels.shape[1]]
        coefficients = kliep_coefficients(member_kernels[np.ix_(~held_out, centers)], mean_kernels[centers])
        total += np.log(np.maximum(member_kernels[np.ix_(held_out, centers)] @ coefficients, TINY)).sum()
    return total
