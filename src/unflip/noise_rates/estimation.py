"""estimate_noise_rates: the answer to "how many of my labels are wrong?", with intervals."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets

from unflip.decision import usable
from unflip.neighbors import ExactIndex
from unflip.noise_model import NoiseModel
from unflip.noise_rates.bayes import Bayes
from unflip.noise_rates.bootstrap import bootstrap_intervals
from unflip.noise_rates.estimators import ESTIMATORS, estimator_named
from unflip.noise_rates.identifiability import find_notes
from unflip.noise_rates.result import NoiseRates
from unflip.validation import check_choice, check_count, generator, refusal

OWNER = "estimate_noise_rates"
DEPTH = 50
QUICK_FOR_MANY_CLASSES = ("extremes", "debiased_extremes", "quantile", "confident")


def estimate_noise_rates(X, y, *, method="auto", n_neighbors="auto", confidence=0.9, random_state=None):
    """Estimate how often the labels of each class are wrong.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Rows, in units in which distances make sense: scale columns first.
    y : array-like of shape (n_samples,)
        Observed labels, of any type, of two classes or more.
    method : str, default="auto"
        "auto" is "bayes": the posterior mean of the rates. Others are "extremes" (the paper's: too low),
        "debiased_extremes", "quantile", "moments", "confident" and "beta_binomial".
    n_neighbors : int or "auto", default="auto"
        How many neighbors make a neighborhood; "auto" leaves it to the method. At most a quarter of the rows are used.
    confidence : float, default=0.9
        Of the intervals, between 0 and 1. They are the shortest that hold this part of the posterior; for a method
        other than "auto" and "bayes", the scatter of its estimate when labels are redrawn, its bias not included.
    random_state : int, RandomState instance or None, default=None
        Redraws labels, for methods other than "auto" and "bayes", which draw nothing.

    Returns
    -------
    noise_rates : NoiseRates
        With ``rates``, ``interval``, ``transition_matrix``, ``class_prior``, ``identifiable`` and ``notes``; print it,
        plot it, or turn it into a dict.

    See Also
    --------
    RobustKNeighborsClassifier : Estimates the same rates and corrects for them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import estimate_noise_rates, make_label_noise
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.3}, random_state=0)
    >>> print(estimate_noise_rates(minmax_scale(X), noisy))
    About 23% of 569 labels are wrong.
    <BLANKLINE>
      class   wrong     90% interval    true share
      0        9.9%     3.1% to  15.6%       38.2%
      1       30.8%    25.4% to  36.8%       61.8%
    """
    _check_parameters(method, n_neighbors, confidence)
    X, y = check_X_y(X, y, accept_sparse="csr", dtype=np.float64, estimator=OWNER)
    check_classification_targets(y)
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise refusal(OWNER, "y", "labels of two classes or more", classes.tolist())
    depth = DEPTH if n_neighbors == "auto" else n_neighbors
    graph = ExactIndex(n_jobs=-1).fit(X).graph(min(depth, len(labels) - 1))
    return rates_from_graph(
        graph, classes, labels, method=method, n_neighbors=n_neighbors, confidence=confidence, random_state=random_state
    )


def _check_parameters(method, n_neighbors, confidence):
    check_choice(OWNER, "method", method, ("auto", *ESTIMATORS))
    check_count(OWNER, "n_neighbors", n_neighbors, auto=True)
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise refusal(OWNER, "confidence", "a number between 0 and 1", confidence)


def rates_from_graph(
    graph, classes, labels, *, method="auto", n_neighbors="auto", confidence=0.9, random_state=None, compared=True
):
    """Estimate the rates of labels, given as class numbers, from a graph of their rows; compared with others or not."""
    given = None if n_neighbors == "auto" else n_neighbors
    matrix, posteriors = estimator_named("bayes", given).estimate_with_posteriors(graph, labels)
    believed = np.array(Bayes.intervals(posteriors, confidence))
    intervals = believed
    if method not in ("auto", "bayes"):
        estimator = estimator_named(method, given)
        matrix = estimator.estimate(graph, labels)
        intervals = bootstrap_intervals(
            estimator, graph, labels, 1 - np.diag(matrix), confidence, generator(random_state)
        )
    noise = NoiseModel(classes, matrix)
    # What is decided by, or drawn together, can lie a little outside of where a class's own labels would have it.
    intervals = np.column_stack([np.minimum(intervals[:, 0], noise.rates), np.maximum(intervals[:, 1], noise.rates)])
    shown = "bayes" if method == "auto" else method
    observed = np.bincount(labels, minlength=len(classes)) / len(labels)
    notes = find_notes(classes, noise.rates, believed)
    return NoiseRates(
        classes=classes,
        transition_matrix=matrix,
        rates=noise.rates,
        interval=intervals,
        class_prior=NoiseModel(classes, usable(matrix)).clean_prior(observed),
        method=method,
        identifiable=not notes,
        notes=notes,
        confidence=float(confidence),
        n_samples=len(labels),
        alternatives={
            name: 1 - np.diag(estimator_named(name, given).estimate(graph, labels))
            for name in (ESTIMATORS if len(classes) == 2 else QUICK_FOR_MANY_CLASSES)
            if compared and name != shown
        },
    )
