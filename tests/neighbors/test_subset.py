"""A subset of a searched index answers as an index of the subset alone."""

import numpy as np
import pytest

from neighbors.data import awkward_data
from unflip.neighbors import ExactIndex, SubsetIndex


@pytest.mark.parametrize("depth", [5, 40, 99])
@pytest.mark.parametrize("seed", range(4))
def test_it_equals_an_index_of_these_rows(seed, depth):
    random = np.random.RandomState(seed)
    X = np.round(random.normal(size=(100, 2)), 1)  # many ties and copies
    rows = np.sort(random.permutation(100)[:70])
    others = np.setdiff1d(np.arange(100), rows)
    index = ExactIndex().fit(X)
    subset, alone = SubsetIndex(index.graph(depth), index, rows), ExactIndex().fit(X[rows])
    assert subset.n_rows == 70
    for k in (1, 7, 30, 200):
        np.testing.assert_array_equal(subset.graph(k).indices, alone.graph(k).indices)
        np.testing.assert_array_equal(subset.of_others(others, k).indices, alone.query(X[others], k).indices)
        np.testing.assert_array_equal(subset.of_others(others, k).distances, alone.query(X[others], k).distances)
    keep = random.random_sample(70) < 0.6
    for some in (np.flatnonzero(keep), np.flatnonzero(~keep)):
        np.testing.assert_array_equal(subset.among(some, keep, 10).indices, alone.among(some, keep, 10).indices)


@pytest.mark.parametrize("name", awkward_data())
def test_awkward_rows(name):
    X = awkward_data()[name]
    rows = np.arange(0, len(X), 2)
    index = ExactIndex().fit(X)
    found = SubsetIndex(index.graph(10), index, rows).graph(4)
    np.testing.assert_array_equal(found.indices, ExactIndex().fit(X[rows]).graph(4).indices)
