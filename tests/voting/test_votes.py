import numpy as np
import pytest

from unflip.neighbors import ExactIndex, NeighborGraph
from unflip.voting import votes as votes_module
from unflip.voting.votes import inverse_distances, own_label_votes, prefix_votes, vote_shares, with_own_label

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(60, 2))
LABELS = RANDOM.randint(0, 3, size=60)
GRAPH = ExactIndex().fit(X).graph(40)


def test_votes_for_every_k_at_once_are_those_of_each_k():
    votes = prefix_votes(GRAPH, LABELS, 3, range(1, 41))
    for row in range(60):
        for k in range(1, 41):
            counted = np.bincount(LABELS[GRAPH.indices[row, :k]], minlength=3)
            np.testing.assert_array_equal(votes[row, k - 1], counted)


def test_rows_that_run_short_are_voted_on_by_all_they_have():
    graph = NeighborGraph(np.array([[2, 1, -1], [-1, -1, -1]], np.int32), np.array([[1.0, 2.0, np.inf], [np.inf] * 3]))
    votes = prefix_votes(graph, np.array([0, 1, 0]), 2, [1, 2, 3])
    assert votes[0].tolist() == [[1, 0], [1, 1], [1, 1]]
    assert vote_shares(votes)[1].tolist() == [[0.5, 0.5]] * 3
    assert prefix_votes(graph, np.array([0, 1, 0]), 2, [3], by_distance=True)[0].tolist() == [[1.0, 0.5]]


def test_own_label_votes_are_the_own_column_of_all_votes():
    counts = [1, 5, 40]
    votes = prefix_votes(GRAPH, LABELS, 3, counts)
    agree, total = own_label_votes(GRAPH, LABELS, counts)
    np.testing.assert_array_equal(agree, votes[np.arange(60), :, LABELS])
    np.testing.assert_array_equal(total, votes.sum(axis=-1))


def test_own_labels_are_added_to_a_copy():
    votes = prefix_votes(GRAPH, LABELS, 3, [4, 9])
    more = with_own_label(votes, LABELS)
    np.testing.assert_array_equal((more - votes).sum(axis=-1), 1)
    np.testing.assert_array_equal((more - votes)[np.arange(60), :, LABELS], 1)


def test_votes_by_distance():
    votes = prefix_votes(GRAPH, LABELS, 3, [7], by_distance=True)[:, 0]
    for row in range(60):
        counted = np.bincount(LABELS[GRAPH.indices[row, :7]], 1 / GRAPH.distances[row, :7], minlength=3)
        np.testing.assert_allclose(votes[row], counted)


def test_neighbors_at_distance_zero_vote_alone():
    np.testing.assert_array_equal(
        inverse_distances(np.array([[0.0, 0.0, 4.0], [2.0, 4.0, 8.0]])), [[1, 1, 0], [0.5, 0.25, 0.125]]
    )


def test_a_graph_without_neighbors_gives_no_votes():
    graph = NeighborGraph(np.empty((2, 0), np.int32), np.empty((2, 0)))
    assert prefix_votes(graph, np.array([0, 1]), 2, [1]).tolist() == [[[0, 0]], [[0, 0]]]


@pytest.mark.parametrize("dtype", [int, float])
def test_shares_sum_to_one(dtype):
    shares = vote_shares(RANDOM.randint(0, 5, size=(50, 4)).astype(dtype))
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_votes_of_many_rows_are_counted_in_blocks(monkeypatch):
    weighted = NeighborGraph(GRAPH.indices, GRAPH.distances, RANDOM.random_sample(GRAPH.indices.shape), np.ones(60))
    for graph in (GRAPH, weighted):
        expected = prefix_votes(graph, LABELS, 3, [1, 7, 40]), *own_label_votes(graph, LABELS, [1, 7, 40])
        monkeypatch.setattr(votes_module, "ROWS_AT_ONCE", 13)
        found = prefix_votes(graph, LABELS, 3, [1, 7, 40]), *own_label_votes(graph, LABELS, [1, 7, 40])
        monkeypatch.undo()
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_graph_may_be_of_the_first_rows_only():
    first = GRAPH.part(slice(0, 20))
    agree, exist = own_label_votes(first, LABELS, [5])
    np.testing.assert_array_equal(agree, own_label_votes(GRAPH, LABELS, [5])[0][:20])
    assert exist.tolist() == [[5]] * 20
    votes = prefix_votes(first, LABELS, 3, [5])
    np.testing.assert_array_equal(
        with_own_label(votes, LABELS), with_own_label(prefix_votes(GRAPH, LABELS, 3, [5]), LABELS)[:20]
    )
