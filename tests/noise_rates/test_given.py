"""Rates that a user knows."""

import numpy as np
import pytest

from unflip.noise.transition import NoiseModel
from unflip.noise_rates.given import given_rates


def test_known_rates_have_intervals_without_width_and_no_notes():
    found = given_rates(NoiseModel.of({"a": 0.2}, np.array(["a", "b"])), np.array([0, 0, 0, 1]), 0.9)
    assert found.rates == pytest.approx([0.2, 0])
    np.testing.assert_array_equal(found.interval, np.column_stack([found.rates, found.rates]))
    # 3/4 of the labels are a, which is .8 of the true ones.
    assert found.class_prior == pytest.approx([0.9375, 0.0625])
    assert (found.noise_estimator, found.identifiable, found.notes) == ("given", True, ())
    assert found.share_interval == (found.share_wrong, found.share_wrong) == pytest.approx((0.1875, 0.1875))
    assert found.headline == "About 19% of 4 labels are wrong."
