"""Every simulated error obeys its bound and converges to its exact limit."""

import math

import pytest

from unflip.experiments.figures.bound_figure import CLAIMS, SIZES, Claim, figure_of_bounds, is_vacuous, simulated_excess
from unflip.theory import SineProduct, knn_bound, one_nn_bounds


@pytest.fixture(scope="module")
def numbers():
    return simulated_excess(sizes=(250, 2000, 16_000), samples=range(3), n_test=2000)


def test_every_simulated_point_obeys_its_bounds(numbers):
    assert len(numbers) == 3 * len(CLAIMS)
    for row in numbers.itertuples():
        sampling = 3 * row.standard_error
        assert row.lower_bound - sampling <= row.excess <= row.upper_bound + sampling, row


def test_the_errors_fall_towards_their_limits(numbers):
    for _, part in numbers.groupby(["theorem", "tau_plus", "tau_minus"]):
        above = (part["excess"] - part["limit"]).tolist()
        method = part["method"].iloc[0]
        if method == "1-NN":
            assert above[-1] == pytest.approx(0, abs=0.02)
        else:
            assert 0 < above[-1] < above[0] / 2 + 0.005, part


def test_robust_knn_errs_less_than_plain_knn_where_the_rates_differ(numbers):
    last = numbers[(numbers["n"] == 16_000) & (numbers["tau_plus"] == 0.3)].set_index("theorem")["excess"]
    assert last["Theorem 5"] < last["Theorem 1"] - 0.015


def test_bounds_are_of_the_excess_error():
    problem = {"d": 2, "lipschitz": math.pi, "bayes_error": SineProduct.bayes_error}
    rates = {"tau_plus": 0.3, "tau_minus": 0.1}
    claim = Claim("Theorem 1", "kNN", **rates)
    assert claim.n_neighbors(100_000) == 100
    bound = knn_bound(
        100_000, k=100, **problem, **rates, region_mass=lambda m: SineProduct.hard_mass(**rates, margin=m)
    )
    assert claim.bounds(100_000) == pytest.approx((0, bound - SineProduct.bayes_error))
    lower, upper = one_nn_bounds(1000, **problem, tau=0.2)
    expected = (lower - SineProduct.bayes_error, upper - SineProduct.bayes_error)
    assert Claim("Theorem 3", "1-NN", 0.2, 0.2).bounds(1000) == pytest.approx(expected)


def test_vacuous_is_said_of_bounds_that_allow_an_error_above_1(numbers):
    assert not is_vacuous(1 - SineProduct.bayes_error - 1e-6)
    assert is_vacuous(1 - SineProduct.bayes_error)
    vacuous = numbers[numbers["vacuous"] == "yes"]
    assert set(vacuous["theorem"]) == {"Theorem 1", "Theorem 2", "Theorem 3", "Theorem 5"}
    assert set(numbers[numbers["vacuous"] == "no"]["theorem"]) == {"Theorem 3"}


def test_neighbors_grow_and_their_share_vanishes():
    claim = CLAIMS[0]
    k_values = [claim.n_neighbors(n) for n in SIZES]
    assert k_values == sorted(set(k_values))
    assert k_values[0] >= 8  # Theorem 2 needs that
    shares = [k / n for k, n in zip(k_values, SIZES, strict=True)]
    assert shares == sorted(shares, reverse=True)


def test_the_figure_has_a_panel_for_each_theorem(numbers):
    figure = figure_of_bounds(numbers)
    assert [axis.get_title().split(":")[0] for axis in figure.axes] == [f"Theorem {i}" for i in (1, 2, 3, 5)]
    assert all(axis.get_xscale() == axis.get_yscale() == "log" for axis in figure.axes)
