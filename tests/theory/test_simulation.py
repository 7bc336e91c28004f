"""The classifiers on samples: their clean errors obey the theorems and approach the limits."""

import math

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product
from unflip.theory import (
    SineProduct,
    hard_margin,
    in_hard_region,
    knn_bound,
    one_nn_bounds,
    robust_knn_bound,
    symmetric_knn_bound,
)


def clean_error(model, X, eta):
    """Return the probability that a label drawn from eta differs from the prediction, averaged over points."""
    return np.where(model.predict(X) == 1, 1 - eta(X), eta(X)).mean()


def learned(points, eta, k, *, tau_plus, tau_minus, robust, random):
    """Return plain or robust k-NN, trained on flipped labels of these points."""
    y = (random.random_sample(len(points)) < eta(points)).astype(int)
    noisy = make_label_noise(y, [tau_minus, tau_plus], random_state=random)
    known = [tau_minus, tau_plus] if robust else None
    tree = NearestNeighbors(algorithm="kd_tree")  # the fastest in one and two dimensions
    return RobustKNeighborsClassifier(k, noise_rates=known, algorithm=tree).fit(points, noisy)


def mean_error(draw, eta, n, k, *, samples, **problem):
    """Return the clean error, averaged over samples; one generator draws points, labels and flips."""
    random = np.random.RandomState(0)
    models = (learned(draw(n, random), eta, k, random=random, **problem) for _ in range(samples))
    return np.mean([clean_error(model, draw(3000, random), eta) for model in models])


def sine_error(n, k, *, samples=3, **problem):
    def draw(size, random):
        return make_sine_product(size, random_state=random)[0]

    return mean_error(draw, SineProduct.eta, n, k, samples=samples, **problem)


# ---- the limits


@pytest.mark.parametrize("rates", [(0.1, 0.2), (0.3, 0.1)])
@pytest.mark.parametrize(("robust", "decision"), [(True, "threshold"), (False, "uncorrected")])
def test_few_neighbors_among_many_points_err_as_the_limit_for_constant_k(rates, robust, decision):
    tau_plus, tau_minus = rates
    problem = {"tau_plus": tau_plus, "tau_minus": tau_minus}
    error = sine_error(8000, 10, **problem, robust=robust)
    excess = SineProduct.excess_fixed_k(10, **problem, decision=decision)
    assert error - SineProduct.bayes_error == pytest.approx(excess, abs=0.006)


@pytest.mark.parametrize("rates", [(0.1, 0.2), (0.3, 0.1)])
def test_plain_knn_approaches_its_limit_and_robust_knn_falls_below(rates):
    problem = {"tau_plus": rates[0], "tau_minus": rates[1]}
    limit = SineProduct.knn_limit(*rates)
    small, large = (sine_error(n, k, **problem, robust=False, samples=2) for n, k in ((500, 25), (20_000, 200)))
    assert limit - 0.004 < large < limit + 0.015
    assert large - limit < (small - limit) / 2
    robust = sine_error(20_000, 200, **problem, robust=True, samples=2)
    assert SineProduct.bayes_error < robust < SineProduct.bayes_error + 0.01
    assert (robust < limit - 0.01) == (rates == (0.3, 0.1))


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.2, 0.2), (0.4, 0.4), (0.3, 0.1)])
def test_1_nn_approaches_its_limit(rates):
    problem = {"tau_plus": rates[0], "tau_minus": rates[1]}
    assert sine_error(8000, 1, **problem, robust=False) == pytest.approx(SineProduct.one_nn_limit(*rates), abs=0.008)


# ---- Theorems 2 and 3, on lines where they are not vacuous


class Line:
    """A posterior that rises from one level to another over the unit interval."""

    d = 1

    def __init__(self, low, high):
        self.low, self.high = low, high
        self.lipschitz = high - low

    def eta(self, X):
        return self.low + (self.high - self.low) * X[:, 0]

    def points(self, n, random):
        return random.random_sample((n, 1))

    @property
    def bayes_error(self):
        grid = self.eta(np.linspace(0, 1, 100_001)[:, None])
        return np.minimum(grid, 1 - grid).mean()

    def error(self, n, k, **problem):
        return mean_error(self.points, self.eta, n, k, samples=4, **problem)


@pytest.mark.parametrize("tau", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("line", [Line(0.02, 0.04), Line(0.46, 0.54), Line(0.2, 0.8)], ids=["sure", "unsure", "mixed"])
def test_the_error_of_1_nn_lies_between_the_two_sides_of_theorem_3(line, tau):
    lower, upper = one_nn_bounds(4000, d=1, lipschitz=line.lipschitz, bayes_error=line.bayes_error, tau=tau)
    error = line.error(4000, 1, tau_plus=tau, tau_minus=tau, robust=False)
    sampling = 0.008
    assert lower - sampling < error < upper + sampling


def test_each_side_of_theorem_3_is_nearly_attained():
    """Near-certain labels disagree twice as often as one is wrong; near-random ones just as often."""
    sure, unsure = Line(0.02, 0.04), Line(0.48, 0.52)
    flips = {"tau_plus": 0.2, "tau_minus": 0.2, "robust": False}
    _, upper = one_nn_bounds(4000, d=1, lipschitz=sure.lipschitz, bayes_error=sure.bayes_error, tau=0.2)
    lower, _ = one_nn_bounds(4000, d=1, lipschitz=unsure.lipschitz, bayes_error=unsure.bayes_error, tau=0.2)
    assert sure.error(4000, 1, **flips) == pytest.approx(upper, abs=0.012)
    assert unsure.error(4000, 1, **flips) == pytest.approx(lower, abs=0.012)


@pytest.mark.parametrize("tau", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("k", [8, 30, 100])
def test_plain_knn_obeys_theorem_2_where_it_is_not_vacuous(tau, k):
    line = Line(0.15, 0.2)
    bound = symmetric_knn_bound(50_000, k=k, d=1, lipschitz=line.lipschitz, bayes_error=line.bayes_error, tau=tau)
    error = line.error(50_000, k, tau_plus=tau, tau_minus=tau, robust=False)
    assert line.bayes_error - 1e-3 < error < bound
    assert bound < 1 - line.bayes_error  # the worst error of any prediction here


def test_1_nn_violates_the_bound_of_theorem_2_for_many_neighbors():
    line = Line(0.15, 0.2)
    bound = symmetric_knn_bound(50_000, k=100, d=1, lipschitz=line.lipschitz, bayes_error=line.bayes_error, tau=0.2)
    assert line.error(50_000, 1, tau_plus=0.2, tau_minus=0.2, robust=False) > bound


# ---- Theorems 1 and 5, on two clumps; flips reverse one of them


class Clumps:
    """One fifth of the points near 0, where eta is about .05, and the others near 1, where it is about .35."""

    d, lipschitz = 1, 0.3

    @staticmethod
    def eta(X):
        return 0.05 + 0.3 * X[:, 0]

    @staticmethod
    def points(n, random):
        clump = np.where(random.random_sample(n) < 0.2, 0.0, 0.95)
        return clump[:, None] + 0.05 * random.random_sample((n, 1))


CLUMPS = {"n": 100_000, "k": 900, "d": Clumps.d, "lipschitz": Clumps.lipschitz}
FLIPS = {"tau_plus": 0.0, "tau_minus": 0.3}


@pytest.fixture(scope="module")
def queries():
    return Clumps.points(1000, np.random.RandomState(1))


@pytest.fixture(scope="module")
def clump_errors(queries):
    random = np.random.RandomState(0)
    points = Clumps.points(CLUMPS["n"], random)
    return {
        robust: clean_error(
            learned(points, Clumps.eta, CLUMPS["k"], **FLIPS, robust=robust, random=random), queries, Clumps.eta
        )
        for robust in (False, True)
    }


def bound_on_clumps(bound, queries, *, robust):
    """Return the bound and the mass of its region."""
    eta = Clumps.eta(queries)
    margin = hard_margin(**CLUMPS, **FLIPS)
    mass = in_hard_region(eta, **FLIPS, margin=margin, robust=robust).mean()
    return bound(**CLUMPS, **FLIPS, bayes_error=eta.mean(), region_mass=mass), mass


def test_plain_knn_obeys_theorem_1_and_needs_its_region(clump_errors, queries):
    bound, mass = bound_on_clumps(knn_bound, queries, robust=False)
    assert mass == pytest.approx(0.8, abs=0.05)
    assert bound - mass < clump_errors[False] < bound


def test_robust_knn_obeys_theorem_5_without_a_region(clump_errors, queries):
    bound, mass = bound_on_clumps(robust_knn_bound, queries, robust=True)
    assert mass == 0
    assert clump_errors[True] < bound < clump_errors[False]
    assert clump_errors[True] == pytest.approx(Clumps.eta(queries).mean(), abs=1e-3)


def test_the_error_of_robust_knn_falls_when_k_is_a_power_of_n():
    problem = {"tau_plus": 0.3, "tau_minus": 0.1, "robust": True}
    errors = [sine_error(n, math.ceil(n**0.5), **problem) for n in (250, 2500, 25_000)]
    assert errors[0] > errors[1] + 0.01 > errors[2] + 0.02
    assert errors[2] - SineProduct.bayes_error < 0.012
