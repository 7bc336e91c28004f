"""The choice of k and k': every candidate is scored on one neighbor graph, with the observed labels only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from unflip.foundation.threads import run_blocks
from unflip.neighbors import NeighborGraph, restricted
from unflip.noise.posterior import invertible_or_identity
from unflip.noise_rates.estimators.contract import RateEstimator, TunableEstimator, estimated_matrix
from unflip.voting.decision import decide
from unflip.voting.folds import N_FOLDS, FoldVotes, LabeledGraph
from unflip.voting.votes import own_label_votes

CRITERIA = ("noisy_accuracy", "log_likelihood", "balanced_accuracy", "corrected_accuracy")
K_VALUES = tuple(range(5, 101, 5))
MAX_NOISE_NEIGHBORS = 50

# Scores that differ by less are equal: the same counts, averaged in another order.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Settings:
    """The parameters of the classifier that decide what is learned.

    Parameters
    ----------
    n_neighbors, noise_neighbors : int or "auto"
        k and k'.
    known_matrix : ndarray or None
        T, if it is known; None if it is to be estimated.
    estimator : RateEstimator or None
        What estimates it.
    criterion : str
        By which k and k' are chosen.
    rule : str
        By which votes are decided upon.
    by_distance : bool
        Whether votes weigh 1 / distance.
    random_state : object
        Shuffles the folds.
    n_jobs : int or None
        Threads.
    """

    n_neighbors: int | str
    noise_neighbors: int | str
    known_matrix: np.ndarray | None
    estimator: RateEstimator | None
    criterion: str
    rule: str
    by_distance: bool
    random_state: Any
    n_jobs: int | None

    @property
    def estimated(self) -> bool:
        """Whether the rates are estimated."""
        return self.known_matrix is None

    @property
    def tunable(self) -> bool:
        """Whether k' is ours to choose; an estimator that cannot be asked for several at once looks after its own."""
        return self.estimated and isinstance(self.estimator, TunableEstimator)

    def matrix(
        self, graph: NeighborGraph, labels: np.ndarray, n_classes: int, noise_neighbors: int | None = None
    ) -> np.ndarray:
        """Return T for the rows of a graph: known, or estimated (from k' neighbors, if that is tunable)."""
        if self.known_matrix is not None:
            return self.known_matrix
        if self.tunable:
            return self.estimator.estimate_each(graph, labels, [noise_neighbors], n_classes)[0]  # type: ignore[union-attr]
        return estimated_matrix(self.estimator, graph, labels, n_classes)  # type: ignore[arg-type]


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


def graph_neighbors_for(k: int, n_folds: int = N_FOLDS) -> int:
    """Return how many neighbors a graph needs so that nearly every row has k left when a fold is taken out."""
    left = 1 - 1 / n_folds
    return int(np.ceil(k / left + 4 * np.sqrt(k * (1 - left)) / left))


def k_candidates(parameter: int | str, most: int) -> tuple[int, ...]:
    """Return the values to compare: the one given, or those of the paper that the data are large enough for."""
    if not isinstance(parameter, str):
        return (int(min(parameter, most)),)
    return tuple(k for k in K_VALUES if k <= most) or (max(1, most),)


def default_noise_neighbors(n_rows: int, most: int | None = None) -> int:
    """Return k' where nothing decides it: 50, or a quarter of the rows if that is less, so that they still differ."""
    return min(most or MAX_NOISE_NEIGHBORS, max(1, n_rows // 4))


def select_by_likelihood(labeled: LabeledGraph, k_values: Sequence[int]) -> Selection:
    """Choose k by the leave-one-out log-likelihood of the observed labels, with one pseudo-count over all classes."""
    agree, total = own_label_votes(labeled.graph, labeled.labels, k_values)
    log_likelihood = np.log((agree + 1 / labeled.n_classes) / (total + 1))
    scores = np.average(log_likelihood, axis=0, weights=labeled.weights)
    best = _first_best(scores)
    return Selection("log_likelihood", tuple(k_values), None, scores, int(k_values[best]), None)


def select_by_folds(
    labeled: LabeledGraph,
    settings: Settings,
    folds: np.ndarray,
    k_values: Sequence[int],
    noise_k_values: Sequence[int],
    reference: np.ndarray | None = None,
) -> Selection:
    """Choose k and k' by cross-validation on the observed labels, averaged over folds as GridSearchCV does.

    Where k' is not tunable, the last of its values is how many neighbors the estimator reads. The reference is the
    matrix T by which "corrected_accuracy" judges all candidates: with their own rates, scores could not be compared.
    """
    score = partial(_SCORES[settings.criterion], reference=reference)
    compared = tuple(noise_k_values) if settings.tunable else ()
    by_distance = settings.by_distance
    votes_of = FoldVotes(
        labeled, folds, sorted({*k_values, *compared}), by_distance=by_distance, n_jobs=settings.n_jobs
    )

    def scores_in_fold(fold: int) -> np.ndarray:
        test = np.flatnonzero(folds == fold)
        votes = votes_of.votes(fold, test, k_values, by_distance=by_distance)
        weights = None if labeled.weights is None else labeled.weights[test]
        matrices = _matrices(labeled, settings, votes_of, noise_k_values, fold)
        decided = (decide(votes, invertible_or_identity(T), settings.rule) for T in matrices)
        return np.column_stack([score(predicted, labeled.labels[test], weights) for predicted in decided])

    scores = np.mean(run_blocks(scores_in_fold, range(int(folds.max()) + 1), settings.n_jobs), axis=0)
    k, noise = map(int, np.unravel_index(_first_best(scores.ravel()), scores.shape))
    if not compared:
        return Selection(settings.criterion, tuple(k_values), None, scores[:, 0], int(k_values[k]), None)
    best = int(k_values[k]), int(compared[noise])
    return Selection(settings.criterion, tuple(k_values), compared, scores, *best)


def _matrices(
    labeled: LabeledGraph, settings: Settings, votes_of: FoldVotes, noise_k_values: Sequence[int], fold: int
) -> list[np.ndarray]:
    """Return T as it is estimated without a fold: one for each k', or a single one."""
    keep = votes_of.folds != fold
    train = np.flatnonzero(keep)
    labels = labeled.labels[train]
    if settings.tunable:
        own_mass = None if labeled.weights is None else labeled.weights[train]
        return settings.estimator.from_votes(votes_of.votes(fold, train, noise_k_values), labels, own_mass)  # type: ignore[union-attr]
    if not settings.estimated:
        return [settings.known_matrix]  # type: ignore[list-item]
    near = restricted(labeled.graph, labeled.index, train, keep, max(noise_k_values))
    return [settings.matrix(near.renumbered(train), labels, labeled.n_classes)]


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


_SCORES: dict[str, Callable[..., np.ndarray]] = {
    "noisy_accuracy": _noisy_accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "corrected_accuracy": _corrected_accuracy,
}


def _first_best(scores: np.ndarray) -> int:
    return int(np.argmax(scores >= scores.max() - ROUNDING))
