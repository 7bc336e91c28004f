"""Votes in cross-validation: what every row's neighbors outside of a fold say, for all k at once.

Two ways with the same answer. Filtering is general: each fold's rows are taken out of the graph. Counting is
compiled: it walks along each row's neighbors once and keeps the votes of all folds as it goes, several times faster
for large graphs.
"""

from __future__ import annotations

import numpy as np

from unflip.neighbors import restricted
from unflip.neighbors.threads import row_blocks, run_blocks
from unflip.votes import prefix_votes

ROWS_PER_BLOCK = 1024
# Up to so many neighbors in all, filtering is done before compiled code is loaded.
SMALL_GRAPH = 2**19


class FoldVotes:
    """Votes of the neighbors outside of each fold.

    Parameters
    ----------
    graph, index : NeighborGraph and the index it comes from
        Of all labeled rows.
    labels, n_classes : ndarray of int, int
        Class numbers.
    folds : ndarray of int
        The fold of each row.
    counts : sequence of int
        Every k that will be asked for, in ascending order.
    by_distance : bool, default=False
        Whether votes may be asked for that weigh 1 / distance.
    n_jobs : int or None, default=None
        Threads.
    """

    def __init__(self, graph, index, labels, n_classes, folds, counts, *, by_distance=False, n_jobs=None):
        self.graph, self.index, self.labels, self.n_classes = graph, index, labels, n_classes
        self.folds, self.counts, self.n_jobs = folds, np.asarray(counts), n_jobs
        self._counted = None
        if graph.mass is None and not by_distance and graph.indices.size > SMALL_GRAPH:
            self._counted = self._count()

    def votes(self, fold, rows, counts, *, by_distance=False):
        """Return the votes on some rows, all in the fold or all outside of it: (len(rows), len(counts), n_classes)."""
        if self._counted is not None:
            return self._counted[fold, rows][:, np.searchsorted(self.counts, counts)]
        near = restricted(self.graph, self.index, rows, self.folds != fold, max(counts))
        return prefix_votes(near, self.labels, self.n_classes, counts, by_distance=by_distance)

    def _count(self):
        """Return the votes on all rows in all folds: (n_folds, n_rows, len(counts), n_classes)."""
        from unflip.fold_counting import count_votes

        n_rows = len(self.graph)
        votes = np.zeros((int(self.folds.max()) + 1, n_rows, len(self.counts), self.n_classes), np.int32)
        found = np.zeros((n_rows, len(votes)), np.int64)

        def count_block(block):
            count_votes(self.graph.indices[block], self.labels, self.folds, self.counts, votes[:, block], found[block])

        run_blocks(count_block, row_blocks(n_rows, ROWS_PER_BLOCK), self.n_jobs)
        for fold in range(len(votes)):
            ran_short = found[:, fold] < self.counts[-1]
            for part in (self.folds == fold, self.folds != fold):
                short = np.flatnonzero(ran_short & part)
                if len(short):
                    votes[fold, short] = self.votes(fold, short, self.counts)
        return votes
