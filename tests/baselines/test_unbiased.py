"""The unbiased loss: its mean over flips, its derivatives, its solvers, and its intercept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpydoc.validate import validate
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from test_public_names import NOT_ASKED

from unflip import make_label_noise
from unflip.baselines import UnbiasedLogisticRegression
from unflip.baselines.soft_logistic import MOST_NEWTON_COLUMNS, SoftLogistic, lbfgs, newton, solve
from unflip.baselines.unbiased import pseudo_targets, with_possible_mean

NOISE = {"tau_plus": 0.3, "tau_minus": 0.1}


def logistic_loss(score, label):
    return np.logaddexp(0, -score if label else score)


@given(score=st.floats(-30, 30), tau_plus=st.floats(0, 0.49), tau_minus=st.floats(0, 0.49))
def test_the_mean_over_flips_is_the_clean_loss(score, tau_plus, tau_minus):
    low, high = pseudo_targets(np.arange(2), tau_plus=tau_plus, tau_minus=tau_minus)
    of_label = [np.logaddexp(0, score) - target * score for target in (low, high)]
    positive = tau_plus * of_label[0] + (1 - tau_plus) * of_label[1]
    negative = (1 - tau_minus) * of_label[0] + tau_minus * of_label[1]
    assert positive == pytest.approx(logistic_loss(score, 1), abs=1e-8)
    assert negative == pytest.approx(logistic_loss(score, 0), abs=1e-8)


def test_the_loss_is_the_estimator_of_natarajan():
    """[(1 - rho of the other) l(f, y) - rho of its own l(f, other)] / (1 - both), written out."""
    score, kappa = 0.7, 0.6
    expected_of_1 = (0.9 * logistic_loss(score, 1) - 0.3 * logistic_loss(score, 0)) / kappa
    expected_of_0 = (0.7 * logistic_loss(score, 0) - 0.1 * logistic_loss(score, 1)) / kappa
    low, high = pseudo_targets(np.arange(2), **NOISE)
    assert np.logaddexp(0, score) - high * score == pytest.approx(expected_of_1)
    assert np.logaddexp(0, score) - low * score == pytest.approx(expected_of_0)


def noisy_line(n=500, d=4, seed=0):
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, d))
    y = (X[:, 0] + 0.5 * X[:, 1] + 0.5 * random.normal(size=n) > 0.3).astype(int)
    return X, make_label_noise(y, [0.1, 0.3], random_state=seed), y


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_derivatives_are_those_of_finite_differences(fit_intercept, form):
    X, labels, _ = noisy_line(60)
    problem = SoftLogistic(form(X), pseudo_targets(labels, **NOISE), C=0.5, fit_intercept=fit_intercept)
    free = 5 if fit_intercept else 4
    at = np.random.RandomState(0).normal(size=5) * (np.arange(5) < free)
    numeric = approx_fprime(at, lambda p: problem.loss_and_gradient(p)[0], 1e-7)
    np.testing.assert_allclose(problem.loss_and_gradient(at)[1][:free], numeric[:free], atol=1e-6)
    if form is np.asarray:
        curvature = approx_fprime(at, lambda p: problem.loss_and_gradient(p)[1], 1e-7)
        np.testing.assert_allclose(problem.hessian(at)[:free, :free], curvature[:free, :free], atol=1e-6)
    assert problem.loss_and_gradient(at)[1][free:].tolist() == [0] * (5 - free)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_without_noise_it_is_logistic_regression(C, fit_intercept, form):
    X, labels, _ = noisy_line()
    parameters = {"C": C, "fit_intercept": fit_intercept, "tol": 1e-9, "max_iter": 1000}
    ours = UnbiasedLogisticRegression(None, **parameters).fit(form(X), labels)
    theirs = LogisticRegression(**parameters).fit(form(X), labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-5)
    assert ours.n_iter_.shape == theirs.n_iter_.shape


def test_both_solvers_agree():
    X, labels, _ = noisy_line()
    for fit_intercept in (True, False):
        problem = SoftLogistic(X, pseudo_targets(labels, **NOISE), fit_intercept=fit_intercept)
        quick, slow = newton(problem, tol=1e-10, max_iter=50), lbfgs(problem, tol=1e-10, max_iter=5000)
        np.testing.assert_allclose(quick.parameters, slow.parameters, atol=1e-6)
        assert quick.n_iter < slow.n_iter
        if not fit_intercept:
            assert quick.parameters[-1] == slow.parameters[-1] == 0


@pytest.mark.parametrize(
    "X",
    [np.random.RandomState(0).normal(size=(80, MOST_NEWTON_COLUMNS + 1)), sparse.eye_array(80, 3, format="csr")],
)
def test_many_columns_and_sparse_rows_are_solved_by_lbfgs(X):
    problem = SoftLogistic(X, np.arange(80) % 2)
    found = solve(problem, tol=1e-6, max_iter=200)
    assert found.converged
    np.testing.assert_array_equal(found.parameters, lbfgs(problem, tol=1e-6, max_iter=200).parameters)


def test_rows_far_from_scaled_are_no_harm_to_newton():
    X, labels, _ = noisy_line()
    scales = np.array([1e-3, 1.0, 1e3, 1e4])
    problem = SoftLogistic(X * scales + 5, pseudo_targets(labels, **NOISE))
    found = newton(problem, tol=1e-6, max_iter=100)
    assert found.converged
    assert np.abs(problem.loss_and_gradient(found.parameters)[1]).max() <= 1e-6


def test_separable_rows_stay_bounded():
    """More columns than rows: without the ridge the loss would fall without end."""
    random = np.random.RandomState(0)
    X, labels = random.normal(size=(30, 60)), np.arange(30) % 2
    model = UnbiasedLogisticRegression([0.1, 0.3], C=100.0).fit(X, labels)
    # At the optimum w = C X' (targets - predictions), and no target is further from a prediction than 1.5.
    assert (np.abs(model.coef_) <= 100 * 1.5 * np.abs(X).sum(axis=0)).all()
    assert np.isfinite(model.intercept_).all()


@pytest.mark.parametrize("positive", [0.05, 0.95])
def test_an_impossible_prior_keeps_the_intercept_bounded_and_is_said(positive):
    """Of 200 labels 5 % are of a class to which 30 % of the others should have been flipped."""
    X = np.random.RandomState(0).normal(size=(200, 3))
    labels = (np.arange(200) < 200 * positive).astype(int)
    rates = [0.3, 0.0] if positive < 0.5 else [0.0, 0.3]
    share = "-0.357" if positive < 0.5 else "1.36"
    with pytest.warns(UserWarning, match=f"imply that a share of {share} of the rows is 1, which cannot be") as caught:
        model = UnbiasedLogisticRegression(rates, tol=1e-8).fit(X, labels)
    assert caught[0].filename == __file__
    assert np.isfinite(model.intercept_).all()
    assert np.abs(model.intercept_) < 60
    # The mean prediction is what half a row of the rare class comes to.
    assert abs(model.predict_proba(X)[:, 1].mean() - (positive > 0.5)) == pytest.approx(0.5 / 200, rel=1e-3)


def test_the_same_prior_without_an_intercept_is_left_alone():
    X = np.random.RandomState(0).normal(size=(200, 3))
    labels = (np.arange(200) < 10).astype(int)
    model = UnbiasedLogisticRegression([0.3, 0.0], fit_intercept=False).fit(X, labels)
    assert model.intercept_.tolist() == [0]


def test_a_possible_mean_is_not_touched():
    targets = np.array([-0.5, 1.5, 0.2])
    np.testing.assert_array_equal(with_possible_mean(targets), targets)
    assert with_possible_mean(targets - 3).mean() == pytest.approx(0.5 / 3)
    assert with_possible_mean(targets + 3).mean() == pytest.approx(1 - 0.5 / 3)


def test_it_learns_what_clean_labels_would_have_taught():
    X, labels, y = noisy_line(20_000)
    clean = LogisticRegression().fit(X, y)
    aware = UnbiasedLogisticRegression([0.1, 0.3]).fit(X, labels)
    np.testing.assert_allclose(aware.coef_, clean.coef_, atol=0.35)
    np.testing.assert_allclose(aware.intercept_, clean.intercept_, atol=0.15)
    assert np.abs(LogisticRegression().fit(X, labels).coef_ - clean.coef_).max() > 1


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_too_few_iterations_are_said(form):
    X, labels, _ = noisy_line()
    with pytest.warns(ConvergenceWarning, match="UnbiasedLogisticRegression: not converged after 1 iterations"):
        UnbiasedLogisticRegression(None, max_iter=1).fit(form(X), labels)


def test_a_tolerance_below_rounding_is_met_as_far_as_it_can_be():
    X, labels, _ = noisy_line()
    problem = SoftLogistic(1e4 * X, pseudo_targets(labels, **NOISE))
    found = newton(problem, tol=1e-300, max_iter=100)
    assert found.converged
    assert np.abs(problem.loss_and_gradient(found.parameters)[1]).max() < 1e-6


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [({"tol": 0}, "a finite number > 0, got 0"), ({"max_iter": 0}, "an integer >= 1, got 0")],
)
def test_bad_parameters(parameters, sentence):
    X, labels, _ = noisy_line(20)
    with pytest.raises(ValueError, match=f"'{next(iter(parameters))}' must be {sentence}"):
        UnbiasedLogisticRegression(**parameters).fit(X, labels)


@pytest.mark.parametrize("method", ["predict_proba", "predict_log_proba"])
def test_docstrings_are_complete(method):
    problems = validate(f"unflip.baselines.UnbiasedLogisticRegression.{method}")["errors"]
    assert [problem for problem in problems if problem[0] not in NOT_ASKED] == []
