"""The tests on paired scores: against scipy and numerical integration, on simulated nulls, and at the edges."""

from functools import partial
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import beta
from scipy.stats import t as student
from scipy.stats import ttest_rel

from unflip import UnflipError
from unflip.experiments.statistics.significance import (
    Tally,
    bayes_factor_test,
    corrected_t_test,
    log_bayes_factor,
    paired_differences,
    paired_t_test,
    posterior_probability,
)

FOUR_FOLD = {"n_test": 50, "n_train": 150}
TESTS = [paired_t_test, partial(corrected_t_test, **FOUR_FOLD), bayes_factor_test]


@pytest.mark.parametrize("n", [2, 3, 10, 40])
@pytest.mark.parametrize("shift", [0.0, 0.3, -2.0])
def test_the_paired_test_is_that_of_scipy(n, shift):
    random = np.random.RandomState(n)
    scores, others = random.normal(shift, size=n), random.normal(size=n)
    found, expected = paired_t_test(scores, others), ttest_rel(scores, others)
    assert found.t == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)
    assert found.degrees_of_freedom == n - 1
    assert found.difference == pytest.approx(np.mean(scores) - np.mean(others))


def test_the_corrected_test_by_hand():
    # Differences 1, 2, 3: mean 2, variance 1; (1/3 + 50/150) * 1 = 2/3, so t = 2 / sqrt(2/3) = sqrt(6).
    found = corrected_t_test([1, 2, 3], [0, 0, 0], **FOUR_FOLD)
    assert found.t == pytest.approx(sqrt(6))
    assert found.p_value == pytest.approx(2 * student.sf(sqrt(6), 2))


def test_a_training_set_without_bound_needs_no_correction():
    scores, others = [0.9, 0.8, 0.85, 0.7], [0.8, 0.8, 0.8, 0.6]
    corrected = corrected_t_test(scores, others, n_test=1, n_train=10**12)
    assert corrected.t == pytest.approx(paired_t_test(scores, others).t, rel=1e-9)


def test_the_verdict_depends_on_the_level():
    scores, others = [0.91, 0.93, 0.92, 0.95], [0.90, 0.90, 0.90, 0.91]
    p_value = paired_t_test(scores, others).p_value
    assert paired_t_test(scores, others, level=p_value * 1.01).verdict == "win"
    assert paired_t_test(scores, others, level=p_value).verdict == "tie"
    assert paired_t_test(others, scores, level=p_value * 1.01).verdict == "loss"


def integrated_bayes_factor(t, nu, a):
    """Average the ratio of densities, t / sqrt(1 + w) ~ Student against t ~ Student, over the prior of w.

    With u = w / (1 + w) the prior is Beta(b + 1, a + 1); 1 / sqrt(1 + w) = sqrt(1 - u) goes into the weight.
    """
    b = nu / 2 - a - 2
    ratio = lambda u: student.pdf(t * sqrt(1 - u), nu) / student.pdf(t, nu)  # noqa: E731
    return quad(ratio, 0, 1, weight="alg", wvar=(b, a + 0.5), epsabs=0, epsrel=1e-11)[0] / beta(a + 1, b + 1)


@pytest.mark.parametrize("a", [-0.9, -0.75, -0.5, 0.0])
@pytest.mark.parametrize("nu", [3, 9, 18, 39])
@pytest.mark.parametrize("t", [0.0, 0.5, 2.2, -3.0, 8.0])
def test_the_bayes_factor_is_its_integral(t, nu, a):
    expected = integrated_bayes_factor(t, nu, a)
    assert exp(log_bayes_factor(t, degrees_of_freedom=nu, a=a)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    ("nu", "a", "cuts"),
    [
        (9, -0.5, (1.86, 2.72, 3.62)), (9, -0.75, (2.19, 2.97, 3.83)),
        (18, -0.5, (1.97, 2.63, 3.27)), (18, -0.75, (2.25, 2.86, 3.47)),
        (39, -0.5, (2.11, 2.65, 3.17)), (39, -0.75, (2.36, 2.86, 3.35)),
        (78, -0.5, (2.24, 2.72, 3.18)), (78, -0.75, (2.47, 2.92, 3.35)),
    ],
)  # fmt: skip
def test_where_the_bayes_factor_crosses_1_3_and_10(nu, a, cuts):
    def crossing(factor):
        return brentq(lambda t: log_bayes_factor(t, degrees_of_freedom=nu, a=a) - log(factor), 0, 20)

    assert [crossing(factor) for factor in (1, 3, 10)] == pytest.approx(cuts, abs=0.006)


def test_the_default_shape_is_three_quarters():
    assert log_bayes_factor(2, degrees_of_freedom=9) == log_bayes_factor(2, degrees_of_freedom=9, a=-0.75)
    scores, others = [0.9, 0.8, 0.85, 0.7], [0.8, 0.8, 0.8, 0.6]
    found = bayes_factor_test(scores, others)
    assert found.log_bayes_factor == log_bayes_factor(found.t, degrees_of_freedom=3, a=-0.75)
    assert bayes_factor_test(scores, others, a=0).log_bayes_factor == log_bayes_factor(
        found.t, degrees_of_freedom=3, a=0
    )


def test_a_huge_statistic_does_not_overflow():
    # (1 + t^2 / nu)^((nu - 2a - 2) / 2) with t = 1e200: 2 log(1e200 / sqrt(39)) * (39 - 0.5) / 2, beside the gammas.
    found = log_bayes_factor(1e200, degrees_of_freedom=39) - log_bayes_factor(0, degrees_of_freedom=39)
    assert found == pytest.approx(38.5 * (200 * log(10) - log(39) / 2))
    assert log_bayes_factor(-inf, degrees_of_freedom=9) == inf


@pytest.mark.parametrize("factor", [0.01, 1 / 3, 1, 3, 10])
def test_the_posterior_is_the_share_of_the_odds(factor):
    assert posterior_probability(log(factor)) == pytest.approx(factor / (1 + factor))


def test_the_bayes_verdict_changes_at_its_cut():
    scores, others = [0.91, 0.93, 0.92, 0.95], [0.90, 0.90, 0.90, 0.91]
    found = bayes_factor_test(scores, others)
    assert found.posterior == posterior_probability(found.log_bayes_factor) > 0.5
    assert found.verdict == "win"
    assert bayes_factor_test(others, scores).verdict == "loss"
    assert bayes_factor_test(scores, others, cut=1.01 * exp(found.log_bayes_factor)).verdict == "tie"


@pytest.mark.parametrize("test", TESTS)
class TestDifferencesWithoutVariance:
    def test_none_at_all_is_a_tie(self, test):
        found = test([0.9, 0.8, 0.7], [0.9, 0.8, 0.7])
        assert (found.verdict, found.t, found.difference) == ("tie", 0, 0)

    def test_the_same_difference_everywhere_decides(self, test):
        assert test([2, 3, 4], [1, 2, 3]).verdict == "win"
        assert test([1, 2, 3], [2, 3, 4]).verdict == "loss"
        assert test([1, 2, 3], [2, 3, 4]).t == -inf

    def test_rounding_is_no_variance_and_no_difference(self, test):
        scores = np.array([0.1, 0.2, 0.7])
        assert np.ptp((scores + 0.1) - scores) > 0
        assert test(scores + 0.1, scores).t == inf
        found = test(scores * (1 + 4e-16), scores)
        assert (found.verdict, found.difference) == ("tie", 0)

    def test_a_difference_far_below_the_scores_still_counts(self, test):
        assert test([1 + 1e-9, 2 + 1e-9], [1, 2]).verdict == "win"


def test_the_smallest_floats_have_a_variance():
    scores = np.array([1, 2, 3]) * 5e-324
    assert paired_t_test(scores, np.zeros(3)).t == pytest.approx(2 * sqrt(3))


def test_certainty_is_written_as_such():
    assert paired_t_test([2, 3, 4], [1, 2, 3]).p_value == 0
    assert paired_t_test([1, 2], [1, 2]).p_value == 1
    assert bayes_factor_test([2, 3, 4], [1, 2, 3]).posterior == 1
    assert bayes_factor_test([1, 2], [1, 2]).posterior < 0.5


def test_differences_of_rounding_size_are_zero():
    differences = paired_differences("test", [0.1 + 0.2, 0.5], [0.3, 0.25])
    assert differences.tolist() == [0, 0.25]


def test_equal_scores_tie_whatever_the_cut():
    assert bayes_factor_test([1, 2, 3], [1, 2, 3], cut=0.01).verdict == "tie"


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12),
    st.sampled_from(TESTS),
)
def test_the_other_way_round_is_the_other_verdict(pairs, test):
    scores, others = zip(*pairs, strict=True)
    there, back = test(scores, others), test(others, scores)
    assert there.t == -back.t
    assert {"win": "loss", "tie": "tie", "loss": "win"}[there.verdict] == back.verdict


def correlated_null(n_trials, n_pairs, *, correlation, seed):
    """Scores of two equal methods whose differences share a part, as those of overlapping training sets do."""
    random = np.random.RandomState(seed)
    shared, own = random.normal(size=(n_trials, 1)), random.normal(size=(n_trials, n_pairs))
    return sqrt(correlation) * shared + sqrt(1 - correlation) * own


def share_decided(test, differences):
    return np.mean([test(row, np.zeros_like(row)).verdict != "tie" for row in differences])


def test_on_folds_the_plain_tests_find_differences_that_are_not_there():
    """Ten times 4-fold, so 40 pairs whose differences correlate by 1/4: six in ten decided by the plain test."""
    differences = correlated_null(2000, 40, correlation=0.25, seed=0)
    assert share_decided(paired_t_test, differences) == pytest.approx(0.59, abs=0.05)
    assert share_decided(bayes_factor_test, differences) == pytest.approx(0.54, abs=0.05)
    assert share_decided(partial(corrected_t_test, **FOUR_FOLD), differences) == pytest.approx(0.05, abs=0.015)


def test_on_independent_pairs_the_plain_test_keeps_its_level():
    differences = correlated_null(2000, 10, correlation=0, seed=1)
    assert share_decided(paired_t_test, differences) == pytest.approx(0.05, abs=0.015)


def test_a_tally_counts_what_is_there():
    assert Tally.of(["win", "loss", "win", "tie", None, np.nan]) == Tally(2, 1, 1)
    assert str(Tally(35, 20, 5)) == "35/20/5"
    assert Tally.of(iter([])) == Tally(0, 0, 0)


@given(st.lists(st.sampled_from(["win", "tie", "loss", None])))
def test_the_other_methods_tally_is_this_one_reversed(verdicts):
    reversed_verdicts = [{"win": "loss", "loss": "win"}.get(verdict, verdict) for verdict in verdicts]
    tally, other = Tally.of(verdicts), Tally.of(reversed_verdicts)
    assert (tally.wins, tally.ties, tally.losses) == (other.losses, other.ties, other.wins)
    assert tally.wins + tally.ties + tally.losses == sum(verdict is not None for verdict in verdicts)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: paired_t_test([1], [2]), "paired_t_test: 'scores' must be a list of at least two finite scores"),
        (
            lambda: paired_t_test([1, 2], [2, np.nan]),
            "paired_t_test: 'others' must be a list of at least two finite scores",
        ),
        (lambda: paired_t_test([1, 2, 3], [2, 3]), r"'others' must be as long as 'scores' \(3\), got \[2.0, 3.0\]"),
        (lambda: paired_t_test([[1, 2]], [[2, 3]]), "'scores' must be a list of at least two finite scores"),
        (lambda: paired_t_test([1, 2], [2, 3], level=1), "'level' must be a number strictly between 0 and 1"),
        (lambda: corrected_t_test([1, 2], [2, 3], n_test=0, n_train=2), "'n_test' must be an integer >= 1, got 0"),
        (lambda: corrected_t_test([1, 2], [2, 3], n_test=2, n_train=0), "'n_train' must be an integer >= 1, got 0"),
        (lambda: bayes_factor_test([1, 2], [2, 3], cut=0), "'cut' must be a finite number > 0, got 0"),
        (lambda: bayes_factor_test([1, 2], [2, 3], a=-0.5), "'a' must be a number above -1 and below -0.5"),
        (lambda: log_bayes_factor(1, degrees_of_freedom=9, a=-1), "'a' must be a number above -1 and below 3.5"),
        (lambda: log_bayes_factor(1, degrees_of_freedom=0), "'degrees_of_freedom' must be an integer >= 1"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(UnflipError, match=sentence):
        call()
