"""Shares, scores and flags by hand, and against a slow version that reads like the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.audit.probabilities import bounded, ranking, score, score_carefully, worst
from unflip.noise.transition import NoiseModel


def test_probability_by_hand():
    # Of 100 rows here 60 are truly 1. T: 1 stays 1 with .7, 0 becomes 1 with .1. So 42 + 4 = 46 are labeled 1,
    # of which 4 wrongly, and 18 + 36 = 54 are labeled 0, of which 18 wrongly.
    T = np.array([[0.9, 0.1], [0.3, 0.7]])
    shares = np.array([[0.54, 0.46], [0.54, 0.46]])
    found = score(shares, np.array([1, 0]), T)
    np.testing.assert_allclose(found.p_wrong, [4 / 46, 18 / 54])
    assert found.alternative.tolist() == [0, 1]


def test_with_three_classes_the_alternative_is_the_class_most_likely_behind_the_label():
    # All rows here are truly 0 or 1, half and half; labels 2 come from 1 alone.
    T = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.4], [0.0, 0.0, 1.0]])
    shares = np.array([0.5, 0.5, 0.0]) @ T
    found = score(np.array([shares]), np.array([2]), T)
    assert found.alternative.tolist() == [1]
    assert found.p_wrong[0] > 0.95


def test_careful_scores_are_halfway_between_bayes_and_the_lead_of_another_class():
    T = NoiseModel.of(0.2, [0, 1, 2]).transition_matrix
    q = np.array([0.7, 0.2, 0.1])
    shares, label = (q @ T)[None], np.array([1])
    bayes = 1 - q[1] * T[1, 1] / shares[0, 1]
    lead = (shares[0, 0] - shares[0, 1]) / 0.7  # 0.8 and 0.1 are the shares of a class and another around it alone
    np.testing.assert_allclose(score_carefully(shares, label, T).p_wrong, (bayes + ((1 + lead) / 2) ** 2) / 2)
    assert score_carefully(shares, label, T).alternative.tolist() == [0]


def test_a_label_that_nothing_is_flipped_into_is_never_wrong():
    T = np.array([[1.0, 0.0], [0.4, 0.6]])
    found = score(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([1, 0]), T)
    assert found.p_wrong[0] == pytest.approx(0, abs=1e-12)
    assert found.p_wrong[1] > 0


def test_without_noise_no_label_is_wrong():
    shares = np.array([[0.99, 0.01], [0.5, 0.5]])
    assert score(shares, np.array([1, 0]), np.eye(2)).p_wrong.tolist() == [0, 0]


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=20))
@settings(deadline=None)
def test_bounding_keeps_the_order_and_stays_below_one(values):
    values = np.sort(values)
    kept = bounded(values)
    assert (np.diff(kept) >= 0).all()
    assert ((kept >= 0) & (kept < 1)).all()
    far_apart = (np.diff(values) > 1e-3) & (values[:-1] > 0)
    assert (np.diff(kept)[far_apart] > 0).all()
    inside = (values >= 0) & (values <= 0.95)
    np.testing.assert_array_equal(kept[inside], values[inside])


def test_the_worst_are_flagged_the_first_of_equal_ones_and_none_that_cannot_be_wrong():
    p_wrong = np.array([0.2, 0.9, 0.0, 0.9, 0.5])
    assert np.flatnonzero(worst(p_wrong, 1)).tolist() == [1]
    assert np.flatnonzero(worst(p_wrong, 3)).tolist() == [1, 3, 4]
    assert worst(p_wrong, 5).sum() == 4
    assert ranking(p_wrong).tolist() == [1, 3, 4, 0, 2]
