"""Runs of nearest-neighbor methods: one graph of a data set serves all its trials, folds, inner folds and noises."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from time import perf_counter

import numpy as np

from unflip.classifier.learning import learn
from unflip.classifier.selection import K_VALUES, Settings
from unflip.experiments.plan.jobs import RATES
from unflip.neighbors import ExactIndex, SubsetIndex
from unflip.noise.flipping import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import Extremes, make_estimator
from unflip.voting.decision import decide
from unflip.voting.votes import prefix_votes

# Mostly enough for 100 neighbors in three quarters of three quarters of the rows; else rows are searched again.
N_NEIGHBORS = 240
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
    "unflip": replace(_PLAIN, known_matrix=None, estimator=make_estimator("auto"), criterion="log_likelihood"),
    "RkNN, true rates": replace(_PLAIN, criterion="log_likelihood"),
}


def run_neighbor_jobs(jobs, X, y, store, *, n_jobs=None, progress=None):
    """Run jobs of one data set and keep each result as it comes.

    Parameters
    ----------
    jobs : list of Job
        With methods in METHODS, or RATES, all of the same data set.
    X, y : ndarray
        Its rows, scaled, and its clean classes 0 and 1.
    store : Store
        Takes the results.
    n_jobs : int or None, default=None
        Threads.
    progress : callable or None, default=None
        Called with each job that is done.
    """
    index = ExactIndex(n_jobs=n_jobs).fit(X)
    graph = index.graph(min(N_NEIGHBORS, len(X) - 1))
    by_splits = attrgetter("protocol", "trial")
    for _, todo in groupby(sorted(jobs, key=by_splits), key=by_splits):
        todo = list(todo)
        splits = [_Split(graph, index, train, test) for train, test in todo[0].splits(len(X))]
        for job in todo:
            start = perf_counter()
            try:
                one = _rates if job.method == RATES else _run
                runs = [one(job, split, y, n_jobs) for split in splits]
            except Exception as error:
                store.add_failure(job, error, perf_counter() - start)
            else:
                accuracies = [run.pop("accuracy") for run in runs]
                details = {name: [run[name] for run in runs] for name in runs[0]}
                store.add(job, accuracies, perf_counter() - start, details)
            if progress:
                progress(job)


class _Split:
    """The training rows as an index, and the test rows' neighbors among them."""

    def __init__(self, graph, index, train, test):
        self.train, self.test = train, test
        self.index = _Kept(SubsetIndex(graph, index, train))
        self.near = self.index.subset.of_others(test, min(max(K_VALUES), len(train)))


class _Kept:
    """An index that keeps the largest graph it has been asked for: noises and methods ask again."""

    def __init__(self, subset):
        self.subset = subset
        self._graph = None

    @property
    def n_rows(self):
        return self.subset.n_rows

    def graph(self, n_neighbors, rows=None):
        if self._graph is None or self._graph.n_neighbors < n_neighbors:
            self._graph = self.subset.graph(n_neighbors)
        return self._graph.first(n_neighbors)

    def among(self, rows, keep, n_neighbors):
        return self.subset.among(rows, keep, n_neighbors)


def _run(job, split, y, n_jobs):
    """Flip the labels, learn from the training rows, judge by the clean labels of the test rows."""
    rates = [job.tau_minus, job.tau_plus]
    labels = _flipped(job, split, y)
    settings = replace(METHODS[job.method], n_jobs=n_jobs)
    if job.method == "RkNN, true rates":
        settings = replace(settings, known_matrix=NoiseModel.of(rates, [0, 1]).transition_matrix)
    learned = learn(split.index, labels, 2, settings)
    votes = prefix_votes(split.near, labels, 2, [learned.n_neighbors])[:, 0]
    predicted = decide(votes, learned.transition_matrix, settings.rule)
    return {
        "accuracy": float(np.mean(predicted == y[split.test])),
        "k": learned.n_neighbors,
        "noise_k": learned.noise_neighbors,
        "tau_plus": float(learned.transition_matrix[1, 0]),
        "tau_minus": float(learned.transition_matrix[0, 1]),
    }


def _rates(job, split, y, n_jobs):
    """Flip the labels and estimate the noise rates at each k'; nothing is predicted, so there is no accuracy."""
    k_values = [k for k in K_VALUES if k < len(split.train)]
    matrices = Extremes.estimate_each(split.index.graph(max(k_values)), _flipped(job, split, y), k_values, 2)
    return {
        "accuracy": None,
        "noise_k": k_values,
        "tau_plus": [float(matrix[1, 0]) for matrix in matrices],
        "tau_minus": [float(matrix[0, 1]) for matrix in matrices],
    }


def _flipped(job, split, y):
    return make_label_noise(y, [job.tau_minus, job.tau_plus], random_state=job.flips())[split.train]
