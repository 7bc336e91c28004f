"""Each estimate of the observed posterior: close to the truth, and leave-one-out where documented."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from unflip.baselines.observed_posterior import POSTERIORS, leave_one_out_kernel_sums, observed_posterior
from unflip.neighbors import ExactIndex


def slope(n=2000, seed=0):
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, 2))
    truth = 0.1 + 0.6 * expit(3 * X[:, 0])
    return X, (random.random_sample(n) < truth).astype(int), truth


@pytest.mark.parametrize("method", POSTERIORS)
def test_every_method_is_close_to_a_known_posterior(method):
    X, labels, truth = slope()
    graph = ExactIndex().fit(X).graph(50)
    found = observed_posterior(X, labels, method, graph=graph, random_state=0)
    assert ((found >= 0) & (found <= 1)).all()
    assert np.abs(found - truth).mean() < 0.08
    again = observed_posterior(sparse.csr_array(X), labels, method, graph=graph, random_state=0)
    np.testing.assert_allclose(found, again, atol=1e-6)


@pytest.mark.parametrize("method", ["neighbors", "kde"])
def test_a_row_does_not_see_its_own_label(method):
    X, labels, _ = slope(200)
    flipped = labels.copy()
    flipped[7] = 1 - flipped[7]
    graph = ExactIndex().fit(X).graph(50)
    before, after = (observed_posterior(X, which, method, graph=graph, width=0.5) for which in (labels, flipped))
    assert before[7] == after[7]
    assert (before != after).any()


def test_kernel_sums_by_hand():
    X, labels = np.array([[0.0], [1.0], [3.0]]), np.array([0, 1, 1])
    sums = leave_one_out_kernel_sums(X, labels, [1.0, 2.0])
    for place, width in enumerate((1.0, 2.0)):
        near, middle, far = (np.exp(-(d**2) / (2 * width**2)) for d in (1, 2, 3))
        np.testing.assert_allclose(sums[:, place], [[0, near + far], [near, middle], [far, middle]])


def test_the_kernel_width_maximizes_the_likelihood():
    """On 10 stripes only a narrow kernel separates the labels."""
    x = np.random.RandomState(0).random_sample(2000)
    labels = (np.floor(10 * x) % 2).astype(int)
    found = observed_posterior(x[:, None], labels, "kde", random_state=0)
    wide = observed_posterior(x[:, None], labels, "kde", width=0.3)
    assert np.abs(found - labels).mean() < 0.35 < 0.45 < np.abs(wide - labels).mean()


def test_a_row_that_no_kernel_reaches_gets_the_class_frequency():
    X = np.array([[0.0], [1e6], [1e6 + 1], [1e6 + 2]])
    assert observed_posterior(X, np.array([0, 1, 1, 1]), "kde", width=1.0)[0] == 0.75


def test_the_posterior_of_kliep_is_normalized_over_both_classes():
    X, labels, _ = slope(400)
    found = observed_posterior(X, labels, "kliep", width=0.5, random_state=0)
    exchanged = observed_posterior(X, 1 - labels, "kliep", width=0.5, random_state=0)
    assert np.abs(found + exchanged - 1).mean() < 0.05  # up to the sampling of the centers
