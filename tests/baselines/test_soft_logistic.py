"""Logistic loss with any targets: its derivatives and its two solvers."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime

from baselines.noisy_lines import NOISE, noisy_line
from unflip.baselines.soft_logistic import MAX_NEWTON_COLUMNS, SoftLogistic, lbfgs, newton, solve
from unflip.baselines.unbiased import unbiased_targets


def test_the_loss_by_hand():
    # f = (2, 0), targets (1.5, -.5): log(1 + e^2) - 3 and log 2, averaged, plus 4 / (2 * 2 * 2)
    problem = SoftLogistic(np.array([[1.0], [0.0]]), np.array([1.5, -0.5]), C=2.0)
    expected = (np.log(1 + np.exp(2)) - 3 + np.log(2)) / 2 + 0.5
    assert problem.loss_and_gradient(np.array([2.0, 0.0]))[0] == pytest.approx(expected)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_derivatives_match_finite_differences(fit_intercept, form):
    X, labels, _ = noisy_line(60)
    problem = SoftLogistic(form(X), unbiased_targets(labels, **NOISE), C=0.5, fit_intercept=fit_intercept)
    free = 5 if fit_intercept else 4
    at = np.random.RandomState(0).normal(size=5) * (np.arange(5) < free)
    numeric = approx_fprime(at, lambda p: problem.loss_and_gradient(p)[0], 1e-7)
    np.testing.assert_allclose(problem.loss_and_gradient(at)[1][:free], numeric[:free], atol=1e-6)
    if form is np.asarray:
        curvature = approx_fprime(at, lambda p: problem.loss_and_gradient(p)[1], 1e-7)
        np.testing.assert_allclose(problem.hessian(at)[:free, :free], curvature[:free, :free], atol=1e-6)
    assert problem.loss_and_gradient(at)[1][free:].tolist() == [0] * (5 - free)


def test_both_solvers_agree():
    X, labels, _ = noisy_line()
    for fit_intercept in (True, False):
        problem = SoftLogistic(X, unbiased_targets(labels, **NOISE), fit_intercept=fit_intercept)
        quick, slow = newton(problem, tol=1e-10, max_iter=50), lbfgs(problem, tol=1e-10, max_iter=5000)
        np.testing.assert_allclose(quick.parameters, slow.parameters, atol=1e-6)
        assert quick.n_iter < slow.n_iter
        if not fit_intercept:
            assert quick.parameters[-1] == slow.parameters[-1] == 0


@pytest.mark.parametrize(
    "X",
    [np.random.RandomState(0).normal(size=(80, MAX_NEWTON_COLUMNS + 1)), sparse.eye_array(80, 3, format="csr")],
)
def test_many_columns_and_sparse_rows_are_solved_by_lbfgs(X):
    problem = SoftLogistic(X, np.arange(80) % 2)
    found = solve(problem, tol=1e-6, max_iter=200)
    assert found.converged
    np.testing.assert_array_equal(found.parameters, lbfgs(problem, tol=1e-6, max_iter=200).parameters)


def test_few_dense_columns_are_solved_by_newton():
    X, labels, _ = noisy_line(80)
    problem = SoftLogistic(X, labels)
    found = solve(problem, tol=1e-6, max_iter=200)
    np.testing.assert_array_equal(found.parameters, newton(problem, tol=1e-6, max_iter=200).parameters)


def test_newton_copes_with_badly_scaled_rows():
    X, labels, _ = noisy_line()
    scales = np.array([1e-3, 1.0, 1e3, 1e4])
    problem = SoftLogistic(X * scales + 5, unbiased_targets(labels, **NOISE))
    found = newton(problem, tol=1e-6, max_iter=100)
    assert found.converged
    assert np.abs(problem.loss_and_gradient(found.parameters)[1]).max() <= 1e-6


def test_a_tolerance_below_rounding_counts_as_converged_where_nothing_is_left_to_gain():
    X, labels, _ = noisy_line()
    problem = SoftLogistic(1e4 * X, unbiased_targets(labels, **NOISE))
    found = newton(problem, tol=1e-300, max_iter=100)
    assert found.converged
    assert np.abs(problem.loss_and_gradient(found.parameters)[1]).max() < 1e-6


@pytest.mark.parametrize("solver", [newton, lbfgs])
def test_too_few_iterations_are_not_converged(solver):
    X, labels, _ = noisy_line()
    found = solver(SoftLogistic(X, labels), tol=1e-8, max_iter=1)
    assert (found.n_iter, found.converged) == (1, False)
