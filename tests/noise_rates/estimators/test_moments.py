"""Moments of the votes."""

import numpy as np
import pytest

from unflip import make_label_noise
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.noise_rates import ESTIMATORS, Confident, Moments
from unflip.noise_rates.estimators.moments import consensus, rates_from_moments
from unflip.noise_rates.neighborhoods import Neighborhoods


def test_moments_of_a_mixture_give_its_rates_back():
    for tau_minus, tau_plus, prior in ((0.1, 0.3, 0.5), (0.0, 0.2, 0.2), (0.4, 0.1, 0.7)):
        moments = (prior * (1 - tau_plus) ** r + (1 - prior) * tau_minus**r for r in (1, 2, 3))
        assert rates_from_moments(*moments) == pytest.approx((tau_minus, tau_plus), abs=1e-9)


def test_consensus_counts_triples_without_repetition():
    # One neighborhood with labels 0, 0, 1: of ordered pairs and triples without repetition.
    first, second, third = consensus(Neighborhoods(np.array([[2, 1]]), np.ones(1)))
    np.testing.assert_allclose(first, [2 / 3, 1 / 3])
    np.testing.assert_allclose(second, [[1 / 3, 1 / 3], [1 / 3, 0]])
    assert third[0, 0, 1] == pytest.approx(1 / 3)
    assert third[0, 0, 0] == 0
    assert third.sum() == pytest.approx(1)


def test_fitted_moments_agree_with_the_closed_form():
    from unflip.noise_rates.estimators import moments

    tau_minus, tau_plus, prior = 0.1, 0.3, np.array([0.6, 0.4])
    truth = np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    orders = (
        prior @ truth,
        np.einsum("k,ki,kj->ij", prior, truth, truth),
        np.einsum("k,ki,kj,kl->ijl", prior, truth, truth, truth),
    )
    np.testing.assert_allclose(moments._fit(*orders), truth, atol=0.01)


def test_moments_come_out_high_and_extremes_low_where_classes_overlap():
    X, y = make_sine_product(6000, random_state=0)
    labels = make_label_noise(y, [0.2, 0.2], random_state=0)
    graph = ExactIndex(n_jobs=2).fit(X).graph(60)
    low = ESTIMATORS["extremes"]().estimate(graph, labels)
    for high in (Moments(), Confident()):
        matrix = high.estimate(graph, labels)
        assert low[0, 1] < 0.2 < matrix[0, 1]
        assert low[1, 0] < 0.2 < matrix[1, 0]
