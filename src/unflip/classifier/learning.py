"""What fit learns from an index of rows and their labels, off one graph: k, k' and the transition matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unflip.classifier.selection import (
    Selection,
    Settings,
    default_noise_neighbors,
    graph_neighbors_for,
    k_candidates,
    select_by_folds,
    select_by_likelihood,
)
from unflip.neighbors import NeighborGraph, TrainingIndex
from unflip.noise.posterior import invertible_or_identity
from unflip.noise_rates.estimators.contract import correctable
from unflip.voting.folds import LabeledGraph, make_folds

ROUNDING = 1e-9
BYTES_PER_NEIGHBOR = 12
LARGEST_GRAPH = 4 * 10**9  # bytes; of more rows than that takes, k and rates are learned from the neighbors of some
SAMPLE_ROWS = 200_000


@dataclass(frozen=True, eq=False)
class Learned:
    """What fitting found out."""

    n_neighbors: int
    noise_neighbors: int | None
    transition_matrix: np.ndarray
    selection: Selection | None
    n_learned_from: int = 0


@dataclass(frozen=True, eq=False)
class Plan:
    """What will be compared, and how many neighbors the one graph needs for it.

    Parameters
    ----------
    folds : ndarray of int or None
        The fold of each row, if the criterion has folds.
    k_values, noise_k_values : tuple of int
        The values of k and of k' to compare.
    default_k : int
        The k that stands if none is chosen.
    default_noise_k : int
        The k' that stands if none is chosen: given, the estimator's own, or the default.
    graph_neighbors : int
        How many neighbors the graph has; 0 if none is needed.
    """

    folds: np.ndarray | None
    k_values: tuple[int, ...]
    noise_k_values: tuple[int, ...]
    default_k: int
    default_noise_k: int
    graph_neighbors: int


def learn(
    index: TrainingIndex, labels: np.ndarray, n_classes: int, settings: Settings, weights: np.ndarray | None = None
) -> Learned:
    """Choose k and k' as the settings ask, and estimate the transition matrix unless it is known."""
    # Weights that were scaled may miss a whole number of rows by rounding.
    size = len(labels) if weights is None else max(1, int(weights.sum() + ROUNDING))
    if n_classes == 1:
        return Learned(k_candidates(settings.n_neighbors, size)[0], None, np.eye(1), None)
    plan = make_plan(labels, weights, size, settings)
    if not plan.graph_neighbors:  # the rates are known, or a single row says nothing about them
        known = np.eye(n_classes) if settings.known_matrix is None else settings.known_matrix
        return Learned(plan.default_k, None, known, None)
    graph, labels = _graph_to_learn_from(index, labels, weights, plan)
    labeled = LabeledGraph(graph, index, labels, n_classes, weights)
    selection = _select(labeled, settings, plan)
    chosen = selection is not None and settings.n_neighbors == "auto"
    k = selection.best_n_neighbors if selection is not None and chosen else plan.default_k
    if not settings.estimated:
        return Learned(k, None, settings.matrix(graph, labels, n_classes), selection, len(graph))
    noise_k = selection.best_noise_neighbors if selection is not None else None
    if noise_k is None and hasattr(settings.estimator, "n_neighbors"):
        noise_k = plan.default_noise_k
    matrix = correctable(settings.matrix(graph, labels, n_classes, noise_k), stacklevel=4)
    return Learned(k, noise_k, matrix, selection, len(graph))


def _graph_to_learn_from(
    index: TrainingIndex, labels: np.ndarray, weights: np.ndarray | None, plan: Plan
) -> tuple[NeighborGraph, np.ndarray]:
    """Return the graph of all rows; where that is too large, that of some rows, renumbered so that they come first."""
    n_rows, k = len(labels), plan.graph_neighbors
    if weights is not None or plan.folds is not None or n_rows * k * BYTES_PER_NEIGHBOR <= LARGEST_GRAPH:
        return index.graph(k), labels
    sample = np.sort(np.random.RandomState(0).choice(n_rows, SAMPLE_ROWS, replace=False))
    chosen = np.zeros(n_rows, bool)
    chosen[sample] = True
    order = np.concatenate([sample, np.flatnonzero(~chosen)])
    return index.graph(k, sample).renumbered(order), labels[order]


def make_plan(labels: np.ndarray, weights: np.ndarray | None, size: int, settings: Settings) -> Plan:
    """Return the values of k and k' to compare, the folds, and the size of graph that takes."""
    choose_k = settings.n_neighbors == "auto"
    choose_noise_k = settings.tunable and settings.noise_neighbors == "auto"
    in_folds = settings.criterion != "log_likelihood" and (choose_k or choose_noise_k) and size > 1
    folds = make_folds(labels, settings.random_state) if in_folds else None
    others = size - 1
    if folds is not None:
        mass = np.bincount(folds, np.ones(len(labels)) if weights is None else weights)
        others = int(mass.sum() - mass.max())
    k_values = k_candidates(settings.n_neighbors, max(1, others))
    default_noise_k = _default_noise_k(settings, size)
    # Rates are estimated from the neighbors of training rows, which are not their own neighbors.
    most_noise = max(1, others - 1 if folds is not None else others)
    auto_noise = folds is not None and settings.noise_neighbors == "auto"
    noise_k_values = k_candidates("auto" if auto_noise else default_noise_k, most_noise)
    needed = max(noise_k_values) if settings.estimated else 0
    if settings.estimated and settings.criterion == "corrected_accuracy":
        needed = max(needed, default_noise_k)
    if choose_k or folds is not None:
        needed = max(needed, *k_values)
    needed = min(graph_neighbors_for(needed) if folds is not None else needed, max(0, size - 1))
    return Plan(folds, k_values, noise_k_values, k_candidates(settings.n_neighbors, size)[0], default_noise_k, needed)


def _default_noise_k(settings: Settings, size: int) -> int:
    given, most = settings.noise_neighbors, max(1, size - 1)
    if settings.tunable and not isinstance(given, str):
        return min(given, most)
    own = getattr(settings.estimator, "n_neighbors", None)
    if settings.tunable or own is None:
        return default_noise_neighbors(size, own)
    return min(own, most)


def _select(labeled: LabeledGraph, settings: Settings, plan: Plan) -> Selection | None:
    if plan.folds is None:
        return select_by_likelihood(labeled, plan.k_values) if settings.n_neighbors == "auto" else None
    reference = None
    if settings.criterion == "corrected_accuracy":
        estimate = settings.matrix(labeled.graph, labeled.labels, labeled.n_classes, plan.default_noise_k)
        reference = invertible_or_identity(estimate)
    return select_by_folds(labeled, settings, plan.folds, plan.k_values, plan.noise_k_values, reference)
