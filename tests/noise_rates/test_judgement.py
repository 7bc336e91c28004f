"""Judgements of two classes and of many: averages over all that is not known."""

import numpy as np
import pytest
from scipy.special import expit

from unflip.noise.posterior import clean_posterior
from unflip.noise_rates import NoisePrior
from unflip.noise_rates.class_posterior import ClassPosterior
from unflip.noise_rates.judgement import ManyClasses, TwoClasses, judge
from unflip.noise_rates.known_noise import KnownNoise
from unflip.noise_rates.many_rates import likely_matrices
from unflip.opinions.rowwise import RowwiseProbabilities

RANDOM = np.random.RandomState(0)
PLACES = RANDOM.normal(0, 2, 1000)
SHARES = np.column_stack([expit(-PLACES), expit(PLACES)])
TRUTH = (RANDOM.random_sample(1000) < expit(8 * PLACES)).astype(int)
LABELS = np.where(RANDOM.random_sample(1000) < np.array([0.1, 0.3])[TRUTH], 1 - TRUTH, TRUTH)
TWO = judge(SHARES, LABELS)

MATRICES = np.array([
    [[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]],
    [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.1, 0.7]],
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]],
])  # fmt: skip
OBSERVED = np.array([0.4, 0.3, 0.3])
MANY = ManyClasses(MATRICES, OBSERVED)
THREE_SHARES, THREE_LABELS = RANDOM.dirichlet(np.ones(3), 50), RANDOM.randint(0, 3, 50)


def test_two_classes_are_judged_by_the_posterior_of_the_second():
    assert isinstance(TWO, TwoClasses)
    posterior = ClassPosterior.of(SHARES[:, 1], LABELS == 1, NoisePrior())
    tau_minus, tau_plus = posterior.means
    assert (tau_minus, tau_plus) == pytest.approx((0.1, 0.3), abs=0.06)
    np.testing.assert_allclose(TWO.transition_matrix, [[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    for row in (0, 1, 2, 3):
        share, label = SHARES[row, 1:], LABELS[row]
        wrong = posterior.wrong_positive if label else posterior.wrong_negative
        sure = posterior.sure_positive if label else posterior.sure_negative
        assert TWO.p_wrong(SHARES, LABELS)[row] == posterior.at(share, wrong)
        assert TWO.p_better_changed(SHARES, LABELS)[row] == posterior.at(share, sure)
        assert TWO.clean(SHARES)[row] == pytest.approx([1 - posterior.at(share, posterior.clean)[0],
                                                       posterior.at(share, posterior.clean)[0]])  # fmt: skip


def test_wrong_labels_are_found_and_the_true_ones_given_back():
    wrong = LABELS != TRUTH
    p_wrong = TWO.p_wrong(SHARES, LABELS)
    assert p_wrong.mean() == pytest.approx(wrong.mean(), abs=0.03)
    assert wrong[p_wrong > 0.9].mean() > 0.9
    changed = TWO.p_better_changed(SHARES, LABELS) > 0.9
    assert changed.sum() > 50
    assert wrong[changed].mean() > 0.8
    assert np.mean(TWO.clean(SHARES).argmax(axis=1) == TRUTH) > 0.95
    assert TWO.share_wrong(0.9)[0] == pytest.approx(wrong.mean(), abs=0.03)


@pytest.mark.parametrize("judgement", [TWO, MANY], ids=["two", "many"])
def test_more_confidence_is_a_wider_interval_around_the_same_estimate(judgement):
    rates = 1 - np.diag(judgement.transition_matrix)
    narrow, wide = judgement.intervals(0.5), judgement.intervals(0.95)
    assert narrow.shape == (len(rates), 2)
    assert (wide[:, 0] <= narrow[:, 0]).all()
    assert (narrow[:, 1] <= wide[:, 1]).all()
    assert ((wide[:, 0] <= rates) & (rates <= wide[:, 1])).all()
    mean, low, high = judgement.share_wrong(0.95)
    same, lower, higher = judgement.share_wrong(0.5)
    assert mean == same
    assert low <= lower <= higher < high
    assert low <= mean < high


def test_a_prior_is_heeded():
    expected, low = judge(SHARES[:40], LABELS[:40], NoisePrior(low=1, high=1)), judge(SHARES[:40], LABELS[:40])
    assert expected.share_wrong(0.9)[0] > low.share_wrong(0.9)[0] + 0.02


def test_many_classes_are_judged_by_likely_matrices():
    labels = np.arange(50) % 3
    found = judge(THREE_SHARES, labels)
    assert isinstance(found, ManyClasses)
    np.testing.assert_array_equal(found.matrices, likely_matrices(THREE_SHARES, labels, NoisePrior()))
    np.testing.assert_allclose(found.observed, [17 / 50, 17 / 50, 16 / 50])


def test_answers_of_many_classes_are_averages_over_matrices():
    p_wrong, changed, clean = np.zeros(50), np.zeros(50), np.zeros((50, 3))
    for T in (*MATRICES[:2], np.eye(3)):  # the last cannot be undone: it corrects nothing
        p_wrong += KnownNoise(T).p_wrong(THREE_SHARES, THREE_LABELS) / 3
        changed += (KnownNoise(T).p_wrong(THREE_SHARES, THREE_LABELS) > 0.5) / 3
        clean += clean_posterior(THREE_SHARES, T) / 3
    np.testing.assert_allclose(MANY.p_wrong(THREE_SHARES, THREE_LABELS), p_wrong)
    np.testing.assert_allclose(MANY.p_better_changed(THREE_SHARES, THREE_LABELS), changed)
    np.testing.assert_allclose(MANY.clean(THREE_SHARES), clean)
    np.testing.assert_allclose(MANY.clean(THREE_SHARES).sum(axis=1), 1)
    np.testing.assert_allclose(MANY.transition_matrix, MATRICES.mean(axis=0))


def test_the_share_of_many_classes_is_that_of_each_matrix():
    shares = []
    for T in MATRICES[:2]:
        (true,) = clean_posterior(OBSERVED[None], T)
        shares.append(sum(true[c] * (1 - T[c, c]) for c in range(3)))
    mean, low, high = MANY.share_wrong(0.999)
    assert mean == pytest.approx(sum(shares) / 3)  # the third corrects nothing
    assert (low, high) == pytest.approx((0, max(shares)), abs=0.01)


@pytest.mark.parametrize(
    ("shares", "labels", "judgement"),
    [(SHARES, LABELS, TWO), (THREE_SHARES, THREE_LABELS, MANY)],
    ids=["two classes", "many classes"],
)
def test_probabilities_made_row_by_row_are_judged_the_same(shares, labels, judgement, monkeypatch):
    monkeypatch.setattr("unflip.opinions.rowwise.VALUES_AT_ONCE", 30)
    rowwise = RowwiseProbabilities(shares.shape, lambda rows: shares[rows])
    np.testing.assert_array_equal(judge(rowwise, labels).transition_matrix, judge(shares, labels).transition_matrix)
    expected = judgement.p_wrong(shares, labels), judgement.p_better_changed(shares, labels)
    for probabilities in (shares, rowwise):
        p_wrong, changed = judgement.wrong_and_better_changed(probabilities, labels)
        np.testing.assert_allclose(p_wrong, expected[0], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(changed, expected[1], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(judgement.p_wrong(rowwise, labels), expected[0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(judgement.p_better_changed(rowwise, labels), expected[1], rtol=1e-12, atol=1e-12)


def test_true_labels_of_many_classes_are_averaged_before_they_are_bounded(monkeypatch):
    few = ManyClasses(MATRICES[:2], OBSERVED)
    expected = few.clean(THREE_SHARES)
    inside = np.all([THREE_SHARES @ np.linalg.inv(T) > 0 for T in MATRICES[:2]], axis=(0, 2))
    assert 5 < inside.sum() < 45
    monkeypatch.setattr("unflip.noise_rates.judgement.MANY_CLASSES", 2)
    found = few.clean(THREE_SHARES)
    np.testing.assert_allclose(found[inside], expected[inside])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found.min() >= 0
    np.testing.assert_allclose(found, expected, atol=0.25)
