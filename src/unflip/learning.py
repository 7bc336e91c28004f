"""From an index of rows and their labels to k, k' and the transition matrix: all that fitting learns, off one graph."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from unflip.decision import usable
from unflip.noise_model import invertible
from unflip.selection import (
    Problem,
    Selection,
    candidates,
    default_noise_neighbors,
    depth_for,
    make_folds,
    select_by_folds,
    select_by_likelihood,
)

UNTOLD = (
    "The noise rates cannot be told from these labels, because every neighborhood looks alike: "
    "none are assumed and nothing is corrected."
)


@dataclass(frozen=True, eq=False)
class Settings:
    """The parameters of the classifier that decide what is learned."""

    n_neighbors: int | str
    noise_neighbors: int | str
    known_matrix: np.ndarray | None  # None: to be estimated
    estimator: object
    criterion: str
    rule: str
    by_distance: bool
    random_state: object
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class Learned:
    """What fitting found out."""

    n_neighbors: int
    noise_neighbors: int | None
    transition_matrix: np.ndarray
    selection: Selection | None


def learn(index, labels, n_classes, settings, weights=None):
    """Choose k and k' as the settings ask, and estimate the transition matrix unless it is known."""
    size = len(labels) if weights is None else max(1, int(weights.sum()))
    if n_classes == 1:
        return Learned(candidates(settings.n_neighbors, size)[0], None, np.eye(1), None)
    return _Learning(index, labels, n_classes, settings, weights, size).learned()


class _Learning:
    """One run of learn: the graph is searched once, as deep as any step needs it."""

    def __init__(self, index, labels, n_classes, settings, weights, size):
        self.index, self.labels, self.n_classes = index, labels, n_classes
        self.settings, self.weights, self.size = settings, weights, size
        self.estimated = settings.known_matrix is None
        # k' is ours to choose if the estimator can be asked for several at once; an object looks after its own.
        self.tunable = self.estimated and hasattr(settings.estimator, "estimate_each")
        self.in_folds = settings.criterion != "log_likelihood" and (
            settings.n_neighbors == "auto" or (self.tunable and settings.noise_neighbors == "auto")
        )
        self.folds = make_folds(labels, settings.random_state) if self.in_folds and size > 1 else None
        self._find_counts()

    def _find_counts(self):
        """Set the values of k and k' to compare, and the depth of graph that takes."""
        others = self.size - 1
        if self.folds is not None:
            others = int(np.bincount(self.folds, self._mass()).sum() - np.bincount(self.folds, self._mass()).max())
        self.counts = candidates(self.settings.n_neighbors, max(1, others))
        choose_noise = self.folds is not None and self.settings.noise_neighbors == "auto"
        # Rates are estimated from the neighbors of training rows, which are not their own neighbors.
        most_noise = max(1, others - 1 if self.folds is not None else others)
        self.noise_counts = candidates("auto" if choose_noise else self._noise_neighbors(), most_noise)
        deepest = max(self.noise_counts) if self.estimated else 0
        if self.estimated and self.settings.criterion == "corrected_accuracy":
            deepest = max(deepest, self._noise_neighbors())
        if self.settings.n_neighbors == "auto" or self.folds is not None:
            deepest = max(deepest, *self.counts)
        self.depth = min(depth_for(deepest) if self.folds is not None else deepest, max(0, self.size - 1))

    def _mass(self):
        return np.ones(len(self.labels)) if self.weights is None else self.weights

    def _noise_neighbors(self):
        """Return the k' that is not chosen by a criterion: given, the estimator's own, or the default."""
        if self.tunable and self.settings.noise_neighbors != "auto":
            return min(self.settings.noise_neighbors, max(1, self.size - 1))
        own = getattr(self.settings.estimator, "n_neighbors", None)
        if self.tunable or own is None:
            return default_noise_neighbors(self.size, own)
        return min(own, max(1, self.size - 1))

    def learned(self):
        """Search, choose, estimate."""
        self.graph = self.index.graph(self.depth) if self.depth else None
        selection = self._selection()
        chosen = selection is not None and self.settings.n_neighbors == "auto"
        k = selection.best_n_neighbors if chosen else candidates(self.settings.n_neighbors, self.size)[0]
        if not self.estimated:
            return Learned(k, None, self.settings.known_matrix, selection)
        noise_neighbors = selection.best_noise_neighbors if selection else None
        if noise_neighbors is None and hasattr(self.settings.estimator, "n_neighbors"):
            noise_neighbors = self._noise_neighbors()
        matrix = self._estimate(self.graph, self.labels, noise_neighbors)
        if not invertible(matrix):
            warnings.warn(UNTOLD, stacklevel=5)
        return Learned(k, noise_neighbors, usable(matrix), selection)

    def _selection(self):
        if self.folds is not None:
            return self._select_by_folds()
        if self.settings.n_neighbors != "auto" or self.size == 1:
            return None
        return select_by_likelihood(self.graph, self.labels, self.n_classes, self.counts, self.weights)

    def _select_by_folds(self):
        problem = Problem(
            self.graph,
            self.index,
            self.labels,
            self.n_classes,
            estimator=self.settings.estimator,
            estimate=lambda graph, labels: self._estimate(graph, labels, None),
            noise_depth=max(self.noise_counts) if self.estimated else 0,
            rule=self.settings.rule,
            by_distance=self.settings.by_distance,
            weights=self.weights,
            n_jobs=self.settings.n_jobs,
        )
        reference = None
        if self.settings.criterion == "corrected_accuracy":
            reference = usable(self._estimate(self.graph, self.labels, self._noise_neighbors()))
        noise_counts = self.noise_counts if self.tunable else None
        return select_by_folds(problem, self.settings.criterion, self.counts, noise_counts, self.folds, reference)

    def _estimate(self, graph, labels, noise_neighbors):
        """Return the known matrix, or the estimate."""
        if not self.estimated:
            return self.settings.known_matrix
        if self.tunable:
            return self.settings.estimator.estimate_each(graph, labels, [noise_neighbors], self.n_classes)[0]
        estimate = self.settings.estimator.estimate(graph, labels)
        found = np.asarray(getattr(estimate, "transition_matrix", estimate), dtype=float)
        matrix = np.eye(self.n_classes)  # of a class that a part of the data lacks nothing is known
        matrix[: len(found), : len(found)] = found
        return matrix
