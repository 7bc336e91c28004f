"""Shares of labels among neighbors, by the definition."""

import numpy as np
import pytest

from unflip.neighbors import ExactIndex, NeighborGraph
from unflip.opinions.shares import (
    ROWS_AT_ONCE,
    blocks,
    choose_n_neighbors,
    counted_shares,
    neighbor_shares,
    rank_weights,
)


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
    expected = slow_shares(X, labels, n_classes, 7)
    found = np.vstack([neighbor_shares(graph, labels, n_classes, 7, part) for part in (slice(0, 25), slice(25, 40))])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(neighbor_shares(graph, labels, n_classes, 7), expected, rtol=1e-12)


def test_missing_neighbors_are_not_counted():
    # Weights 1, 2/3 and 1/3; one share of 1 is spread over both classes.
    labels = np.array([0, 1, 1])
    graph = NeighborGraph(np.array([[1, 2, -1], [0, -1, -1], [-1, -1, -1]], np.int32), np.ones((3, 3)))
    expected = [[0.5 / (8 / 3), (5 / 3 + 0.5) / (8 / 3)], [0.75, 0.25], [0.5, 0.5]]
    np.testing.assert_allclose(neighbor_shares(graph, labels, 2, 3), expected)
    shallow = NeighborGraph(graph.indices[:, :2], graph.distances[:, :2])
    np.testing.assert_allclose(neighbor_shares(shallow, labels, 2, 3), expected)


def test_the_width_is_the_one_with_the_highest_likelihood():
    random = np.random.RandomState(0)
    X = random.normal(size=(150, 2))
    labels = (X[:, 0] + random.normal(size=150) > 0).astype(int)
    graph = ExactIndex().fit(X).graph(60)
    widths = (5, 10, 20, 40, 60)
    own = [slow_shares(X, labels, 2, width)[np.arange(150), labels] for width in widths]
    best = int(np.argmax([np.log(each).sum() for each in own]))
    assert choose_n_neighbors(graph, labels, 2, widths, np.arange(150)) == widths[best]
    assert best not in (0, len(widths) - 1)
    some = np.flatnonzero(own[0] < 0.5)  # those who contradict their nearest ask more of them
    best_of_some = int(np.argmax([np.log(each[some]).sum() for each in own]))
    few = NeighborGraph(graph.indices[some], graph.distances[some])
    assert choose_n_neighbors(few, labels, 2, widths, some) == widths[best_of_some] != widths[best]


def test_missing_neighbors_do_not_choose():
    # The last row's label, which -1 would look up, agrees with all; of those who are there, only the first does.
    labels = np.array([0, 0, 0, 1, 1, 0])
    indices = np.array([[1, 3, 4, -1, -1], [0, 4, 3, -1, -1], [0, 3, 4, -1, -1]], np.int32)
    graph = NeighborGraph(indices, np.ones((3, 5)))
    assert choose_n_neighbors(graph, labels, 2, (2, 5), np.arange(3)) == 2  # shares of 0.6 and 0.44


def test_a_graph_that_is_not_deep_enough_for_any_width_is_used_whole():
    graph = ExactIndex().fit(np.arange(4.0)[:, None]).graph(3)
    assert choose_n_neighbors(graph, np.array([0, 1, 0, 1]), 2, (5, 10), np.arange(4)) == 3


def test_weights_fall_from_one():
    np.testing.assert_allclose(rank_weights(5), [1, 0.8, 0.6, 0.4, 0.2])


@pytest.mark.parametrize("n_rows", [0, 1, ROWS_AT_ONCE, 2 * ROWS_AT_ONCE + 1])
def test_blocks_are_all_rows_once_and_in_order(n_rows):
    rows = np.arange(n_rows)
    np.testing.assert_array_equal(np.concatenate([rows[block] for block in blocks(n_rows)] or [rows]), rows)


@pytest.mark.parametrize("rows", [slice(5, 30), np.array([7, 3, 3])])
def test_counting_gives_the_same_shares(rows):
    random = np.random.RandomState(0)
    labels, indices = random.randint(0, 9, 40), random.randint(0, 40, size=(40, 12)).astype(np.int32)
    indices[3:9, 4:], indices[7] = -1, -1
    for depth in (5, 12, 20):
        graph = NeighborGraph(indices, np.ones(indices.shape))
        expected = neighbor_shares(graph, labels, 10, depth)[rows]
        np.testing.assert_allclose(counted_shares(graph, labels, 10, depth, rows), expected, rtol=1e-12)
