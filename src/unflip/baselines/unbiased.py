"""The unbiased logistic loss: its expectation over label flips is the clean loss (Natarajan et al., 2013)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unflip.baselines.linear import LogisticModel
from unflip.baselines.soft_logistic import SoftLogistic, solve
from unflip.neighbors import NeighborGraph


def unbiased_targets(labels: np.ndarray, *, tau_plus: float, tau_minus: float) -> np.ndarray:
    """Return targets whose expectation over label flips is the clean label, which makes the logistic loss unbiased.

    >>> unbiased_targets(np.array([0, 1]), tau_plus=0.3, tau_minus=0.1).round(3)
    array([-0.167,  1.5  ])
    """
    return (labels - tau_minus) / (1 - tau_plus - tau_minus)


def shift_to_feasible_mean(targets: np.ndarray) -> np.ndarray:
    """Shift targets so that their mean lies in (0, 1), at least half a row of n away from either end.

    With an intercept, the mean prediction at the optimum is the mean target; outside of (0, 1) there is no optimum.
    """
    half_a_row = 0.5 / len(targets)
    mean = targets.mean()
    return targets + (np.clip(mean, half_a_row, 1 - half_a_row) - mean)


class UnbiasedLogisticRegression(LogisticModel):
    """Logistic regression with a loss on noisy labels whose expectation is the clean loss.

    It is the ordinary logistic loss with targets ``(y - tau_minus) / (1 - tau_plus - tau_minus)``, one below 0 and one
    above 1. The loss stays convex but may be unbounded below, so it is always regularized.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        "estimate", or known rates: None for clean labels (plain logistic regression), {class: rate}, one rate per class
        in the order of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    C : float, default=1.0
        Inverse regularization strength, as in scikit-learn's LogisticRegression, but finite.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    tol : float, default=1e-4
        Iterations stop when no component of the gradient of the mean loss exceeds it.
    max_iter : int, default=100
        Maximum number of iterations: of Newton for dense rows of up to 300 columns, of L-BFGS otherwise.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is the positive one.
    noise_rates_ : ndarray of shape (2,)
        Flip rate of each class.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
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
    ImportanceReweightedLogisticRegression : Row weights instead of a corrected loss.
    sklearn.linear_model.LogisticRegression : The same without noise correction.

    Notes
    -----
    If a class has fewer labels than flips alone would produce, the rates imply a negative class frequency and the
    intercept would diverge. The frequency is then set to half a row, with a warning.

    References
    ----------
    .. [1] N. Natarajan, I. S. Dhillon, P. Ravikumar and A. Tewari, "Learning with Noisy Labels", 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import make_label_noise
    >>> from unflip.baselines import UnbiasedLogisticRegression
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.4}, random_state=0)
    >>> aware = UnbiasedLogisticRegression({0: 0.1, 1: 0.4}).fit(X, noisy)
    >>> plain = UnbiasedLogisticRegression(noise_rates=None).fit(X, noisy)
    >>> print(f"{aware.score(X, y):.2f} against {plain.score(X, y):.2f}")
    0.96 against 0.79
    """

    def _learn(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> None:
        problem = SoftLogistic(X, self._targets(labels), C=self.C, fit_intercept=bool(self.fit_intercept))
        found = solve(problem, tol=self.tol, max_iter=self.max_iter)
        if not found.converged:
            warnings.warn(
                f"{type(self).__name__}: not converged after {found.n_iter} iterations; "
                "increase 'max_iter' or scale the columns.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.coef_, self.intercept_ = found.parameters[None, :-1], found.parameters[-1:]
        self.n_iter_ = np.array([found.n_iter], dtype=np.int32)

    def _targets(self, labels: np.ndarray) -> np.ndarray:
        targets = unbiased_targets(labels, **self._taus)
        if not self.fit_intercept:
            return targets
        implied = targets.mean()
        if not 0 <= implied <= 1:
            warnings.warn(
                f"{type(self).__name__}: the noise rates imply an impossible share of {implied:.3g} for class "
                f"{self.classes_.tolist()[1]!r}; the share is set to the nearest possible value.",
                stacklevel=4,
            )
        return shift_to_feasible_mean(targets)
