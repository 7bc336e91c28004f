"""The unbiased logistic loss: over flips of a label its mean is the label's own loss (Natarajan et al., 2013)."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unflip.baselines.linear import LogisticModel
from unflip.baselines.noise_aware import NoiseAwareClassifier
from unflip.baselines.soft_logistic import SoftLogistic, solve


def pseudo_targets(labels, *, tau_plus, tau_minus):
    """Return the targets that make logistic loss on flipped labels unbiased: their mean over flips is the clean label.

    >>> pseudo_targets(np.array([0, 1]), tau_plus=0.3, tau_minus=0.1).round(3)
    array([-0.167,  1.5  ])
    """
    return (labels - tau_minus) / (1 - tau_plus - tau_minus)


def with_possible_mean(targets):
    """Shift targets whose mean is no frequency of a class by what it takes to make it one: half a row of n.

    With an intercept, the mean prediction is the mean target at the optimum; none exists where that leaves (0, 1).
    """
    half_a_row = 0.5 / len(targets)
    mean = targets.mean()
    return targets + (np.clip(mean, half_a_row, 1 - half_a_row) - mean)


class UnbiasedLogisticRegression(LogisticModel, NoiseAwareClassifier):
    """Logistic regression by a loss on flipped labels whose expectation is the loss on clean ones.

    For the logistic loss that is the ordinary one on targets ``(y - tau_minus) / (1 - tau_plus - tau_minus)``, one
    below 0 and one above 1. It stays convex, but without regularization can fall without end, so there always is some.

    Parameters
    ----------
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (plain logistic regression), {class: rate}, one rate per class in the order
        of ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them: "auto", a name in ``unflip.noise_rates.ESTIMATORS``, or an object with a method
        ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    C : float, default=1.0
        Inverse of the strength of regularization, as in scikit-learn's LogisticRegression, and finite.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    tol : float, default=1e-4
        Iterations stop when no derivative of the mean loss is larger.
    max_iter : int, default=100
        Most iterations: Newton's for dense rows of up to 300 columns, else those of L-BFGS.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the second is "positive".
    noise_rates_ : ndarray of shape (2,)
        How often labels of each class are flipped.
    transition_matrix_ : ndarray of shape (2, 2)
        ``T[true, observed]``.
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
    ImportanceReweightedLogisticRegression : Weights instead of another loss.
    sklearn.linear_model.LogisticRegression : The same without noise.

    Notes
    -----
    If fewer labels of a class are seen than flips alone would make, the rates imply a negative frequency and the
    intercept would go to infinity: it is held at half a row's worth of that class, with a warning.

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

    def __init__(
        self,
        noise_rates="estimate",
        *,
        noise_estimator="auto",
        C=1.0,
        fit_intercept=True,
        tol=1e-4,
        max_iter=100,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def _learn(self, X, labels, graph):
        problem = SoftLogistic(X, self._targets(labels), C=self.C, fit_intercept=bool(self.fit_intercept))
        found = solve(problem, tol=self.tol, max_iter=self.max_iter)
        if not found.converged:
            advice = "increase 'max_iter' or scale the columns"
            warnings.warn(
                f"{type(self).__name__}: not converged after {found.n_iter} iterations; {advice}.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.coef_, self.intercept_ = found.parameters[None, :-1], found.parameters[-1:]
        self.n_iter_ = np.array([found.n_iter], dtype=np.int32)

    def _targets(self, labels):
        targets = pseudo_targets(labels, **self._taus)
        if not self.fit_intercept:
            return targets
        implied = targets.mean()
        if not 0 <= implied <= 1:
            warnings.warn(
                f"{type(self).__name__}: the noise rates imply that a share of {implied:.3g} of the rows is "
                f"{self.classes_.tolist()[1]!r}, which cannot be; the intercept is held where it just could.",
                stacklevel=4,
            )
        return with_possible_mean(targets)
