"""Filtering a graph instead of searching again."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.neighbors import ExactIndex, NeighborGraph, restricted


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), depth=st.integers(1, 30), k=st.integers(1, 20))
def test_a_filtered_graph_is_the_search_among_the_kept_rows(seed, depth, k):
    random = np.random.RandomState(seed)
    X = random.randint(0, 3, size=(random.randint(25, 60), 2)).astype(float)
    keep = random.random_sample(len(X)) < 0.7
    keep[:22] = True
    index = ExactIndex().fit(X)
    graph = index.graph(depth)
    for rows in (np.flatnonzero(keep), np.flatnonzero(~keep)):
        found, expected = restricted(graph, index, rows, keep, k), index.among(rows, keep, k)
        np.testing.assert_array_equal(found.indices, expected.indices)
        np.testing.assert_array_equal(found.distances, expected.distances)


def test_renumbering_keeps_who_is_whose_neighbor():
    graph = NeighborGraph(np.array([[7, 3], [3, -1]], np.int32), np.ones((2, 2)))
    assert graph.renumbered(np.array([3, 7])).indices.tolist() == [[1, 0], [0, -1]]
