"""Ridge logistic regression with arbitrary real targets: loss, gradient and two solvers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import OptimizeResult, minimize
from scipy.special import expit

# With more columns, or with sparse rows, Newton's Hessian costs more than the iterations it saves.
MAX_NEWTON_COLUMNS = 300
NO_PROGRESS = 2  # scipy's status if rounding prevents further progress


class Solution(NamedTuple):
    """Coefficients with the intercept last (zero without one), the number of iterations, and whether they converged."""

    parameters: np.ndarray
    n_iter: int
    converged: bool


class SoftLogistic:
    """The objective: mean of log(1 + e^f) - target f, with f = X @ w + b, plus |w|^2 / (2 C n).

    Its Hessian does not depend on the targets, so it is convex even with targets outside of [0, 1].
    """

    def __init__(self, X: Any, targets: np.ndarray, *, C: float = 1.0, fit_intercept: bool = True):
        self.X, self.targets = X, targets
        self.n_rows, self.n_columns = X.shape
        self.fit_intercept = fit_intercept
        self.ridge = 1 / (C * self.n_rows)

    def loss_and_gradient(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the objective and its gradient; the component of an absent intercept is zero."""
        w, scores = parameters[:-1], self._scores(parameters)
        loss = np.mean(np.logaddexp(0, scores) - self.targets * scores) + self.ridge / 2 * (w @ w)
        residuals = (expit(scores) - self.targets) / self.n_rows
        return loss, np.append(self.X.T @ residuals + self.ridge * w, residuals.sum() * self.fit_intercept)

    def hessian(self, parameters: np.ndarray) -> np.ndarray:
        """Return the Hessian for dense rows; an absent intercept has the row of an identity matrix."""
        probabilities = expit(self._scores(parameters))
        curvature = probabilities * (1 - probabilities) / self.n_rows
        d = self.n_columns
        hessian = np.eye(d + 1) * self.ridge
        scaled = np.sqrt(curvature)[:, None] * self.X
        hessian[:d, :d] += scaled.T @ scaled
        hessian[d, d] = 1.0
        if self.fit_intercept:
            hessian[d, :d] = hessian[:d, d] = self.X.T @ curvature
            hessian[d, d] = curvature.sum()
        return hessian

    def _scores(self, parameters: np.ndarray) -> np.ndarray:
        return self.X @ parameters[:-1] + parameters[-1]


def solve(problem: SoftLogistic, *, tol: float, max_iter: int) -> Solution:
    """Minimize with the solver that suits the rows, until no component of the gradient exceeds tol."""
    dense = not sparse.issparse(problem.X)
    solver = newton if dense and problem.n_columns <= MAX_NEWTON_COLUMNS else lbfgs
    return solver(problem, tol=tol, max_iter=max_iter)


def newton(problem: SoftLogistic, *, tol: float, max_iter: int) -> Solution:
    """Minimize by trust-region Newton, which tolerates badly scaled columns and extreme scores."""
    options = {"maxiter": max_iter, "gtol": tol, "initial_trust_radius": 10.0, "max_trust_radius": 1e8}
    found = _minimize(problem, "trust-exact", options, hess=problem.hessian)
    return Solution(found.x, found.nit, found.status in (0, NO_PROGRESS))


def lbfgs(problem: SoftLogistic, *, tol: float, max_iter: int) -> Solution:
    """Minimize by L-BFGS, whose steps cost one pass over the data each."""
    options = {"maxiter": max_iter, "gtol": tol, "ftol": 64 * np.finfo(float).eps, "maxls": 50}
    found = _minimize(problem, "L-BFGS-B", options)
    return Solution(found.x, found.nit, found.status == 0)


def _minimize(problem: SoftLogistic, method: str, options: dict[str, Any], **derivatives: Any) -> OptimizeResult:
    start = np.zeros(problem.n_columns + 1)
    return minimize(problem.loss_and_gradient, start, jac=True, method=method, options=options, **derivatives)
