"""Tests of whether two methods differ on one data set: two t-tests and a Bayes factor on paired scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot, inf, log, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln, stdtr

from unflip.foundation.checks import check_count, check_positive, is_number
from unflip.foundation.errors import refusal

Verdict = Literal["win", "tie", "loss"]

# Scores that differ by at most this many units in the last place are the same number, computed in another order.
ROUNDING_UNITS = 8


@dataclass(frozen=True)
class Comparison:
    """The t-test of one method against another.

    Parameters
    ----------
    difference : float
        Mean score of the first method minus that of the second.
    t : float
        The statistic; infinite if all differences are equal and not zero.
    degrees_of_freedom : int
        One less than the number of pairs.
    p_value : float
        Two-sided.
    verdict : {"win", "tie", "loss"}
        The result of the first method.
    """

    difference: float
    t: float
    degrees_of_freedom: int
    p_value: float
    verdict: Verdict


@dataclass(frozen=True)
class BayesianComparison:
    """The Bayes factor test of one method against another.

    Parameters
    ----------
    difference : float
        Mean score of the first method minus that of the second.
    t : float
        The statistic of the paired t-test.
    degrees_of_freedom : int
        One less than the number of pairs.
    log_bayes_factor : float
        Natural logarithm of the Bayes factor in favor of a difference.
    posterior : float
        Posterior probability of a difference, at even prior odds.
    verdict : {"win", "tie", "loss"}
        The result of the first method.
    """

    difference: float
    t: float
    degrees_of_freedom: int
    log_bayes_factor: float
    posterior: float
    verdict: Verdict


@dataclass(frozen=True)
class Tally:
    """Numbers of wins, ties and losses; its string is "wins/ties/losses".

    Parameters
    ----------
    wins : int
        Number of wins.
    ties : int
        Number of ties.
    losses : int
        Number of losses.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import Tally
    >>> str(Tally.of(["win", "tie", "win", None]))
    '2/1/0'
    """

    wins: int
    ties: int
    losses: int

    @classmethod
    def of(cls, verdicts: Iterable[object]) -> Tally:
        """Count verdicts.

        Parameters
        ----------
        verdicts : iterable
            "win", "tie" or "loss"; anything else is a missing verdict and is not counted.

        Returns
        -------
        tally : Tally
            Its sum is the number of verdicts that were not missing.
        """
        verdicts = list(verdicts)
        return cls(verdicts.count("win"), verdicts.count("tie"), verdicts.count("loss"))

    def __str__(self) -> str:
        return f"{self.wins}/{self.ties}/{self.losses}"


def paired_t_test(scores: ArrayLike, others: ArrayLike, *, level: float = 0.05) -> Comparison:
    """Compare two methods with the paired t-test, which assumes independent pairs.

    Scores on folds of one data set are not independent, because their training sets overlap: this test then finds far
    too many differences. Use `corrected_t_test` instead.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Scores of the first method; higher is better.
    others : array-like of shape (n_pairs,)
        Scores of the second method, on the same splits.
    level : float, default=0.05
        Significance level: a difference is decided if its p-value is lower.

    Returns
    -------
    comparison : Comparison
        The verdict is on the first method.

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


def corrected_t_test(
    scores: ArrayLike, others: ArrayLike, *, n_test: int, n_train: int, level: float = 0.05
) -> Comparison:
    """Compare two methods with the corrected resampled t-test of Nadeau and Bengio, for overlapping training sets.

    The variance of the mean is that of the differences times 1/n_pairs + n_test/n_train. The second term does not
    vanish, however often the data are split again. In repeated 4-fold cross-validation n_test/n_train is 1/3.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Scores of the first method; higher is better.
    others : array-like of shape (n_pairs,)
        Scores of the second method, on the same splits.
    n_test : int
        Number of test rows per split.
    n_train : int
        Number of training rows per split.
    level : float, default=0.05
        Significance level: a difference is decided if its p-value is lower.

    Returns
    -------
    comparison : Comparison
        The verdict is on the first method.

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


def _t_test(owner: str, scores: ArrayLike, others: ArrayLike, *, test_to_train: float, level: float) -> Comparison:
    check_level(owner, level)
    difference, t, degrees_of_freedom = _statistic(owner, scores, others, test_to_train)
    p_value = float(2 * stdtr(degrees_of_freedom, -abs(t)))
    return Comparison(difference, t, degrees_of_freedom, p_value, _verdict(t, decided=p_value < level))


def bayes_factor_test(
    scores: ArrayLike, others: ArrayLike, *, a: float = -0.75, cut: float = 1.0
) -> BayesianComparison:
    """Compare two methods with the Bayes factor of Wang and Liu on the paired t statistic.

    Like `paired_t_test`, it assumes independent pairs.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        Scores of the first method; higher is better.
    others : array-like of shape (n_pairs,)
        Scores of the second method, on the same splits.
    a : float, default=-0.75
        Shape of the prior; see `log_bayes_factor`.
    cut : float, default=1.0
        A difference is decided if the Bayes factor is larger; 1 means more likely than not.

    Returns
    -------
    comparison : BayesianComparison
        The verdict is on the first method.

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


def log_bayes_factor(t: float, *, degrees_of_freedom: int, a: float = -0.75) -> float:
    """Return the logarithm of the Bayes factor in favor of a difference, under a Pearson type VI prior on its size.

    Parameters
    ----------
    t : float
        A t statistic; may be infinite.
    degrees_of_freedom : int
        Its degrees of freedom: n_pairs - 1, or n1 + n2 - 2 for two samples of equal variance.
    a : float, default=-0.75
        Shape of the prior, -1 < a < degrees_of_freedom / 2 - 1. Up to -0.5 its tails are at least as heavy as a
        Cauchy distribution's; -0.5 is the Pearson Bayes factor.

    Returns
    -------
    log_factor : float
        Positive values favor a difference, negative ones no difference.

    Examples
    --------
    >>> from unflip.experiments.statistics.significance import log_bayes_factor
    >>> round(log_bayes_factor(3.0, degrees_of_freedom=9), 3)
    1.137
    """
    check_count("log_bayes_factor", "degrees_of_freedom", degrees_of_freedom)
    upper = degrees_of_freedom / 2 - 1
    if not is_number(a) or not -1 < a < upper:
        raise refusal("log_bayes_factor", "a", f"a number above -1 and below {upper:g} (half the degrees - 1)", a)
    gammas = gammaln(degrees_of_freedom / 2) + gammaln(a + 1.5) - gammaln((degrees_of_freedom + 1) / 2) - gammaln(a + 1)
    log_one_plus = 2 * log(hypot(1, t / sqrt(degrees_of_freedom)))  # log(1 + t**2 / nu), without overflow
    return float(gammas + (upper - a) * log_one_plus)


def posterior_probability(log_factor: float) -> float:
    """Return the posterior probability of a difference, at even prior odds.

    Parameters
    ----------
    log_factor : float
        Logarithm of the Bayes factor; may be infinite.

    Returns
    -------
    probability : float
        In [0, 1].

    Examples
    --------
    >>> posterior_probability(0.0), posterior_probability(float("inf"))
    (0.5, 1.0)
    """
    return float(expit(log_factor))


def paired_differences(owner: str, scores: ArrayLike, others: ArrayLike) -> np.ndarray:
    """Return scores - others, with differences of rounding size set to zero.

    Parameters
    ----------
    owner : str
        The caller, for error messages.
    scores : array-like of shape (n_pairs,)
        Scores of the first method.
    others : array-like of shape (n_pairs,)
        Scores of the second method.

    Returns
    -------
    differences : ndarray of shape (n_pairs,)
        One per pair.
    """
    first, second = _checked_scores(owner, "scores", scores), _checked_scores(owner, "others", others)
    if len(first) != len(second):
        raise refusal(owner, "others", f"as long as 'scores' ({len(first)})", second.tolist())
    differences = first - second
    differences[np.abs(differences) <= _rounding(first, second)] = 0
    return differences


def check_level(owner: str, level: Any) -> None:
    """Refuse anything but a number strictly between 0 and 1.

    Parameters
    ----------
    owner : str
        The caller, for the error message.
    level : object
        The significance level to check.
    """
    if not is_number(level) or not 0 < level < 1:
        raise refusal(owner, "level", "a number strictly between 0 and 1", level)


def _checked_scores(owner: str, parameter: str, scores: ArrayLike) -> np.ndarray:
    checked = np.asarray(scores, dtype=float)
    if checked.ndim != 1 or len(checked) < 2 or not np.isfinite(checked).all():
        raise refusal(owner, parameter, "a list of at least two finite scores", checked.tolist())
    return checked


def _rounding(scores: np.ndarray, others: np.ndarray) -> float:
    return ROUNDING_UNITS * np.finfo(float).eps * max(np.abs(scores).max(), np.abs(others).max())


def _statistic(owner: str, scores: ArrayLike, others: ArrayLike, test_to_train: float) -> tuple[float, float, int]:
    """Return the mean difference, the t statistic and its degrees of freedom."""
    differences = paired_differences(owner, scores, others)
    n, mean = len(differences), float(differences.mean())
    if np.ptp(differences) <= _rounding(np.asarray(scores), np.asarray(others)):
        return mean, float(inf * np.sign(mean)) if mean else 0.0, n - 1
    scaled = differences / np.abs(differences).max()  # squares of the smallest floats would underflow
    return mean, float(scaled.mean() / (scaled.std(ddof=1) * sqrt(1 / n + test_to_train))), n - 1


def _verdict(t: float, *, decided: bool) -> Verdict:
    if not decided or t == 0:
        return "tie"
    return "win" if t > 0 else "loss"
