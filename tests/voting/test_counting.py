import numpy as np

from unflip.voting.counting import count_votes


def test_votes_outside_of_each_fold_by_hand():
    indices = np.array([[1, 2, 3, 4], [0, 4, -1, -1]], dtype=np.int32)
    labels, folds = np.array([0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 1])
    votes, found = np.zeros((2, 2, 2, 2), np.int32), np.zeros((2, 2), np.int64)
    count_votes(indices, labels, folds, np.array([1, 2]), votes, found)
    # Row 0 without fold 0: neighbors 2, 3, 4 with labels 1, 0, 1; without fold 1: neighbor 1 alone.
    assert votes[0, 0].tolist() == [[0, 1], [1, 1]]
    assert votes[1, 0].tolist() == [[0, 1], [0, 0]]
    # Row 1 has two neighbors: 4 outside of fold 0, 0 outside of fold 1.
    assert votes[0, 1].tolist() == [[0, 1], [0, 0]]
    assert votes[1, 1].tolist() == [[1, 0], [0, 0]]
    assert found.tolist() == [[2, 1], [1, 1]]
