"""The ends of a distribution of shares."""

import numpy as np
import pytest

from unflip.noise_rates.estimators.beta_binomial import fit_ends


def test_the_ends_of_a_simulated_distribution_are_found():
    random = np.random.RandomState(0)
    for tau_minus, tau_plus in ((0.1, 0.3), (0.2, 0.05)):
        share = tau_minus + (1 - tau_minus - tau_plus) * random.beta(0.5, 0.5, size=20_000)
        found = fit_ends(np.bincount(random.binomial(31, share), minlength=32))
        assert found == pytest.approx((tau_minus, tau_plus), abs=0.04)
