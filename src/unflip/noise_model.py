"""How labels are flipped: the transition matrix T[true, observed], and what it does to labels and posteriors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

import numpy as np
from sklearn.utils import column_or_1d

from unflip.validation import generator, refusal

ACCEPTED = "None, a rate, {class: rate}, one rate per class in [0, 1), or a matrix T[true, observed]"

# Below this smallest singular value a matrix cannot be undone in float64 with any digits left.
SMALLEST_SINGULAR_VALUE = 1e-6


def decision_threshold(*, tau_plus, tau_minus):
    """Return the share of positive observed labels from which the clean label is more likely positive.

    >>> round(decision_threshold(tau_plus=0.3, tau_minus=0.1), 3)
    0.4
    """
    return (1 + tau_minus - tau_plus) / 2


def corrupted_posterior(posterior, transition_matrix):
    """Return P(observed class | x) from P(true class | x)."""
    return np.asarray(posterior) @ transition_matrix


def clean_posterior(shares, transition_matrix):
    """Undo label noise: solve shares = posterior @ T, then project onto the simplex."""
    return project_to_simplex(unprojected_posterior(shares, transition_matrix))


def unprojected_posterior(shares, transition_matrix):
    """Solve shares = posterior @ T; sampling can put the solution outside the simplex."""
    return np.linalg.solve(transition_matrix.T, np.asarray(shares).T).T


def project_to_simplex(points):
    """Return the nearest probability vector (Euclidean) of each row."""
    descending = -np.sort(-points, axis=1)
    excess = (np.cumsum(descending, axis=1) - 1) / np.arange(1, points.shape[1] + 1)
    last = np.count_nonzero(descending > excess, axis=1) - 1
    return np.maximum(points - excess[np.arange(len(points)), last][:, None], 0)


def invertible(transition_matrix):
    """Tell whether labels flipped by this matrix still carry enough to undo it."""
    if len(transition_matrix) == 2 and np.trace(transition_matrix) <= 1:
        return False
    return np.linalg.svd(transition_matrix, compute_uv=False)[-1] >= SMALLEST_SINGULAR_VALUE


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """The classes and the chance that a label of one is observed as another.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        In sorted order; for two classes the second is the positive one.
    transition_matrix : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``, rows summing to 1.

    Examples
    --------
    >>> model = NoiseModel.of({"ham": 0.1, "spam": 0.3}, ["ham", "spam"])
    >>> model.transition_matrix
    array([[0.9, 0.1],
           [0.3, 0.7]])
    >>> round(model.threshold, 3)
    0.4
    """

    classes: np.ndarray
    transition_matrix: np.ndarray

    @classmethod
    def of(cls, noise, classes, *, owner="NoiseModel", parameter="noise"):
        """Make the model from any accepted form, or refuse it in one sentence."""
        classes = np.asarray(classes)
        matrix = _matrix_of(noise, classes, owner, parameter)
        if len(classes) == 2 and np.trace(matrix) <= 1:
            tau_minus, tau_plus = matrix[0, 1], matrix[1, 0]
            accepted = "two rates whose sum is below 1 (from there on the labels say nothing, or the opposite)"
            raise refusal(owner, parameter, accepted, f"{tau_minus:g} + {tau_plus:g}")
        if not invertible(matrix):
            raise refusal(owner, parameter, "an invertible matrix T[true, observed]", matrix.tolist())
        return cls(classes, matrix)

    @property
    def rates(self):
        """Chance that a label is flipped, per class."""
        return (self.transition_matrix * (1 - np.eye(len(self.classes)))).sum(axis=1)

    @property
    def tau_plus(self):
        """P(observed the first class | true the second): two classes only."""
        return float(self.transition_matrix[1, 0])

    @property
    def tau_minus(self):
        """P(observed the second class | true the first): two classes only."""
        return float(self.transition_matrix[0, 1])

    @property
    def threshold(self):
        """Share of observed positives from which the clean label is more likely positive: two classes only."""
        return decision_threshold(tau_plus=self.tau_plus, tau_minus=self.tau_minus)

    def clean_prior(self, observed_prior):
        """Return the frequencies of the true classes behind those of the observed ones."""
        return clean_posterior(np.asarray(observed_prior)[None], self.transition_matrix)[0]


def _matrix_of(noise, classes, owner, parameter):
    n_classes = len(classes)
    if noise is None:
        return np.eye(n_classes)
    if isinstance(noise, Mapping):
        return _uniform_flips(_rates_by_class(noise, classes, owner, parameter), owner, parameter, noise)
    if isinstance(noise, Real) and not isinstance(noise, bool):
        return _uniform_flips(np.full(n_classes, float(noise)), owner, parameter, noise)
    try:
        array = np.asarray(noise, dtype=float)
    except (TypeError, ValueError):
        raise refusal(owner, parameter, ACCEPTED, noise) from None
    if array.shape == (n_classes, n_classes):
        return _checked_matrix(array, owner, parameter)
    if array.shape == (n_classes,):
        return _uniform_flips(array, owner, parameter, noise)
    accepted = f"{ACCEPTED}, for {n_classes} classes"
    raise refusal(owner, parameter, accepted, f"an array of shape {array.shape}" if array.ndim else noise)


def _rates_by_class(noise, classes, owner, parameter):
    known = classes.tolist()
    unknown = [name for name in noise if name not in known]
    if unknown:
        raise refusal(owner, parameter, f"{{class: rate}} of the classes {known}", unknown[0])
    try:
        return np.array([float(noise.get(name, 0)) for name in known])
    except (TypeError, ValueError):
        raise refusal(owner, parameter, "{class: rate in [0, 1)}", dict(noise)) from None


def _uniform_flips(rates, owner, parameter, given):
    """Return the matrix in which a flipped label becomes each other class equally often."""
    if not np.all((rates >= 0) & (rates < 1)):
        raise refusal(owner, parameter, "rates in [0, 1)", given)
    n_classes = len(rates)
    if n_classes == 1:
        if rates[0] > 0:
            raise refusal(owner, parameter, "0 where there is only one class to flip to", given)
        return np.eye(1)
    matrix = np.repeat(rates[:, None] / (n_classes - 1), n_classes, axis=1)
    np.fill_diagonal(matrix, 1 - rates)
    return matrix


def _checked_matrix(matrix, owner, parameter):
    if not np.all((matrix >= 0) & (matrix <= 1)):
        raise refusal(owner, parameter, "a matrix of probabilities in [0, 1]", matrix.tolist())
    sums = matrix.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > 1e-6)
    if len(wrong):
        accepted = "a matrix T[true, observed] whose rows sum to 1"
        raise refusal(owner, parameter, accepted, f"row {wrong[0]} with sum {sums[wrong[0]]:g}")
    if not np.all(np.diag(matrix) > 0):
        raise refusal(owner, parameter, "a matrix whose rates (1 - its diagonal) lie in [0, 1)", matrix.tolist())
    return matrix / sums[:, None]


def make_label_noise(y, noise, *, random_state=None):
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
    y = column_or_1d(y)
    if len(y) == 0:
        raise refusal("make_label_noise", "y", "at least one label", [])
    classes, labels = np.unique(y, return_inverse=True)
    model = NoiseModel.of(noise, classes, owner="make_label_noise")
    draws = generator(random_state).random_sample(len(labels))
    noisy = np.empty_like(labels)
    for true, chances in enumerate(model.transition_matrix):
        members = labels == true
        noisy[members] = np.searchsorted(np.cumsum(chances)[:-1], draws[members], side="right")
    return classes[noisy]
