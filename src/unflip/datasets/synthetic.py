"""The paper's synthetic distribution, and its posterior."""

from __future__ import annotations

from typing import Any

import numpy as np

from unflip.foundation.checks import check_count, generator


def make_sine_product(n_samples: int, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Sample the paper's synthetic distribution: x uniform on the unit square, two classes in a checkerboard.

    P(y = 1 | x) = (1 - sin(2 pi x1) sin(2 pi x2)) / 2, so the Bayes error is 1/2 - 2/pi**2 = .2974.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

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


def sine_product_posterior(X: np.ndarray) -> np.ndarray:
    """Return P(y = 1 | x) for the distribution of `make_sine_product`.

    Parameters
    ----------
    X : ndarray of shape (n_samples, 2)
        Points.

    Returns
    -------
    posterior : ndarray of shape (n_samples,)
        P(y = 1 | x) of each point.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.datasets import sine_product_posterior
    >>> sine_product_posterior(np.array([[0.25, 0.75], [0.25, 0.25], [0.5, 0.3]])).round(6)
    array([1. , 0. , 0.5])
    """
    return (1 - np.sin(2 * np.pi * X[:, 0]) * np.sin(2 * np.pi * X[:, 1])) / 2
