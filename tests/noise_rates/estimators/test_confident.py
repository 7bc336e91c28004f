"""Confident learning."""

import numpy as np

from unflip.noise_rates.estimators.confident import confident_joint, transition_matrix


def test_confident_counts_by_hand():
    first = np.array([0.9, 0.9, 0.6, 0.2, 0.3, 0.9])
    labels = np.array([0, 0, 0, 1, 1, 1])
    # Thresholds: class 0 (.9 + .9 + .6) / 3 = .8, class 1 (.8 + .7 + .1) / 3 = .533. The third row reaches neither, the
    # last one belongs to 0 though it is labeled 1.
    joint = confident_joint(np.column_stack([first, 1 - first]), labels, np.ones(6))
    assert joint.tolist() == [[2, 0], [1, 2]]
    # Scaled to three labels each: (3, 0) and (1, 2). Of the four that are truly 0, one is observed as 1.
    np.testing.assert_allclose(transition_matrix(joint, np.array([3.0, 3.0])), [[3 / 4, 1 / 4], [0, 1]])


def test_confident_learning_leaves_absent_classes_alone():
    joint = confident_joint(np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]]), np.array([0, 1]), np.ones(2))
    matrix = transition_matrix(joint, np.array([1.0, 1.0, 0.0]))
    np.testing.assert_array_equal(matrix, np.eye(3))
