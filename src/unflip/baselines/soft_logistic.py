"""Ridge logistic regression on targets that may be any number: loss, gradient and two solvers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.optimize import minimize
from scipy.special import expit

# Beyond so many columns the Hessian of a Newton step costs more than the steps it saves.
MOST_NEWTON_COLUMNS = 500


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

    def start(self):
        """Return parameters of zero."""
        return np.zeros(self.n_columns + 1)

    def loss_and_gradient(self, parameters):
        """Return the objective and its derivatives; that of an absent intercept is zero."""
        w, scores = parameters[:-1], self._scores(parameters)
        loss = np.mean(np.logaddexp(0, scores) - self.targets * scores) + self.ridge / 2 * (w @ w)
        residuals = (expit(scores) - self.targets) / self.n_rows
        return loss, np.append(self.X.T @ residuals + self.ridge * w, residuals.sum() * self.fit_intercept)

    def hessian(self, parameters):
        """Return the second derivatives; the row of an absent intercept is that of the identity."""
        chances = expit(self._scores(parameters))
        curvature = chances * (1 - chances) / self.n_rows
        d = self.n_columns
        hessian = np.eye(d + 1) * self.ridge
        hessian[:d, :d] += _gram(self.X, curvature)
        hessian[d, d] = 1.0
        if self.fit_intercept:
            hessian[d, :d] = hessian[:d, d] = self.X.T @ curvature
            hessian[d, d] = max(curvature.sum(), np.finfo(float).tiny)
        return hessian

    def _scores(self, parameters):
        return self.X @ parameters[:-1] + parameters[-1]


def solve(problem, *, tol, max_iter):
    """Minimize the objective by the solver that suits the number of columns, until no derivative exceeds tol."""
    solver = newton if problem.n_columns <= MOST_NEWTON_COLUMNS else lbfgs
    return solver(problem, tol=tol, max_iter=max_iter)


def newton(problem, *, tol, max_iter):
    """Take Newton steps, each halved until the objective falls enough."""
    parameters = problem.start()
    loss, gradient = problem.loss_and_gradient(parameters)
    for n_iter in range(max_iter):
        if np.abs(gradient).max() <= tol:
            return Solution(parameters, n_iter, True)
        step = linalg.solve(problem.hessian(parameters), gradient, assume_a="pos")
        length, promised = 1.0, gradient @ step
        while True:
            there = parameters - length * step
            new_loss, new_gradient = problem.loss_and_gradient(there)
            if new_loss <= loss - 1e-4 * length * promised or length < 1e-10:
                break
            length /= 2
        parameters, loss, gradient = there, new_loss, new_gradient
    return Solution(parameters, max_iter, bool(np.abs(gradient).max() <= tol))


def lbfgs(problem, *, tol, max_iter):
    """Minimize by L-BFGS, whose steps cost one pass over the data each."""
    options = {"maxiter": max_iter, "gtol": tol, "ftol": 64 * np.finfo(float).eps, "maxls": 50}
    found = minimize(problem.loss_and_gradient, problem.start(), jac=True, method="L-BFGS-B", options=options)
    return Solution(found.x, found.nit, found.status == 0)


def _gram(X, weights):
    """Return X' diag(weights) X."""
    if not sparse.issparse(X):
        scaled = np.sqrt(weights)[:, None] * X
        return scaled.T @ scaled
    scaled = sparse.csr_array(X, copy=True)
    scaled.data *= np.repeat(weights, np.diff(scaled.indptr))
    return (X.T @ scaled).toarray()
