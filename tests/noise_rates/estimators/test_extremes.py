import numpy as np
import pytest

from unflip import make_label_noise
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex, NeighborGraph
from unflip.noise_rates import Extremes


def test_by_hand():
    # Six rows in two groups of three, everyone's neighbors the others of the group: own label plus two.
    X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    labels = np.array([0, 0, 1, 1, 1, 1])
    graph = ExactIndex().fit(X).graph(2)
    # The left group has a share of 1/3 positives, the right one of 1: tau_minus = 1/3, tau_plus = 0.
    np.testing.assert_allclose(Extremes(2).estimate(graph, labels), [[2 / 3, 1 / 3], [0, 1]])


def test_two_classes_are_minimum_and_maximum_of_the_shares_exactly():
    X, y = make_sine_product(500, random_state=0)
    labels = make_label_noise(y, [0.2, 0.1], random_state=0)
    graph = ExactIndex().fit(X).graph(30)
    for k in (5, 12, 30):
        positives = labels[graph.indices[:, :k]].sum(axis=1) + labels
        matrix = Extremes(k).estimate(graph, labels)
        assert matrix[0, 1] == positives.min() / (k + 1)
        assert matrix[1, 0] == (k + 1 - positives.max()) / (k + 1)


def test_several_k_at_once_are_those_one_by_one():
    X, labels = make_sine_product(300, random_state=1)
    graph = ExactIndex().fit(X).graph(40)
    together = Extremes.estimate_each(graph, labels, [5, 20, 40], 2)
    for k, matrix in zip([5, 20, 40], together, strict=True):
        np.testing.assert_array_equal(matrix, Extremes(k).estimate(graph, labels))


def test_many_classes_take_the_rows_where_each_class_is_purest():
    # Three pure groups of 400 and a matrix without zeros: neighborhoods of 100 show its rows, extremes a little too
    # pure.
    truth = np.array([[0.7, 0.2, 0.1], [0.05, 0.8, 0.15], [0.1, 0.3, 0.6]])
    random = np.random.RandomState(0)
    y = np.repeat([0, 1, 2], 400)
    X = random.normal(size=(1200, 2)) + 50 * y[:, None]
    labels = make_label_noise(y, truth, random_state=0)
    matrix = Extremes(100).estimate(ExactIndex().fit(X).graph(100), labels)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    np.testing.assert_allclose(matrix, truth, atol=0.15)
    assert (np.diag(matrix) >= np.diag(truth)).all()


def test_a_class_of_which_there_is_nobody_is_left_alone():
    graph = NeighborGraph(np.array([[1], [0]], np.int32), np.ones((2, 1)))
    matrix = Extremes.estimate_each(graph, np.array([0, 0]), [1], 3)[0]
    np.testing.assert_array_equal(matrix, np.eye(3))


@pytest.mark.parametrize(("tau_plus", "tau_minus"), [(0.1, 0.2), (0.3, 0.1)])
def test_both_rates_come_out_low_and_their_difference_nearly_right(tau_plus, tau_minus):
    """On the synthetic distribution, k' = 50, the difference is off by about .04 in simulations."""
    errors = []
    for seed in range(5):
        X, y = make_sine_product(8000, random_state=seed)
        labels = make_label_noise(y, [tau_minus, tau_plus], random_state=seed)
        matrix = Extremes(50).estimate(ExactIndex(n_jobs=2).fit(X).graph(50), labels)
        assert matrix[0, 1] < tau_minus
        assert matrix[1, 0] < tau_plus
        errors.append((matrix[0, 1] - matrix[1, 0]) - (tau_minus - tau_plus))
    assert abs(np.mean(errors)) < 0.08
    # With the equation as printed the difference would have the wrong sign.
    assert abs(np.mean(errors)) < abs(tau_minus - tau_plus)
