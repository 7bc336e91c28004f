"""Bayes' rule with a known matrix: by hand, and by drawing labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.noise_rates.known_noise import KnownNoise, bounded, by_columns, wrong_by_matrix
from unflip.opinions.rowwise import RowwiseProbabilities

T = np.array([[0.9, 0.1], [0.3, 0.7]])


def test_probability_by_hand():
    # Of 100 rows here 60 are truly 1. T: 1 stays 1 with .7, 0 becomes 1 with .1. So 42 + 4 = 46 are labeled 1,
    # of which 4 wrongly, and 18 + 36 = 54 are labeled 0, of which 18 wrongly.
    shares = np.array([[0.54, 0.46], [0.54, 0.46]])
    found = KnownNoise(T)
    np.testing.assert_allclose(found.p_wrong(shares, np.array([1, 0])), [4 / 46, 18 / 54])
    np.testing.assert_allclose(found.clean(shares), [[0.4, 0.6], [0.4, 0.6]])


def test_every_class_by_bayes_rule():
    matrix = np.array([[0.7, 0.2, 0.1], [0.05, 0.8, 0.15], [0.1, 0.3, 0.6]])
    truth = np.array([0.5, 0.3, 0.2])
    for label in range(3):
        behind = [truth[c] * matrix[c, label] for c in range(3)]
        p_wrong = KnownNoise(matrix).p_wrong((truth @ matrix)[None], np.array([label]))
        assert p_wrong == pytest.approx(1 - behind[label] / sum(behind))
    np.testing.assert_allclose(KnownNoise(matrix).clean((truth @ matrix)[None]), [truth])


def test_a_label_is_better_changed_where_it_is_more_likely_wrong_than_right():
    shares = np.column_stack([1 - np.linspace(0.1, 0.7, 20), np.linspace(0.1, 0.7, 20)])
    for label in (0, 1):
        p_wrong = KnownNoise(T).p_wrong(shares, np.full(20, label))
        assert 0 < np.count_nonzero(p_wrong > 0.5) < 20
        np.testing.assert_array_equal(KnownNoise(T).p_better_changed(shares, np.full(20, label)), p_wrong > 0.5)


def test_a_label_that_nothing_is_flipped_into_is_never_wrong():
    p_wrong = KnownNoise(np.array([[1.0, 0.0], [0.4, 0.6]])).p_wrong(np.array([[0.9, 0.1]] * 2), np.array([1, 0]))
    assert p_wrong[0] == pytest.approx(0, abs=1e-12)
    assert p_wrong[1] > 0


def test_without_noise_no_label_is_wrong_and_shares_stay_as_they_are():
    shares = np.array([[0.99, 0.01], [0.5, 0.5]])
    found = KnownNoise(np.eye(2))
    assert found.p_wrong(shares, np.array([1, 0])).tolist() == [0, 0]
    np.testing.assert_allclose(found.clean(shares), shares)


def test_shares_that_the_noise_cannot_explain_are_answered_within_bounds():
    shares = np.array([[0.99, 0.01], [0.99, 0.01], [0.05, 0.95]])
    found = KnownNoise(T)
    p_wrong = found.p_wrong(shares, np.array([1, 0, 0]))
    assert (p_wrong[[0, 2]] > 0.95).all()
    assert (p_wrong < 1).all()
    assert p_wrong[1] == 0
    np.testing.assert_array_equal(found.clean(shares), [[1, 0], [1, 0], [0, 1]])


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


@pytest.mark.parametrize("values_at_once", [3, 40, 1000])
def test_one_column_of_the_inverse_gives_the_same_as_solving_for_all(values_at_once, monkeypatch):
    monkeypatch.setattr("unflip.opinions.rowwise.VALUES_AT_ONCE", values_at_once)
    random = np.random.RandomState(0)
    matrices = 0.7 * np.eye(5) + 0.3 * random.dirichlet(np.ones(5), (3, 5))
    shares, labels = random.dirichlet(np.ones(5), 60), random.choice([0, 1, 2, 4], 60)
    rowwise = RowwiseProbabilities(shares.shape, lambda rows: shares[rows])
    expected = np.column_stack([KnownNoise(T).p_wrong(shares, labels) for T in matrices])
    np.testing.assert_allclose(wrong_by_matrix(matrices, rowwise, labels), expected, rtol=1e-12, atol=1e-12)
    known = KnownNoise(matrices[0])
    np.testing.assert_allclose(known.p_wrong(rowwise, labels), expected[:, 0], rtol=1e-12, atol=1e-12)
    p_wrong, changed = known.wrong_and_better_changed(rowwise, labels)
    np.testing.assert_array_equal(p_wrong, known.p_wrong(rowwise, labels))
    np.testing.assert_array_equal(changed, known.p_better_changed(shares, labels))


def test_many_classes_are_answered_by_columns_of_the_inverse(monkeypatch):
    random = np.random.RandomState(0)
    known = KnownNoise(0.7 * np.eye(5) + 0.3 * random.dirichlet(np.ones(5), 5))
    shares, labels = random.dirichlet(np.ones(5), 60), random.randint(0, 5, 60)
    expected = known.p_wrong(shares, labels)
    assert not by_columns(shares)
    monkeypatch.setattr("unflip.noise_rates.known_noise.MANY_CLASSES", 4)
    assert by_columns(shares)
    np.testing.assert_allclose(known.p_wrong(shares, labels), expected, rtol=1e-12, atol=1e-12)
