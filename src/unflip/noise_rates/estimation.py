"""estimate_noise_rates: the answer to "how many of my labels are wrong?", with intervals."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_consistent_length

from unflip.foundation.checks import check_confidence, check_count, check_n_jobs, generator, seed_of
from unflip.foundation.class_numbers import class_numbers
from unflip.foundation.floats import FLOAT_TYPES, at_least_single
from unflip.neighbors import NeighborGraph, fit_index, make_index
from unflip.neighbors.index import check_search
from unflip.neighbors.shards import is_sharded, labels_of, needs_encoder
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.bootstrap import bootstrap_intervals
from unflip.noise_rates.estimators.bayes import Bayes
from unflip.noise_rates.estimators.registry import DEFAULT, ESTIMATORS, check_noise_estimator, make_estimator
from unflip.noise_rates.judged import judged_rates
from unflip.noise_rates.judgement import judge
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.noise_rates.result import NoiseRates, make_noise_rates
from unflip.opinions import Blend
from unflip.opinions.choosing import check_model, choose_opinions, neighbors_in
from unflip.opinions.rowwise import is_kept
from unflip.tables import TableEncoder, as_table, is_table

OWNER = "estimate_noise_rates"
N_NEIGHBORS = 50
QUICK_FOR_MANY_CLASSES = ("extremes", "debiased_extremes", "quantile", "confident")


def estimate_noise_rates(
    X: Any,
    y: ArrayLike | None = None,
    *,
    model: Any = "auto",
    noise_estimator: str = "auto",
    n_neighbors: int | str = "auto",
    confidence: float = 0.9,
    noise_prior: Any = "auto",
    algorithm: Any = "auto",
    executor: Any = None,
    n_jobs: int | None = -1,
    random_state: Any = None,
    method: str | None = None,
) -> NoiseRates:
    """Estimate how often the labels of each class are wrong.

    Parameters
    ----------
    X : array-like, sparse matrix, table or Shards of shape (n_samples, n_features)
        Rows. Numbers are compared as they are: scale columns first. The columns of a table are scaled and encoded.
    y : array-like of shape (n_samples,)
        Observed labels, of any type, of two classes or more; None for ``ParquetShards`` that have a label column.
    model : "auto", None or classifier, default="auto"
        Who says how likely each observed label is, out of sample, for noise_estimator="auto": a blend of several
        models, neighbors alone, or a classifier beside them, as in ``LabelAudit``.
    noise_estimator : str, default="auto"
        "auto" is the posterior of the rates, given what the model says. The others read the labels among neighbors:
        "bayes" (a posterior, too), "extremes" (the paper's, biased low), "debiased_extremes", "quantile", "moments",
        "confident", "beta_binomial" and "reeve_kaban".
    n_neighbors : int or "auto", default="auto"
        Size of a neighborhood; "auto" leaves it to the estimator. At most a quarter of the rows are used.
    confidence : float, default=0.9
        Of the intervals, between 0 and 1. They are intervals of the posterior; for estimators other than "auto" and
        "bayes" they show the estimate's sampling error, its bias not included.
    noise_prior : NoisePrior, "auto", "uniform" or float, default="auto"
        For noise_estimator="auto", what is believed of the rates beforehand: that they are mostly low, that all are
        equally likely, or the share of wrong labels that you expect.
    algorithm : {"auto", "exact", "approximate"} or object, default="auto"
        How neighbors are searched, as in ``RobustKNeighborsClassifier``.
    executor : None, "joblib", dask.distributed.Client or address, default=None
        Where neighbors are searched; the result does not depend on it.
    n_jobs : int or None, default=-1
        Threads; -1 means all cores. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the models, where None means 0; redraws labels for estimators other than "auto" and "bayes".
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
    RobustKNeighborsClassifier : Estimates rates from neighbors and corrects for them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import estimate_noise_rates, make_label_noise
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> noisy = make_label_noise(y, {0: 0.1, 1: 0.3}, random_state=0)
    >>> print(estimate_noise_rates(minmax_scale(X), noisy))
    About 23% (16% to 30%) of 569 labels are wrong.
    <BLANKLINE>
      class   wrong     90% interval    true share
      0        9.6%     4.0% to  15.0%       38.9%
      1       29.9%    23.0% to  39.9%       61.1%
    """
    if method is not None:
        warnings.warn(f"{OWNER}: 'method' is called 'noise_estimator' now.", FutureWarning, stacklevel=2)
        noise_estimator = method
    check_noise_estimator(OWNER, noise_estimator, named_only=True)
    check_count(OWNER, "n_neighbors", n_neighbors, auto=True)
    check_confidence(OWNER, confidence)
    check_n_jobs(OWNER, n_jobs)
    check_model(OWNER, model)
    check_search(OWNER, algorithm, executor)
    prior = NoisePrior.of(OWNER, noise_prior)
    X, y = _rows_and_labels(X, y)
    classes, labels = class_numbers(OWNER, y)
    check_consistent_length(X, labels)
    if noise_estimator == "auto":
        opinions = choose_opinions(
            model,
            algorithm=algorithm,
            executor=executor,
            n_neighbors=n_neighbors,
            seed=seed_of(random_state),
            n_jobs=n_jobs,
            owner=OWNER,
        )
        blend = Blend(opinions).fit(X, labels, len(classes))
        neighbors = neighbors_in(blend, raw=True)
        assert neighbors is not None
        return judged_rates(
            judge(blend.probabilities_, labels, prior),
            blend.probabilities_,
            classes,
            labels,
            confidence,
            # They count the labels of all classes around all rows at once.
            _alternatives(neighbors.graph_.first(N_NEIGHBORS), labels, len(classes))
            if is_kept(len(labels), len(classes))
            else None,
        )
    k = make_estimator(noise_estimator).n_neighbors if isinstance(n_neighbors, str) else n_neighbors  # type: ignore
    index = make_index(OWNER, "euclidean", X=X, algorithm=algorithm, executor=executor, n_jobs=n_jobs)
    graph = fit_index(index, X, labels).graph(min(k, len(labels) - 1))
    return rates_from_graph(
        graph,
        classes,
        labels,
        noise_estimator=noise_estimator,
        n_neighbors=n_neighbors,
        confidence=confidence,
        random_state=random_state,
    )


def _rows_and_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Return rows as numbers, and their labels."""
    if is_sharded(X):
        y = np.asarray(labels_of(OWNER, X, y))
        check_consistent_length(X, y)
        return (X.encoded_by(TableEncoder(), y) if needs_encoder(X) else X), y
    if is_table(X):
        X = TableEncoder().fit_transform(as_table(X), pd.Series(np.asarray(y)))
    return check_array(at_least_single(X), accept_sparse="csr", dtype=FLOAT_TYPES, estimator=OWNER), y


def rates_from_graph(
    graph: NeighborGraph,
    classes: np.ndarray,
    labels: np.ndarray,
    *,
    noise_estimator: str = DEFAULT,
    n_neighbors: int | str = "auto",
    confidence: float = 0.9,
    random_state: Any = None,
) -> NoiseRates:
    """Estimate the rates of labels, given as class numbers, from a graph of their rows."""
    k = None if isinstance(n_neighbors, str) else n_neighbors
    bayes = Bayes() if k is None else Bayes(k)
    matrix, posteriors = bayes.estimate_with_posteriors(graph, labels)
    posterior_intervals = np.array(Bayes.intervals(posteriors, confidence))
    intervals = posterior_intervals
    if noise_estimator != DEFAULT:
        estimator = make_estimator(noise_estimator, k)
        matrix = estimator.estimate(graph, labels)
        rates, random = 1 - np.diag(matrix), generator(random_state)
        intervals = bootstrap_intervals(estimator, graph, labels, rates, confidence, random)
    return make_noise_rates(
        NoiseModel(classes, matrix),
        labels,
        intervals,
        noise_estimator=noise_estimator,
        confidence=confidence,
        posterior_intervals=posterior_intervals,
        alternatives=_alternatives(graph, labels, len(classes), noise_estimator, k),
    )


def _alternatives(
    graph: NeighborGraph, labels: np.ndarray, n_classes: int, shown: str | None = None, k: int | None = None
) -> dict[str, np.ndarray]:
    """Return the rates by the other estimators."""
    others = [name for name in ESTIMATORS if name != "reeve_kaban"] if n_classes == 2 else QUICK_FOR_MANY_CLASSES
    return {name: 1 - np.diag(make_estimator(name, k).estimate(graph, labels)) for name in others if name != shown}
