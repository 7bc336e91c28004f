"""Label-dependent costs: one weight per observed class moves the decision to where clean labels change."""

from __future__ import annotations

import numpy as np

from unflip.baselines.kernel_machine import KernelMachine
from unflip.baselines.noise_aware import NoiseAwareClassifier


def label_weights(*, tau_plus, tau_minus):
    """Return what an observed label 0 and a label 1 weigh: the class that loses more labels weighs more.

    Weighted by alpha and 1 - alpha, the majority turns where P(observed label = 1 | x) = alpha; clean labels change at
    alpha = (1 - tau_plus + tau_minus) / 2. The weights are doubled, so that equal rates give 1 and 1.

    >>> label_weights(tau_plus=0.3, tau_minus=0.1).round(3)
    array([0.8, 1.2])
    """
    difference = tau_plus - tau_minus
    return np.array([1 - difference, 1 + difference])


class LabelDependentSVC(KernelMachine, NoiseAwareClassifier):
    """Support vector machine whose C depends on the observed label, so that it decides as for clean ones.

    Only the difference of the two rates matters: where they are equal it is a plain support vector machine, for flips
    at equal rates leave the side of the majority as it is.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (a plain support vector machine), {class: rate}, one rate per class in the
        order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    C : float, default=1.0
        Inverse of the strength of regularization.
    kernel : {"rbf", "linear", "poly", "sigmoid"}, default="rbf"
        Kernel of the machine, as in scikit-learn's SVC.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel, as in scikit-learn's SVC.
    approximation : None or "nystroem", default=None
        None solves the machine exactly, in time that grows faster than the square of the rows. "nystroem" fits
        scikit-learn's LinearSVC, whose hinge loss is squared, to Nystroem features of the kernel.
    n_components : int, default=300
        Number of those features.
    random_state : int, RandomState instance or None, default=None
        Draws the rows behind Nystroem features; an exact machine does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is "positive".
    noise_rates_ : ndarray of shape (2,)
        How often labels of each class are flipped.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    machine_ : SVC or Pipeline
        The fitted machine of scikit-learn, whose labels are the class numbers 0 and 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    ImportanceReweightedSVC : A weight of its own for each row.

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

    def __init__(
        self,
        noise_rates="estimate",
        *,
        noise_estimator="auto",
        C=1.0,
        kernel="rbf",
        gamma="scale",
        approximation=None,
        n_components=300,
        random_state=None,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.approximation = approximation
        self.n_components = n_components
        self.random_state = random_state

    def _learn(self, X, labels, graph):
        self._fit_machine(X, labels, label_weights(**self._taus)[labels])
