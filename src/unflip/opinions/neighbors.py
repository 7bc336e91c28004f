"""Opinions of neighbors: the labels around a row, in the columns as they are or in a space that the labels choose."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from unflip.foundation.progress import report
from unflip.foundation.row_hashes import row_hashes
from unflip.foundation.threads import row_blocks
from unflip.neighbors import ForestSpace, LearnedIndex, NeighborGraph, NeighborIndex, fit_index, make_index
from unflip.neighbors.graph import NOBODY
from unflip.neighbors.shards import ShardedIndex
from unflip.opinions.order import content_order, put_back
from unflip.opinions.rowwise import Probabilities, RowwiseProbabilities, in_given_order, is_kept
from unflip.opinions.shares import K_VALUES, blocks, choose_n_neighbors, counted_shares, neighbor_shares

ROWS_TO_CHOOSE_BY = 2000
# How many neighbors a graph keeps at least: as many as noise rates are estimated from.
MIN_GRAPH_NEIGHBORS = 50
MOST_DOUBLE = 2**26  # distances in a graph, beyond which it keeps single ones: 512 MB
ROWS_OF_A_PART = 2**16  # large, so that queries have near ones to be searched with


class RawNeighbors(BaseEstimator):
    """The labels of a row's nearest neighbors, the nearest weighing most.

    Parameters
    ----------
    n_neighbors : int or "auto", default="auto"
        How many neighbors; "auto" chooses from 5 to 200 by the likelihood of the observed labels.
    metric : str or callable, default="euclidean"
        Distance between rows; with "precomputed", X holds distances.
    algorithm : {"auto", "exact", "approximate"}, default="auto"
        How to search.
    executor : None, "joblib", dask.distributed.Client or address, default=None
        Where to search.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.
    owner : object or None, default=None
        Whom error messages name.

    Attributes
    ----------
    probabilities_ : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        Shares of each class around each row, its own label left out.
    graph_ : NeighborGraph
        The neighbors of every row.
    n_neighbors_ : int
        How many of them were consulted.
    """

    name = "neighbors"

    def __init__(
        self,
        n_neighbors: int | str = "auto",
        *,
        metric: Any = "euclidean",
        algorithm: Any = "auto",
        executor: Any = None,
        n_jobs: int | None = None,
        owner: object = None,
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.algorithm = algorithm
        self.executor = executor
        self.n_jobs = n_jobs
        self.owner = owner

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> RawNeighbors:
        """Learn from rows and class numbers."""
        self.index_ = self._fitted_index(X, labels)
        self.graph_, self.n_neighbors_ = search(self.index_, X, labels, n_classes, self.n_neighbors, self._is_pairwise)
        self._labels, self._n_classes = labels, n_classes
        self.probabilities_: Probabilities = self._said_of_all()
        return self

    def _said_of_all(self) -> Probabilities:
        if is_kept(len(self._labels), self._n_classes):
            return self._shares(self.graph_)
        of_rows = partial(counted_shares, self.graph_, self._labels, self._n_classes, self.n_neighbors_)
        return RowwiseProbabilities((len(self._labels), self._n_classes), of_rows)

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        return self._shares(self.index_.query(X, self.n_neighbors_))

    def _shares(self, graph: NeighborGraph) -> np.ndarray:
        shares = neighbor_shares if is_kept(len(self._labels), self._n_classes) else counted_shares
        parts = [shares(graph, self._labels, self._n_classes, self.n_neighbors_, block) for block in blocks(len(graph))]
        return np.concatenate(parts) if parts else np.empty((0, self._n_classes))

    @property
    def _is_pairwise(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _fitted_index(self, X: Any, labels: np.ndarray) -> NeighborIndex:
        owner = self if self.owner is None else self.owner
        index = make_index(
            owner, self.metric, X=X, algorithm=self.algorithm, executor=self.executor, n_jobs=self.n_jobs
        )
        return fit_index(index, X, labels)


class LearnedNeighbors(RawNeighbors):
    """The labels of a row's nearest neighbors in a space that trees choose, grown without either row's label.

    Parameters
    ----------
    n_neighbors : int or "auto", default="auto"
        How many neighbors; "auto" chooses from 5 to 200 by the likelihood of the observed labels.
    space : ForestSpace or None, default=None
        How trees are grown; None means ``ForestSpace()``.
    seed : int, default=0
        Of the trees, if the space has none.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.
    owner : object or None, default=None
        Whom error messages name.
    """

    name = "learned neighbors"

    def __init__(
        self,
        n_neighbors: int | str = "auto",
        *,
        space: ForestSpace | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
        owner: object = None,
    ):
        super().__init__(n_neighbors, n_jobs=n_jobs, owner=owner)
        self.space = space
        self.seed = seed

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> LearnedNeighbors:
        """Learn from rows and class numbers. Ties are many here; in this order, where rows are does not decide them."""
        order = content_order(X, labels)
        super().fit(X[order], labels[order], n_classes)
        self.probabilities_ = in_given_order(self.probabilities_, order)
        numbers = np.append(order, NOBODY).astype(np.int32)  # NOBODY is the last
        graph = self.graph_
        self.graph_ = NeighborGraph(put_back(numbers[graph.indices], order), put_back(graph.distances, order))
        return self

    def _fitted_index(self, X: Any, labels: np.ndarray) -> LearnedIndex:
        index = LearnedIndex(self.space, seed=self.seed, n_jobs=self.n_jobs, owner=self.owner)
        return index.fit_labeled(X, labels)

    @property
    def importances(self) -> np.ndarray:
        """How much each column does to tell labels apart, summing to 1."""
        assert isinstance(self.index_, LearnedIndex)
        return self.index_.grown_.importances


def search(
    index: NeighborIndex, X: Any, labels: np.ndarray, n_classes: int, n_neighbors: int | str, pairwise: bool = False
) -> tuple[NeighborGraph, int]:
    """Choose how many neighbors to consult, by some rows if there are many, and find those of all rows."""
    n_rows = len(labels)
    if not isinstance(n_neighbors, str):
        k = min(n_neighbors, n_rows - 1)
        return index.graph(max(MIN_GRAPH_NEIGHBORS, k)), k
    rows, many = np.arange(n_rows), n_rows > 4 * ROWS_TO_CHOOSE_BY
    if many:
        rows = rows_to_choose_by(X, labels, pairwise)
    near = index.graph(K_VALUES[-1], rows)
    k = choose_n_neighbors(near, labels, n_classes, K_VALUES, rows)
    kept = max(MIN_GRAPH_NEIGHBORS, k)
    return (graph_of_many(index, kept) if many else near.first(kept)), k


def graph_of_many(index: NeighborIndex, n_neighbors: int) -> NeighborGraph:
    """Return the graph of all rows; a large one is made in parts, and keeps its distances in single precision.

    Who is near is decided in double precision; afterwards distances are only shown.
    """
    n_rows = index.n_rows
    if n_rows * n_neighbors <= MOST_DOUBLE or isinstance(index, ShardedIndex):
        return index.graph(n_neighbors)
    shape = (n_rows, min(n_neighbors, n_rows - 1))
    graph = NeighborGraph(np.empty(shape, np.int32), np.empty(shape, np.float32))
    for part in row_blocks(n_rows, ROWS_OF_A_PART):
        found = index.graph(n_neighbors, np.arange(part.start, part.stop))
        graph.indices[part], graph.distances[part] = found.indices, found.distances
        report(part.stop / n_rows)
    return graph


def rows_to_choose_by(X: Any, labels: np.ndarray, pairwise: bool = False) -> np.ndarray:
    """Return some rows, picked by what they hold, so that the order of the rows does not matter."""
    if pairwise:  # a row of distances looks different in every order
        return np.sort(np.random.RandomState(0).permutation(len(labels))[:ROWS_TO_CHOOSE_BY])
    keys = row_hashes(X) ^ (labels.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return np.sort(np.argsort(keys, kind="stable")[:ROWS_TO_CHOOSE_BY])
