"""Probabilities that are made when they are asked for: the same as an array's, whatever is asked."""

import pickle

import numpy as np
import pytest

from unflip.opinions import rowwise as module
from unflip.opinions.rowwise import (
    RowwiseProbabilities,
    in_blocks,
    in_given_order,
    is_kept,
    leading,
    own_probabilities,
)

RANDOM = np.random.RandomState(0)
SAID = RANDOM.dirichlet(np.ones(3), 20)
LABELS = RANDOM.randint(0, 3, 20)


class Sayer:
    def __init__(self):
        self.asked = []

    def of_rows(self, rows):
        self.asked.append(len(rows))
        return SAID[rows]


def rowwise():
    return RowwiseProbabilities((20, 3), Sayer().of_rows)


@pytest.mark.parametrize("rows", [slice(None), slice(3, 9), np.array([7, 2, 2]), np.array([], int), LABELS == 1])
def test_some_rows_are_those_of_the_array(rows):
    np.testing.assert_array_equal(rowwise()[rows], SAID[rows])


def test_an_array_can_be_made_of_all():
    said = rowwise()
    assert (len(said), said.shape) == (20, (20, 3))
    np.testing.assert_array_equal(said.to_array(), SAID)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(said)).to_array(), SAID)
    assert RowwiseProbabilities((0, 3), Sayer().of_rows).to_array().shape == (0, 3)


@pytest.mark.parametrize("values_at_once", [1, 12, 21, 60, 1000])
def test_blocks_do_not_matter(values_at_once, monkeypatch):
    monkeypatch.setattr(module, "VALUES_AT_ONCE", values_at_once)
    sayer = Sayer()
    said = RowwiseProbabilities((20, 3), sayer.of_rows)
    expected = SAID[np.arange(20), LABELS]
    np.testing.assert_array_equal(own_probabilities(said, LABELS), expected)
    assert sum(sayer.asked) == 20
    assert max(sayer.asked) == min(20, max(1, values_at_once // 3))
    np.testing.assert_array_equal(own_probabilities(SAID, LABELS), expected)
    likeliest = in_blocks(lambda some: some.argmax(axis=1), said)
    assert likeliest.dtype.kind == "i"
    np.testing.assert_array_equal(likeliest, SAID.argmax(axis=1))


def test_an_array_is_asked_at_once():
    seen = []
    in_blocks(lambda some: seen.append(some) or some, SAID)
    assert seen[0] is SAID


def test_few_values_are_kept(monkeypatch):
    monkeypatch.setattr(module, "MAX_KEPT", 60)
    assert is_kept(20, 3)
    assert not is_kept(21, 3)


def test_the_leading_classes_by_hand_of_equal_ones_the_first():
    said = np.array([[0.2, 0.7, 0.1], [0.4, 0.2, 0.4], [0.2, 0.4, 0.4], [1.0, 0.0, 0.0]])
    first, second, probability = leading(said)
    assert first.tolist() == [1, 0, 1, 0]
    assert second.tolist() == [0, 2, 2, 1]
    assert probability.tolist() == [0.7, 0.4, 0.4, 1.0]


def test_leading_classes_are_found_block_by_block_and_only_once(monkeypatch):
    monkeypatch.setattr(module, "VALUES_AT_ONCE", 12)
    sayer = Sayer()
    said = RowwiseProbabilities((20, 3), sayer.of_rows)
    for _ in range(2):
        for found, expected in zip(leading(said), leading(SAID), strict=True):
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == expected.dtype
    assert sum(sayer.asked) == 20


def test_rows_go_back_where_they_were():
    order = RANDOM.permutation(20)
    sorted_rows = RowwiseProbabilities((20, 3), lambda rows: SAID[order][rows])
    np.testing.assert_array_equal(in_given_order(sorted_rows, order)[3:7], SAID[3:7])
    np.testing.assert_array_equal(in_given_order(SAID[order], order), SAID)
