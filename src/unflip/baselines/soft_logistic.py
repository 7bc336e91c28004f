"""Ridge logistic regression on targets that may be any number: loss, gradient and two solvers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

# Beyond so many columns, or for sparse rows, the Hessian of a Newton step costs more than the steps it saves.
MOST_NEWTON_COLUMNS = 300
NO_BETTER = 2  # scipy's status where rounding leaves nothing to gain


class Solution(NamedTuple):
    """Coefficients with the intercept last (zero where there is none), steps done, and whether they were enough."""

    parameters: np.ndarray
    n_iter: int
    converged: bool


class SoftLogistic:
    """The objective: mean of log(1 + e^f) - target f, with f = X @ w + b, plus |w|^2 / (2 C n).

    Its Hessian does not depend on the targets, so that it is convex even where they lie outside [0, 1].
    """

    def __init__(self, X, targets, *, C=1.0, fit_intercept=True):
        self.X, self.targets = X, targets
        self.n_rows, self.n_columns = X.shape
        self.fit_intercept = fit_intercept
        self.ridge = 1 / (C * self.n_rows)

    def loss_and_gradient(self, parameters):
        """Return the objective and its derivatives; that of an absent intercept is zero."""
        w, scores = parameters[:-1], self._scores(parameters)
        loss = np.mean(np.logaddexp(0, scores) - self.targets * scores) + self.ridge / 2 * (w @ w)
        residuals = (expit(scores) - self.targets) / self.n_rows
        return loss, np.append(self.X.T @ residuals + self.ridge * w, residuals.sum() * self.fit_intercept)

    def hessian(self, parameters):
        """Return the second derivatives of dense rows; the row of an absent intercept is that of the identity."""
        chances = expit(self._scores(parameters))
        curvature = chances * (1 - chances) / self.n_rows
        d = self.n_columns
        hessian = np.eye(d + 1) * self.ridge
        scaled = np.sqrt(curvature)[:, None] * self.X
        hessian[:d, :d] += scaled.T @ scaled
        hessian[d, d] = 1.0
        if self.fit_intercept:
            hessian[d, :d] = hessian[:d, d] = self.X.T @ curvature
            hessian[d, d] = curvature.sum()
        return hessian

    def _scores(self, parameters):
        return self.X @ parameters[:-1] + parameters[-1]


def solve(problem, *, tol, max_iter):
    """Minimize the objective by the solver that suits the rows, until no derivative exceeds tol."""
    dense = not sparse.issparse(problem.X)
    solver = newton if dense and problem.n_columns <= MOST_NEWTON_COLUMNS else lbfgs
    return solver(problem, tol=tol, max_iter=max_iter)


def newton(problem, *, tol, max_iter):
    """Minimize by Newton steps within a region of trust: columns of any scale, and scores far out, are no harm."""
    options = {"maxiter": max_iter, "gtol": tol, "initial_trust_radius": 10.0, "max_trust_radius": 1e8}
    found = _minimize(problem, "trust-exact", options, hess=problem.hessian)
    return Solution(found.x, found.nit, found.status in (0, NO_BETTER))


def lbfgs(problem, *, tol, max_iter):
    """Minimize by L-BFGS, whose steps cost one pass over the data each."""
    options = {"maxiter": max_iter, "gtol": tol, "ftol": 64 * np.finfo(float).eps, "maxls": 50}
    found = _minimize(problem, "L-BFGS-B", options)
    return Solution(found.x, found.nit, found.status == 0)


def _minimize(problem, method, options, **more):
    start = np.zeros(problem.n_columns + 1)
    return minimize(problem.loss_and_gradient, start, jac=True, method=method, options=options, **more)
