"""The transition matrix T[true, observed] as a value, made from any form in which a user may give noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unflip.foundation.checks import is_number
from unflip.foundation.errors import refusal
from unflip.noise.posterior import clean_posterior, decision_threshold, invertible

ACCEPTED = "None, a rate, {class: rate}, one rate per class in [0, 1), or a matrix T[true, observed]"


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """The classes, and the probability that a label of one is observed as another.

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
    def of(
        cls, noise: Any, classes: ArrayLike, *, owner: object = "NoiseModel", parameter: str = "noise"
    ) -> NoiseModel:
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
    def rates(self) -> np.ndarray:
        """Flip rate of each class."""
        return (self.transition_matrix * (1 - np.eye(len(self.classes)))).sum(axis=1)

    @property
    def tau_plus(self) -> float:
        """P(observed the first class | true the second): two classes only."""
        return float(self.transition_matrix[1, 0])

    @property
    def tau_minus(self) -> float:
        """P(observed the second class | true the first): two classes only."""
        return float(self.transition_matrix[0, 1])

    @property
    def threshold(self) -> float:
        """Share of observed positives from which the true label is more likely positive: two classes only."""
        return decision_threshold(tau_plus=self.tau_plus, tau_minus=self.tau_minus)

    def clean_prior(self, observed_prior: ArrayLike) -> np.ndarray:
        """Return the frequencies of the true classes, given those of the observed ones."""
        return clean_posterior(np.asarray(observed_prior)[None], self.transition_matrix)[0]


def _matrix_of(noise, classes, owner, parameter):
    n_classes = len(classes)
    if noise is None:
        return np.eye(n_classes)
    if isinstance(noise, Mapping):
        return _uniform_flips(_rates_by_class(noise, classes, owner, parameter), owner, parameter, noise)
    if is_number(noise):
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


def check_noise_rates(owner: object, noise_rates: Any) -> None:
    """Refuse a 'noise_rates' that is a string other than "estimate"; other forms are checked with the classes."""
    if isinstance(noise_rates, str) and noise_rates != "estimate":
        raise refusal(owner, "noise_rates", f'"estimate", {ACCEPTED}', noise_rates)
