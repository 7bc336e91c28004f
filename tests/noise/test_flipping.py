"""Labels flipped at known rates."""

import numpy as np
import pytest

from unflip import make_label_noise


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_labels_are_flipped_at_the_given_rates(n_classes):
    random = np.random.RandomState(0)
    matrix = 0.6 * np.eye(n_classes) + 0.4 * random.dirichlet(np.ones(n_classes), size=n_classes)
    y = np.repeat(np.arange(n_classes), 40_000)
    noisy = make_label_noise(y, matrix, random_state=1)
    observed = np.array([np.bincount(noisy[y == c], minlength=n_classes) for c in range(n_classes)]) / 40_000
    # Four standard errors of a share of 40,000.
    np.testing.assert_allclose(observed, matrix, atol=4 * 0.5 / 200)


@pytest.mark.parametrize("y", [["x", "y"] * 10, np.array([True, False] * 10), np.array([3.0, 5.0] * 10), [1, 2] * 10])
def test_labels_keep_their_type(y):
    noisy = make_label_noise(y, 0.4, random_state=0)
    assert noisy.dtype == np.asarray(y).dtype
    assert set(noisy) <= set(y)
    assert (noisy != np.asarray(y)).any()


def test_the_same_seed_gives_the_same_flips_and_the_global_generator_is_left_alone():
    y = np.arange(300) % 3
    np.random.seed(5)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    np.testing.assert_array_equal(
        make_label_noise(y, 0.3, random_state=4), make_label_noise(y, 0.3, random_state=4)
    )  # fmt: skip
    make_label_noise(y, 0.3)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_no_labels_are_refused():
    with pytest.raises(ValueError, match="'y' must be at least one label"):
        make_label_noise([], 0.1)
