"""A row of weight w is w copies of it."""

import numpy as np
import pytest

from unflip.neighbors import ExactIndex
from unflip.neighbors.weighted import WeightedIndex
from unflip.voting.votes import own_label_votes, prefix_votes

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(40, 2))
LABELS = RANDOM.randint(0, 3, size=40)
COPIES = RANDOM.randint(1, 4, size=40)
WEIGHTED = WeightedIndex(ExactIndex().fit(X), COPIES)
REPEATED = ExactIndex().fit(X.repeat(COPIES, axis=0))
FIRST_COPY = np.cumsum(COPIES) - COPIES


@pytest.mark.parametrize("k", [1, 4, 20, 60])
def test_votes_of_other_rows_equal_those_of_repeated_rows(k):
    by_weight = prefix_votes(WEIGHTED.graph(k), LABELS, 3, [k])
    repeated = prefix_votes(REPEATED.graph(k), LABELS.repeat(COPIES), 3, [k])
    np.testing.assert_allclose(by_weight, repeated[FIRST_COPY])
    queries = RANDOM.normal(size=(10, 2))
    by_weight = prefix_votes(WEIGHTED.query(queries, k), LABELS, 3, [k])
    np.testing.assert_allclose(by_weight, prefix_votes(REPEATED.query(queries, k), LABELS.repeat(COPIES), 3, [k]))


def test_agreement_with_the_own_label_equals_that_of_repeated_rows():
    agree, total = own_label_votes(WEIGHTED.graph(12), LABELS, [3, 12])
    repeated_agree, repeated_total = own_label_votes(REPEATED.graph(12), LABELS.repeat(COPIES), [3, 12])
    np.testing.assert_allclose(agree, repeated_agree[FIRST_COPY])
    np.testing.assert_allclose(total, repeated_total[FIRST_COPY])


def test_the_search_goes_as_deep_as_small_weights_need():
    index = WeightedIndex(ExactIndex().fit(X), np.full(40, 0.25))
    assert index.query(X[:3], 5).mass.sum(axis=1).tolist() == [5, 5, 5]
    assert index.query(X[:3], 50).mass.sum(axis=1).tolist() == [10, 10, 10]


def test_among_kept_rows():
    keep = np.arange(40) % 2 == 0
    rows = np.flatnonzero(keep)
    by_weight = prefix_votes(WEIGHTED.among(rows, keep, 9), LABELS, 3, [9])
    repeated = prefix_votes(
        REPEATED.among(FIRST_COPY[rows], keep.repeat(COPIES), 9), LABELS.repeat(COPIES), 3, [9]
    )  # fmt: skip
    np.testing.assert_allclose(by_weight, repeated)
