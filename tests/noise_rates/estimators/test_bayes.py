"""The default estimator: where it must be right, and where it must hold back."""

import numpy as np
import pytest

from unflip import make_label_noise
from unflip.neighbors import ExactIndex
from unflip.noise_rates import Bayes
from unflip.noise_rates.neighborhoods import matrix_from_rates, neighborhoods


def blobs(distance, n=3000, share=0.5, seed=0):
    random = np.random.RandomState(seed)
    y = (random.random_sample(n) < share).astype(int)
    return random.normal(size=(n, 2)) + distance * y[:, None], y


def estimate(X, labels):
    return Bayes().estimate(ExactIndex(n_jobs=2).fit(X).graph(50), labels)


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.1, 0.3), (0.4, 0.05), (0.3, 0.3)])
def test_overlapping_classes(rates):
    X, y = blobs(2.0)
    found = [estimate(X, make_label_noise(y, rates, random_state=seed)) for seed in range(3)]
    assert np.mean([matrix[0, 1] for matrix in found]) == pytest.approx(rates[0], abs=0.06)
    assert np.mean([matrix[1, 0] for matrix in found]) == pytest.approx(rates[1], abs=0.06)


def test_a_rare_class_without_a_region_of_its_own_is_not_called_noise():
    X, y = blobs(0.5, share=0.03)
    matrix = estimate(X, make_label_noise(y, [0.2, 0.2], random_state=0))
    assert abs(matrix[0, 1] - matrix[1, 0]) < 0.25


def test_labels_that_mean_nothing_do_not_move_the_threshold():
    X, y = blobs(0.0, n=1000)
    assert abs(np.diff(np.diag(estimate(X, y)))[0]) < 0.15


def test_the_smaller_neighborhoods_are_parts_of_the_largest():
    graph = ExactIndex().fit(np.arange(400.0)[:, None]).graph(50)
    assert Bayes(50)._sizes(graph) == [10, 20, 30, 50]
    assert Bayes(5)._sizes(graph) == [2, 3, 5]
    few = ExactIndex().fit(np.arange(60.0)[:, None]).graph(50)
    assert Bayes(50)._sizes(few) == [10, 15]


def test_flips_into_a_class_at_different_rates_are_not_taken_for_overlap():
    random = np.random.RandomState(0)
    y = random.randint(0, 4, size=6000)
    X = random.normal(size=(6000, 3)) + 20 * random.normal(size=(4, 3))[y]
    truth = np.array([[0.6, 0.4, 0, 0], [0, 0.9, 0.1, 0], [0, 0.05, 0.95, 0], [0.3, 0, 0, 0.7]])
    found = estimate(X, make_label_noise(y, truth, random_state=0))
    np.testing.assert_allclose(found, truth, atol=0.06)


def test_equal_noise_in_many_classes_is_found_equal_and_even():
    """Chance differences between classes and between their targets would only mislead the vote."""
    random = np.random.RandomState(1)
    y = random.randint(0, 6, size=900)
    angle = 2 * np.pi * y / 6
    X = random.normal(size=(900, 2)) + 8 * np.column_stack([np.cos(angle), np.sin(angle)])
    labels = make_label_noise(y, 0.2, random_state=0)
    graph = ExactIndex().fit(X).graph(50)
    found, posteriors = Bayes().estimate_with_posteriors(graph, labels)
    rates, alone = 1 - np.diag(found), [posterior.means[1] for posterior in posteriors]
    assert np.ptp(rates) < 0.5 * np.ptp(alone)
    uneven = matrix_from_rates(rates, neighborhoods(graph, labels, 50))
    others = ~np.eye(6, dtype=bool)
    assert found[others].std() < 0.8 * uneven[others].std()
