"""Answers of several indexes, merged."""

import numpy as np
import pytest

from unflip.neighbors import merging
from unflip.neighbors.engines.plain import nearest_in_rows
from unflip.neighbors.merging import limits_of, merged, renumbered, without


@pytest.mark.parametrize("compiled_from", [0, 2**40])
@pytest.mark.parametrize("levels", [3, 10**6])
def test_the_nearest_of_all_are_merged_from_the_nearest_of_each(monkeypatch, compiled_from, levels):
    monkeypatch.setattr(merging, "COMPILED_FROM", compiled_from)
    random = np.random.RandomState(0)
    scores = random.randint(0, levels, (40, 90)).astype(float)
    answers = [
        renumbered(nearest_in_rows(scores[:, start:stop], min(7, stop - start)), start)
        for start, stop in ((0, 4), (4, 60), (60, 90))
    ]
    expected_scores, expected_rows = nearest_in_rows(scores, 7)
    found_scores, found_rows = merged(answers, 7)
    np.testing.assert_array_equal(found_scores, expected_scores)
    np.testing.assert_array_equal(found_rows, expected_rows)


@pytest.mark.parametrize("compiled_from", [0, 2**40])
def test_where_there_are_fewer_the_rest_is_nobody_behind_what_is_infinitely_far(monkeypatch, compiled_from):
    monkeypatch.setattr(merging, "COMPILED_FROM", compiled_from)
    short = (np.array([[1.0, np.nan]]), np.array([[3, -1]], np.int32))
    far = (np.array([[np.inf]]), np.array([[9]], np.int32))
    scores, rows = merged([short, far], 4)
    assert rows.tolist() == [[3, 9, -1, -1]]
    assert scores[0, :2].tolist() == [1.0, np.inf]
    assert np.isnan(scores[0, 2:]).all()
    assert limits_of((scores, rows)).tolist() == [np.inf]
    assert limits_of((scores[:, :1], rows)).tolist() == [1.0]


def test_numbers_move_but_nobody_stays_nobody():
    _, rows = renumbered((np.array([[1.0, np.nan]]), np.array([[3, -1]], np.int32)), 10)
    assert rows.tolist() == [[13, -1]]


def test_a_row_that_is_left_out_becomes_nobody():
    scores, rows = without((np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([[5, 0], [0, 7]])), np.array([5, -1]))
    assert rows.tolist() == [[0, -1], [0, 7]]
    assert scores[0, 0] == 2
    assert np.isnan(scores[0, 1])
