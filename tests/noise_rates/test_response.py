"""How labels respond to an opinion: bins, shapes, and many groups of rows at once."""

import numpy as np
import pytest
from scipy.special import expit, logit

from unflip.noise_rates import response as module
from unflip.noise_rates.noise_prior import RATES
from unflip.noise_rates.response import Bins, GroupedBins, Shapes, bounded_logit, evidence_of, grouped_evidence

RANDOM = np.random.RandomState(0)
PLACES = RANDOM.normal(0, 2, 400)
POSITIVE = RANDOM.random_sample(400) < expit(PLACES)
GROUP = RANDOM.randint(0, 3, 400)


def test_bins_hold_all_rows_sorted_by_place():
    bins = Bins.of(PLACES, POSITIVE)
    assert len(bins.places) == module.N_BINS
    assert (np.diff(bins.places) >= 0).all()
    assert bins.positive.sum() == POSITIVE.sum()
    assert bins.negative.sum() == (~POSITIVE).sum()
    np.testing.assert_allclose(bins.places @ (bins.positive + bins.negative), PLACES.sum())
    few = Bins.of(PLACES[:3], POSITIVE[:3])
    np.testing.assert_allclose(few.places, np.sort(PLACES[:3]))


def test_the_order_of_rows_does_not_matter_even_where_places_are_equal():
    places, order = PLACES.round(), RANDOM.permutation(400)
    for one, other in (
        (Bins.of(places, POSITIVE), Bins.of(places[order], POSITIVE[order])),
        (GroupedBins.of(places, POSITIVE, GROUP, 3), GroupedBins.of(places[order], POSITIVE[order], GROUP[order], 3)),
    ):
        np.testing.assert_array_equal(one.positive, other.positive)
        np.testing.assert_array_equal(one.negative, other.negative)
        np.testing.assert_allclose(one.places, other.places)


def test_groups_share_the_bins_of_all_rows():
    bins, grouped = Bins.of(PLACES, POSITIVE), GroupedBins.of(PLACES, POSITIVE, GROUP, 3)
    np.testing.assert_array_equal(grouped.places, bins.places)
    np.testing.assert_array_equal(grouped.centers, bins.centers)
    np.testing.assert_array_equal(grouped.positive.sum(axis=0), bins.positive)
    np.testing.assert_array_equal(grouped.negative.sum(axis=0), bins.negative)
    for group in range(3):
        assert grouped.positive[group].sum() == POSITIVE[group == GROUP].sum()
        assert grouped.negative[group].sum() == (~POSITIVE)[group == GROUP].sum()


@pytest.mark.parametrize("at_once", [1, 2, 32])
def test_the_evidence_of_many_groups_is_that_of_each(at_once, monkeypatch):
    monkeypatch.setattr(module, "GROUPS_AT_ONCE", at_once)
    grouped = GroupedBins.of(PLACES, POSITIVE, GROUP, 3)
    shapes = Shapes.of(grouped.centers[::6])
    found = list(grouped_evidence(grouped, shapes))
    assert len(found) == 3
    for group, evidence in enumerate(found):
        alone = Bins(grouped.places, grouped.positive[group], grouped.negative[group], grouped.centers)
        expected = evidence_of(alone, shapes)
        assert (np.isinf(evidence) == np.isinf(expected)).all()
        np.testing.assert_allclose(np.exp(evidence), np.exp(expected), rtol=1e-9, atol=1e-12)


def test_the_evidence_of_one_row_by_hand(monkeypatch):
    monkeypatch.setattr(module, "SLOPES", np.array([2.0]))
    evidence = evidence_of(Bins.of(np.array([0.5]), np.array([True])), Shapes.of(np.array([0.0, 1.0])))
    rise = expit(2 * (0.5 - np.array([0.0, 1.0])))
    expected = np.log(RATES[3] + (1 - RATES[3] - RATES[5]) * rise)
    found = evidence[3, 5] - evidence[3, 5, 0]
    np.testing.assert_allclose(found, expected - expected[0])  # one row: no shape explains more than another
    assert np.isinf(evidence[-1, -1]).sum() == 2 * (1 - 2 * RATES[-1] < module.MIN_SIGNAL)


def test_shares_of_nothing_and_everything_stay_finite():
    found = bounded_logit(np.array([0.0, 0.3, 1.0]))
    np.testing.assert_allclose(found, logit([module.MIN_SHARE, 0.3, 1 - module.MIN_SHARE]))
