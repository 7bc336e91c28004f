"""Importance reweighting: each row weighs as much as its label is likelier clean than observed (Liu and Tao, 2016)."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.linear_model import LogisticRegression

from unflip.baselines.kernel_machine import KernelMachine
from unflip.baselines.linear import LogisticModel
from unflip.baselines.noise_aware import NoiseAwareClassifier
from unflip.baselines.observed_posterior import POSTERIORS, observed_posterior
from unflip.foundation.checks import check_choice, check_positive

# Enough to keep a class in the problem, too little to win anything.
LEAST_WEIGHT = 1e-6


def importance_weights(posterior, labels, *, tau_plus, tau_minus):
    """Return P(clean label = y | x) / P(observed label = y | x) for each row's observed label y, at least zero.

    Parameters
    ----------
    posterior : ndarray of shape (n_rows,)
        P(observed label = 1 | x).
    labels : ndarray of int
        Observed class numbers 0 and 1.
    tau_plus, tau_minus : float
        How often labels 1 and 0 are flipped.

    Examples
    --------
    >>> importance_weights(np.array([0.5, 0.5, 0.1]), np.array([1, 0, 1]), tau_plus=0.3, tau_minus=0.1).round(3)
    array([1.333, 0.667, 0.   ])
    """
    observed = np.where(labels == 1, posterior, 1 - posterior)
    flipped_into = np.where(labels == 1, tau_minus, tau_plus)
    # A label into which none is flipped is right, however unlikely.
    doubt = np.where(flipped_into > 0, np.inf, 0.0)
    np.divide(flipped_into, observed, out=doubt, where=observed > 0)
    return np.maximum(1 - doubt, 0) / (1 - tau_plus - tau_minus)


class ImportanceReweighted(NoiseAwareClassifier):
    """Base: weights from the parameters ``posterior``, ``width`` and ``random_state``."""

    def _check_parameters(self):
        super()._check_parameters()
        check_choice(self, "posterior", self.posterior, tuple(POSTERIORS))
        if not isinstance(self.width, Real) or isinstance(self.width, bool):
            check_choice(self, "width", self.width, ("auto",), "a number > 0")
        else:
            check_positive(self, "width", self.width)

    def _needs_graph(self):
        return super()._needs_graph() or self.posterior == "neighbors"

    def _weigh(self, X, labels, graph):
        """Learn what each row weighs."""
        self.weights_ = np.ones(len(labels))
        if self.noise_rates_.any():
            posterior = observed_posterior(
                X, labels, self.posterior, graph=graph, width=self.width, random_state=self.random_state
            )
            self.weights_ = importance_weights(posterior, labels, **self._taus)
        self._keep_both_classes(labels)
        return self.weights_

    def _keep_both_classes(self, labels):
        for c in range(2):
            if not self.weights_[labels == c].any():
                self.weights_[labels == c] = LEAST_WEIGHT
                warnings.warn(
                    f"{type(self).__name__}: at these noise rates no label {self.classes_.tolist()[c]!r} is credible: "
                    "its rows weigh next to nothing, and nearly all rows will be predicted as the other class.",
                    stacklevel=5,
                )


class ImportanceReweightedLogisticRegression(LogisticModel, ImportanceReweighted):
    """Logistic regression in which each row weighs P(clean label | x) / P(observed label | x).

    With such weights the expected loss on flipped labels is that on clean ones, whatever the loss. Known rates and
    exact probabilities make it so; estimated weights below zero are set to zero, and their rows left out.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (plain logistic regression), {class: rate}, one rate per class in the order
        of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    posterior : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        How P(observed label | x) is estimated; "kliep", by ratios of densities, is the original's way.
    width : float or "auto", default="auto"
        Width of the kernels of "kliep" and "kde"; "auto" chooses by likelihood on what was left out.
    C : float, default=1.0
        Inverse of the strength of regularization, as in scikit-learn's LogisticRegression.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    tol : float, default=1e-4
        When to stop.
    max_iter : int, default=100
        Most iterations.
    random_state : int, RandomState instance or None, default=None
        Draws the centers of kernels.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is "positive".
    noise_rates_ : ndarray of shape (2,)
        How often labels of each class are flipped.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    weights_ : ndarray of shape (n_samples,)
        What each training row weighs; zero: its label is not believed.
    coef_ : ndarray of shape (1, n_features)
        Coefficients.
    intercept_ : ndarray of shape (1,)
        Intercept.
    n_iter_ : ndarray of shape (1,)
        Iterations done.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    ImportanceReweightedSVC : The same weights for a support vector machine.
    UnbiasedLogisticRegression : A corrected loss instead of weights.

    Notes
    -----
    There is no ``sample_weight``: the kernels' centers are drawn, and a row of weight 2 would not be two rows.

    References
    ----------
    .. [1] T. Liu and D. Tao, "Classification with Noisy Labels by Importance Reweighting", 2016.
    .. [2] M. Sugiyama et al., "Direct Importance Estimation for Covariate Shift Adaptation", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import ImportanceReweightedLogisticRegression
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.4}, random_state=0)
    >>> aware = ImportanceReweightedLogisticRegression({0: 0.1, 1: 0.4}, random_state=0).fit(X, noisy)
    >>> plain = ImportanceReweightedLogisticRegression(noise_rates=None).fit(X, noisy)
    >>> print(f"{aware.score(X, y):.2f} against {plain.score(X, y):.2f}")
    0.95 against 0.79
    """

    def __init__(
        self,
        noise_rates="estimate",
        *,
        noise_estimator="auto",
        posterior="kliep",
        width="auto",
        C=1.0,
        fit_intercept=True,
        tol=1e-4,
        max_iter=100,
        random_state=None,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.posterior = posterior
        self.width = width
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _learn(self, X, labels, graph):
        weights = self._weigh(X, labels, graph)
        kept = np.flatnonzero(weights)
        model = LogisticRegression(C=self.C, fit_intercept=self.fit_intercept, tol=self.tol, max_iter=self.max_iter)
        model.fit(X[kept], labels[kept], sample_weight=weights[kept])
        self.coef_, self.intercept_, self.n_iter_ = model.coef_, model.intercept_, model.n_iter_


class ImportanceReweightedSVC(KernelMachine, ImportanceReweighted):
    """Support vector machine in which each row weighs P(clean label | x) / P(observed label | x).

    The weights are those of `ImportanceReweightedLogisticRegression`; a row's weight multiplies its C.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (a plain support vector machine), {class: rate}, one rate per class in the
        order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    posterior : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        How P(observed label | x) is estimated; "kliep", by ratios of densities, is the original's way.
    width : float or "auto", default="auto"
        Width of the kernels of "kliep" and "kde"; "auto" chooses by likelihood on what was left out.
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
        Draws the centers of kernels and the rows behind Nystroem features.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is "positive".
    noise_rates_ : ndarray of shape (2,)
        How often labels of each class are flipped.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    weights_ : ndarray of shape (n_samples,)
        What each training row weighs; zero: its label is not believed.
    machine_ : SVC or Pipeline
        The fitted machine of scikit-learn, whose labels are the class numbers 0 and 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    ImportanceReweightedLogisticRegression : The same weights for logistic regression.
    LabelDependentSVC : One weight per class.

    References
    ----------
    .. [1] T. Liu and D. Tao, "Classification with Noisy Labels by Importance Reweighting", 2016.
    .. [2] M. Sugiyama et al., "Direct Importance Estimation for Covariate Shift Adaptation", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import ImportanceReweightedSVC
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.4}, random_state=0)
    >>> aware = ImportanceReweightedSVC({0: 0.1, 1: 0.4}, random_state=0).fit(X, noisy)
    >>> plain = ImportanceReweightedSVC(noise_rates=None).fit(X, noisy)
    >>> print(f"{aware.score(X, y):.2f} against {plain.score(X, y):.2f}")
    0.96 against 0.94
    """

    def __init__(
        self,
        noise_rates="estimate",
        *,
        noise_estimator="auto",
        posterior="kliep",
        width="auto",
        C=1.0,
        kernel="rbf",
        gamma="scale",
        approximation=None,
        n_components=300,
        random_state=None,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.posterior = posterior
        self.width = width
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.approximation = approximation
        self.n_components = n_components
        self.random_state = random_state

    def _learn(self, X, labels, graph):
        self._fit_machine(X, labels, self._weigh(X, labels, graph))
