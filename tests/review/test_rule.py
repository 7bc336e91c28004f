"""The rule by which decisions about neighbors move a suspect, with numbers worked by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.noise_model import clean_posterior
from unflip.review.rule import clean_shares, shifted, updated, usable_inverse, verdict

# The determinant is 0.6, and the inverse [[7/6, -1/6], [-1/2, 3/2]].
T = np.array([[0.9, 0.1], [0.3, 0.7]])
INVERSE = usable_inverse(T)
VOTES = ((1, 0), (2, 0), (3, 1), (4, 1))


def a_suspect(p_wrong=0.8, votes=VOTES, given=0, suggested=1):
    return SimpleNamespace(p_wrong=p_wrong, votes=votes, given=given, suggested=suggested)


def test_the_shares_of_undecided_neighbors_by_hand():
    # (2 (7/6, -1/6) + 2 (-1/2, 3/2)) / 4 = (1/3, 2/3)
    assert clean_shares(VOTES, {}, INVERSE) == pytest.approx([1 / 3, 2 / 3])


def test_a_decided_neighbor_counts_as_the_class_it_was_given():
    # ((0, 1) + (7/6, -1/6) + 2 (-1/2, 3/2)) / 4 = (1/24, 23/24)
    assert clean_shares(VOTES, {1: 1}, INVERSE) == pytest.approx([1 / 24, 23 / 24])


def test_shares_outside_the_simplex_are_projected():
    # three votes for class 1: (-1/2, 3/2); the nearest probability vector is (0, 1)
    assert clean_shares(VOTES[2:], {}, INVERSE) == pytest.approx([0, 1])


def test_the_verdict_by_hand():
    # weights (1/3 0.9, 2/3 0.3) = (0.3, 0.2): wrong with 0.2 / 0.5
    assert verdict(np.array([1 / 3, 2 / 3]), 0, T) == pytest.approx((0.4, 1))
    # weights of the given class 1: (1/3 0.1, 2/3 0.7) = (1/30, 14/30)
    assert verdict(np.array([1 / 3, 2 / 3]), 1, T) == pytest.approx((1 / 15, 0))


def test_a_label_that_nothing_explains_is_wrong_with_one_half():
    never = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert verdict(np.array([1.0, 0.0]), 1, never) == (0.5, None)


def test_of_three_classes_the_likeliest_other_one_is_suggested():
    matrix = np.array([[0.8, 0.1, 0.1], [0.05, 0.9, 0.05], [0.4, 0.0, 0.6]])
    # weights of the given class 0: (0.1 0.8, 0.6 0.05, 0.3 0.4) = (0.08, 0.03, 0.12)
    assert verdict(np.array([0.1, 0.6, 0.3]), 0, matrix) == pytest.approx((1 - 0.08 / 0.23, 2))


def test_the_shift_by_hand():
    # odds: 0.8 has 4; the rule moved from 1 to 3; 4 * 3 / 1 = 12
    assert shifted(0.8, 0.75, 0.5) == pytest.approx(12 / 13)
    assert shifted(0.3, 0.6, 0.6) == pytest.approx(0.3)


def test_probabilities_are_clipped_before_they_are_compared():
    # 1 is taken as 0.999, odds 999, and 0 as odds 1 / 999
    assert shifted(0.5, 1.0, 0.5) == pytest.approx(0.999)
    assert shifted(1.0, 0.0, 0.5) == pytest.approx(0.5)


def test_a_decision_moves_the_audits_probability_by_hand():
    # Without: odds 0.2 / 0.3 = 2/3. With row 1 as class 1: weights (0.9 / 24, 0.3 * 23 / 24), odds 23/3.
    # 4 (23/3) / (2/3) = 46
    found = updated(a_suspect(p_wrong=0.8), {1: 1}, T, INVERSE)
    assert found == pytest.approx((46 / 47, 1))


def test_a_confirmed_neighbor_moves_it_the_other_way():
    # Row 3, observed as 1, is truly 0: ((1, 0) + 2 (7/6, -1/6) + (-1/2, 3/2)) / 4 = (17/24, 7/24)
    # odds 7 * 0.3 / (17 * 0.9) = 7/51; 4 (7/51) / (2/3) = 14/17
    assert updated(a_suspect(), {3: 0}, T, INVERSE).p_wrong == pytest.approx(14 / 31)


def test_without_decided_neighbors_the_probability_is_exactly_the_audits():
    for p in (0.0, 0.123456789, 0.99999, 1.0):
        assert updated(a_suspect(p_wrong=p), {99: 1}, T, INVERSE) == (p, 1)


@pytest.mark.parametrize("matrix", [[[0.5, 0.5], [0.5, 0.5]], [[0.2, 0.8], [0.8, 0.2]], [[np.nan, 1.0], [0.0, 1.0]]])
def test_where_labels_cannot_be_undone_nothing_moves(matrix):
    matrix = np.array(matrix)
    assert usable_inverse(matrix) is None
    assert updated(a_suspect(), {1: 1}, matrix, None) == (0.8, 1)


def test_the_audits_suggestion_stands_until_decisions_change_the_rules_own():
    matrix = np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    one = a_suspect(votes=((1, 0), (2, 1), (3, 1), (4, 2)), suggested=2)
    inverse = usable_inverse(matrix)
    assert updated(one, {2: 1}, matrix, inverse).suggested == 2  # the rule says 1 with the decision and without it
    assert updated(one, {1: 2, 2: 2, 3: 2}, matrix, inverse).suggested == 2
    other = a_suspect(votes=((1, 0), (2, 2), (3, 2), (4, 1)), suggested=2)
    assert updated(other, {2: 1, 3: 1}, matrix, inverse).suggested == 1


@settings(deadline=None)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.floats(0, 0.3))
def test_without_decisions_the_shares_are_the_clean_posterior(labels, rate):
    matrix = np.full((3, 3), rate / 2) + (1 - 1.5 * rate) * np.eye(3)
    shares = np.bincount(labels, minlength=3) / len(labels)
    found = clean_shares(list(enumerate(labels)), {}, usable_inverse(matrix))
    assert found == pytest.approx(clean_posterior(shares[None], matrix)[0], abs=1e-9)
