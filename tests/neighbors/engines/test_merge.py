"""The compiled merge of two answers."""

import numpy as np

from unflip.neighbors.engines.merge import merge_two


def test_of_equal_scores_the_first_answer_comes_first():
    scores, rows = merge_two(
        np.array([[0.0, 1.0]]), np.array([[4, 1]], np.int32), np.array([[0.0, 1.0]]), np.array([[9, 8]], np.int32), 3
    )
    assert scores.tolist() == [[0, 0, 1]]
    assert rows.tolist() == [[4, 9, 1]]


def test_an_answer_may_be_empty():
    scores, rows = merge_two(
        np.empty((1, 0)), np.empty((1, 0), np.int32), np.array([[2.0]]), np.array([[8]], np.int32), 2
    )
    assert rows.tolist() == [[8, -1]]
    assert scores[0, 0] == 2
    assert np.isnan(scores[0, 1])
