"""Weights per observed label: the clean threshold, and the plain machine if the rates are equal."""

import numpy as np
import pytest
from sklearn.svm import SVC

from unflip import make_label_noise
from unflip.baselines import LabelDependentSVC
from unflip.baselines.label_dependent import label_weights

RATES = [(0.3, 0.1), (0.1, 0.4), (0.2, 0.2)]


@pytest.mark.parametrize(("tau_plus", "tau_minus"), RATES)
def test_the_weights_recover_the_clean_threshold_and_swapped_ones_do_not(tau_plus, tau_minus):
    """400,000 points with a uniform posterior: which threshold on it has the smallest weighted noisy error?"""
    random = np.random.RandomState(0)
    eta = random.random_sample(400_000)
    y = (random.random_sample(400_000) < eta).astype(int)
    labels = make_label_noise(y, [tau_minus, tau_plus], random_state=1)
    thresholds = np.linspace(0, 1, 101)

    def best(weights):
        # The extra cost of predicting 0 instead of 1.
        cost = weights[labels] * np.where(labels == 1, 1, -1)
        order = np.argsort(eta)
        risk = np.concatenate([[0], np.cumsum(cost[order])])
        return thresholds[np.argmin(risk[np.searchsorted(eta[order], thresholds)])]

    weights = label_weights(tau_plus=tau_plus, tau_minus=tau_minus)
    assert best(weights) == pytest.approx(0.5, abs=0.03)
    if tau_plus != tau_minus:
        assert abs(best(weights[::-1]) - 0.5) > 0.2
        assert abs(best(np.ones(2)) - 0.5) > 0.1


def test_weights_by_hand():
    # Twice (1 - .3 + .1) / 2 for negatives, twice (1 + .3 - .1) / 2 for positives.
    np.testing.assert_allclose(label_weights(tau_plus=0.3, tau_minus=0.1), [0.8, 1.2])


def clouds(n=300):
    random = np.random.RandomState(0)
    y = np.arange(n) % 2
    return random.normal(size=(n, 2)) + 1.5 * y[:, None], make_label_noise(y, [0.1, 0.3], random_state=0)


@pytest.mark.parametrize("rates", [None, [0.2, 0.2], [0.37, 0.37]])
@pytest.mark.parametrize("parameters", [{}, {"kernel": "linear", "C": 0.3}, {"gamma": 2.0}, {"gamma": "auto"}])
def test_equal_rates_give_exactly_the_plain_machine(rates, parameters):
    X, labels = clouds()
    expected = SVC(**parameters).fit(X, labels).decision_function(X)
    np.testing.assert_array_equal(LabelDependentSVC(rates, **parameters).fit(X, labels).decision_function(X), expected)


def test_unequal_rates_give_the_machine_with_class_weights():
    X, labels = clouds()
    expected = SVC(class_weight={0: 0.8, 1: 1.2}).fit(X, labels).decision_function(X)
    np.testing.assert_allclose(LabelDependentSVC([0.1, 0.3]).fit(X, labels).decision_function(X), expected, atol=1e-9)
