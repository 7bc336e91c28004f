"""Tests of which methods differ over many data sets: average ranks, Friedman's test, and the post-hoc comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc
from scipy.stats import rankdata, studentized_range, wilcoxon

from unflip.experiments.statistics.significance import Verdict, check_level, paired_differences
from unflip.foundation.checks import check_count, is_integer
from unflip.foundation.errors import refusal


@dataclass(frozen=True)
class FriedmanTest:
    """The test of whether any method differs from the others.

    Parameters
    ----------
    chi_square : float
        Friedman's statistic, corrected for ties, with n_methods - 1 degrees of freedom.
    p_value : float
        From the chi-square distribution.
    f : float
        The statistic of Iman and Davenport, which is less conservative.
    f_p_value : float
        From the F distribution with n_methods - 1 and (n_methods - 1)(n_data_sets - 1) degrees of freedom.
    """

    chi_square: float
    p_value: float
    f: float
    f_p_value: float


@dataclass(frozen=True)
class ControlComparison:
    """Wilcoxon's test of the control against one other method.

    Parameters
    ----------
    method : int
        Column of the other method.
    p_value : float
        Two-sided, for this comparison alone.
    adjusted_p_value : float
        Adjusted for all comparisons by Holm's method.
    verdict : {"win", "tie", "loss"}
        The result of the control.
    """

    method: int
    p_value: float
    adjusted_p_value: float
    verdict: Verdict


def rank_methods(scores: ArrayLike) -> np.ndarray:
    """Rank the methods on each data set: 1 is best, tied scores share the mean of their ranks.

    Scores are compared exactly; round them first if the last digits do not matter.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Higher is better.

    Returns
    -------
    ranks : ndarray of shape (n_data_sets, n_methods)
        From 1 to n_methods.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import rank_methods
    >>> rank_methods([[0.9, 0.8, 0.7], [0.6, 0.7, 0.7]])
    array([[1. , 2. , 3. ],
           [3. , 1.5, 1.5]])
    """
    return rankdata(-_checked("rank_methods", scores), axis=1)


def average_ranks(scores: ArrayLike) -> np.ndarray:
    """Return the mean rank of each method over the data sets.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Higher is better.

    Returns
    -------
    ranks : ndarray of shape (n_methods,)
        Lower is better.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import average_ranks
    >>> average_ranks([[0.9, 0.8, 0.7], [0.6, 0.7, 0.7]])
    array([2.  , 1.75, 2.25])
    """
    return rank_methods(scores).mean(axis=0)


def friedman_test(scores: ArrayLike) -> FriedmanTest:
    """Test whether any method differs from the others over the data sets.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Higher is better.

    Returns
    -------
    test : FriedmanTest
        Friedman's statistic and that of Iman and Davenport.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import friedman_test
    >>> found = friedman_test([[3, 2, 1], [3, 2, 1], [3, 1, 2], [3, 2, 1]])
    >>> round(found.chi_square, 2), round(found.p_value, 3), round(found.f_p_value, 3)
    (6.5, 0.039, 0.007)
    """
    ranks = rank_methods(scores)
    n, k = ranks.shape
    middle = (k + 1) / 2
    # Ties shrink this sum: that is the correction for ties.
    spread = ((ranks - middle) ** 2).sum()
    between = ((ranks.mean(axis=0) - middle) ** 2).sum()
    chi_square = n**2 * (k - 1) * between / spread if spread else 0.0
    left = n * (k - 1) - chi_square
    f = (n - 1) * chi_square / left if left > 1e-12 * n * k else inf
    return FriedmanTest(
        chi_square=float(chi_square),
        p_value=float(chdtrc(k - 1, chi_square)),
        f=float(f),
        f_p_value=float(fdtrc(k - 1, (k - 1) * (n - 1), f)),
    )


def nemenyi_critical_difference(n_methods: int, n_data_sets: int, *, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks, for comparing all pairs of methods.

    Parameters
    ----------
    n_methods : int
        Number of methods.
    n_data_sets : int
        Number of data sets.
    level : float, default=0.05
        Family-wise error rate.

    Returns
    -------
    difference : float
        In ranks; two methods that are at least this far apart differ.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import nemenyi_critical_difference
    >>> round(nemenyi_critical_difference(4, 14), 2)
    1.25
    """
    owner = "nemenyi_critical_difference"
    if not is_integer(n_methods) or n_methods < 2:
        raise refusal(owner, "n_methods", "an integer >= 2", n_methods)
    check_count(owner, "n_data_sets", n_data_sets)
    check_level(owner, level)
    quantile = studentized_range.ppf(1 - level, n_methods, inf) / sqrt(2)
    return float(quantile * sqrt(n_methods * (n_methods + 1) / (6 * n_data_sets)))


def alike_groups(ranks: ArrayLike, critical_difference: float) -> list[tuple[int, ...]]:
    """Group the methods that do not differ: maximal sets of ranks that lie within the critical difference.

    Parameters
    ----------
    ranks : array-like of shape (n_methods,)
        Average ranks.
    critical_difference : float
        As returned by `nemenyi_critical_difference`; methods exactly this far apart differ.

    Returns
    -------
    groups : list of tuple of int
        Columns in order of rank. Groups may overlap; a method that differs from all others is in none.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import alike_groups
    >>> alike_groups([3.143, 2.000, 2.893, 1.964], 1.12)
    [(3, 1, 2), (2, 0)]
    """
    ranks = np.asarray(ranks, dtype=float)
    order = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[order], ranks[order] + critical_difference, side="left")
    groups: list[tuple[int, ...]] = []
    reached = 0
    for start, end in enumerate(ends):
        if end > max(reached, start + 1):
            groups.append(tuple(order[start:end].tolist()))
            reached = end
    return groups


def compare_with_control(scores: ArrayLike, control: int, *, level: float = 0.05) -> list[ControlComparison]:
    """Compare one method with each of the others by Wilcoxon's signed-rank test, with Holm's correction.

    Ranks of zero differences are split evenly between both signs, as Demšar recommends.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_methods)
        Higher is better.
    control : int
        Column of the control.
    level : float, default=0.05
        Family-wise error rate.

    Returns
    -------
    comparisons : list of ControlComparison
        One per other method, in column order.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import compare_with_control
    >>> scores = [[0.90 + i / 100, 0.85, 0.89 + i * i / 400] for i in range(8)]
    >>> [(found.method, round(found.adjusted_p_value, 3), found.verdict) for found in compare_with_control(scores, 0)]
    [(1, 0.016, 'win'), (2, 0.766, 'tie')]
    """
    scores = _checked("compare_with_control", scores)
    n_methods = scores.shape[1]
    if not is_integer(control) or not 0 <= control < n_methods:
        raise refusal("compare_with_control", "control", f"a column from 0 to {n_methods - 1}", control)
    check_level("compare_with_control", level)
    others = [method for method in range(n_methods) if method != control]
    tests = [_signed_rank_test(scores[:, control], scores[:, method]) for method in others]
    adjusted = holm([p_value for p_value, _ in tests])
    return [
        ControlComparison(method, p_value, float(p), _VERDICT_OF_SIGN[sign if p < level else 0])
        for method, (p_value, sign), p in zip(others, tests, adjusted, strict=True)
    ]


_VERDICT_OF_SIGN: dict[int, Verdict] = {1: "win", 0: "tie", -1: "loss"}


def _signed_rank_test(scores: np.ndarray, others: np.ndarray) -> tuple[float, int]:
    """Return the p-value, and the sign of the rank sum."""
    differences = paired_differences("compare_with_control", scores, others)
    if not differences.any():
        return 1.0, 0
    signed = np.sign(differences) @ rankdata(np.abs(differences))
    return float(wilcoxon(differences, zero_method="zsplit").pvalue), int(np.sign(signed))


def holm(p_values: ArrayLike) -> np.ndarray:
    """Adjust p-values for multiple comparisons by Holm's step-down method.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        Unadjusted p-values.

    Returns
    -------
    adjusted : ndarray of shape (n_tests,)
        To compare with the family-wise error rate.

    Examples
    --------
    >>> from unflip.experiments.statistics.ranking import holm
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p_values = np.asarray(p_values, dtype=float)
    if p_values.ndim != 1 or not ((p_values >= 0) & (p_values <= 1)).all():
        raise refusal("holm", "p_values", "a list of numbers from 0 to 1", p_values.tolist())
    order = np.argsort(p_values, kind="stable")
    stepped = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return adjusted


def _checked(owner: str, scores: ArrayLike) -> np.ndarray:
    scores = np.asarray(scores, dtype=float)
    all_finite = bool(np.isfinite(scores).all())
    if scores.ndim != 2 or min(scores.shape) < 2 or not all_finite:
        accepted = "finite, with at least two data sets (rows) and two methods (columns)"
        got = f"shape {scores.shape}" + ("" if all_finite else " with missing or infinite values")
        raise refusal(owner, "scores", accepted, got)
    return scores
