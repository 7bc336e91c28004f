"""The closed forms against samples, against the published numbers, and at their limits."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from unflip import UnflipError
from unflip.datasets import make_sine_product
from unflip.theory import SineProduct

RATES = [(0.1, 0.2), (0.3, 0.1), (0.0, 0.3), (0.2, 0.7)]


@pytest.fixture(scope="module")
def eta():
    return SineProduct.eta(make_sine_product(400_000, random_state=0)[0])


def matches_sample(values, exact):
    return abs(values.mean() - exact) < 4 * values.std() / math.sqrt(len(values))


def corrupted(eta, tau_plus, tau_minus):
    return (1 - tau_plus - tau_minus) * eta + tau_minus


def test_the_bayes_error(eta):
    assert SineProduct.bayes_error == pytest.approx(0.297358, abs=5e-7)
    assert matches_sample(np.minimum(eta, 1 - eta), SineProduct.bayes_error)


def test_the_posterior_is_that_of_the_labels():
    X, y = make_sine_product(200_000, random_state=1)
    assert matches_sample(y - SineProduct.eta(X), 0)
    assert matches_sample((y - SineProduct.eta(X)) * (SineProduct.eta(X) - 0.5), 0)


def test_no_slope_exceeds_the_lipschitz_constant_and_one_attains_it():
    side = np.linspace(0, 1, 401)  # holds the steepest points, where one sine is 0 and the other 1
    X = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    step = 1e-6
    slopes = [(SineProduct.eta(X + step * unit) - SineProduct.eta(X - step * unit)) / (2 * step) for unit in np.eye(2)]
    assert np.hypot(*slopes).max() == pytest.approx(SineProduct.lipschitz, rel=1e-6)


@pytest.mark.parametrize(("rates", "mass"), [((0.1, 0.2), 0.12554), ((0.3, 0.1), 0.23657), ((0.4, 0.4), 0)])
def test_the_published_misled_masses(rates, mass):
    assert SineProduct.misled_mass(*rates) == pytest.approx(mass, abs=5e-6)
    assert SineProduct.misled_mass(*rates[::-1]) == pytest.approx(mass, abs=5e-6)


@pytest.mark.parametrize("rates", RATES)
def test_the_misled_mass_matches_a_sample(eta, rates):
    misled = (eta - 0.5) * (corrupted(eta, *rates) - 0.5) < 0
    assert matches_sample(misled, SineProduct.misled_mass(*rates))


@pytest.mark.parametrize("rates", RATES)
def test_the_limit_of_plain_knn_is_the_error_of_the_corrupted_majority(eta, rates):
    error = np.where(corrupted(eta, *rates) >= 0.5, 1 - eta, eta)
    assert matches_sample(error, SineProduct.knn_limit(*rates))


@pytest.mark.parametrize(("rates", "excess"), [((0.1, 0.2), 0.00794), ((0.3, 0.1), 0.03389), ((0.4, 0.4), 0)])
def test_the_published_limits_of_plain_knn(rates, excess):
    assert SineProduct.knn_limit(*rates) - SineProduct.bayes_error == pytest.approx(excess, abs=5e-6)
    assert SineProduct.knn_limit(*rates[::-1]) == pytest.approx(SineProduct.knn_limit(*rates))


def test_the_paper_overstates_the_bias_16_and_7_times():
    ratios = [
        SineProduct.misled_mass(*rates) / (SineProduct.knn_limit(*rates) - SineProduct.bayes_error)
        for rates in [(0.1, 0.2), (0.3, 0.1)]
    ]
    assert ratios == pytest.approx([15.8, 7.0], abs=0.05)


def test_flips_that_hide_one_class_leave_a_constant_prediction():
    assert SineProduct.misled_mass(0.0, 0.6) == 0.5
    assert SineProduct.knn_limit(0.0, 0.6) == pytest.approx(0.5)


@pytest.mark.parametrize(("tau", "limit"), [(0, 0.375), (0.1, 0.4), (0.2, 0.425), (0.3, 0.45), (0.4, 0.475)])
def test_the_published_limits_of_1_nn(tau, limit):
    assert SineProduct.one_nn_limit(tau) == pytest.approx(limit)


@pytest.mark.parametrize("rates", RATES)
def test_the_limit_of_1_nn_is_a_disagreement_of_two_labels_at_one_point(eta, rates):
    eta_hat = corrupted(eta, *rates)
    assert matches_sample(eta * (1 - eta_hat) + (1 - eta) * eta_hat, SineProduct.one_nn_limit(*rates))
    assert SineProduct.excess_fixed_k(
        1, tau_plus=rates[0], tau_minus=rates[1], decision="uncorrected"
    ) == pytest.approx(SineProduct.one_nn_limit(*rates) - SineProduct.bayes_error)


@pytest.mark.parametrize(("k", "excess"), [(10, 0.0427), (20, 0.0273), (50, 0.0125), (100, 0.0071)])
def test_the_published_excess_at_constant_k(k, excess):
    assert SineProduct.excess_fixed_k(k, tau_plus=0.1, tau_minus=0.2) == pytest.approx(excess, abs=5e-5)


@pytest.mark.parametrize("rates", [(0.1, 0.2), (0.3, 0.1)])
@pytest.mark.parametrize("k", [5, 20])
def test_the_excess_matches_a_sample(eta, rates, k):
    threshold = (1 + rates[1] - rates[0]) / 2
    votes = np.random.RandomState(0).binomial(k, corrupted(eta, *rates))
    error = np.where(votes >= k * threshold - 1e-9, 1 - eta, eta) - np.minimum(eta, 1 - eta)
    assert matches_sample(error, SineProduct.excess_fixed_k(k, tau_plus=rates[0], tau_minus=rates[1]))


def test_algorithm_1_to_the_letter_keeps_the_tie():
    """k = 10, rates .1 and .3: 5 and 6 votes, the tie and the threshold, stay 1, so nothing is corrected."""
    rates = {"tau_plus": 0.1, "tau_minus": 0.3}
    excess = {
        rule: SineProduct.excess_fixed_k(10, decision=rule, **rates)
        for rule in ("threshold", "algorithm_1", "uncorrected")
    }
    assert excess["algorithm_1"] == excess["uncorrected"] > 1.4 * excess["threshold"]
    # k = 20: 10 and 12 stay 1, 11 becomes 0
    between = SineProduct.excess_fixed_k(20, decision="algorithm_1", **rates)
    assert SineProduct.excess_fixed_k(20, **rates) < between
    assert between < SineProduct.excess_fixed_k(20, decision="uncorrected", **rates)


def test_the_excess_of_plain_knn_falls_to_its_bias(eta):
    rates = {"tau_plus": 0.3, "tau_minus": 0.1}
    bias = SineProduct.knn_limit(**rates) - SineProduct.bayes_error
    left = [SineProduct.excess_fixed_k(k, decision="uncorrected", **rates) - bias for k in (11, 101, 1001)]
    assert left[0] > 5 * left[1] > 25 * left[2] > 0


def test_with_equal_rates_the_rules_agree():
    rules = [
        SineProduct.excess_fixed_k(7, tau_plus=0.2, tau_minus=0.2, decision=rule)
        for rule in ("threshold", "algorithm_1", "uncorrected")
    ]
    assert rules[0] == rules[1] == rules[2]


def test_the_excess_of_three_neighbors_by_hand(eta):
    # without flips two of three decide: 3 p^2 - 2 p^3 of the less likely label's chance p
    least = np.minimum(eta, 1 - eta)
    wrong = 3 * least**2 - 2 * least**3
    assert wrong[:5] == pytest.approx(binom.sf(1, 3, least[:5]))
    assert matches_sample((1 - 2 * least) * wrong, SineProduct.excess_fixed_k(3, tau_plus=0.0, tau_minus=0.0))


def test_what_are_no_points_and_an_absurd_k_are_refused():
    for X in (3.0, [0.1, 0.2], [[0.1, 0.2, 0.3]], [[0.1, np.nan]]):
        with pytest.raises(UnflipError, match=r"SineProduct.eta: 'X' must be finite points of shape \(n_samples, 2\)"):
            SineProduct.eta(X)
    with pytest.raises(UnflipError, match="'k' must be at most 1,000,000, got 1000000000"):
        SineProduct.excess_fixed_k(10**9, tau_plus=0.1, tau_minus=0.2)
