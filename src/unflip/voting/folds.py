"""Votes in cross-validation: what the neighbors outside of a fold say of every row, for all k at once.

There are two ways with the same answer. Filtering is general: each fold's rows are taken out of the graph. Counting is
compiled: it walks along each row's neighbors once and keeps the votes of all folds as it goes, several times faster
for large graphs.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from unflip.foundation.threads import row_blocks, run_blocks
from unflip.neighbors import NeighborGraph, TrainingIndex, restricted
from unflip.voting.votes import prefix_votes

N_FOLDS = 4
ROWS_PER_BLOCK = 1024
# Up to so many neighbors in all, filtering is done before compiled code is loaded.
SMALL_GRAPH = 2**19


@dataclass(frozen=True, eq=False)
class LabeledGraph:
    """The neighbors of the training rows and their labels: all that selection reads.

    Parameters
    ----------
    graph, index : NeighborGraph and the index it comes from
        Of all labeled rows.
    labels, n_classes : ndarray of int, int
        Class numbers.
    weights : ndarray or None, default=None
        Sample weights.
    """

    graph: NeighborGraph
    index: TrainingIndex
    labels: np.ndarray
    n_classes: int
    weights: np.ndarray | None = None


def make_folds(labels: np.ndarray, random_state: Any = None) -> np.ndarray:
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


class FoldVotes:
    """Votes of the neighbors outside of each fold.

    Parameters
    ----------
    labeled : LabeledGraph
        The rows.
    folds : ndarray of int
        The fold of each row.
    k_values : sequence of int
        Every k that will be asked for, in ascending order.
    by_distance : bool, default=False
        Whether votes may be asked for that weigh 1 / distance.
    n_jobs : int or None, default=None
        Threads.
    """

    def __init__(
        self,
        labeled: LabeledGraph,
        folds: np.ndarray,
        k_values: Sequence[int],
        *,
        by_distance: bool = False,
        n_jobs: int | None = None,
    ):
        self.labeled, self.folds, self.k_values, self.n_jobs = labeled, folds, np.asarray(k_values), n_jobs
        self._counted: np.ndarray | None = None
        graph = labeled.graph
        if graph.mass is None and not by_distance and graph.indices.size > SMALL_GRAPH:
            self._counted = self._count()

    def votes(
        self, fold: int, rows: np.ndarray, k_values: Sequence[int] | np.ndarray, *, by_distance: bool = False
    ) -> np.ndarray:
        """Return the votes on rows that are all in the fold or all outside: (len(rows), len(k_values), n_classes)."""
        if self._counted is not None:
            return self._counted[fold, rows][:, np.searchsorted(self.k_values, k_values)]
        labeled = self.labeled
        near = restricted(labeled.graph, labeled.index, rows, self.folds != fold, max(k_values))
        return prefix_votes(near, labeled.labels, labeled.n_classes, k_values, by_distance=by_distance)

    def _count(self) -> np.ndarray:
        """Return the votes on all rows in all folds: (n_folds, n_rows, len(k_values), n_classes)."""
        from unflip.voting.counting import count_votes

        indices, labels = self.labeled.graph.indices, self.labeled.labels
        n_rows = len(indices)
        votes = np.zeros((int(self.folds.max()) + 1, n_rows, len(self.k_values), self.labeled.n_classes), np.int32)
        found = np.zeros((n_rows, len(votes)), np.int64)

        def count_block(block: slice) -> None:
            count_votes(indices[block], labels, self.folds, self.k_values, votes[:, block], found[block])

        run_blocks(count_block, row_blocks(n_rows, ROWS_PER_BLOCK), self.n_jobs)
        for fold in range(len(votes)):
            ran_short = found[:, fold] < self.k_values[-1]
            for part in (self.folds == fold, self.folds != fold):
                short = np.flatnonzero(ran_short & part)
                if len(short):
                    votes[fold, short] = self.votes(fold, short, self.k_values)
        return votes
