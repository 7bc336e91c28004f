"""The choice of k and k': every candidate is scored on one neighbor graph, with the observed labels only."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from unflip.decision import decide, usable
from unflip.fold_votes import FoldVotes
from unflip.neighbors import NeighborGraph, restricted
from unflip.neighbors.threads import run_blocks
from unflip.votes import own_label_votes

CRITERIA = ("noisy_accuracy", "log_likelihood", "balanced_accuracy", "corrected_accuracy")
CANDIDATES = tuple(range(5, 101, 5))
N_FOLDS = 4
MOST_NOISE_NEIGHBORS = 50

# Scores that differ by less are equal: the same counts, averaged in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Selection:
    """The scores behind a choice of k and k'.

    Parameters
    ----------
    criterion : str
        What was maximized.
    n_neighbors : tuple of int
        The values of k that were compared.
    noise_neighbors : tuple of int or None
        The values of k', or None where the criterion does not tell them apart.
    scores : ndarray of shape (len(n_neighbors), len(noise_neighbors)) or (len(n_neighbors),)
        The criterion for each.
    best_n_neighbors : int
        The chosen k: the smallest of those with the highest score.
    best_noise_neighbors : int or None
        The chosen k', the smallest that goes with it.
    """

    criterion: str
    n_neighbors: tuple[int, ...]
    noise_neighbors: tuple[int, ...] | None
    scores: np.ndarray
    best_n_neighbors: int
    best_noise_neighbors: int | None


def depth_for(k, n_folds=N_FOLDS):
    """Return how many neighbors a graph needs so that nearly every row has k left when a fold is taken out."""
    left = 1 - 1 / n_folds
    return int(np.ceil(k / left + 4 * np.sqrt(k * (1 - left)) / left))


def candidates(parameter, most):
    """Return the values to compare: the one given, or those of the paper that the data are large enough for."""
    if parameter != "auto":
        return (int(min(parameter, most)),)
    return tuple(k for k in CANDIDATES if k <= most) or (max(1, most),)


def default_noise_neighbors(n_rows, most=None):
    """Return k' where nothing tells it: 50, or a quarter of the rows where that is less, so that they still differ."""
    return min(most or MOST_NOISE_NEIGHBORS, max(1, n_rows // 4))


def select_by_likelihood(graph, labels, n_classes, counts, weights=None):
    """Choose k by the leave-one-out log-likelihood of the observed labels, one label's worth of doubt added."""
    agree, total = own_label_votes(graph, labels, counts)
    log_likelihood = np.log((agree + 1 / n_classes) / (total + 1))
    scores = np.average(log_likelihood, axis=0, weights=weights)
    best = _first_best(scores)
    return Selection("log_likelihood", tuple(counts), None, scores, int(counts[best]), None)


def make_folds(labels, random_state=None):
    """Return the fold of each row: stratified, in the given order, or shuffled where there is a random_state."""
    n_folds = min(N_FOLDS, len(labels))
    folds = np.zeros(len(labels), dtype=np.intp)
    shuffling = {"shuffle": random_state is not None, "random_state": random_state}
    large_enough = np.bincount(labels).max() >= n_folds
    splitter = (StratifiedKFold if large_enough else KFold)(n_folds, **shuffling)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        for number, (_, test) in enumerate(splitter.split(labels, labels)):
            folds[test] = number
    return folds


@dataclass(frozen=True, eq=False)
class Problem:
    """What a selection by cross-validation needs to know.

    Parameters
    ----------
    graph, index : NeighborGraph and the index it comes from
        Of all labeled rows.
    labels, n_classes : ndarray of int, int
        Class numbers.
    estimator : object or None
        Has from_votes, if k' is to be chosen.
    estimate : callable
        If not: estimate(graph, labels) returns T for the rows of a training part.
    noise_depth : int
        How many neighbors that takes.
    rule, by_distance : str, bool
        How votes are counted and decided upon.
    weights : ndarray or None
        Sample weights.
    n_jobs : int or None
        Threads.
    """

    graph: NeighborGraph
    index: object
    labels: np.ndarray
    n_classes: int
    estimator: object
    estimate: Callable
    noise_depth: int
    rule: str = "threshold"
    by_distance: bool = False
    weights: np.ndarray | None = None
    n_jobs: int | None = None


def select_by_folds(problem, criterion, counts, noise_counts, folds, reference=None):
    """Choose k and k' by cross-validation on the observed labels, averaged over folds as GridSearchCV does.

    noise_counts is None where the rates do not depend on k'. reference is the matrix T by which "corrected_accuracy"
    judges all candidates alike: rates of a candidate's own would make scores that cannot be compared.
    """
    score = partial(_SCORES[criterion], reference=reference)
    voting = FoldVotes(
        problem.graph,
        problem.index,
        problem.labels,
        problem.n_classes,
        folds,
        sorted({*counts, *(noise_counts or ())}),
        by_distance=problem.by_distance,
        n_jobs=problem.n_jobs,
    )

    def scores_in_fold(fold):
        test = np.flatnonzero(folds == fold)
        votes = voting.votes(fold, test, counts, by_distance=problem.by_distance)
        weights = None if problem.weights is None else problem.weights[test]
        matrices = _matrices(problem, voting, noise_counts, folds, fold)
        decided = (decide(votes, usable(T), problem.rule) for T in matrices)
        return np.column_stack([score(labels, problem.labels[test], weights) for labels in decided])

    scores = np.mean(run_blocks(scores_in_fold, range(folds.max() + 1), problem.n_jobs), axis=0)
    k, noise = np.unravel_index(_first_best(scores.ravel()), scores.shape)
    if noise_counts is None:
        return Selection(criterion, tuple(counts), None, scores[:, 0], int(counts[k]), None)
    best = int(counts[k]), int(noise_counts[noise])
    return Selection(criterion, tuple(counts), tuple(noise_counts), scores, *best)


def _matrices(problem, voting, noise_counts, folds, fold):
    """Return T as it is estimated without a fold: one for each k', or a single one."""
    train = np.flatnonzero(folds != fold)
    if noise_counts is not None:
        own_mass = None if problem.weights is None else problem.weights[train]
        return problem.estimator.from_votes(voting.votes(fold, train, noise_counts), problem.labels[train], own_mass)
    near = restricted(problem.graph, problem.index, train, folds != fold, problem.noise_depth)
    return [problem.estimate(near.renumbered(train), problem.labels[train])]


def _noisy_accuracy(predicted, observed, weights, *, reference):
    return np.average(predicted == observed[:, None], axis=0, weights=weights)


def _balanced_accuracy(predicted, observed, weights, *, reference):
    correct = predicted == observed[:, None]
    recalls = [
        np.average(correct[observed == c], axis=0, weights=None if weights is None else weights[observed == c])
        for c in np.unique(observed)
    ]
    return np.mean(recalls, axis=0)


def _corrected_accuracy(predicted, observed, weights, *, reference):
    """Estimate the clean accuracy without bias: inv(T)[observed, predicted] has mean 1 where right, 0 where wrong."""
    return np.average(np.linalg.inv(reference)[observed[:, None], predicted], axis=0, weights=weights)


_SCORES = {
    "noisy_accuracy": _noisy_accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "corrected_accuracy": _corrected_accuracy,
}


def _first_best(scores):
    return int(np.argmax(scores >= scores.max() - ROUNDING))
