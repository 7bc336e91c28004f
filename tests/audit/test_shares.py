"""Shares of labels among neighbors, by the definition."""

import numpy as np
import pytest

from unflip.audit.shares import blend, choose_n_neighbors, choose_weight, neighbor_shares, rank_weights
from unflip.neighbors import ExactIndex


def slow_shares(X, labels, n_classes, width):
    """Sort all other rows by (distance, number), weigh them 1, 1 - 1/width, ..., add a share of 1 / n_classes each."""
    shares = np.zeros((len(X), n_classes))
    for i in range(len(X)):
        others = sorted((np.sum((X[i] - X[j]) ** 2), j) for j in range(len(X)) if j != i)
        for rank, (_, j) in enumerate(others[:width]):
            shares[i, labels[j]] += 1 - rank / width
        shares[i] = (shares[i] + 1 / n_classes) / (shares[i].sum() + 1)
    return shares


@pytest.mark.parametrize("n_classes", [2, 3])
def test_shares_are_those_of_the_definition(n_classes):
    random = np.random.RandomState(n_classes)
    X = random.randint(0, 4, size=(40, 2)).astype(float)  # many equal rows and distances
    labels = np.r_[np.arange(n_classes), random.randint(0, n_classes, 40 - n_classes)]
    graph = ExactIndex().fit(X).graph(20)
    found = np.vstack([neighbor_shares(graph, labels, n_classes, 7, part) for part in (slice(0, 25), slice(25, 40))])
    np.testing.assert_allclose(found, slow_shares(X, labels, n_classes, 7), rtol=1e-12)


def test_the_width_is_the_one_with_the_highest_likelihood():
    random = np.random.RandomState(0)
    X = random.normal(size=(150, 2))
    labels = (X[:, 0] + random.normal(size=150) > 0).astype(int)
    graph = ExactIndex().fit(X).graph(60)
    widths = (5, 10, 20, 40, 60)
    likelihood = [np.log(slow_shares(X, labels, 2, width)[np.arange(150), labels]).sum() for width in widths]
    assert choose_n_neighbors(graph, labels, 2, widths, np.arange(150)) == widths[int(np.argmax(likelihood))]
    assert np.argmax(likelihood) not in (0, len(widths) - 1)


def test_a_graph_that_is_not_deep_enough_for_any_width_is_used_whole():
    graph = ExactIndex().fit(np.arange(4.0)[:, None]).graph(3)
    assert choose_n_neighbors(graph, np.array([0, 1, 0, 1]), 2, (5, 10), np.arange(4)) == 3


def test_weights_fall_from_one():
    np.testing.assert_allclose(rank_weights(5), [1, 0.8, 0.6, 0.4, 0.2])


def test_a_model_weighs_as_much_as_it_explains():
    good, bad = np.full(50, 0.9), np.full(50, 0.1)
    assert choose_weight(bad, good) == 1.0
    assert choose_weight(good, bad) == 0.0
    assert choose_weight(np.r_[good, bad], np.r_[bad, good]) == 0.5


def test_joined_opinions_are_averages_that_sum_to_one_and_are_never_zero():
    mixed = blend(np.array([[0.2, 0.8], [1.0, 0.0]]), np.array([[0.6, 0.4], [1.0, 0.0]]), 0.25)
    np.testing.assert_allclose(mixed[0], [0.3, 0.7])
    np.testing.assert_allclose(mixed.sum(axis=1), 1)
    assert mixed.min() > 0
