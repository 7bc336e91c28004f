"""The regions against the paper's definitions, and their masses computed in three ways."""

import numpy as np
import pytest

from unflip.datasets import make_sine_product
from unflip.theory import SineProduct, in_hard_region, integrated_mass, sampled_mass

RATES = [(0.1, 0.2), (0.3, 0.1), (0.4, 0.4), (0.0, 0.3), (0.0, 0.0)]
UNIT_SQUARE = [(0, 1), (0, 1)]


def by_definition(eta, *, tau_plus, tau_minus, margin, robust):
    """Return the points outside of E+, E- and the boundary."""
    eta_hat = (1 - tau_plus - tau_minus) * eta + tau_minus
    center = (1 + tau_minus - tau_plus) / 2 if robust else 1 / 2
    positive = (eta > 0.5) & (eta_hat >= center + margin)
    negative = (eta < 0.5) & (eta_hat <= center - margin)
    return ~(positive | negative | (eta == 0.5))


def sine_points(n, random):
    return make_sine_product(n, random_state=random)[0]


@pytest.mark.parametrize(("tau_plus", "tau_minus"), RATES)
@pytest.mark.parametrize("margin", [0.0, 0.01, 0.1, 0.4])
@pytest.mark.parametrize("robust", [False, True])
def test_the_region_is_that_of_the_paper(tau_plus, tau_minus, margin, robust):
    eta = np.append(np.random.RandomState(0).random_sample(10_000), 0.5)
    problem = {"tau_plus": tau_plus, "tau_minus": tau_minus, "margin": margin, "robust": robust}
    np.testing.assert_array_equal(in_hard_region(eta, **problem), by_definition(eta, **problem))


@pytest.mark.parametrize(("tau_plus", "tau_minus"), RATES)
def test_points_are_misled_where_flips_move_the_posterior_across_one_half(tau_plus, tau_minus):
    eta = np.random.RandomState(0).random_sample(10_000)
    eta_hat = (1 - tau_plus - tau_minus) * eta + tau_minus
    inside = in_hard_region(eta, tau_plus=tau_plus, tau_minus=tau_minus)
    np.testing.assert_array_equal(inside, (eta - 0.5) * (eta_hat - 0.5) < 0)
    assert inside.any() == (tau_plus != tau_minus)


def test_points_on_the_corrupted_boundary_are_hard_at_every_margin_above_zero():
    """tau_plus = 0, tau_minus = 1/4: eta_hat(1/3) = 1/2, so A_Delta tends to more than A_0."""
    rates = {"tau_plus": 0.0, "tau_minus": 0.25}
    assert in_hard_region([np.nextafter(1 / 3, 0)], margin=1e-9, **rates).tolist() == [True]
    assert in_hard_region([np.nextafter(1 / 3, 0)], **rates).tolist() == [False]


@pytest.mark.parametrize(("tau_plus", "tau_minus"), RATES)
@pytest.mark.parametrize("margin", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("robust", [False, True])
def test_all_three_computations_of_a_mass_agree(tau_plus, tau_minus, margin, robust):
    problem = {"tau_plus": tau_plus, "tau_minus": tau_minus, "margin": margin, "robust": robust}
    exact = SineProduct.hard_mass(**problem)
    drawn, error = sampled_mass(SineProduct.eta, sine_points, n_samples=50_000, random_state=0, **problem)
    assert abs(drawn - exact) <= 4 * error
    assert integrated_mass(SineProduct.eta, UNIT_SQUARE, n_cells=151, **problem) == pytest.approx(exact, abs=2e-4)


def test_more_cells_are_more_accurate():
    exact = SineProduct.hard_mass(0.3, 0.1, margin=0.05)
    errors = [
        abs(integrated_mass(SineProduct.eta, UNIT_SQUARE, tau_plus=0.3, tau_minus=0.1, margin=0.05, n_cells=n) - exact)
        for n in (10, 40, 160)
    ]
    assert errors[0] > 4 * errors[1] > 16 * errors[2]


def test_a_density_weighs_the_box():
    # eta = x with density 2x: the mass of 1/3 < x < 1/2 is 1/4 - 1/9
    problem = {"tau_plus": 0.1, "tau_minus": 0.3}
    found = integrated_mass(lambda X: X[:, 0], [(0, 1)], density=lambda X: 5 * X[:, 0], **problem)
    assert found == pytest.approx(1 / 4 - 1 / 9, abs=1e-6)
    drawn, error = sampled_mass(
        lambda X: X[:, 0], lambda n, random: np.sqrt(random.random_sample((n, 1))), random_state=0, **problem
    )
    assert abs(drawn - found) < 4 * error


def test_a_box_of_any_sides():
    # eta = x / 4 + y / 8 on (1, 2) x (0, 2) lies between 1/4 and 3/4; A_0 is 1/3 < eta < 1/2
    found = integrated_mass(lambda X: X[:, 0] / 4 + X[:, 1] / 8, [(1, 2), (0, 2)], tau_plus=0.1, tau_minus=0.3)
    # with s = 4 eta - 1 = (x - 1) + y / 2, the sum of two uniform: 1/3 < s < 1, so 1/2 - (1/3)^2 / 2
    assert found == pytest.approx(1 / 2 - 1 / 18, abs=1e-5)


@pytest.mark.parametrize(("level", "mass"), [(0.5, 0), (0.4, 1), (0.3, 0), (0.6, 0)])
def test_a_constant_posterior_is_inside_or_not(level, mass):
    problem = {"tau_plus": 0.1, "tau_minus": 0.3}
    assert integrated_mass(lambda X: np.full(len(X), level), UNIT_SQUARE, n_cells=7, **problem) == mass
    assert sampled_mass(lambda X: np.full(len(X), level), sine_points, n_samples=7, **problem) == (mass, 0)


@pytest.mark.parametrize("sides", [1, 2])
def test_a_posterior_that_underflows_is_integrated(sides):
    # eta = exp(-1 / x) for x below 1: 1/3 < eta < 1/2 is x > 1 / log 3
    def fading(X):
        return np.exp(-1 / np.maximum(X[:, 0], 1e-4))

    found = integrated_mass(fading, [(0, 1)] * sides, tau_plus=0.1, tau_minus=0.3)
    assert found == pytest.approx(1 - 1 / np.log(3), abs=1e-5)


def test_a_seed_makes_the_sample_reproducible():
    problem = {"tau_plus": 0.1, "tau_minus": 0.3, "n_samples": 500}
    one, again, other = (sampled_mass(SineProduct.eta, sine_points, random_state=s, **problem) for s in (1, 1, 2))
    assert one == again != other
