"""The unbiased loss: its mean over flips, what it learns, and its intercept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from baselines.noisy_lines import NOISE, noisy_line
from unflip.baselines import UnbiasedLogisticRegression
from unflip.baselines.unbiased import shift_to_feasible_mean, unbiased_targets


def logistic_loss(score, label):
    return np.logaddexp(0, -score if label else score)


@given(score=st.floats(-30, 30), tau_plus=st.floats(0, 0.49), tau_minus=st.floats(0, 0.49))
def test_the_mean_over_flips_is_the_clean_loss(score, tau_plus, tau_minus):
    low, high = unbiased_targets(np.arange(2), tau_plus=tau_plus, tau_minus=tau_minus)
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
    low, high = unbiased_targets(np.arange(2), **NOISE)
    assert np.logaddexp(0, score) - high * score == pytest.approx(expected_of_1)
    assert np.logaddexp(0, score) - low * score == pytest.approx(expected_of_0)


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


def test_separable_rows_stay_bounded():
    """More columns than rows: without the ridge the loss would be unbounded below."""
    random = np.random.RandomState(0)
    X, labels = random.normal(size=(30, 60)), np.arange(30) % 2
    model = UnbiasedLogisticRegression([0.1, 0.3], C=100.0).fit(X, labels)
    # At the optimum w = C X' (targets - predictions), and no target is further from a prediction than 1.5.
    assert (np.abs(model.coef_) <= 100 * 1.5 * np.abs(X).sum(axis=0)).all()
    assert np.isfinite(model.intercept_).all()


@pytest.mark.parametrize("positive", [0.05, 0.95])
def test_an_impossible_prior_keeps_the_intercept_bounded_and_warns(positive):
    """5 % of 200 labels belong to a class to which 30 % of the others should have been flipped."""
    X = np.random.RandomState(0).normal(size=(200, 3))
    labels = (np.arange(200) < 200 * positive).astype(int)
    rates = [0.3, 0.0] if positive < 0.5 else [0.0, 0.3]
    share = "-0.357" if positive < 0.5 else "1.36"
    with pytest.warns(UserWarning, match=f"imply an impossible share of {share} for class 1") as caught:
        model = UnbiasedLogisticRegression(rates, tol=1e-8).fit(X, labels)
    assert caught[0].filename == __file__
    assert np.isfinite(model.intercept_).all()
    assert np.abs(model.intercept_) < 60
    # The mean prediction is half a row of the rare class.
    assert abs(model.predict_proba(X)[:, 1].mean() - (positive > 0.5)) == pytest.approx(0.5 / 200, rel=1e-3)


def test_the_same_prior_without_an_intercept_is_left_alone():
    X = np.random.RandomState(0).normal(size=(200, 3))
    labels = (np.arange(200) < 10).astype(int)
    model = UnbiasedLogisticRegression([0.3, 0.0], fit_intercept=False).fit(X, labels)
    assert model.intercept_.tolist() == [0]


def test_a_feasible_mean_is_unchanged_and_others_move_to_half_a_row():
    targets = np.array([-0.5, 1.5, 0.2])
    np.testing.assert_array_equal(shift_to_feasible_mean(targets), targets)
    assert shift_to_feasible_mean(targets - 3).mean() == pytest.approx(0.5 / 3)
    assert shift_to_feasible_mean(targets + 3).mean() == pytest.approx(1 - 0.5 / 3)


def test_it_learns_the_coefficients_of_clean_labels():
    X, labels, y = noisy_line(20_000)
    clean = LogisticRegression().fit(X, y)
    aware = UnbiasedLogisticRegression([0.1, 0.3]).fit(X, labels)
    np.testing.assert_allclose(aware.coef_, clean.coef_, atol=0.35)
    np.testing.assert_allclose(aware.intercept_, clean.intercept_, atol=0.15)
    assert np.abs(LogisticRegression().fit(X, labels).coef_ - clean.coef_).max() > 1


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_too_few_iterations_warn(form):
    X, labels, _ = noisy_line()
    with pytest.warns(ConvergenceWarning, match="UnbiasedLogisticRegression: not converged after 1 iterations"):
        UnbiasedLogisticRegression(None, max_iter=1).fit(form(X), labels)
