"""What an index of rows can be asked, and the rule that picks one."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from unflip.foundation.checks import check_choice
from unflip.foundation.errors import refusal
from unflip.neighbors.choice import choose_algorithm
from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.given import ForeignIndex, PrecomputedIndex
from unflip.neighbors.graph import NeighborGraph
from unflip.neighbors.learned import LearnedIndex
from unflip.neighbors.shards import ShardedIndex, is_sharded
from unflip.neighbors.shards.executors import check_executor, is_cluster
from unflip.neighbors.spaces import ForestSpace

ALGORITHMS = ("auto", "exact", "approximate")


@runtime_checkable
class TrainingIndex(Protocol):
    """Neighbors of the fitted rows among themselves: all that fitting and selection ask for."""

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers.

        A row itself is left out by its number; copies of it are not.
        """

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out.

        The rows are either all kept or all not, as the training and the test rows of a fold are.
        """


@runtime_checkable
class NeighborIndex(TrainingIndex, Protocol):
    """An index that also finds the fitted rows nearest to new ones."""

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""


@runtime_checkable
class ExtendableIndex(Protocol):
    """An index to which rows can be added."""

    def extended(self, X: Any) -> NeighborIndex:
        """Return the index of the fitted rows and more of them: the same as of all fitted at once."""


@runtime_checkable
class ExtendableLabeledIndex(Protocol):
    """An index that learned from labels, to which rows can be added."""

    def extended_labeled(self, X: Any, labels: np.ndarray, weights: np.ndarray | None = None) -> NeighborIndex:
        """Return the index of the fitted rows and more of them, given the labels and weights of all."""


class UnfittedIndex(Protocol):
    """What becomes a NeighborIndex once it is given rows."""

    def fit(self, X: Any) -> NeighborIndex:
        """Take the rows to search."""


@runtime_checkable
class UnfittedLabeledIndex(Protocol):
    """What becomes a NeighborIndex once it is given rows and their labels."""

    def fit_labeled(self, X: Any, labels: np.ndarray, weights: np.ndarray | None = None) -> NeighborIndex:
        """Take the rows to search, their class numbers, and for how many rows each counts."""


def fit_index(
    index: UnfittedIndex | UnfittedLabeledIndex, X: Any, labels: np.ndarray, weights: np.ndarray | None = None
) -> NeighborIndex:
    """Give an index the rows to search; one that learns from labels gets those, too, as class numbers."""
    if isinstance(index, UnfittedLabeledIndex):
        return index.fit_labeled(X, labels, weights)
    return index.fit(X)


def extend_index(index: NeighborIndex, X: Any, labels: np.ndarray, weights: np.ndarray | None = None) -> NeighborIndex:
    """Add rows to an index, given the class numbers and weights of all rows."""
    if isinstance(index, ExtendableLabeledIndex):
        return index.extended_labeled(X, labels, weights)
    assert isinstance(index, ExtendableIndex)
    return index.extended(X)


def is_learned(metric: Any) -> bool:
    """Tell whether a metric is a space that the labels choose."""
    return isinstance(metric, ForestSpace) or (isinstance(metric, str) and metric == "learned")


def check_search(owner: object, algorithm: Any, executor: Any = None) -> None:
    """Refuse an algorithm or an executor that is not known."""
    if not hasattr(algorithm, "kneighbors"):
        check_choice(owner, "algorithm", algorithm, ALGORITHMS, "an object with kneighbors()")
    check_executor(owner, executor)


def make_index(
    owner: object,
    metric: Any,
    metric_params: dict | None = None,
    *,
    X: Any = None,
    algorithm: Any = "auto",
    executor: Any = None,
    n_jobs: int | None = None,
    seed: int = 0,
) -> UnfittedIndex | UnfittedLabeledIndex:
    """Return the index for a metric and an algorithm; its refusals name the owner.

    Parameters
    ----------
    owner : object
        Whom error messages name.
    metric : str, callable or ForestSpace
        The metric.
    metric_params : dict or None, default=None
        Its parameters.
    X : array, sparse matrix, Shards or None, default=None
        The rows to be searched, by whose size the index is chosen; None means few.
    algorithm : {"auto", "exact", "approximate"} or object with kneighbors, default="auto"
        See ``choose_algorithm`` for the rule of "auto".
    executor : None, "joblib", address of a Dask scheduler, or its Client, default=None
        Where to search.
    n_jobs : int or None, default=None
        Threads.
    seed : int, default=0
        Of a learned space and of approximate search.
    """
    if is_learned(metric):
        return _learned_index(
            owner, metric, metric_params, algorithm=algorithm, executor=executor, n_jobs=n_jobs, seed=seed
        )
    in_pieces = is_sharded(X) or is_cluster(executor)
    if isinstance(metric, str) and metric == "precomputed":
        if in_pieces:
            raise refusal(owner, "metric", "a metric of rows for rows in shards or a cluster", metric)
        return PrecomputedIndex(owner=f"{owner} (metric='precomputed')" if isinstance(owner, str) else owner)
    if hasattr(algorithm, "kneighbors"):
        if in_pieces:
            raise refusal(owner, "algorithm", '"auto" or "exact" for rows in shards or a cluster', algorithm)
        return ForeignIndex(algorithm, owner=owner)
    if algorithm == "approximate":
        if in_pieces or executor is not None:
            raise refusal(owner, "algorithm", '"auto" or "exact" for rows in shards or an executor', algorithm)
        return _approximate_index(metric, metric_params, n_jobs, seed=seed, owner=owner)
    chosen = "exact" if algorithm == "exact" or X is None else choose_algorithm(X, metric, metric_params, owner)
    if in_pieces or chosen == "exact in pieces":
        return ShardedIndex(metric, metric_params, n_jobs, executor=executor, owner=owner)
    if chosen == "approximate" and executor is None:
        return _approximate_index(metric, metric_params, n_jobs, seed=seed, owner=owner)
    return ExactIndex(metric, metric_params, n_jobs, executor=executor, owner=owner)


def algorithm_of(index: Any) -> str:
    """Return "exact", "approximate" or the name of a foreign searcher's class: what an index took."""
    if isinstance(index, ForeignIndex):
        return type(index.searcher).__name__
    return getattr(index, "algorithm_", "exact")


def _approximate_index(*parameters: Any, **named: Any) -> UnfittedIndex:
    from unflip.neighbors.approximate import ApproximateIndex

    return ApproximateIndex(*parameters, **named)


def _learned_index(
    owner: object, metric: Any, metric_params: dict | None, *, algorithm: Any, executor: Any, n_jobs: int | None,
    seed: int,
) -> LearnedIndex:  # fmt: skip
    if metric_params:
        raise refusal(
            owner, "metric_params", "None for a learned metric (its parameters are ForestSpace's)", metric_params
        )
    if not (isinstance(algorithm, str) and algorithm in ("auto", "exact")):
        raise refusal(owner, "algorithm", '"auto" or "exact" for a learned metric', algorithm)
    if executor is not None:
        raise refusal(owner, "executor", "None for a learned metric", executor)
    return LearnedIndex(metric if isinstance(metric, ForestSpace) else None, seed=seed, n_jobs=n_jobs, owner=owner)
