"""estimate_noise_rates: the answer to "how many of my labels are wrong?", with intervals."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets

from unflip.foundation.checks import check_confidence, check_count, generator
from unflip.foundation.errors import refusal
from unflip.neighbors import NeighborGraph, make_index
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.bootstrap import bootstrap_intervals
from unflip.noise_rates.estimators.bayes import Bayes
from unflip.noise_rates.estimators.registry import DEFAULT, ESTIMATORS, check_noise_estimator, make_estimator
from unflip.noise_rates.result import NoiseRates, make_noise_rates

OWNER = "estimate_noise_rates"
N_NEIGHBORS = 50
QUICK_FOR_MANY_CLASSES = ("extremes", "debiased_extremes", "quantile", "confident")


def estimate_noise_rates(
    X: Any,
    y: ArrayLike,
    *,
    noise_estimator: str = "auto",
    n_neighbors: int | str = "auto",
    confidence: float = 0.9,
    random_state: Any = None,
    method: str | None = None,
) -> NoiseRates:
    """Estimate how often the labels of each class are wrong.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Rows, in units in which distances make sense: scale columns first.
    y : array-like of shape (n_samples,)
        Observed labels, of any type, of two classes or more.
    noise_estimator : str, default="auto"
        "auto" is "bayes", the posterior mean of the rates. Others are "extremes" (the paper's, biased low),
        "debiased_extremes", "quantile", "moments", "confident" and "beta_binomial".
    n_neighbors : int or "auto", default="auto"
        Size of a neighborhood; "auto" leaves it to the estimator. At most a quarter of the rows are used.
    confidence : float, default=0.9
        Of the intervals, between 0 and 1. They are highest-density intervals of the posterior; for estimators other
        than "auto" and "bayes" they show the estimate's sampling error, its bias not included.
    random_state : int, RandomState instance or None, default=None
        Redraws labels, for estimators other than "auto" and "bayes", which draw nothing.
    method : str or None, default=None
        Former name of ``noise_estimator``.

        .. deprecated:: 0.1
            Use ``noise_estimator``.

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
    if method is not None:
        warnings.warn(f"{OWNER}: 'method' is called 'noise_estimator' now.", FutureWarning, stacklevel=2)
        noise_estimator = method
    check_noise_estimator(OWNER, noise_estimator, named_only=True)
    check_count(OWNER, "n_neighbors", n_neighbors, auto=True)
    check_confidence(OWNER, confidence)
    X, y = check_X_y(X, y, accept_sparse="csr", dtype=np.float64, estimator=OWNER)
    check_classification_targets(y)
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise refusal(OWNER, "y", "labels of two classes or more", classes.tolist())
    k = N_NEIGHBORS if isinstance(n_neighbors, str) else n_neighbors
    graph = make_index(OWNER, "euclidean", n_jobs=-1).fit(X).graph(min(k, len(labels) - 1))
    return rates_from_graph(
        graph,
        classes,
        labels,
        noise_estimator=noise_estimator,
        n_neighbors=n_neighbors,
        confidence=confidence,
        random_state=random_state,
    )


def rates_from_graph(
    graph: NeighborGraph,
    classes: np.ndarray,
    labels: np.ndarray,
    *,
    noise_estimator: str = "auto",
    n_neighbors: int | str = "auto",
    confidence: float = 0.9,
    random_state: Any = None,
    compared: bool = True,
) -> NoiseRates:
    """Estimate the rates of labels, given as class numbers, from a graph of their rows; compared with others or not."""
    k = None if isinstance(n_neighbors, str) else n_neighbors
    bayes = Bayes() if k is None else Bayes(k)
    matrix, posteriors = bayes.estimate_with_posteriors(graph, labels)
    posterior_intervals = np.array(Bayes.intervals(posteriors, confidence))
    intervals = posterior_intervals
    if noise_estimator not in ("auto", DEFAULT):
        estimator = make_estimator(noise_estimator, k)
        matrix = estimator.estimate(graph, labels)
        rates, random = 1 - np.diag(matrix), generator(random_state)
        intervals = bootstrap_intervals(estimator, graph, labels, rates, confidence, random)
    shown = DEFAULT if noise_estimator == "auto" else noise_estimator
    others = ESTIMATORS if len(classes) == 2 else QUICK_FOR_MANY_CLASSES
    return make_noise_rates(
        NoiseModel(classes, matrix),
        labels,
        intervals,
        noise_estimator=noise_estimator,
        confidence=confidence,
        posterior_intervals=posterior_intervals,
        alternatives={
            name: 1 - np.diag(make_estimator(name, k).estimate(graph, labels))
            for name in others
            if compared and name != shown
        },
    )
