"""Neighbors in a space that the labels choose: an index like the others, fitted to rows and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from unflip.foundation.checks import check_n_jobs
from unflip.foundation.rows import in_memory
from unflip.neighbors.graph import NeighborGraph
from unflip.neighbors.spaces.forest_space import ForestSpace, GrownSpace

NEW_ROW = -1


class LearnedIndex:
    """Nearest rows by the share of trees that tell them apart, ties by row number; exact, whatever the threads.

    Parameters
    ----------
    space : ForestSpace or None, default=None
        How trees are grown; None means ``ForestSpace()``.
    seed : int, default=0
        Of the trees, if the space has none.
    n_jobs : int or None, default=None
        Threads; None means one, -1 all cores.
    owner : object or None, default=None
        Whom error messages name.
    """

    def __init__(
        self, space: ForestSpace | None = None, *, seed: int = 0, n_jobs: int | None = None, owner: object = None
    ):
        self.space = space
        self.seed = seed
        self.n_jobs = n_jobs
        self.owner = owner if isinstance(owner, str) else type(self if owner is None else owner).__name__

    def fit_labeled(self, X: Any, labels: np.ndarray, weights: np.ndarray | None = None) -> LearnedIndex:
        """Grow the space of rows, a dense array or a CSR matrix of finite numbers, and their class numbers."""
        X = in_memory(X)
        space = ForestSpace() if self.space is None else self.space
        space.check(self.owner)
        check_n_jobs(self.owner, self.n_jobs)
        self.grown_: GrownSpace = space.grow(X, labels, weights, seed=self.seed, n_jobs=self.n_jobs)
        self._fitted: Any = None
        self._rows = X
        return self

    def extended_labeled(self, X: Any, labels: np.ndarray, weights: np.ndarray | None = None) -> LearnedIndex:
        """Return the index of the fitted rows and more of them, with the labels and weights of all: grown anew."""
        if sparse.issparse(self._rows):
            rows = sparse.vstack([self._rows, sparse.csr_matrix(X)], format="csr")
        else:
            rows = np.vstack([self._rows, X.toarray() if sparse.issparse(X) else X])
        fresh = LearnedIndex(self.space, seed=self.seed, n_jobs=self.n_jobs, owner=self.owner)
        return fresh.fit_labeled(rows, labels, weights)

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return len(self.grown_.leaves)

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        rows = np.arange(self.n_rows) if rows is None else np.asarray(rows)
        return self._of_fitted(rows, None, min(n_neighbors, self.n_rows - 1))

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        most = int(np.count_nonzero(keep)) - int(keep[rows].any())
        return self._of_fitted(rows, keep, min(n_neighbors, most))

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""
        leaves = self.grown_.leaves_of(X, self.n_jobs)
        parts = np.full(len(leaves), NEW_ROW)
        apart, found = self._engine().search(leaves, parts, min(n_neighbors, self.n_rows), n_jobs=self.n_jobs)
        return NeighborGraph(found, apart)

    def _of_fitted(self, rows: np.ndarray, keep: np.ndarray | None, k: int) -> NeighborGraph:
        leaves, parts = self.grown_.leaves[rows], self.grown_.parts.part[rows]
        apart, found = self._engine().search(leaves, parts, max(k, 0), exclude=rows, keep=keep, n_jobs=self.n_jobs)
        return NeighborGraph(found, apart)

    def _engine(self) -> Any:
        if self._fitted is None:
            # Compiled code is imported where it is used.
            from unflip.neighbors.engines.codes import CodesEngine

            grown = self.grown_
            self._fitted = CodesEngine().fit(grown.leaves, grown.parts.part, grown.parts.n_parts, grown.n_leaves)
        return self._fitted

    def __getstate__(self) -> dict:
        # What the engine prepares is made again where it is needed.
        return {**self.__dict__, "_fitted": None}
