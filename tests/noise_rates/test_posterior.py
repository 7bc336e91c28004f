"""The posterior on a grid against integrals, and what it says where the truth is known."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import roots_jacobi

from unflip.noise_rates import posterior as module
from unflip.noise_rates.posterior import rate_posterior


def simulated(tau_minus, tau_plus, shapes, n, size=31, seed=0):
    random = np.random.RandomState(seed)
    share = tau_minus + (1 - tau_minus - tau_plus) * random.beta(*shapes, size=n)
    return np.bincount(random.binomial(size, share), minlength=size + 1).astype(float)


def slow_evidence(histogram, tau_minus, tau_plus, concentration):
    """The log-likelihood of one pair of rates and one concentration.

    A binomial chance is a polynomial in the clean share, so that Gauss and Jacobi's quadrature is exact.
    """
    size = len(histogram) - 1
    positives = histogram @ np.arange(size + 1) / (histogram.sum() * size)
    mean = (positives - tau_minus) / (1 - tau_plus - tau_minus)
    nodes, weights = roots_jacobi(size, (1 - mean) * concentration - 1, mean * concentration - 1)
    observed = tau_minus + (1 - tau_plus - tau_minus) * (1 + nodes) / 2
    total = 0.0
    for count in np.flatnonzero(histogram):
        chance = stats.binom.pmf(count, size, observed) @ weights / weights.sum()
        total += histogram[count] * np.log(chance)
    return total / size


def test_weights_equal_exact_integrals():
    histogram = simulated(0.1, 0.2, (0.8, 0.8), 300, size=11)
    rates = np.array([0.05, 0.15, 0.25])
    found = module._on_grid([histogram], rates, rates).weights
    slow = np.zeros((3, 3))
    for concentration, prior in zip(module.CONCENTRATIONS, module.PRIOR, strict=True):
        for i, tau_minus in enumerate(rates):
            for j, tau_plus in enumerate(rates):
                slow[i, j] += prior * np.exp(slow_evidence(histogram, tau_minus, tau_plus, concentration) + 60)
    np.testing.assert_allclose(found, slow / slow.sum(), atol=0.01)


@pytest.mark.parametrize("truth", [(0.1, 0.3), (0.0, 0.0), (0.25, 0.05), (0.4, 0.3)])
def test_the_truth_is_found_where_classes_are_pure(truth):
    posterior = rate_posterior([simulated(*truth, (0.2, 0.2), 100_000)])
    assert posterior.means == pytest.approx(truth, abs=0.02)
    assert posterior.weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(posterior.shares.sum(axis=-1), posterior.weights, atol=1e-9)


def test_intervals_cover_the_truth_as_often_as_they_say():
    random = np.random.RandomState(0)
    covered = []
    for seed in range(60):
        truth = random.random_sample(2) / 2
        size, n = 21, 150  # independent neighborhoods, each counting in full
        histogram = size * simulated(*truth, random.choice([0.3, 1.0, 2.0]) * np.ones(2), n, size=size, seed=seed)
        for rate, (low, high) in zip(truth, rate_posterior([histogram]).intervals(0.9), strict=True):
            covered.append(low <= rate <= high)
    assert 0.85 <= np.mean(covered) <= 0.99


def test_more_rows_narrow_the_interval_and_no_pure_region_widens_it():
    def width(shapes, n):
        low, high = rate_posterior([simulated(0.1, 0.2, shapes, n)]).intervals(0.9)[1]
        return high - low

    assert width((0.3, 0.3), 100_000) < 0.3 * width((0.3, 0.3), 3000)
    assert width((5.0, 5.0), 3000) > 2 * width((0.3, 0.3), 3000)


def test_more_confidence_is_a_wider_interval_around_the_same_values():
    posterior = rate_posterior([simulated(0.1, 0.2, (0.5, 0.5), 3000)])
    (low, high), (lower, higher) = posterior.intervals(0.5)[0], posterior.intervals(0.95)[0]
    assert lower < low < high < higher


def test_a_known_rate_is_not_estimated():
    posterior = rate_posterior([simulated(0.1, 0.3, (0.3, 0.3), 50_000)], tau_minus=0.1)
    assert posterior.tau_minus.tolist() == [0.1]
    assert posterior.means == pytest.approx((0.1, 0.3), abs=0.02)


def test_the_best_difference_is_that_of_the_rates_where_these_are_certain():
    posterior = rate_posterior([simulated(0.05, 0.35, (0.4, 0.4), 200_000)])
    assert posterior.best_difference == pytest.approx(-0.3, abs=0.06)


def test_labels_of_one_kind_only_are_no_harm():
    for positives in (0, 31):
        histogram = np.zeros(32)
        histogram[positives] = 500.0
        posterior = rate_posterior([histogram])
        assert np.isfinite(posterior.means).all()
        assert posterior.weights.sum() == pytest.approx(1)
