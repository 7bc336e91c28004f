"""Which way of searching "auto" takes."""

import numpy as np
import pytest
from scipy import sparse

from unflip.neighbors import choice
from unflip.neighbors.choice import choose_algorithm
from unflip.neighbors.shards import ArrayShards

X = np.zeros((1000, 4))


def test_few_rows_are_searched_exactly():
    assert choose_algorithm(X, "euclidean") == "exact"


@pytest.mark.parametrize(
    ("rows", "metric", "expected"),
    [
        (X, "euclidean", "approximate"),
        (X, "cosine", "approximate"),
        (X, "manhattan", "exact"),
        (sparse.csr_matrix(X), "euclidean", "exact"),
        (ArrayShards(X), "euclidean", "exact in pieces"),
    ],
)
def test_many_rows_are_searched_approximately_if_that_is_possible(monkeypatch, rows, metric, expected):
    monkeypatch.setattr(choice, "EXACT_WORK", 1000**2 * 4 - 1)
    assert choose_algorithm(rows, metric) == expected


@pytest.mark.parametrize(("left", "expected"), [(1000 * 4 * 24 * 2 - 1, "exact in pieces"), (None, "exact")])
def test_what_would_fill_the_memory_is_searched_in_pieces(monkeypatch, left, expected):
    monkeypatch.setattr(choice, "available_bytes", lambda: left)
    assert choose_algorithm(X, "euclidean") == expected
