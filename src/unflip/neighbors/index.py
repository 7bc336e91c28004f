"""What an index of rows can be asked, and the rule that picks one."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from unflip.foundation.checks import check_choice
from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.given import ForeignIndex, PrecomputedIndex
from unflip.neighbors.graph import NeighborGraph


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


class UnfittedIndex(Protocol):
    """What becomes a NeighborIndex once it is given rows."""

    def fit(self, X: Any) -> NeighborIndex:
        """Take the rows to search."""


def check_search(owner: object, algorithm: Any, executor: Any = None) -> None:
    """Refuse an algorithm or an executor that is not known."""
    if not hasattr(algorithm, "kneighbors"):
        check_choice(owner, "algorithm", algorithm, ("auto", "exact"), "an object with kneighbors()")
    if executor is not None:
        check_choice(owner, "executor", executor, ("joblib",), "None")


def make_index(
    owner: object,
    metric: Any,
    metric_params: dict | None = None,
    *,
    algorithm: Any = "auto",
    executor: str | None = None,
    n_jobs: int | None = None,
) -> UnfittedIndex:
    """Return the index for a metric and an algorithm; its refusals name the owner."""
    if isinstance(metric, str) and metric == "precomputed":
        return PrecomputedIndex(owner=owner)
    if hasattr(algorithm, "kneighbors"):
        return ForeignIndex(algorithm, owner=owner)
    return ExactIndex(metric, metric_params, n_jobs, executor=executor, owner=owner)
