"""What is believed of noise beforehand: masses, floors by a slow double loop, and what a user may ask for."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from unflip import UnflipError
from unflip.noise_rates import NoisePrior
from unflip.noise_rates.class_posterior import ClassPosterior
from unflip.noise_rates.noise_prior import EDGES, RATES

PRIORS = [NoisePrior(), NoisePrior(low=1, high=1), NoisePrior(low=9, p_low=0.9, p_pure=0.5, overlap=0.2)]


def beta_masses(b):
    below = stats.beta.cdf(EDGES, 1, b)
    return [(high - low) / below[-1] for low, high in pairwise(below)]


def slow_floors(prior, b):
    """Return how likely each floor comes with each rate: every noise meets every overlap."""
    below = stats.expon.cdf(EDGES, scale=prior.overlap)
    joint = np.zeros((len(RATES), len(RATES)))
    for noise, chance in enumerate(beta_masses(b)):
        for place, overlap in enumerate(RATES):
            p_overlap = (below[place + 1] - below[place]) / below[-1] * (1 - prior.p_pure)
            mass = chance * (p_overlap + (prior.p_pure if place == 0 else 0))
            floor = RATES[noise] + (1 - RATES[noise]) * overlap
            if floor <= RATES[-1]:
                for number in range(len(RATES)):
                    joint[number, noise] += mass * np.interp(floor, RATES, np.arange(len(RATES)) == number)
    return joint


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("n_others", [1, 4])
def test_floors_are_noise_and_overlap_together(prior, n_others):
    for kind, chance, b in zip(
        prior.kinds(n_others), (prior.p_low, 1 - prior.p_low), (prior.low, prior.high), strict=True
    ):
        assert kind.chance == pytest.approx(chance)
        # Flips that reach one of several classes are shared by all others; those that leave a class are not.
        for floors, of_rates in ((kind.minus, b * n_others), (kind.plus, b)):
            joint = slow_floors(prior, of_rates)
            np.testing.assert_allclose(floors.chances[:, None] * floors.rates, joint, atol=1e-12)
            np.testing.assert_allclose(floors.means, joint @ RATES / joint.sum(axis=1))


@pytest.mark.parametrize("prior", PRIORS)
def test_masses_sum_to_one(prior):
    for kind in prior.kinds():
        for floors in (kind.minus, kind.plus):
            np.testing.assert_allclose(floors.rates.sum(axis=1), 1)
    assert prior.rates().sum() == pytest.approx(1)
    assert sum(kind.chance for kind in prior.kinds()) == pytest.approx(1)


def test_classes_that_are_pure_for_sure_have_floors_of_noise_alone():
    for kind, b in zip(NoisePrior(p_pure=1).kinds(), (30, 1.5), strict=True):
        np.testing.assert_allclose(kind.plus.chances, beta_masses(b))
        np.testing.assert_allclose(kind.plus.rates, np.eye(len(RATES)))


def test_a_user_asks_for_little_noise_for_any_or_for_an_expected_share():
    own = NoisePrior(low=3)
    assert NoisePrior.of("owner", own) is own
    assert NoisePrior.of("owner", "auto") == NoisePrior()
    uniform = NoisePrior.of("owner", "uniform")
    pure = NoisePrior(low=uniform.low, high=uniform.high, p_pure=1)
    np.testing.assert_allclose(pure.rates(), np.diff(EDGES) / EDGES[-1])
    for share in (0.01, 0.1, np.float32(0.25)):
        expected = NoisePrior.of("owner", share)
        assert stats.beta.mean(1, expected.low) == pytest.approx(share)
        assert expected.p_low == 0.9


def test_data_can_override_an_expectation():
    random = np.random.RandomState(0)
    places = random.uniform(-4, 4, 1000)
    truth = places > 0
    labels = np.where(random.random_sample(1000) < 0.3, ~truth, truth)
    expected = NoisePrior.of("owner", 0.01)
    assert expected.rates() @ RATES < 0.06
    assert ClassPosterior.of(expit(places), labels, expected).means == pytest.approx((0.3, 0.3), abs=0.05)


@pytest.mark.parametrize("wrong", ["low", 0, 0.5, -0.1, 1, np.nan, True, None, [0.1]])
def test_anything_else_is_refused_in_one_sentence(wrong):
    with pytest.raises(UnflipError, match=r"^owner: 'noise_prior' must be a NoisePrior, \"auto\", .*, got .*\.$"):
        NoisePrior.of("owner", wrong)


@pytest.mark.parametrize(
    "wrong",
    [{"low": 0}, {"high": -1}, {"overlap": 0}, {"low": "much"}, {"p_low": 1.1}, {"p_pure": -0.1}, {"p_low": None}],
)
def test_a_prior_that_is_none_is_refused(wrong):
    with pytest.raises(UnflipError, match=rf"^NoisePrior: '{next(iter(wrong))}' must be a .*, got .*\.$"):
        NoisePrior(**wrong)


def test_a_table_may_surely_be_of_one_kind():
    shares, positive = np.linspace(0.1, 0.9, 30), np.arange(30) > 14
    for p_low, same in ((1, NoisePrior(high=30)), (0, NoisePrior(low=1.5))):
        found = ClassPosterior.of(shares, positive, NoisePrior(p_low=p_low))
        np.testing.assert_allclose(found.means, ClassPosterior.of(shares, positive, same).means, atol=1e-3)
