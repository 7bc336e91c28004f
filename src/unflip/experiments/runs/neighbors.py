"""Runs of nearest-neighbor methods: one graph per data set serves every trial, fold, inner fold and noise level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from time import perf_counter
from typing import Any

import numpy as np

from unflip.classifier.learning import learn
from unflip.classifier.selection import K_VALUES, Settings
from unflip.experiments.plan.jobs import RATE_ESTIMATES, Job
from unflip.experiments.runs.store import Store
from unflip.neighbors import ExactIndex, NeighborGraph, SubsetIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import Extremes, make_estimator
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

# Usually enough for 100 neighbors within 3/4 of 3/4 of the rows; otherwise rows are searched again.
GRAPH_NEIGHBORS = 240
_PLAIN = Settings(
    n_neighbors="auto",
    noise_neighbors="auto",
    known_matrix=np.eye(2),
    estimator=None,
    criterion="noisy_accuracy",
    rule="threshold",
    by_distance=False,
    random_state=0,
    n_jobs=None,
)
METHODS = {
    "kNN": _PLAIN,
    "RkNN": replace(_PLAIN, known_matrix=None, estimator=make_estimator("extremes"), rule="algorithm_1"),
    "RkNN, posterior": replace(_PLAIN, known_matrix=None, estimator=make_estimator("auto"), criterion="log_likelihood"),
    "RkNN, true rates": replace(_PLAIN, criterion="log_likelihood"),
}


def run_neighbor_jobs(
    jobs: Iterable[Job],
    X: np.ndarray,
    y: np.ndarray,
    store: Store,
    *,
    n_jobs: int | None = None,
    progress: Callable[[Job], object] | None = None,
) -> None:
    """Run jobs of one data set and store each result as it arrives.

    Parameters
    ----------
    jobs : iterable of Job
        Methods in METHODS, or RATE_ESTIMATES, all on the same data set.
    X : ndarray of shape (n_samples, n_features)
        Scaled rows of the data set.
    y : ndarray of int
        Clean classes 0 and 1.
    store : Store
        Receives the results.
    n_jobs : int or None, default=None
        Number of threads.
    progress : callable or None, default=None
        Called with each finished job.
    """
    jobs = list(jobs)
    report = progress or (lambda _: None)
    by_splits = attrgetter("protocol", "trial")
    try:
        index = ExactIndex(n_jobs=n_jobs).fit(X)
        graph = index.graph(min(GRAPH_NEIGHBORS, len(X) - 1))
    except Exception as error:
        _fail(jobs, error, store, report)
        return
    for _, group in groupby(sorted(jobs, key=by_splits), key=by_splits):
        same_splits = list(group)
        try:
            splits = [_Split(graph, index, train, test) for train, test in same_splits[0].splits(len(X))]
        except Exception as error:
            _fail(same_splits, error, store, report)
            continue
        for job in same_splits:
            _run_job(job, splits, y, store, n_jobs)
            report(job)


def _fail(jobs: Sequence[Job], error: Exception, store: Store, report: Callable[[Job], object]) -> None:
    """Store that jobs failed before they began, as on data of a handful of rows."""
    store.add_failures(jobs, error)
    for job in jobs:
        report(job)


def _run_job(job: Job, splits: Sequence[_Split], y: np.ndarray, store: Store, n_jobs: int | None) -> None:
    start = perf_counter()
    try:
        run = _estimate_rates if job.method == RATE_ESTIMATES else _evaluate
        runs = [run(job, split, y, n_jobs) for split in splits]
    except Exception as error:
        store.add_failure(job, error, perf_counter() - start)
    else:
        accuracies = [run.pop("accuracy") for run in runs]
        details = {name: [run[name] for run in runs] for name in runs[0]}
        store.add(job, accuracies, perf_counter() - start, details)


class _Split:
    """An index of the training rows, and the test rows' neighbors among them."""

    def __init__(self, graph: NeighborGraph, index: ExactIndex, train: np.ndarray, test: np.ndarray):
        self.train, self.test = train, test
        self.index = _CachedIndex(SubsetIndex(graph, index, train))
        self.test_graph = self.index.subset.of_others(test, min(max(K_VALUES), len(train)))


class _CachedIndex:
    """An index that caches its largest graph, because every noise level and method requests one."""

    def __init__(self, subset: SubsetIndex):
        self.subset = subset
        self._graph: NeighborGraph | None = None

    @property
    def n_rows(self) -> int:
        return self.subset.n_rows

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        if rows is not None:
            return self.subset.graph(n_neighbors, rows)
        if self._graph is None or self._graph.n_neighbors < n_neighbors:
            self._graph = self.subset.graph(n_neighbors)
        return self._graph.first(n_neighbors)

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        return self.subset.among(rows, keep, n_neighbors)


def _evaluate(job: Job, split: _Split, y: np.ndarray, n_jobs: int | None) -> dict[str, Any]:
    """Learn from flipped training labels and score on clean test labels."""
    labels = _flipped_labels(job, split, y)
    settings = replace(METHODS[job.method], n_jobs=n_jobs)
    if job.method == "RkNN, true rates":
        true_matrix = NoiseModel.of([job.tau_minus, job.tau_plus], [0, 1]).transition_matrix
        settings = replace(settings, known_matrix=true_matrix)
    learned = learn(split.index, labels, 2, settings)
    votes = prefix_votes(split.test_graph, labels, 2, [learned.n_neighbors])[:, 0]
    predicted = decide(votes, learned.transition_matrix, settings.rule)
    return {
        "accuracy": float(np.mean(predicted == y[split.test])),
        "k": learned.n_neighbors,
        "noise_k": learned.noise_neighbors,
        "tau_plus": float(learned.transition_matrix[1, 0]),
        "tau_minus": float(learned.transition_matrix[0, 1]),
    }


def _estimate_rates(job: Job, split: _Split, y: np.ndarray, n_jobs: int | None) -> dict[str, Any]:
    """Estimate the noise rates at each k' from flipped training labels, without predicting."""
    k_values = [k for k in K_VALUES if k < len(split.train)]
    labels = _flipped_labels(job, split, y)
    matrices = Extremes.estimate_each(split.index.graph(max(k_values)), labels, k_values, 2)
    return {
        "accuracy": None,
        "noise_k": k_values,
        "tau_plus": [float(matrix[1, 0]) for matrix in matrices],
        "tau_minus": [float(matrix[0, 1]) for matrix in matrices],
    }


def _flipped_labels(job: Job, split: _Split, y: np.ndarray) -> np.ndarray:
    return make_label_noise(y, [job.tau_minus, job.tau_plus], random_state=job.flips())[split.train]
