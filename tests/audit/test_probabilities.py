"""Shares, scores and flags by hand, and against a slow version that reads like the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.audit.probabilities import bounded, ranking, score, score_carefully, worst
from unflip.audit.shares import blend, choose_n_neighbors, choose_weight, neighbor_shares, rank_weights
from unflip.neighbors import ExactIndex
from unflip.noise.transition import NoiseModel


def slow_shares(X, labels, n_classes, width):
    """Sort all other rows by (distance, number), weigh them 1, 1 - 1/width, ..., add a share of 1 / n_classes each."""
    shares = np.zeros((len(X), n_classes))
    for i in range(len(X)):
        others = sorted((np.sum((X[i] - X[j]) ** 2), j) for j in range(len(X)) if j != i)
        for rank, (_, j) in enumerate(others[:width]):
            shares[i, labels[j]] += 1 - rank / width
        shares[i] = (shares[i] + 1 / n_classes) / (shares[i].sum() + 1)
    return shares


@pytest.mark.parametrize("n_classes", [2, 3])
def test_shares_are_those_of_the_definition(n_classes):
    random = np.random.RandomState(n_classes)
    X = random.randint(0, 4, size=(40, 2)).astype(float)  # many equal rows and distances
    labels = np.r_[np.arange(n_classes), random.randint(0, n_classes, 40 - n_classes)]
    graph = ExactIndex().fit(X).graph(20)
    found = np.vstack([neighbor_shares(graph, labels, n_classes, 7, part) for part in (slice(0, 25), slice(25, 40))])
    np.testing.assert_allclose(found, slow_shares(X, labels, n_classes, 7), rtol=1e-12)


def test_the_width_is_the_one_with_the_highest_likelihood():
    random = np.random.RandomState(0)
    X = random.normal(size=(150, 2))
    labels = (X[:, 0] + random.normal(size=150) > 0).astype(int)
    graph = ExactIndex().fit(X).graph(60)
    widths = (5, 10, 20, 40, 60)
    likelihood = [np.log(slow_shares(X, labels, 2, width)[np.arange(150), labels]).sum() for width in widths]
    assert choose_n_neighbors(graph, labels, 2, widths, np.arange(150)) == widths[int(np.argmax(likelihood))]
    assert np.argmax(likelihood) not in (0, len(widths) - 1)


def test_a_graph_that_is_not_deep_enough_for_any_width_is_used_whole():
    graph = ExactIndex().fit(np.arange(4.0)[:, None]).graph(3)
    assert choose_n_neighbors(graph, np.array([0, 1, 0, 1]), 2, (5, 10), np.arange(4)) == 3


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


def test_weights_fall_from_one():
    np.testing.assert_allclose(rank_weights(5), [1, 0.8, 0.6, 0.4, 0.2])


def test_a_model_weighs_as_much_as_it_explains():
    good, bad = np.full(50, 0.9), np.full(50, 0.1)
    assert choose_weight(bad, good) == 1.0
    assert choose_weight(good, bad) == 0.0
    assert choose_weight(np.r_[good, bad], np.r_[bad, good]) == 0.5


def test_joined_opinions_are_averages_that_sum_to_one_and_are_never_zero():
    mixed = blend(np.array([[0.2, 0.8], [1.0, 0.0]]), np.array([[0.6, 0.4], [1.0, 0.0]]), 0.25)
    np.testing.assert_allclose(mixed[0], [0.3, 0.7])
    np.testing.assert_allclose(mixed.sum(axis=1), 1)
    assert mixed.min() > 0
