"""Arguments that the theorems do not cover are refused in one sentence, and the public names are documented."""

import math

import pytest
from numpydoc.validate import validate
from test_public_names import NOT_ASKED

import unflip.theory
from unflip.foundation.errors import UnflipError
from unflip.theory import (
    SineProduct,
    hard_margin,
    in_hard_region,
    integrated_mass,
    knn_bound,
    one_nn_bounds,
    robust_knn_bound,
    robust_knn_limit_bound,
    sampled_mass,
    symmetric_knn_bound,
)

SMOOTH = {"d": 2, "lipschitz": 1.0}
RATES = {"tau_plus": 0.1, "tau_minus": 0.2}
GENERAL = {"n": 100, "k": 10, **SMOOTH, **RATES, "bayes_error": 0.1, "region_mass": 0.1}
REGION = {"eta": lambda X: X[:, 0], "box": [(0, 1)], **RATES}
DRAWN = {"eta": lambda X: X[:, 0], "sampler": lambda n, random: random.random_sample((n, 1)), **RATES}
SYMMETRIC = {"n": 100, "k": 10, **SMOOTH, "bayes_error": 0.1, "tau": 0.1}
WELL_FORMED = {
    hard_margin: {"n": 100, "k": 10, **SMOOTH, **RATES},
    knn_bound: GENERAL,
    robust_knn_bound: GENERAL,
    robust_knn_limit_bound: {"k": 10, "bayes_error": 0.1, **RATES},
    symmetric_knn_bound: SYMMETRIC,
    one_nn_bounds: {name: value for name, value in SYMMETRIC.items() if name != "k"},
    in_hard_region: {"eta": [0.4], "margin": 0.1, **RATES},
    integrated_mass: {**REGION, "margin": 0.1, "n_cells": 10},
    sampled_mass: {**DRAWN, "margin": 0.1, "n_samples": 10, "random_state": 0},
    SineProduct.misled_mass: RATES,
    SineProduct.hard_mass: {**RATES, "margin": 0.1},
    SineProduct.knn_limit: RATES,
    SineProduct.one_nn_limit: RATES,
    SineProduct.excess_fixed_k: {"k": 10, **RATES, "decision": "threshold"},
}
REFUSED = {
    "n": [9, 0, 100.0, "many", -math.inf, math.nan],
    "k": [0, -1, 2.5, True, "auto"],
    "d": [0, 1.5],
    "lipschitz": [0, -1, math.inf, "steep"],
    "bayes_error": [-0.01, 0.51, math.nan, "low"],
    "tau_plus": [-0.1, 1.0, math.nan, "some", True],
    "tau_minus": [-0.1, 1.0],
    "tau": [-0.1, 0.5],
    "region_mass": [-0.1, 1.1, None, lambda margin: 2.0],
    "margin": [-0.1, math.inf, math.nan],
    "n_cells": [0, 1.5],
    "n_samples": [0, 1.5],
    "box": [[(1, 0)], [(0, 1)] * 3, [0, 1], []],
    "decision": ["plain", None],
}
CASES = [
    pytest.param(function, name, value, id=f"{function.__name__}-{name}-{number}")
    for function, arguments in WELL_FORMED.items()
    for name in arguments
    for number, value in enumerate(REFUSED.get(name, []))
    if not (function is one_nn_bounds and name == "n" and value == 9)
]


@pytest.mark.parametrize("function", WELL_FORMED, ids=lambda function: function.__name__)
def test_well_formed_arguments_pass(function):
    assert function(**WELL_FORMED[function]) is not None


@pytest.mark.parametrize(("function", "name", "value"), CASES)
def test_arguments_that_no_theorem_covers_are_refused(function, name, value):
    with pytest.raises(UnflipError, match=rf"^{function.__qualname__}: '{name}' must be .+, got .+\.$"):
        function(**{**WELL_FORMED[function], name: value})


@pytest.mark.parametrize(
    "function", [f for f, a in WELL_FORMED.items() if "tau_plus" in a], ids=lambda function: function.__name__
)
def test_rates_that_leave_nothing_to_learn_are_refused(function):
    with pytest.raises(ValueError, match=r"'tau_plus \+ tau_minus' must be below 1 .*, got 1\.0\."):
        function(**{**WELL_FORMED[function], "tau_plus": 0.5, "tau_minus": 0.5})


def test_theorem_2_is_for_8_neighbors_and_more():
    with pytest.raises(ValueError, match="symmetric_knn_bound: 'k' must be an integer >= 8, got 7"):
        symmetric_knn_bound(**{**SYMMETRIC, "k": 7})
    assert symmetric_knn_bound(**{**SYMMETRIC, "k": 8}) > 0


def test_a_sample_holds_its_neighbors():
    with pytest.raises(
        ValueError, match="knn_bound: 'n' must be an integer >= k = 10, or infinity for the limit, got 9"
    ):
        knn_bound(**{**GENERAL, "n": 9})
    assert knn_bound(**{**GENERAL, "n": 10}) > knn_bound(**{**GENERAL, "n": math.inf})


METHODS = ("eta", "misled_mass", "hard_mass", "knn_limit", "one_nn_limit", "excess_fixed_k")


@pytest.mark.parametrize("name", [*unflip.theory.__all__, *(f"SineProduct.{method}" for method in METHODS)])
def test_docstrings_are_complete(name):
    problems = validate(f"unflip.theory.{name}")["errors"]
    assert [problem for problem in problems if problem[0] not in NOT_ASKED] == []
