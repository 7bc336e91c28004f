"""Rates of many classes, shrunk by their uncertainty."""

import numpy as np

from unflip.noise_rates.shrinkage import shrink_flips, shrink_rates


def test_rates_of_classes_are_drawn_together_by_their_uncertainty():
    rates, variances = np.array([0.1, 0.3, 0.6]), np.array([1e-6, 1e-6, 0.5])
    drawn = shrink_rates(rates, variances)
    np.testing.assert_allclose(drawn[:2], rates[:2], atol=0.001)
    assert 0.15 < drawn[2] < 0.3  # says nothing by itself, so it is like the others
    np.testing.assert_allclose(shrink_rates(np.full(4, 0.2), np.full(4, 0.01)), 0.2)


def test_flips_of_few_labels_are_evened_out_and_of_many_are_kept():
    matrix = np.array([[0.8, 0.2, 0.0], [0.05, 0.9, 0.05], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(shrink_flips(matrix, np.full(3, 1e9)), matrix, atol=1e-6)
    np.testing.assert_allclose(shrink_flips(matrix, np.full(3, 2))[0, 1:], [0.2, 0.0], atol=0.11)
    np.testing.assert_allclose(np.diag(shrink_flips(matrix, np.full(3, 2))), np.diag(matrix))
    np.testing.assert_allclose(shrink_flips(matrix, np.full(3, 2)).sum(axis=1), 1)
