"""The minimum of many counts without its bias."""

import numpy as np
import pytest

from unflip.neighbors import ExactIndex
from unflip.noise_rates import DebiasedExtremes
from unflip.noise_rates.estimators.debiased_extremes import unbiased_rate


def test_the_debiased_minimum_has_the_right_median():
    """Minima of 40 binomial counts of 51 with p = .25, put through the correction, scatter around .25."""
    random = np.random.RandomState(0)
    minima = random.binomial(51, 0.25, size=(2000, 40)).min(axis=1)
    estimates = [unbiased_rate(count, 51, 40) for count in minima]
    assert np.median(estimates) == pytest.approx(0.25, abs=0.02)
    assert np.median(minima / 51) < 0.15  # what the plain minimum says


def test_rates_that_leave_nothing_to_learn_from_are_shrunk():
    X = np.random.RandomState(0).normal(size=(200, 2))
    matrix = DebiasedExtremes(20).estimate(ExactIndex().fit(X).graph(20), np.arange(200) % 2)
    assert np.trace(matrix) > 1
