"""Label-dependent costs: one weight per observed class moves the decision boundary to that of the clean labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from unflip.baselines.kernel_machine import KernelMachine
from unflip.neighbors import NeighborGraph


def label_weights(*, tau_plus: float, tau_minus: float) -> np.ndarray:
    """Return the weights of observed labels 0 and 1: the class that loses more labels gets the larger one.

    With weights alpha and 1 - alpha, the weighted majority changes where P(observed label = 1 | x) = alpha; the clean
    label changes at alpha = (1 - tau_plus + tau_minus) / 2. The weights are doubled, so that equal rates give 1 and 1.

    >>> label_weights(tau_plus=0.3, tau_minus=0.1).round(3)
    array([0.8, 1.2])
    """
    difference = tau_plus - tau_minus
    return np.array([1 - difference, 1 + difference])


class LabelDependentSVC(KernelMachine):
    """Support vector machine whose C depends on the observed label, which restores the clean decision boundary.

    Only the difference of the two rates matters. With equal rates it is a plain support vector machine, since symmetric
    noise does not change the majority.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        "estimate", or known rates: None for clean labels (a plain support vector machine), {class: rate}, one rate
        per class in the order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    C : float, default=1.0
        Inverse regularization strength.
    kernel : {"rbf", "linear", "poly", "sigmoid"}, default="rbf"
        Kernel, as in scikit-learn's SVC.
    gamma : {"scale", "auto"} or float, default="scale"
        Kernel coefficient, as in scikit-learn's SVC.
    approximation : None or "nystroem", default=None
        None solves the exact problem, whose cost grows faster than quadratically in the number of rows. "nystroem" fits
        scikit-learn's LinearSVC (squared hinge loss) to Nystroem features of the kernel.
    n_components : int, default=300
        Number of Nystroem features.
    random_state : int, RandomState instance or None, default=None
        Samples the rows of the Nystroem features; the exact machine does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is the positive one.
    noise_rates_ : ndarray of shape (2,)
        Flip rate of each class.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    machine_ : SVC or Pipeline
        The fitted scikit-learn model; its labels are the class numbers 0 and 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    ImportanceReweightedSVC : One weight per row.

    References
    ----------
    .. [1] N. Natarajan, I. S. Dhillon, P. Ravikumar and A. Tewari, "Learning with Noisy Labels", 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import LabelDependentSVC
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.4}, random_state=0)
    >>> aware = LabelDependentSVC({0: 0.1, 1: 0.4}).fit(X, noisy)
    >>> plain = LabelDependentSVC(noise_rates=None).fit(X, noisy)
    >>> print(f"{aware.score(X, y):.2f} against {plain.score(X, y):.2f}")
    0.97 against 0.94
    """

    def _row_weights(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> np.ndarray:
        return label_weights(**self._taus)[labels]
