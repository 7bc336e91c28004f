"""The metrics: which there are, the space an engine searches for each, and how a score there becomes a distance.

Three spaces cover them. Euclidean and cosine distances order like squared euclidean ones ("squared"), of the rows or
of the rows at length 1; "manhattan" has a sum of its own; all others go to scikit-learn pair by pair ("pairwise").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import VALID_METRICS

from unflip.foundation.errors import refusal

ALIASES = {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan"}
BOOLEAN = frozenset({"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"})
SPACES = {"euclidean": "squared", "sqeuclidean": "squared", "cosine": "squared", "manhattan": "manhattan"}
# nan_euclidean is for missing values, which the estimators do not take; precomputed has an index of its own.
KNOWN = tuple(sorted(set(VALID_METRICS["brute"]) - {"precomputed", "nan_euclidean"}))


@dataclass(frozen=True)
class Metric:
    """A metric by its plain name (no alias), with its parameters."""

    name: str | Callable
    params: dict = field(default_factory=dict)

    @property
    def space(self) -> str:
        """Which kind of score engines compare: squared, manhattan or pairwise."""
        return SPACES.get(self.name, "pairwise") if isinstance(self.name, str) else "pairwise"

    @property
    def learns(self) -> bool:
        """Whether parameters are missing that are read off all rows."""
        missing = {"seuclidean": {"V"}, "mahalanobis": {"V", "VI"}}.get(str(self.name), set())
        return bool(missing) and not missing & set(self.params)

    def learned(self, X: Any) -> Metric:
        """Return the metric with the parameters that are read off the data (seuclidean, mahalanobis)."""
        if not self.learns:
            return self
        if self.name == "seuclidean":
            return Metric(self.name, {**self.params, "V": np.var(X, axis=0, ddof=1)})
        try:
            inverse = np.linalg.inv(np.atleast_2d(np.cov(X, rowvar=False))).T
        except np.linalg.LinAlgError:
            accepted = 'a dict with "VI" where the covariance of X is singular'
            raise refusal("metric 'mahalanobis'", "metric_params", accepted, self.params or None) from None
        return Metric(self.name, {**self.params, "VI": inverse})

    def embed(self, X: Any) -> Any:
        """Return the rows in the space that is searched."""
        if self.name == "cosine":
            return _unit_rows(X)
        if self.name in BOOLEAN:
            return X.astype(bool)
        return X if self.space == "squared" else X.astype(np.float64, copy=False)

    def prepared(self, points: np.ndarray) -> np.ndarray:
        """Return the points as scores wants them, in float64: column by column where it sums over columns."""
        return points if self.space == "pairwise" else np.ascontiguousarray(points.T, dtype=np.float64)

    def scores(self, queries: np.ndarray, prepared: np.ndarray) -> np.ndarray:
        """Return the score of every pair, each computed by itself: blocks and threads cannot change a bit of it."""
        with np.errstate(over="ignore"):  # infinitely far, then
            if self.space == "squared":
                return _sum_over_columns(queries, prepared, np.square)
            if self.space == "manhattan":
                return _sum_over_columns(queries, prepared, np.abs)
        scores = pairwise_distances(queries, prepared, metric=self.name, n_jobs=1, **self.params)
        scores[np.isnan(scores)] = np.inf  # undefined (the correlation of a constant row, say): nobody's neighbor
        return scores

    def distances(self, scores: np.ndarray) -> np.ndarray:
        """Turn scores into distances, in place."""
        if self.name == "euclidean":
            return np.sqrt(scores, out=scores)
        return np.divide(scores, 2, out=scores) if self.name == "cosine" else scores


def resolve_metric(metric: Any, metric_params: dict | None = None, *, owner: object = "metric") -> Metric:
    """Return the Metric of this name, or refuse it."""
    params = dict(metric_params or {})
    if callable(metric):
        return Metric(metric, params)
    if not isinstance(metric, str) or metric not in KNOWN:
        raise refusal(
            owner, "metric", "a function, a ForestSpace, or one of learned, precomputed, " + ", ".join(KNOWN), metric
        )
    name = ALIASES.get(metric, metric)
    if name == "minkowski" and "w" not in params:
        name = {1: "manhattan", 2: "euclidean"}.get(params.get("p", 2), name)
        params = params if name == "minkowski" else {}
    return Metric(name, params)


def _sum_over_columns(queries: np.ndarray, point_columns: np.ndarray, of_difference: Callable) -> np.ndarray:
    """Sum a function of the differences over the columns in their order, in float64, without fused operations."""
    total = np.zeros((len(queries), point_columns.shape[1]))
    step = np.empty_like(total)
    for query_column, point_column in zip(queries.T, point_columns, strict=True):
        np.subtract(query_column[:, None], point_column, out=step)
        total += of_difference(step, out=step)
    return total


def _unit_rows(X: Any) -> Any:
    """Return the rows at length 1, and a last column that puts rows of zeros at right angles to all others."""
    if sparse.issparse(X):
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        largest = np.zeros(X.shape[0])
        np.maximum.at(largest, rows, np.abs(X.data))
        scaled = X.data * _towards_one(largest)[rows]
        lengths = np.sqrt(np.bincount(rows, weights=scaled**2, minlength=X.shape[0]))
        unit = X.copy()
        unit.data = np.divide(scaled, lengths[rows], out=np.zeros(len(scaled)), where=lengths[rows] > 0)
        return sparse.csr_array(sparse.hstack([unit, sparse.csr_array((lengths == 0)[:, None] * 1.0)], format="csr"))
    X = X * _towards_one(np.abs(X).max(axis=1, initial=0.0))[:, None]
    squares = np.zeros(len(X))
    for column in X.T:
        squares += column**2
    lengths = np.sqrt(squares)
    return np.column_stack([X / np.where(lengths > 0, lengths, 1)[:, None], lengths == 0])


def _towards_one(largest: np.ndarray) -> np.ndarray:
    """Return powers of two that bring values near 1: multiplying is exact, and squares neither vanish nor overflow."""
    _, exponents = np.frexp(largest)
    return np.ldexp(1.0, np.clip(-exponents, -1022, 1022))
