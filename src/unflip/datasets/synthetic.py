"""The paper's synthetic distribution, and its posterior."""

from __future__ import annotations

import numpy as np

from unflip.foundation.checks import check_count, generator


def make_sine_product(n_samples, random_state=None):
    """Draw from the paper's synthetic distribution: x uniform on the unit square, a checkerboard of two classes.

    P(y = 1 | x) = (1 - sin(2 pi x1) sin(2 pi x2)) / 2, so the best possible error is 1/2 - 2/pi**2 = .2974.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    random_state : int, RandomState instance or None, default=None
        Pass an int for the same data on every call.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        Points.
    y : ndarray of shape (n_samples,)
        Labels 0 and 1.

    Examples
    --------
    >>> from unflip.datasets import make_sine_product
    >>> X, y = make_sine_product(4, random_state=0)
    >>> X.shape, y.shape
    ((4, 2), (4,))
    """
    check_count("make_sine_product", "n_samples", n_samples)
    random = generator(random_state)
    X = random.random_sample((n_samples, 2))
    return X, (random.random_sample(n_samples) < sine_product_posterior(X)).astype(int)


def sine_product_posterior(X):
    """Return P(y = 1 | x) of `make_sine_product`."""
    return (1 - np.sin(2 * np.pi * X[:, 0]) * np.sin(2 * np.pi * X[:, 1])) / 2
