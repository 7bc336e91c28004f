"""Neighbors that somebody else found: precomputed distances, and any object with kneighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_array

from unflip.foundation.errors import refusal
from unflip.neighbors.engines.plain import nearest_in_rows
from unflip.neighbors.graph import NOBODY, NeighborGraph, empty_graph, first_allowed


class PrecomputedIndex:
    """Neighbors from a square matrix of distances, or a sparse one that holds only those of neighbors.

    In a sparse matrix what is stored is a neighbor, explicit zeros too; what is not stored is none.

    Parameters
    ----------
    owner : object, default="metric='precomputed'"
        Whom error messages name.
    """

    def __init__(self, owner: object = "metric='precomputed'"):
        self.owner = owner if isinstance(owner, str) else f"{type(owner).__name__} (metric='precomputed')"

    def fit(self, X: Any) -> PrecomputedIndex:
        """Take the distances among the fitted rows."""
        if X.shape[0] != X.shape[1]:
            raise refusal(self.owner, "X", "a square matrix of distances", f"shape {X.shape}")
        self.distances_ = self._checked(X)
        return self

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.distances_.shape[0]

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        if rows is None:
            return _nearest_stored(self.distances_, n_neighbors, exclude=np.arange(self.n_rows))
        return _nearest_stored(self.distances_[rows], n_neighbors, exclude=rows)

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows, given the distances of new rows to all fitted ones."""
        if X.shape[1] != self.n_rows:
            raise refusal(self.owner, "X", f"distances to the {self.n_rows} fitted rows", f"shape {X.shape}")
        return _nearest_stored(self._checked(X), n_neighbors)

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        kept = np.flatnonzero(keep)
        exclude = np.where(keep[rows], np.searchsorted(kept, rows), -1)
        found = _nearest_stored(self.distances_[rows][:, kept], n_neighbors, exclude)
        return NeighborGraph(np.append(kept, NOBODY).astype(np.int32)[found.indices], found.distances)

    def _checked(self, X: Any) -> Any:
        X = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_min_features=0)
        values = X.data if sparse.issparse(X) else X
        if values.size and values.min() < 0:
            raise refusal(self.owner, "X", "distances >= 0", float(values.min()))
        return X


class ForeignIndex:
    """Neighbors from an object with kneighbors(X, n_neighbors), such as scikit-learn's NearestNeighbors.

    They are put into our order, (distance, row number), and the row itself is left out by its number.

    Parameters
    ----------
    searcher : object
        With ``kneighbors``; fitted, or with ``fit``.
    owner : object or None, default=None
        Whom error messages name.
    """

    def __init__(self, searcher: Any, owner: object = None):
        self.searcher = searcher
        self.owner = "algorithm" if owner is None else type(owner).__name__

    def fit(self, X: Any) -> ForeignIndex:
        """Fit a copy of the object if it can be fitted; else it must be fitted to these very rows."""
        self.points_ = X
        self.searcher_ = clone(self.searcher, safe=False).fit(X) if hasattr(self.searcher, "fit") else self.searcher
        return self

    def extended(self, X: Any) -> ForeignIndex:
        """Return the index of the fitted rows and more of them."""
        more = ForeignIndex(self.searcher)
        more.owner = self.owner
        stack = sparse.vstack if sparse.issparse(self.points_) or sparse.issparse(X) else np.vstack
        return more.fit(stack([self.points_, X]))

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.points_.shape[0]

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        queries = self.points_ if rows is None else self.points_[rows]
        numbers = np.arange(self.n_rows) if rows is None else np.asarray(rows)
        found = self.query(queries, min(n_neighbors, self.n_rows - 1) + 1)
        is_self = found.indices == numbers[:, None]
        is_self[~is_self.any(axis=1), -1] = True  # not even found among its copies: one of them is too many
        shape = (len(numbers), found.n_neighbors - 1)
        return NeighborGraph(found.indices[~is_self].reshape(shape), found.distances[~is_self].reshape(shape))

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""
        k = min(n_neighbors, self.n_rows)
        answer = self.searcher_.kneighbors(X, n_neighbors=k)
        distances, indices = self._checked(answer[0], answer[1], (X.shape[0], k))
        order = np.lexsort((indices, distances), axis=1)
        return NeighborGraph(np.take_along_axis(indices, order, axis=1), np.take_along_axis(distances, order, axis=1))

    def _checked(self, distances: Any, indices: Any, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Refuse an answer that is none: compiled code would read outside of its arrays."""
        distances, indices = np.asarray(distances, dtype=float), np.asarray(indices)
        if distances.shape != shape or indices.shape != shape:
            got = f"shapes {distances.shape} and {indices.shape}"
            raise refusal(self.owner, "algorithm", f"an object whose kneighbors() returns two arrays of {shape}", got)
        if np.isnan(distances).any():
            raise refusal(self.owner, "algorithm", "an object whose kneighbors() returns distances", "NaN")
        outside = indices.astype(np.int64) != indices if indices.dtype.kind != "i" else np.zeros(shape, bool)
        outside = outside | (indices < 0) | (indices >= self.n_rows)
        if outside.any():
            accepted = f"an object whose kneighbors() returns row numbers from 0 to {self.n_rows - 1}"
            raise refusal(self.owner, "algorithm", accepted, indices[outside][0].item())
        return distances, indices.astype(np.int32)

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows: a full search, filtered."""
        full = self.query(self.points_[rows], self.n_rows)
        allowed = keep[full.indices] & (full.indices != np.asarray(rows)[:, None])
        indices = first_allowed(full.indices, allowed, n_neighbors)
        return NeighborGraph(indices, first_allowed(full.distances, allowed, n_neighbors, missing=np.inf))


def _nearest_stored(distances: Any, k: int, exclude: np.ndarray | None = None) -> NeighborGraph:
    if sparse.issparse(distances):
        return _nearest_in_sparse_rows(sparse.csr_array(distances), k, exclude)
    pairs = np.array(distances, dtype=np.float64)
    n_excluded = 0
    if exclude is not None and (exclude >= 0).any():
        left_out = np.flatnonzero(exclude >= 0)
        pairs[left_out, exclude[left_out]] = np.nan
        n_excluded = 1
    k = min(k, pairs.shape[1] - n_excluded)
    if k < 1:
        return empty_graph(len(pairs))
    values, columns = nearest_in_rows(pairs, k)
    return NeighborGraph(columns.astype(np.int32), values)


def _nearest_in_sparse_rows(distances: sparse.csr_array, k: int, exclude: np.ndarray | None) -> NeighborGraph:
    rows = np.repeat(np.arange(distances.shape[0]), np.diff(distances.indptr))
    columns, values = distances.indices, distances.data
    if exclude is not None:
        others = columns != exclude[rows]
        rows, columns, values = rows[others], columns[others], values[others]
    order = np.lexsort((columns, values, rows))
    starts = np.searchsorted(rows, np.arange(distances.shape[0] + 1))
    k = min(k, int(np.diff(starts).max(initial=0)))
    places = starts[:-1, None] + np.arange(k)
    missing = places >= starts[1:, None]
    order = np.append(order, len(order))
    places[missing] = len(order) - 1
    chosen = order[places]
    return NeighborGraph(np.append(columns, NOBODY).astype(np.int32)[chosen], np.append(values, np.inf)[chosen])
