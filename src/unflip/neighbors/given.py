"""Neighbors that somebody else found: precomputed distances, and any object with kneighbors."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_array

from unflip.neighbors.graph import NOBODY, NeighborGraph, first_allowed
from unflip.neighbors.plain_search import nearest_in_rows
from unflip.validation import refusal


class PrecomputedIndex:
    """Neighbors from a square matrix of distances, or a sparse one that holds only those of neighbors.

    In a sparse matrix what is stored is a neighbor, explicit zeros too; what is not stored is none.
    """

    def fit(self, X):
        """Take the distances among the fitted rows."""
        if X.shape[0] != X.shape[1]:
            raise refusal("metric='precomputed'", "X", "a square matrix of distances", f"shape {X.shape}")
        self.distances_ = _checked_distances(X)
        return self

    @property
    def n_rows(self):
        """How many rows can be found."""
        return self.distances_.shape[0]

    def graph(self, k):
        """Return the k nearest other rows of every fitted row."""
        return _nearest_stored(self.distances_, k, exclude=np.arange(self.n_rows))

    def query(self, X, k):
        """Return the k nearest fitted rows, given the distances of new rows to all fitted ones."""
        if X.shape[1] != self.n_rows:
            accepted = f"distances to the {self.n_rows} fitted rows"
            raise refusal("metric='precomputed'", "X", accepted, f"shape {X.shape}")
        return _nearest_stored(_checked_distances(X), k)

    def among(self, rows, keep, k):
        """Return the k nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        kept = np.flatnonzero(keep)
        exclude = np.where(keep[rows], np.searchsorted(kept, rows), -1)
        found = _nearest_stored(self.distances_[rows][:, kept], k, exclude)
        return NeighborGraph(np.append(kept, NOBODY).astype(np.int32)[found.indices], found.distances)


class ForeignIndex:
    """Neighbors from an object with kneighbors(X, n_neighbors), such as scikit-learn's NearestNeighbors.

    Put into our order, (distance, row number), and with the row itself left out by its number.
    """

    def __init__(self, searcher):
        self.searcher = searcher

    def fit(self, X):
        """Fit a copy of the object if it can be fitted; else it must be fitted to these very rows."""
        self.points_ = X
        self.searcher_ = clone(self.searcher, safe=False).fit(X) if hasattr(self.searcher, "fit") else self.searcher
        return self

    @property
    def n_rows(self):
        """How many rows can be found."""
        return self.points_.shape[0]

    def graph(self, k):
        """Return the k nearest other rows of every fitted row."""
        k = min(k, self.n_rows - 1)
        found = self.query(self.points_, k + 1)
        is_self = found.indices == np.arange(self.n_rows)[:, None]
        is_self[~is_self.any(axis=1), -1] = True  # not even found among its copies: one of them is too many
        shape = (self.n_rows, found.depth - 1)
        return NeighborGraph(found.indices[~is_self].reshape(shape), found.distances[~is_self].reshape(shape))

    def query(self, X, k):
        """Return the k nearest fitted rows of new rows."""
        distances, indices = self.searcher_.kneighbors(X, n_neighbors=min(k, self.n_rows))
        order = np.lexsort((indices, distances), axis=1)
        return NeighborGraph(
            np.take_along_axis(np.asarray(indices, dtype=np.int32), order, axis=1),
            np.take_along_axis(np.asarray(distances, dtype=float), order, axis=1),
        )

    def among(self, rows, keep, k):
        """Return the k nearest of the kept fitted rows (a mask) for some fitted rows: a full search, filtered."""
        full = self.query(self.points_[rows], self.n_rows)
        allowed = keep[full.indices] & (full.indices != np.asarray(rows)[:, None])
        indices = first_allowed(full.indices, allowed, k)
        return NeighborGraph(indices, first_allowed(full.distances, allowed, k, missing=np.inf))


def _checked_distances(X):
    X = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_min_features=0)
    values = X.data if sparse.issparse(X) else X
    if values.size and values.min() < 0:
        raise refusal("metric='precomputed'", "X", "distances >= 0", float(values.min()))
    return X


def _nearest_stored(distances, k, exclude=None):
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
        return NeighborGraph(np.empty((len(pairs), 0), np.int32), np.empty((len(pairs), 0)))
    values, columns = nearest_in_rows(pairs, k)
    return NeighborGraph(columns.astype(np.int32), values)


def _nearest_in_sparse_rows(distances, k, exclude):
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
