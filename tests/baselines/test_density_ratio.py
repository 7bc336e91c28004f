"""KLIEP against a slow version, and on known densities."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.stats import norm

from unflip.baselines.density_ratio import (
    best_width,
    density_ratio,
    gaussian_kernel,
    held_out_likelihood,
    kliep_coefficients,
    median_distance,
)


def slow_kliep(member_kernels, mean_kernels):
    """The problem as stated, given to a general solver: a >= 0 and mean_kernels @ a = 1."""
    found = minimize(
        lambda a: -sum(np.log(row @ a) for row in member_kernels) / len(member_kernels),
        np.ones(len(mean_kernels)) / mean_kernels.sum(),
        bounds=[(0, None)] * len(mean_kernels),
        constraints={"type": "eq", "fun": lambda a: mean_kernels @ a - 1},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    return found.x


def small_problem(seed=0):
    random = np.random.RandomState(seed)
    X = random.normal(size=(40, 2))
    members = random.random_sample(40) < norm.cdf(X[:, 0])
    squared_distances = ((X[:, None] - X[members][None, :6]) ** 2).sum(axis=2)
    return gaussian_kernel(squared_distances, 0.8), members


@pytest.mark.parametrize("seed", range(3))
def test_the_mixture_steps_reach_the_optimum(seed):
    kernels, members = small_problem(seed)
    mean = kernels.mean(axis=0)
    slow = slow_kliep(kernels[members], mean)
    quick = kliep_coefficients(kernels[members], mean, tol=1e-6, max_iter=100_000)
    scores = [np.log(kernels[members] @ a).mean() for a in (slow, quick)]
    assert scores[1] == pytest.approx(scores[0], abs=1e-6)
    np.testing.assert_allclose(kernels @ quick, kernels @ slow, atol=5e-3)


@pytest.mark.parametrize("tol", [0.1, 0.01])
def test_the_likelihood_falls_short_by_no_more_than_the_tolerance(tol):
    kernels, members = small_problem()
    mean = kernels.mean(axis=0)
    best, found = (kliep_coefficients(kernels[members], mean, t, 100_000) for t in (1e-9, tol))
    gap = np.log(kernels[members] @ best).mean() - np.log(kernels[members] @ found).mean()
    assert 0 < gap <= tol
    # The bound on the gap: no direction promises more than tol.
    assert ((1 / (kernels[members] @ found)) @ (kernels[members] / mean)).max() <= (1 + tol) * members.sum()
    assert mean @ found == pytest.approx(1)
    assert (found >= 0).all()


def test_members_that_no_kernel_reaches_do_not_count():
    kernels = np.array([[1.0, 0.2], [0.3, 1.0], [0.0, 0.0]])
    mean = np.array([0.5, 0.6])
    np.testing.assert_allclose(kliep_coefficients(kernels, mean), kliep_coefficients(kernels[:2], mean))
    assert np.isfinite(kliep_coefficients(kernels[2:], mean)).all()


def test_a_known_ratio_of_densities():
    """Half of the rows around -1, half around 1: the ratio of the second half is 2 / (1 + exp(-2 x))."""
    random = np.random.RandomState(0)
    members = np.arange(4000) % 2 == 1
    x = random.normal(size=4000) + np.where(members, 1, -1)
    truth = 2 / (1 + np.exp(-2 * x))
    ratios = density_ratio(x[:, None], members, random_state=0)
    assert ratios.mean() == pytest.approx(1)
    assert np.abs(ratios - truth).mean() < 0.08
    swapped = density_ratio(x[:, None], ~members, random_state=0)
    assert np.abs(ratios + swapped - 2).mean() < 0.12  # estimated separately


def test_the_same_seed_gives_the_same_ratios_and_sparse_rows_the_same():
    random = np.random.RandomState(0)
    X, members = random.normal(size=(300, 3)), random.random_sample(300) < 0.5
    first = density_ratio(X, members, random_state=3)
    np.testing.assert_array_equal(first, density_ratio(X, members, random_state=3))
    np.testing.assert_allclose(first, density_ratio(sparse.csr_array(X), members, random_state=3))
    assert not np.allclose(first, density_ratio(X, members, random_state=4))


def test_the_scale_of_the_rows_does_not_matter():
    random = np.random.RandomState(0)
    X, members = random.normal(size=(300, 3)), random.random_sample(300) < 0.5
    np.testing.assert_allclose(
        density_ratio(X, members, random_state=0), density_ratio(1024 * X, members, random_state=0)
    )


def test_the_width_follows_the_grain_of_the_ratio():
    """Stripes of the unit interval need kernels narrower than the stripes; a slope needs wide ones."""
    random = np.random.RandomState(0)
    x = random.random_sample(2000)
    chosen = []
    for members in (np.floor(20 * x) % 2 == 1, random.random_sample(2000) < 0.3 + 0.4 * x):
        rows = random.permutation(np.flatnonzero(members))
        chosen.append(best_width((x[:, None] - x[rows[:100]]) ** 2, rows, 0.3))
    assert chosen[0] == pytest.approx(0.03)
    assert chosen[1] > 0.1


def test_a_center_does_not_score_itself():
    # Two members, both centers, and a third row. Each is held out in turn, and only the other's kernel scores it.
    kernels = np.array([[1.0, 0.2], [0.2, 1.0], [0.6, 0.3]])
    expected = np.log(0.2 / 0.5) + np.log(0.2 / 0.6)  # over the mean of the other's kernel
    found = held_out_likelihood(kernels, rows=np.array([0, 1]), folds=np.array([0, 1]))
    assert found == pytest.approx(expected)


def test_a_single_member_and_equal_rows_give_a_ratio_of_1():
    X = np.array([[0.0], [0.0], [0.0], [0.0]])
    np.testing.assert_allclose(density_ratio(X, np.array([True, False, False, False]), random_state=0), 1)
    assert median_distance(X, np.random.RandomState(0)) == 1
    assert median_distance(np.array([[0.0], [0.0], [3.0]]), np.random.RandomState(0)) == 3
