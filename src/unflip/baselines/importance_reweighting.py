"""Importance reweighting: each row is weighted by P(clean label | x) / P(observed label | x) (Liu and Tao, 2016)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from unflip.baselines.kernel_machine import KernelMachine
from unflip.baselines.linear import LogisticModel
from unflip.baselines.noise_aware import NoiseAwareClassifier, check_positive_or_choice
from unflip.baselines.observed_posterior import POSTERIORS, observed_posterior
from unflip.foundation.checks import check_choice
from unflip.neighbors import NeighborGraph

# Large enough to keep a class in the problem, too small to affect predictions.
MIN_WEIGHT = 1e-6


def importance_weights(posterior: np.ndarray, labels: np.ndarray, *, tau_plus: float, tau_minus: float) -> np.ndarray:
    """Return P(clean label = y | x) / P(observed label = y | x) for each row's observed label y.

    Parameters
    ----------
    posterior : ndarray of shape (n_rows,)
        P(observed label = 1 | x).
    labels : ndarray of int
        Observed class numbers 0 and 1.
    tau_plus, tau_minus : float
        Flip rates of labels 1 and 0.

    Returns
    -------
    weights : ndarray of shape (n_rows,)
        Negative estimates are set to zero.

    Examples
    --------
    >>> importance_weights(np.array([0.5, 0.5, 0.1]), np.array([1, 0, 1]), tau_plus=0.3, tau_minus=0.1).round(3)
    array([1.333, 0.667, 0.   ])
    """
    observed = np.where(labels == 1, posterior, 1 - posterior)
    flipped_into = np.where(labels == 1, tau_minus, tau_plus)
    # If no label is flipped into this class, its labels are right, however unlikely.
    doubt = np.where(flipped_into > 0, np.inf, 0.0)
    np.divide(flipped_into, observed, out=doubt, where=observed > 0)
    return np.maximum(1 - doubt, 0) / (1 - tau_plus - tau_minus)


class ImportanceReweighted(NoiseAwareClassifier):
    """Base: row weights from the parameters ``posterior``, ``width`` and ``random_state``."""

    posterior: str
    width: float | str
    random_state: Any

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "posterior", self.posterior, tuple(POSTERIORS))
        check_positive_or_choice(self, "width", self.width, ("auto",))

    def _needs_graph(self) -> bool:
        return super()._needs_graph() or self.posterior == "neighbors"

    def _row_weights(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> np.ndarray:
        """Estimate the weights and store them as ``weights_``."""
        self.weights_ = np.ones(len(labels))
        if self.noise_rates_.any():
            posterior = observed_posterior(
                X, labels, self.posterior, graph=graph, width=self.width, random_state=self.random_state
            )
            self.weights_ = importance_weights(posterior, labels, **self._taus)
        self._keep_both_classes(labels)
        return self.weights_

    def _keep_both_classes(self, labels: np.ndarray) -> None:
        for c in range(2):
            if not self.weights_[labels == c].any():
                self.weights_[labels == c] = MIN_WEIGHT
                warnings.warn(
                    f"{type(self).__name__}: at these noise rates no label {self.classes_.tolist()[c]!r} is credible; "
                    "its rows get almost no weight, and nearly all predictions will be the other class.",
                    stacklevel=5,
                )


class ImportanceReweightedLogisticRegression(ImportanceReweighted, LogisticModel):
    """Logistic regression with each row weighted by P(clean label | x) / P(observed label | x).

    With exact rates and posteriors, these weights make the expected loss on noisy labels equal to the loss on clean
    labels, for any loss. Negative estimated weights are set to zero, which drops their rows.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        "estimate", or known rates: None for clean labels (plain logistic regression), {class: rate}, one rate per class
        in the order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    posterior : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        How P(observed label | x) is estimated; "kliep" (density ratios) is the original method's.
    width : float or "auto", default="auto"
        Kernel width of "kliep" and "kde"; "auto" maximizes the held-out likelihood.
    C : float, default=1.0
        Inverse regularization strength, as in scikit-learn's LogisticRegression.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    tol : float, default=1e-4
        Stopping tolerance.
    max_iter : int, default=100
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Samples the kernel centers.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is the positive one.
    noise_rates_ : ndarray of shape (2,)
        Flip rate of each class.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    weights_ : ndarray of shape (n_samples,)
        Weight of each training row; zero if its label is not credible.
    coef_ : ndarray of shape (1, n_features)
        Coefficients.
    intercept_ : ndarray of shape (1,)
        Intercept.
    n_iter_ : ndarray of shape (1,)
        Number of iterations.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    ImportanceReweightedSVC : The same weights for a support vector machine.
    UnbiasedLogisticRegression : A corrected loss instead of weights.

    Notes
    -----
    There is no ``sample_weight``: kernel centers are sampled, so a row of weight 2 would not count as two rows.

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
        noise_rates: Any = "estimate",
        *,
        noise_estimator: Any = "auto",
        posterior: str = "kliep",
        width: float | str = "auto",
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 100,
        random_state: Any = None,
    ):
        super().__init__(
            noise_rates,
            noise_estimator=noise_estimator,
            C=C,
            fit_intercept=fit_intercept,
            tol=tol,
            max_iter=max_iter,
        )
        self.posterior = posterior
        self.width = width
        self.random_state = random_state

    def _learn(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> None:
        weights = self._row_weights(X, labels, graph)
        kept = np.flatnonzero(weights)
        model = LogisticRegression(C=self.C, fit_intercept=self.fit_intercept, tol=self.tol, max_iter=self.max_iter)
        model.fit(X[kept], labels[kept], sample_weight=weights[kept])
        self.coef_, self.intercept_, self.n_iter_ = model.coef_, model.intercept_, model.n_iter_


class ImportanceReweightedSVC(ImportanceReweighted, KernelMachine):
    """Support vector machine with each row weighted by P(clean label | x) / P(observed label | x).

    The weights are those of `ImportanceReweightedLogisticRegression`; they multiply C row by row.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        "estimate", or known rates: None for clean labels (a plain support vector machine), {class: rate}, one rate
        per class in the order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    posterior : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        How P(observed label | x) is estimated; "kliep" (density ratios) is the original method's.
    width : float or "auto", default="auto"
        Kernel width of "kliep" and "kde"; "auto" maximizes the held-out likelihood.
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
        Samples the kernel centers and the rows of the Nystroem features.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is the positive one.
    noise_rates_ : ndarray of shape (2,)
        Flip rate of each class.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
    weights_ : ndarray of shape (n_samples,)
        Weight of each training row; zero if its label is not credible.
    machine_ : SVC or Pipeline
        The fitted scikit-learn model; its labels are the class numbers 0 and 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

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
        noise_rates: Any = "estimate",
        *,
        noise_estimator: Any = "auto",
        posterior: str = "kliep",
        width: float | str = "auto",
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        approximation: str | None = None,
        n_components: int = 300,
        random_state: Any = None,
    ):
        super().__init__(
            noise_rates,
            noise_estimator=noise_estimator,
            C=C,
            kernel=kernel,
            gamma=gamma,
            approximation=approximation,
            n_components=n_components,
            random_state=random_state,
        )
        self.posterior = posterior
        self.width = width
