"""KLIEP: the density of some rows over that of all, fitted directly as a sum of Gaussian kernels.

M. Sugiyama et al., "Direct Importance Estimation for Covariate Shift Adaptation", 2008: of all sums of kernels whose
mean over all rows is 1, the one that is likeliest for the rows in question.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from unflip.foundation.checks import generator

WIDTHS = (0.1, 0.2, 0.5, 1.0, 2.0)  # times the median distance, so that the scale of the rows does not matter
MOST_FOLDS = 5
SAMPLE = 500  # rows for the median distance
MOST_MEMBERS = 2000  # for the choice of the width
TINY = np.finfo(float).tiny


def density_ratio(X, members, *, width="auto", n_centers=100, random_state=None):
    """Estimate p(x | member) / p(x) at every row.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_rows, n_features)
        Rows.
    members : ndarray of bool
        Which of them belong to the numerator, at least one.
    width : float or "auto", default="auto"
        Standard deviation of the kernels; "auto" takes, of .1, .2, .5, 1 and 2 times the median distance, the likeliest
        for members held out (of 2,000 where there are more).
    n_centers : int, default=100
        Number of kernels; their centers are drawn from the members.
    random_state : int, RandomState instance or None, default=None
        Draws the centers and the folds.

    Returns
    -------
    ratios : ndarray of shape (n_rows,)
        Not negative; their mean is 1.

    Examples
    --------
    >>> X = np.random.RandomState(0).random_sample((4000, 1))
    >>> ratios = density_ratio(X, X[:, 0] < 0.5, random_state=0)  # truly 2 on the left and 0 on the right
    >>> print(ratios[X[:, 0] < 0.45].mean().round(1), ratios[X[:, 0] > 0.55].mean().round(1))
    2.0 0.0
    """
    random = generator(random_state)
    rows = random.permutation(np.flatnonzero(members))
    squares = euclidean_distances(X, X[rows[:n_centers]], squared=True)
    if isinstance(width, str):
        width = best_width(squares, rows, typical_distance(X, random))
    kernels = gaussian(squares, width)
    return kernels @ kliep_coefficients(kernels[rows], kernels.mean(axis=0))


def typical_distance(X, random):
    """Return the median distance between different rows, of a sample of them."""
    chosen = random.permutation(X.shape[0])[:SAMPLE]
    distances = euclidean_distances(X[chosen])
    distances = distances[distances > 0]
    return float(np.median(distances)) if len(distances) else 1.0


def gaussian(squares, width):
    """Return Gaussian kernels of squared distances."""
    return np.exp(squares / (-2 * width**2))


def kliep_coefficients(member_kernels, mean_kernels, tol=1e-2, max_iter=1000):
    """Return a >= 0 with mean_kernels @ a = 1 that maximizes the mean of log(member_kernels @ a).

    With each kernel divided by its mean, the coefficients are the shares of a mixture, whose likelihood grows with
    every step of expectation maximization. It ends no further than tol from the largest: about the error that a few
    thousand rows leave in a hundred shares.

    Parameters
    ----------
    member_kernels : ndarray of shape (n_members, n_centers)
        Kernels at the rows of the numerator.
    mean_kernels : ndarray of shape (n_centers,)
        Means of the kernels over all rows, above zero.
    tol : float, default=1e-2
        How much the mean logarithm may fall short.
    max_iter : int, default=1000
        Most steps.
    """
    relative = member_kernels / mean_kernels
    shares = np.full(len(mean_kernels), 1 / len(mean_kernels))
    for _ in range(max_iter):
        gains = (1 / np.maximum(relative @ shares, TINY)) @ relative
        total = shares @ gains  # the number of members that any kernel reaches
        if gains.max() <= (1 + tol) * total:
            break
        shares *= gains / total
    return shares / mean_kernels


def best_width(squares, rows, unit):
    """Return the width whose ratio is likeliest for members held out, in folds.

    Members' row numbers come shuffled, and the first of them are the centers: a center that is held out is no center.
    Else, in one choice of ten on the paper's data, narrower kernels win because some speak for themselves.
    """
    rows = rows[:MOST_MEMBERS]
    n_folds = min(MOST_FOLDS, len(rows))
    if n_folds < 2:
        return unit
    folds = np.arange(len(rows)) % n_folds
    scores = [held_out_likelihood(gaussian(squares, share * unit), rows, folds) for share in WIDTHS]
    return WIDTHS[int(np.argmax(scores))] * unit


def held_out_likelihood(kernels, rows, folds):
    """Return the sum of the logarithms of the members' ratios, each fitted without its fold."""
    mean_kernels, member_kernels = kernels.mean(axis=0), kernels[rows]
    total = 0.0
    for fold in range(folds.max() + 1):
        held = folds == fold
        centers = ~held[: kernels.shape[1]]
        coefficients = kliep_coefficients(member_kernels[np.ix_(~held, centers)], mean_kernels[centers])
        total += np.log(np.maximum(member_kernels[np.ix_(held, centers)] @ coefficients, TINY)).sum()
    return total
