"""The synthetic distribution: its posterior by hand, and samples that follow it."""

import numpy as np
import pytest

from unflip.datasets import make_sine_product, sine_product_posterior
from unflip.foundation.errors import UnflipError


def test_the_posterior_by_hand():
    # sin(2 pi x1) sin(2 pi x2): 1, -1, 0, 1/2 * 1
    X = np.array([[0.25, 0.25], [0.25, 0.75], [0.5, 0.1], [1 / 12, 0.25]])
    np.testing.assert_allclose(sine_product_posterior(X), [0, 1, 0.5, 0.25], atol=1e-12)


def test_points_are_uniform_and_labels_follow_the_posterior():
    X, y = make_sine_product(100_000, random_state=0)
    assert X.shape == (100_000, 2)
    assert ((X >= 0) & (X < 1)).all()
    assert np.unique(y).tolist() == [0, 1]
    # The mean of |sin| is 2 / pi, so a square of the checkerboard has a share of 1/2 -+ 2 / pi^2.
    squares = 2 * (X[:, 0] >= 0.5) + (X[:, 1] >= 0.5)
    np.testing.assert_allclose(np.bincount(squares) / len(X), 0.25, atol=0.006)
    shares = np.bincount(squares, weights=y) / np.bincount(squares)
    np.testing.assert_allclose(shares, 0.5 + 2 / np.pi**2 * np.array([-1, 1, 1, -1]), atol=0.012)


def test_a_seed_makes_the_sample_reproducible():
    (X, y), (again, labels), (other, _) = (make_sine_product(50, random_state=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(again, X)
    np.testing.assert_array_equal(labels, y)
    assert not np.array_equal(other, X)


@pytest.mark.parametrize("n_samples", [0, -1, 2.5, "many", True])
def test_the_number_of_samples_is_a_positive_integer(n_samples):
    with pytest.raises(UnflipError, match=r"^make_sine_product: 'n_samples' must be an integer >= 1, got "):
        make_sine_product(n_samples)
