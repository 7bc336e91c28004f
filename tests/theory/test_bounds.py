"""Theorems 1, 4 and 5: hand-worked values, the paper's sizes, and how they fall with the sample size."""

import math

import pytest

from unflip.theory import SineProduct, hard_margin, knn_bound, robust_knn_bound, robust_knn_limit_bound

RATES = {"tau_plus": 0.1, "tau_minus": 0.2}
SINE = {"d": SineProduct.dimension, "lipschitz": SineProduct.lipschitz, **RATES}
BOUNDS = [(knn_bound, False), (robust_knn_bound, True)]


def on_sine_product(bound, robust, n, k):
    def mass(margin):
        return SineProduct.hard_mass(0.1, 0.2, margin=margin, robust=robust)

    return bound(n, k=k, **SINE, bayes_error=SineProduct.bayes_error, region_mass=mass)


def test_the_margin_by_hand():
    # d = 1, kappa L = .5 * .5: 2 * sqrt(.25) * sqrt(100 / 10000) = .1, below sqrt(log(100) / 100) = .2146
    problem = {"k": 100, "d": 1, "tau_plus": 0.2, "tau_minus": 0.3}
    assert hard_margin(10_000, lipschitz=0.5, **problem) == pytest.approx(math.sqrt(math.log(100) / 100))
    # kappa L = .5 * 8: 2 * 2 * .1
    assert hard_margin(10_000, lipschitz=8.0, **problem) == pytest.approx(0.4)
    # d = 4, kappa L = 1: 2 * 2 * (16 * 2 / n)^(1 / 5)
    assert hard_margin(32**2, k=16, d=4, lipschitz=2.0, tau_plus=0.2, tau_minus=0.3) == pytest.approx(2.0)


@pytest.mark.parametrize(("bound", "_robust"), BOUNDS)
def test_the_bound_by_hand(bound, _robust):
    # d = 1, kappa L = .7 * .7: R* + mass + 1/10 + 2 * .7 * sqrt(100 / 10000)
    problem = {"k": 100, "d": 1, "lipschitz": 0.7, "bayes_error": 0.1, **RATES}
    assert bound(10_000, region_mass=0.05, **problem) == pytest.approx(0.1 + 0.05 + 0.1 + 0.14)
    # d = 4, kappa L = 2: 2 * 1^(4 / 5) * (1 / 32)^(1 / 5)
    problem = {"k": 100, "d": 4, "lipschitz": 2 / 0.7, "bayes_error": 0.1, **RATES}
    assert bound(3200, region_mass=0, **problem) == pytest.approx(0.1 + 0.1 + 1)


@pytest.mark.parametrize(("bound", "_robust"), BOUNDS)
def test_the_mass_is_evaluated_at_the_margin(bound, _robust):
    asked = []

    def mass(margin):
        asked.append(margin)
        return 0.25

    problem = {"k": 50, **SINE}
    with_function = bound(8000, bayes_error=0.2, region_mass=mass, **problem)
    assert with_function == bound(8000, bayes_error=0.2, region_mass=0.25, **problem)
    assert asked == [hard_margin(8000, **problem)]


@pytest.mark.parametrize(("k", "margin"), [(10, 0.58), (20, 0.73)])
def test_at_the_papers_size_the_margin_is_wider_than_the_posterior(k, margin):
    assert hard_margin(8000, k=k, **SINE) == pytest.approx(margin, abs=0.005)


@pytest.mark.parametrize(("bound", "robust"), BOUNDS)
@pytest.mark.parametrize("k", [10, 20, 50, 100, 200])
def test_at_the_papers_size_they_are_vacuous(bound, robust, k):
    assert on_sine_product(bound, robust, 8000, k) > 1.8


@pytest.mark.parametrize(("bound", "robust"), BOUNDS)
@pytest.mark.parametrize("power", [0.3, 0.5, 0.7])
def test_they_fall_with_n_when_k_is_a_power_of_it(bound, robust, power):
    along = [on_sine_product(bound, robust, n, round(n**power)) for n in (10**6, 10**9, 10**12, 10**15, 10**18)]
    assert along == sorted(along, reverse=True)
    assert along[-1] < 0.7 * along[0]


@pytest.mark.parametrize(("n", "best"), [(10**9, 0.643), (10**12, 0.471), (10**15, 0.436)])
def test_theorem_1_with_the_best_k(n, best):
    bounds = [on_sine_product(knn_bound, False, n, round(1.1**step)) for step in range(30, 180)]
    assert best - 0.006 < min(bounds) < best


def test_theorem_5_overtakes_theorem_1_only_beyond_a_billion_samples():
    assert on_sine_product(robust_knn_bound, True, 10**9, 1800) > on_sine_product(knn_bound, False, 10**9, 1800)
    assert on_sine_product(robust_knn_bound, True, 10**12, 36_000) < on_sine_product(knn_bound, False, 10**12, 36_000)


def test_theorem_1_tends_to_the_bayes_error_plus_the_misled_mass():
    bound = on_sine_product(knn_bound, False, math.inf, 10**9)
    limit = SineProduct.bayes_error + SineProduct.misled_mass(0.1, 0.2)
    assert limit < bound < limit + 1e-3


def test_theorem_5_tends_to_the_bayes_error():
    assert (
        SineProduct.bayes_error
        < on_sine_product(robust_knn_bound, True, math.inf, 10**9)
        < SineProduct.bayes_error + 1e-2
    )


@pytest.mark.parametrize("k", [10, 100, 1000])
def test_theorem_5_for_constant_k_leaves_more_than_theorem_4_says(k):
    """The mass of A^r_Delta at Delta = sqrt(log k / k) falls slower than 1 / sqrt(k)."""
    limit = on_sine_product(robust_knn_bound, True, math.inf, k) - SineProduct.bayes_error
    margin = math.sqrt(math.log(k) / k)
    assert limit == pytest.approx(SineProduct.hard_mass(0.1, 0.2, margin=margin, robust=True) + 1 / math.sqrt(k))
    four_times = on_sine_product(robust_knn_bound, True, math.inf, 4 * k) - SineProduct.bayes_error
    assert four_times > 0.55 * limit


def test_theorem_4_by_hand():
    # exp(-1/2) = .60653, kappa = .5, sqrt(k) = 10
    found = robust_knn_limit_bound(100, bayes_error=0.2, tau_plus=0.2, tau_minus=0.3)
    assert found == pytest.approx(0.2 + 0.0606531 * 2, abs=1e-6)


@pytest.mark.parametrize("rates", [(0.1, 0.2), (0.3, 0.1), (0.4, 0.4), (0.0, 0.0)])
@pytest.mark.parametrize("k", [1, 2, 5, 10, 50, 200])
def test_theorem_4_holds_on_the_synthetic_distribution(rates, k):
    tau_plus, tau_minus = rates
    excess = SineProduct.excess_fixed_k(k, tau_plus=tau_plus, tau_minus=tau_minus)
    bound = robust_knn_limit_bound(k, bayes_error=SineProduct.bayes_error, tau_plus=tau_plus, tau_minus=tau_minus)
    assert 0 < excess < bound - SineProduct.bayes_error
