"""How decisions about neighbors change a suspect, with numbers worked by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.review.rule import class_posteriors, clean_shares, shift_probability, updated_verdict, verdict

T = np.array([[0.9, 0.1], [0.3, 0.7]])
EVEN = np.array([0.5, 0.5])
# Columns of T, each divided by its sum: 0.9 and 0.3 by 1.2, 0.1 and 0.7 by 0.8.
POSTERIORS = np.array([[3 / 4, 1 / 4], [1 / 8, 7 / 8]])
VOTES = ((1, 0), (2, 0), (3, 1), (4, 1))


def a_suspect(p_wrong=0.8, votes=VOTES, given=0, suggested=1):
    return SimpleNamespace(p_wrong=p_wrong, votes=votes, given=given, suggested=suggested)


def test_the_posteriors_by_hand():
    assert class_posteriors(T, EVEN) == pytest.approx(POSTERIORS)
    # 0.25 * 0.9 and 0.75 * 0.3 are both 0.225; 0.25 * 0.1 = 0.025 and 0.75 * 0.7 = 0.525
    assert class_posteriors(T, np.array([0.25, 0.75])) == pytest.approx(np.array([[1 / 2, 1 / 2], [1 / 22, 21 / 22]]))


def test_a_label_that_should_never_occur_is_taken_as_true():
    assert class_posteriors(np.array([[1.0, 0.0], [1.0, 0.0]]), EVEN).tolist() == [[0.5, 0.5], [0, 1]]
    assert class_posteriors(np.eye(2), np.array([1.0, 0.0])).tolist() == [[1, 0], [0, 1]]


def test_the_shares_of_undecided_neighbors_by_hand():
    # (2 (3/4, 1/4) + 2 (1/8, 7/8)) / 4
    assert clean_shares(VOTES, {}, POSTERIORS) == pytest.approx([7 / 16, 9 / 16])


def test_a_decided_neighbor_counts_as_its_decided_class():
    # ((0, 1) + (3/4, 1/4) + 2 (1/8, 7/8)) / 4
    assert clean_shares(VOTES, {1: 1}, POSTERIORS) == pytest.approx([1 / 4, 3 / 4])


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
    assert shift_probability(0.8, 0.75, 0.5) == pytest.approx(12 / 13)
    assert shift_probability(0.3, 0.6, 0.6) == pytest.approx(0.3)


def test_probabilities_are_clipped_before_they_are_compared():
    # 1 is taken as 0.999, odds 999, and 0 as odds 1 / 999
    assert shift_probability(0.5, 1.0, 0.5) == pytest.approx(0.999)
    assert shift_probability(1.0, 0.0, 0.5) == pytest.approx(0.5)


def test_probabilities_beyond_the_clip_never_move_the_wrong_way():
    assert shift_probability(0.9999, 0.7, 0.6) == 0.9999
    assert shift_probability(0.0001, 0.5, 0.6) == 0.0001
    assert shift_probability(1.0, 0.6, 0.6) == 1.0


def test_a_decision_shifts_the_audits_probability_by_hand():
    # Without: weights (0.9 * 7/16, 0.3 * 9/16), odds 3/7. With row 1 as class 1: (0.9 / 4, 0.3 * 3 / 4), odds 1.
    # 4 * 1 / (3/7) = 28/3
    found = updated_verdict(a_suspect(p_wrong=0.8), {1: 1}, T, POSTERIORS)
    assert found == pytest.approx((28 / 31, 1))


def test_a_neighbor_changed_to_the_given_label_shifts_it_the_other_way():
    # Row 3, observed as 1, is truly 0: ((1, 0) + 2 (3/4, 1/4) + (1/8, 7/8)) / 4 = (21/32, 11/32)
    # odds 11 * 0.3 / (21 * 0.9) = 11/63; 4 (11/63) / (3/7) = 44/27
    assert updated_verdict(a_suspect(), {3: 0}, T, POSTERIORS).p_wrong == pytest.approx(44 / 71)


def test_without_decided_neighbors_the_probability_is_exactly_the_audits():
    for p in (0.0, 0.123456789, 0.99999, 1.0):
        assert updated_verdict(a_suspect(p_wrong=p), {99: 1}, T, POSTERIORS) == (p, 1)


def test_the_audits_suggestion_stays_until_decisions_change_that_of_the_votes():
    matrix = np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    one = a_suspect(votes=((1, 0), (2, 1), (3, 1), (4, 2)), suggested=2)
    posteriors = class_posteriors(matrix, np.full(3, 1 / 3))
    assert (
        updated_verdict(one, {2: 1}, matrix, posteriors).suggested == 2
    )  # the rule says 1 with the decision and without it
    assert updated_verdict(one, {1: 2, 2: 2, 3: 2}, matrix, posteriors).suggested == 2
    other = a_suspect(votes=((1, 0), (2, 2), (3, 2), (4, 1)), suggested=2)
    assert updated_verdict(other, {2: 1, 3: 1}, matrix, posteriors).suggested == 1


@st.composite
def distributions(draw, n_classes):
    """Probabilities, some of them 0."""
    weights = draw(st.lists(st.integers(0, 20), min_size=n_classes, max_size=n_classes).filter(any))
    return np.array(weights) / sum(weights)


@st.composite
def reviews(draw):
    """A suspect whose neighbor, row 0, has its label; T, the posteriors, and decisions about other neighbors."""
    n_classes = draw(st.integers(2, 4))
    matrix = np.array([draw(distributions(n_classes)) for _ in range(n_classes)])
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=1, max_size=8))
    others = st.dictionaries(st.integers(1, len(labels)), st.integers(0, n_classes - 1))
    one = a_suspect(p_wrong=draw(st.floats(0, 1)), votes=tuple(enumerate(labels)), given=labels[0], suggested=None)
    return one, draw(others), matrix, class_posteriors(matrix, draw(distributions(n_classes)))


@settings(deadline=None)
@given(reviews())
def test_keeping_a_neighbors_label_never_makes_a_suspect_of_that_label_more_suspect(review):
    suspect, decided, matrix, posteriors = review
    before = updated_verdict(suspect, decided, matrix, posteriors).p_wrong
    after = updated_verdict(suspect, decided | {0: suspect.given}, matrix, posteriors).p_wrong
    assert after <= before + 1e-9


@settings(deadline=None)
@given(reviews())
def test_changing_it_to_the_class_mistaken_for_it_most_often_never_makes_it_less_suspect(review):
    suspect, decided, matrix, posteriors = review
    mistaken = np.where(np.arange(len(matrix)) == suspect.given, -1, matrix[:, suspect.given])
    before = updated_verdict(suspect, decided, matrix, posteriors).p_wrong
    after = updated_verdict(suspect, decided | {0: int(mistaken.argmax())}, matrix, posteriors).p_wrong
    assert after >= before - 1e-9


def test_changing_it_to_a_class_that_is_never_mistaken_for_it_may_make_it_less_suspect():
    matrix = np.array([[0.8, 0.1, 0.1], [0.2, 0.8, 0.0], [0.0, 0.2, 0.8]])
    posteriors = class_posteriors(matrix, np.full(3, 1 / 3))
    votes = ((0, 0), (1, 0))
    # ((4/5, 1/5, 0) + (1, 0, 0)) / 2 has the weights (0.72, 0.02, 0): class 1 might be behind the label
    assert verdict(clean_shares(votes, {1: 0}, posteriors), 0, matrix) == pytest.approx((1 / 37, 1))
    # ((0, 0, 1) + (1, 0, 0)) / 2 has the weights (0.4, 0, 0): class 2 cannot be, and class 1 is no longer seen
    assert verdict(clean_shares(votes, {1: 0, 0: 2}, posteriors), 0, matrix) == (0, None)
