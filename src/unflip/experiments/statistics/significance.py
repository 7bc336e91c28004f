"""Is one method better than another on one data set? Two t-tests and a Bayes factor on paired scores, and verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import hypot, inf, log, sqrt
from numbers import Real

import numpy as np
from scipy.special import expit, gammaln, stdtr

from unflip.foundation.checks import check_count, check_positive
from unflip.foundation.errors import refusal

VERDICTS = ("win", "tie", "loss")

# Scores that differ by fewer units in the last place than this are the same number, computed in another order.
ROUNDING_UNITS = 8


@dataclass(frozen=True)
class Comparison:
    """What a t-test says of one method against another.

    Parameters
    ----------
    difference : float
        The mean of the first method's scores minus the second's.
    t : float
        The statistic; infinite where every difference is the same and not zero.
    degrees_of_freedom : int
        One less than the number of pairs.
    p_value : float
        Two-sided.
    verdict : {"win", "tie", "loss"}
        Of the first method.
    """

    difference: float
    t: float
    degrees_of_freedom: int
    p_value: float
    verdict: str


@dataclass(frozen=True)
class BayesianComparison:
    """What the Bayes factor says of one method against another.

    Parameters
    ----------
    difference : float
        The mean of the first method's scores minus the second's.
    t : float
        The statistic of the paired t-test.
    degrees_of_freedom : int
        One less than the number of pairs.
    log_bayes_factor : float
        Natural logarithm of the odds that the scores lend to a difference.
    posterior : float
        The probability of a difference, where both hypotheses were equally likely before.
    verdict : {"win", "tie", "loss"}
        Of the first method.
    """

    difference: float
    t: float
    degrees_of_freedom: int
    log_bayes_factor: float
    posterior: float
    verdict: str


@dataclass(frozen=True)
class Tally:
    """How often a method won, tied and lost; str gives the form of the tables, "35/20/5".

    Parameters
    ----------
    wins, ties, losses : int
        Cells with each verdict.
    missing : int, default=0
        Cells in which one of the two has no scores.
    """

    wins: int
    ties: int
    losses: int
    missing: int = 0

    def __str__(self):
        return f"{self.wins}/{self.ties}/{self.losses}"


def paired_t_test(scores, others, *, level=0.05):
    """Compare two methods by the paired t-test, which takes the pairs for independent.

    Scores from folds of one data set are not: their training sets overlap, and this test then finds differences far
    too often. Use `corrected_t_test` there.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Of the method to judge; higher is better.
    others : array-like of shape (n_pairs,)
        Of the other method, on the same splits.
    level : float, default=0.05
        Below this p-value the difference counts.

    Returns
    -------
    comparison : Comparison
        From the standpoint of the first method.

    See Also
    --------
    corrected_t_test : The same for overlapping training sets.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import paired_t_test
    >>> found = paired_t_test([0.91, 0.93, 0.92, 0.95], [0.90, 0.90, 0.90, 0.91])
    >>> found.verdict, round(found.t, 3), round(found.p_value, 3)
    ('win', 3.873, 0.03)
    """
    return _t_test("paired_t_test", scores, others, test_to_train=0.0, level=level)


def corrected_t_test(scores, others, *, n_test, n_train, level=0.05):
    """Compare two methods by the resampled t-test of Nadeau and Bengio, for splits whose training sets overlap.

    The variance of the mean is that of the differences times 1/n_pairs + n_test/n_train; the second term stays however
    often the data are split again. For repeated 4-fold cross-validation n_test/n_train is 1/3.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Of the method to judge; higher is better.
    others : array-like of shape (n_pairs,)
        Of the other method, on the same splits.
    n_test, n_train : int
        Rows in each test part and in each training part.
    level : float, default=0.05
        Below this p-value the difference counts.

    Returns
    -------
    comparison : Comparison
        From the standpoint of the first method.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import corrected_t_test
    >>> found = corrected_t_test([0.91, 0.93, 0.92, 0.95], [0.90, 0.90, 0.90, 0.91], n_test=50, n_train=150)
    >>> found.verdict, round(found.t, 3), round(found.p_value, 3)
    ('tie', 2.535, 0.085)
    """
    check_count("corrected_t_test", "n_test", n_test)
    check_count("corrected_t_test", "n_train", n_train)
    return _t_test("corrected_t_test", scores, others, test_to_train=n_test / n_train, level=level)


def _t_test(owner, scores, others, *, test_to_train, level):
    check_level(owner, level)
    difference, t, degrees_of_freedom = _statistic(owner, scores, others, test_to_train)
    p_value = float(2 * stdtr(degrees_of_freedom, -abs(t)))
    return Comparison(difference, t, degrees_of_freedom, p_value, _verdict(t, decided=p_value < level))


def bayes_factor_test(scores, others, *, a=-0.75, cut=1.0):
    """Compare two methods by the Bayes factor of Wang and Liu on the paired t statistic.

    Like `paired_t_test` it takes the pairs for independent.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Of the method to judge; higher is better.
    others : array-like of shape (n_pairs,)
        Of the other method, on the same splits.
    a : float, default=-0.75
        Shape of the prior, see `log_bayes_factor`.
    cut : float, default=1.0
        Above this Bayes factor the difference counts; at 1, where it is more likely than not.

    Returns
    -------
    comparison : BayesianComparison
        From the standpoint of the first method.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import bayes_factor_test
    >>> found = bayes_factor_test([0.91, 0.93, 0.92, 0.95], [0.90, 0.90, 0.90, 0.91])
    >>> found.verdict, round(found.posterior, 3)
    ('win', 0.738)
    """
    check_positive("bayes_factor_test", "cut", cut)
    difference, t, degrees_of_freedom = _statistic("bayes_factor_test", scores, others, test_to_train=0.0)
    log_factor = log_bayes_factor(t, degrees_of_freedom=degrees_of_freedom, a=a)
    verdict = _verdict(t, decided=log_factor > log(cut))
    return BayesianComparison(difference, t, degrees_of_freedom, log_factor, posterior_probability(log_factor), verdict)


def log_bayes_factor(t, *, degrees_of_freedom, a=-0.75):
    """Return the logarithm of the Bayes factor for a difference, under a Pearson type VI prior on its size.

    Parameters
    ----------
    t : float
        A t statistic, may be infinite.
    degrees_of_freedom : int
        Of that statistic: n_pairs - 1, or n1 + n2 - 2 for two samples with one variance.
    a : float, default=-0.75
        Shape of the prior, -1 < a < degrees_of_freedom / 2 - 1. Up to -0.5 its tails are those of a Cauchy
        distribution or heavier; -0.5 is the Pearson Bayes factor.

    Returns
    -------
    log_factor : float
        Above zero the scores speak for a difference, below for none.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import log_bayes_factor
    >>> round(log_bayes_factor(3.0, degrees_of_freedom=9), 3)
    1.137
    """
    check_count("log_bayes_factor", "degrees_of_freedom", degrees_of_freedom)
    most = degrees_of_freedom / 2 - 1
    if not isinstance(a, Real) or not -1 < a < most:
        raise refusal("log_bayes_factor", "a", f"a number above -1 and below {most:g} (half the degrees less one)", a)
    gammas = gammaln(degrees_of_freedom / 2) + gammaln(a + 1.5) - gammaln((degrees_of_freedom + 1) / 2) - gammaln(a + 1)
    log_one_plus = 2 * log(hypot(1, t / sqrt(degrees_of_freedom)))  # of t**2 / nu, without squaring a large t
    return float(gammas + (most - a) * log_one_plus)


def posterior_probability(log_factor):
    """Return the probability of a difference from the logarithm of its Bayes factor, at even odds beforehand.

    >>> posterior_probability(0.0), posterior_probability(float("inf"))
    (0.5, 1.0)
    """
    return float(expit(log_factor))


def compare_with_others(scores, method, *, test):
    """Judge one method against each of the others on one data set.

    Parameters
    ----------
    scores : dict of str to array-like or None
        The scores of each method on the same splits, None where there are none.
    method : str
        The one to judge.
    test : callable
        Of two lists of scores, as `paired_t_test`; bind further parameters with `functools.partial`.

    Returns
    -------
    comparisons : dict of str to Comparison, BayesianComparison or None
        One for each other method, None where one of the two has no scores.

    Examples
    --------
    >>> from functools import partial
    >>> from unflip.experiments.statistics.significance import compare_with_others, corrected_t_test
    >>> scores = {"ours": [0.91, 0.93, 0.92], "theirs": [0.80, 0.83, 0.81], "failed": None}
    >>> found = compare_with_others(scores, "ours", test=partial(corrected_t_test, n_test=50, n_train=150))
    >>> found["theirs"].verdict, found["failed"]
    ('win', None)
    """
    if method not in scores:
        raise refusal("compare_with_others", "method", f"one of {', '.join(map(str, scores))}", method)
    return {
        other: None if scores[method] is None or scores[other] is None else test(scores[method], scores[other])
        for other in scores
        if other != method
    }


def count_verdicts(cells):
    """Count wins, ties and losses of one method against each other over many cells.

    Parameters
    ----------
    cells : iterable of dict
        For each cell what `compare_with_others` returned.

    Returns
    -------
    tallies : dict of str to Tally
        One for each other method; a cell that does not name it counts as missing.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import compare_with_others, count_verdicts, paired_t_test
    >>> first = {"ours": [0.91, 0.93, 0.92], "theirs": [0.80, 0.83, 0.81]}
    >>> second = {"ours": [0.71, 0.73, 0.72], "theirs": [0.70, 0.75, 0.71]}
    >>> cells = [compare_with_others(scores, "ours", test=paired_t_test) for scores in (first, second)]
    >>> str(count_verdicts(cells)["theirs"])
    '1/1/0'
    """
    cells = list(cells)
    others = dict.fromkeys(other for cell in cells for other in cell)
    return {other: _tally(cell.get(other) for cell in cells) for other in others}


def _tally(comparisons):
    counts = Counter(comparison.verdict if comparison else "missing" for comparison in comparisons)
    return Tally(*(counts[verdict] for verdict in VERDICTS), missing=counts["missing"])


def paired_differences(owner, scores, others):
    """Return scores - others; what rounding alone may have left of a zero is zero."""
    scores, others = (np.asarray(given, dtype=float) for given in (scores, others))
    for name, given in (("scores", scores), ("others", others)):
        if given.ndim != 1 or len(given) < 2 or not np.isfinite(given).all():
            raise refusal(owner, name, "at least two finite scores in a list", given.tolist())
    if len(scores) != len(others):
        raise refusal(owner, "others", f"as long as 'scores' ({len(scores)})", others.tolist())
    differences = scores - others
    differences[np.abs(differences) <= _rounding(scores, others)] = 0
    return differences


def check_level(owner, level):
    """Refuse anything but a number between 0 and 1."""
    if not isinstance(level, Real) or not 0 < level < 1:
        raise refusal(owner, "level", "a number between 0 and 1, without the ends", level)


def _rounding(scores, others):
    return ROUNDING_UNITS * np.finfo(float).eps * max(np.abs(scores).max(), np.abs(others).max())


def _statistic(owner, scores, others, test_to_train):
    differences = paired_differences(owner, scores, others)
    n, mean = len(differences), float(differences.mean())
    if np.ptp(differences) <= _rounding(np.asarray(scores), np.asarray(others)):
        return mean, float(inf * np.sign(mean)) if mean else 0.0, n - 1
    scaled = differences / np.abs(differences).max()  # the squares of the smallest floats would vanish
    return mean, float(scaled.mean() / (scaled.std(ddof=1) * sqrt(1 / n + test_to_train))), n - 1


def _verdict(t, *, decided):
    if not decided or t == 0:
        return "tie"
    return "win" if t > 0 else "loss"
