"""make_label_noise: flip labels at known rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import column_or_1d

from unflip.foundation.checks import generator
from unflip.foundation.errors import refusal
from unflip.noise.transition import NoiseModel


def make_label_noise(y: ArrayLike, noise: Any, *, random_state: Any = None) -> np.ndarray:
    """Flip labels at random, each independently of the others.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of any type and any number of classes.
    noise : None, float, dict, array-like of shape (n_classes,) or (n_classes, n_classes)
        One rate for all classes, a rate per class (``{class: rate}``, or in sorted order of the classes), or the matrix
        ``T[true, observed]``. With a rate, a flipped label becomes each other class equally often.
    random_state : int, RandomState instance or None, default=None
        Pass an int for the same flips on every call.

    Returns
    -------
    noisy : ndarray of shape (n_samples,)
        Labels of the same dtype as ``y``.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip import make_label_noise
    >>> y = np.repeat(["cat", "dog"], 1000)
    >>> noisy = make_label_noise(y, {"dog": 0.3}, random_state=0)
    >>> print(np.mean(noisy[:1000] != "cat"), np.mean(noisy[1000:] != "dog"))
    0.0 0.3
    """
    labels: np.ndarray = column_or_1d(y)
    if len(labels) == 0:
        raise refusal("make_label_noise", "y", "at least one label", [])
    classes, numbers = np.unique(labels, return_inverse=True)
    model = NoiseModel.of(noise, classes, owner="make_label_noise")
    draws = generator(random_state).random_sample(len(labels))
    noisy = np.empty_like(numbers)
    for true, chances in enumerate(model.transition_matrix):
        members = numbers == true
        noisy[members] = np.searchsorted(np.cumsum(chances)[:-1], draws[members], side="right")
    return classes[noisy]
