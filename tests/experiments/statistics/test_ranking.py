"""Methods over many data sets: against scipy, Demšar's printed example and critical values, and by hand."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from scipy.stats import friedmanchisquare, wilcoxon

from unflip import UnflipError
from unflip.experiments.statistics.ranking import (
    alike_groups,
    average_ranks,
    compare_with_control,
    friedman_test,
    holm,
    nemenyi_critical_difference,
    rank_methods,
)

# The ranks of four variants of C4.5 on 14 data sets in Demšar (2006), table 6.
DEMSAR_RANKS = np.array([
    [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
    [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2],
])  # fmt: skip


def some_scores(n_data_sets, n_methods, *, seed=0, decimals=10):
    random = np.random.RandomState(seed)
    return np.round(random.random_sample((n_data_sets, n_methods)) + 0.1 * np.arange(n_methods), decimals)


def test_ranks_by_hand():
    expected = [[2, 1, 3], [1.5, 1.5, 3], [2, 2, 2]]
    assert rank_methods([[0.5, 0.9, 0.1], [0.7, 0.7, 0.2], [1, 1, 1]]).tolist() == expected
    assert average_ranks([[0.5, 0.9, 0.1], [0.7, 0.7, 0.2], [1, 1, 1]]) == pytest.approx([5.5 / 3, 1.5, 8 / 3])


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 10**6))
def test_the_ranks_of_a_data_set_have_a_fixed_sum(n, k, seed):
    assert rank_methods(some_scores(n, k, seed=seed, decimals=1)).sum(axis=1) == pytest.approx(k * (k + 1) / 2)


@pytest.mark.parametrize("decimals", [10, 1])
@pytest.mark.parametrize(("n", "k"), [(5, 3), (20, 8), (60, 4)])
def test_friedman_is_that_of_scipy_with_and_without_ties(n, k, decimals):
    scores = some_scores(n, k, seed=n, decimals=decimals)
    assert any(len(np.unique(row)) < k for row in scores) == (decimals == 1)
    found, expected = friedman_test(scores), friedmanchisquare(*scores.T)
    assert found.chi_square == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)


def test_iman_and_davenport_by_their_formula():
    scores = some_scores(12, 5)
    found = friedman_test(scores)
    expected = 11 * found.chi_square / (12 * 4 - found.chi_square)
    assert found.f == pytest.approx(expected)
    assert found.f_p_value == pytest.approx(f_distribution.sf(expected, 4, 44))


def test_demsars_example():
    assert average_ranks(-DEMSAR_RANKS) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=6e-4)
    found = friedman_test(-DEMSAR_RANKS)
    # He prints 9.28 without the correction for ties: three pairs and one row of four, (3 * 6 + 60) / (14 * 60).
    uncorrected = found.chi_square * (1 - 78 / 840)
    assert uncorrected == pytest.approx(9.28, abs=0.006)
    assert 13 * uncorrected / (14 * 3 - uncorrected) == pytest.approx(3.69, abs=0.006)
    assert nemenyi_critical_difference(4, 14) == pytest.approx(1.25, abs=0.006)
    assert nemenyi_critical_difference(4, 14, level=0.1) == pytest.approx(1.12, abs=0.006)


def test_one_tie_in_an_order_that_never_changes_is_not_certainty():
    found = friedman_test([[0.3, 0.2, 0.1]] * 19 + [[0.3, 0.1, 0.1]])
    # Mean ranks 1, 2.025, 2.975; the squares of the ranks about 2 sum to 19 * 2 + 1.5.
    chi_square = 20**2 * 2 * (1 + 0.025**2 + 0.975**2) / 39.5
    assert found.f == pytest.approx(19 * chi_square / (40 - chi_square))


def test_methods_that_are_always_equal_or_always_in_order():
    alike = friedman_test(np.ones((4, 3)))
    assert (alike.chi_square, alike.p_value, alike.f, alike.f_p_value) == (0, 1, 0, 1)
    ordered = friedman_test(np.tile([0.3, 0.2, 0.1], (7, 1)))
    assert (ordered.chi_square, ordered.f, ordered.f_p_value) == (pytest.approx(14), inf, 0)


@pytest.mark.parametrize(
    ("level", "printed"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_the_critical_values_are_those_of_demsars_table_5(level, printed):
    for k, value in enumerate(printed, start=2):
        found = nemenyi_critical_difference(k, 25, level=level) / sqrt(k * (k + 1) / (6 * 25))
        assert found == pytest.approx(value, abs=1.1e-3), k


def test_groups_by_hand():
    ranks = [3.143, 2.000, 2.893, 1.964]
    assert alike_groups(ranks, 1.25) == [(3, 1, 2, 0)]
    assert alike_groups(ranks, 1.12) == [(3, 1, 2), (2, 0)]
    assert alike_groups(ranks, 0.3) == [(3, 1), (2, 0)]
    assert alike_groups(ranks, 0.01) == []


def test_methods_exactly_the_critical_difference_apart_differ():
    assert alike_groups([1.0, 2.0, 2.5], 1.0) == [(1, 2)]


@given(st.lists(st.floats(1, 8), min_size=2, max_size=8), st.floats(0.1, 5))
def test_two_methods_share_a_group_where_their_ranks_are_close(ranks, critical_difference):
    groups = [set(group) for group in alike_groups(ranks, critical_difference)]
    for i in range(len(ranks)):
        for j in range(i):
            low, high = sorted((ranks[i], ranks[j]))
            assert any({i, j} <= group for group in groups) == (high < low + critical_difference)
    assert not any(one < other for one in groups for other in groups)


def test_holm_by_hand():
    # Sorted .005, .01, .03, .04: times 4, 3, 2, 1 is .02, .03, .06, .04, and the last may not fall below .06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1, 1]
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0.001, 0.999))
def test_holm_rejects_what_stepping_down_rejects(p_values, level):
    rejected = set()
    for step, index in enumerate(np.argsort(p_values, kind="stable")):
        if not p_values[index] * (len(p_values) - step) < level:
            break
        rejected.add(int(index))
    assert set(np.flatnonzero(holm(p_values) < level)) == rejected


def test_wilcoxon_against_a_control_is_that_of_scipy():
    scores = some_scores(25, 4, seed=3)
    found = compare_with_control(scores, 2)
    assert [comparison.method for comparison in found] == [0, 1, 3]
    expected = [wilcoxon(scores[:, 2], scores[:, other]).pvalue for other in (0, 1, 3)]
    assert [comparison.p_value for comparison in found] == pytest.approx(expected, rel=1e-12)
    assert [comparison.adjusted_p_value for comparison in found] == pytest.approx(holm(expected))


def test_equal_scores_are_split_between_the_two_sides():
    scores = np.array([[0.5, 0.5]] * 6 + [[0.5 + i / 50, 0.5] for i in range(-2, 14) if i])
    (found,) = compare_with_control(scores, 0)
    assert found.p_value == pytest.approx(wilcoxon(*scores.T, zero_method="zsplit").pvalue)
    assert found.p_value > wilcoxon(*scores.T, zero_method="wilcox").pvalue


def test_the_verdict_is_the_controls_and_by_the_adjusted_value():
    better = np.arange(1, 10) / 100
    scores = np.column_stack([better + 0.5, np.full(9, 0.5), better * 2 + 0.51, better + 0.5])
    assert [found.verdict for found in compare_with_control(scores, 0)] == ["win", "loss", "tie"]
    (_, _, equal) = compare_with_control(scores, 0)
    assert (equal.p_value, equal.adjusted_p_value) == (1, 1)
    # Each p-value is 2 / 2**9, which three comparisons make 3 times as much.
    strict = compare_with_control(scores, 0, level=0.005)
    assert strict[0].p_value == pytest.approx(2 / 2**9)
    assert strict[0].verdict == "tie"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rank_methods([0.5, 0.6]), "rank_methods: 'scores' must be finite, with at least two data sets"),
        (lambda: friedman_test([[0.5, 0.6]]), r"got 'shape \(1, 2\)'"),
        (lambda: average_ranks([[0.5, 0.6], [np.nan, 1]]), r"got 'shape \(2, 2\) with missing or infinite values'"),
        (lambda: compare_with_control([[1, 2], [3, 4]], 2), "'control' must be a column from 0 to 1, got 2"),
        (lambda: compare_with_control([[1, 2], [3, 4]], -1), "'control' must be a column from 0 to 1, got -1"),
        (
            lambda: compare_with_control([[1, 2], [3, 4]], 0, level=0),
            "'level' must be a number strictly between 0 and 1",
        ),
        (lambda: nemenyi_critical_difference(1, 14), "'n_methods' must be an integer >= 2, got 1"),
        (lambda: nemenyi_critical_difference(4, 0), "'n_data_sets' must be an integer >= 1, got 0"),
        (lambda: nemenyi_critical_difference(4, 9, level=5), "'level' must be a number strictly between 0 and 1"),
        (lambda: holm([0.5, 1.5]), "holm: 'p_values' must be a list of numbers from 0 to 1"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(UnflipError, match=sentence):
        call()
