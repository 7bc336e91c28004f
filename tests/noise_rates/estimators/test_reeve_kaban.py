"""The largest lower bound of each class's share, against a loop over rows and sizes."""

from math import log, sqrt

import numpy as np
import pytest

from unflip import make_label_noise
from unflip.neighbors import ExactIndex
from unflip.noise_rates import ReeveKaban
from unflip.noise_rates.estimators.reeve_kaban import SIZES


def separate_classes(n_classes, n=3000, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    return random.normal(size=(n, 2)) + 30 * y[:, None], y


def slow_rates(graph, labels, n_classes, n_neighbors, level):
    k = min(n_neighbors, len(labels) // 4)
    sizes = sorted({max(1, round(part * k)) for part in SIZES})
    rates = []
    for c in range(n_classes):
        highest = -np.inf
        for row in range(len(labels)):
            for size in sizes:
                around = [labels[row], *labels[graph.indices[row, :size]]]
                share = sum(label == c for label in around) / len(around)
                reach = sqrt(log(len(labels) * len(sizes) * n_classes / level) / (2 * len(around)))
                highest = max(highest, share - reach)
        rates.append(min(max(1 - highest, 0), 1 - 1 / n_classes))
    return rates


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("n_neighbors", "level"), [(60, 0.1), (200, 0.5)])
def test_rates_are_those_of_a_loop_over_rows_and_sizes(n_classes, n_neighbors, level):
    X, y = separate_classes(n_classes, 400)
    labels = make_label_noise(y, 0.1, random_state=0)
    graph = ExactIndex().fit(X).graph(200)
    matrix = ReeveKaban(n_neighbors, level).estimate(graph, labels)
    expected = slow_rates(graph, labels, n_classes, n_neighbors, level)
    np.testing.assert_allclose(1 - np.diag(matrix), expected)
    assert 0 < min(expected) < 1 - 1 / n_classes  # not all are at the limit
    np.testing.assert_allclose(matrix.sum(axis=1), 1)


def test_rates_come_out_high_by_the_width_of_the_bound():
    X, y = separate_classes(2)
    labels = make_label_noise(y, [0.1, 0.2], random_state=0)
    matrix = ReeveKaban().estimate(ExactIndex().fit(X).graph(200), labels)
    reach = sqrt(log(3000 * len(SIZES) * 2 / 0.1) / (2 * 201))
    for found, truth in ((matrix[0, 1], 0.1), (matrix[1, 0], 0.2)):
        assert truth < found < truth + reach + 0.02


def test_a_class_that_is_pure_nowhere_has_the_rate_of_chance():
    random = np.random.RandomState(0)
    graph = ExactIndex().fit(random.normal(size=(200, 2))).graph(50)
    matrix = ReeveKaban().estimate(graph, random.randint(0, 4, 200))
    np.testing.assert_allclose(np.diag(matrix), 1 / 4)


def test_one_class_has_no_other_to_flip_to():
    graph = ExactIndex().fit(np.arange(8.0)[:, None]).graph(3)
    np.testing.assert_array_equal(ReeveKaban().estimate(graph, np.zeros(8, int)), np.eye(1))
