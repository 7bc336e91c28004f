"""Brute force in numpy: the definition of the answer."""

import numpy as np
import pytest
from reference import nearest

from unflip.neighbors.engines import plain
from unflip.neighbors.engines.plain import PlainEngine, nearest_in_rows
from unflip.neighbors.metrics import resolve_metric

X = np.random.RandomState(0).randint(0, 3, size=(40, 2)).astype(float)


@pytest.mark.parametrize("pairs_per_block", [1, 100, 10**6])
def test_neighbors_are_those_of_the_reference_whatever_the_blocks(pairs_per_block, monkeypatch):
    monkeypatch.setattr(plain, "PAIRS_PER_BLOCK", pairs_per_block)
    exclude = np.where(np.arange(40) % 2, np.arange(40), -1)
    _, rows = PlainEngine(resolve_metric("euclidean")).fit(X).search(X, 6, exclude, n_jobs=2)
    for number, row in enumerate(rows):
        assert row.tolist() == nearest(X, X[number], [r for r in range(40) if r != exclude[number]])[:6]


def test_ties_with_the_last_go_to_the_smaller_column_and_nan_is_never_taken():
    values, columns = nearest_in_rows(np.array([[2.0, np.nan, 1.0, 1.0, 1.0], [0.0, 5.0, np.inf, 5.0, np.nan]]), 3)
    assert columns.tolist() == [[2, 3, 4], [0, 1, 3]]
    assert values.tolist() == [[1, 1, 1], [0, 5, 5]]
