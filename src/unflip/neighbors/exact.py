"""Exact neighbors of rows: one index in front of the engines, which all give the same answer to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy import sparse
from sklearn.utils import gen_batches

from unflip.foundation.checks import check_choice, check_n_jobs
from unflip.neighbors.engines.plain import PlainEngine
from unflip.neighbors.graph import NeighborGraph, stacked
from unflip.neighbors.metrics import resolve_metric

if TYPE_CHECKING:
    from unflip.neighbors.index import NeighborIndex

# Up to so many multiplications numpy answers within a fraction of a second, so that nobody waits for a compiler to
# classify a thousand rows. The rule looks at sizes only, never at what the process or the index did before.
PLAIN_WORK = 2**27
# Sparse data up to this size are searched as dense ones.
DENSE_VALUES = 2**26
PARTS_PER_WORKER = 4


class ExactIndex:
    """Exact nearest neighbors, ties by row number, whatever the engine, the block size or the number of threads.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        Any metric that scikit-learn knows for brute force.
    metric_params : dict or None, default=None
        Parameters of the metric.
    n_jobs : int or None, default=None
        Threads; None means one, -1 all cores.
    engine : {"auto", "plain", "leaf"}, default="auto"
        How to search dense rows; the answer is the same.
    executor : None or "joblib", default=None
        Where to search: on threads of this process, or in parts on whatever joblib is set to run on (processes; with
        ``joblib.parallel_config(backend="dask")`` a cluster). The answer is the same.
    owner : object or None, default=None
        Whom error messages name: the estimator that was called, or this index.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors import ExactIndex
    >>> index = ExactIndex().fit(np.array([[0.0], [1.0], [1.0], [3.0]]))
    >>> index.graph(2).indices
    array([[1, 2],
           [2, 0],
           [1, 0],
           [1, 2]], dtype=int32)
    """

    def __init__(
        self,
        metric: Any = "euclidean",
        metric_params: dict | None = None,
        n_jobs: int | None = None,
        engine: str = "auto",
        executor: str | None = None,
        owner: object = None,
    ):
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.engine = engine
        self.executor = executor
        self.owner = _name_of(self if owner is None else owner)

    def fit(self, X: Any) -> ExactIndex:
        """Take the rows to search: a dense array (float32 stays float32) or a CSR matrix of finite numbers."""
        check_choice(self.owner, "engine", self.engine, ("auto", "plain", "leaf"))
        check_n_jobs(self.owner, self.n_jobs)
        if self.executor is not None:
            check_choice(self.owner, "executor", self.executor, ("joblib",), "None")
        self.metric_ = resolve_metric(self.metric, self.metric_params, owner=self.owner)
        too_large = sparse.issparse(X) and X.shape[0] * X.shape[1] > DENSE_VALUES
        X = self._as_rows(X, stay_sparse=too_large and self.metric_.space == "squared")
        self.metric_ = self.metric_.learned(X)
        self.points_ = self._embedded(X)
        self._fitted: dict[str, Any] = {}
        return self

    def extended(self, X: Any) -> NeighborIndex:
        """Return the index of the fitted rows and more of them: the same as of all fitted at once."""
        from unflip.neighbors.growing import GrowingIndex

        return GrowingIndex.of(self).extended(X)

    def unfitted(self) -> ExactIndex:
        """Return an index with the same parameters."""
        return ExactIndex(self.metric, self.metric_params, self.n_jobs, self.engine, self.executor, self.owner)

    def like(self, points: Any) -> ExactIndex:
        """Return an index like this one, of other rows in the space that is searched."""
        other = self.unfitted()
        other.metric_, other.points_, other._fitted = self.metric_, points, {}
        return other

    @property
    def metric_learns(self) -> bool:
        """Whether the metric has parameters that were read off all rows."""
        return resolve_metric(self.metric, self.metric_params, owner=self.owner).learns

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.points_.shape[0]

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        queries = self.points_ if rows is None else self.points_[rows]
        exclude = np.arange(self.n_rows) if rows is None else rows
        return self._graph(queries, min(n_neighbors, self.n_rows - 1), exclude)

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""
        stay_sparse = sparse.issparse(self.points_)
        filled = sparse.issparse(X) and not stay_sparse
        rows_at_once = max(1, DENSE_VALUES // X.shape[1]) if filled else max(1, X.shape[0])
        return stacked([
            self._graph(self.embedded(X[part]), min(n_neighbors, self.n_rows), None)
            for part in gen_batches(X.shape[0], rows_at_once)
        ])  # fmt: skip

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        kept = np.flatnonzero(keep)
        exclude = np.where(keep[rows], np.searchsorted(kept, rows), -1)
        part, k = self.like(self.points_[kept]), min(n_neighbors, len(kept) - int(keep[rows].any()))
        found = part._graph(self.points_[rows], k, exclude)
        return NeighborGraph(kept.astype(np.int32)[found.indices], found.distances)

    def embedded(self, X: Any) -> Any:
        """Return new rows in the space that is searched, as ``nearest`` wants them."""
        return self._embedded(self._as_rows(X, stay_sparse=sparse.issparse(self.points_), at_least=self.points_.dtype))

    def nearest(
        self, queries: Any, k: int, exclude: np.ndarray | None = None, within: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores and row numbers of the k nearest fitted rows of embedded ones, sorted by both.

        Scores, not distances: answers of several indexes are merged by them, and two of them may have one root.
        exclude gives a row number to leave out for each query, or -1; within a score beyond which nobody is needed, so
        that rows may be -1, with the score NaN.
        """
        if k < 1 or queries.shape[0] == 0:
            empty = np.empty((queries.shape[0], max(k, 0)))
            return empty, empty.astype(np.int32)
        queries = queries.astype(np.promote_types(queries.dtype, self.points_.dtype), copy=False)
        engine = self._engine(self.engine if self.engine != "auto" else self._choice(queries))
        if self.executor == "joblib":
            return _search_in_parts(engine, queries, k, exclude, self.n_jobs)
        if within is not None and hasattr(engine, "parts"):
            return engine.search(queries, k, exclude, self.n_jobs, within)
        return engine.search(queries, k, exclude, self.n_jobs)

    def __getstate__(self) -> dict:
        # What engines prepare is made again where it is needed.
        return {**self.__dict__, "_fitted": {}}

    def _as_rows(self, X: Any, *, stay_sparse: bool, at_least: Any = np.float32) -> Any:
        """Return rows: C-contiguous, float32 if they were (or float16), else float64; or CSR with sorted columns."""
        if stay_sparse:
            X = sparse.csr_array(X, dtype=np.float64)
            X.sum_duplicates()
            return X
        X = X.toarray() if sparse.issparse(X) else np.asarray(X)
        dtype = np.promote_types(X.dtype, at_least) if X.dtype in (np.float16, np.float32) else np.float64
        return np.ascontiguousarray(X, dtype=dtype)

    def _embedded(self, X: Any) -> Any:
        embedded = self.metric_.embed(X)
        return embedded if sparse.issparse(embedded) else np.ascontiguousarray(embedded)

    def _graph(self, queries: Any, k: int, exclude: np.ndarray | None) -> NeighborGraph:
        scores, rows = self.nearest(queries, k, exclude)
        return NeighborGraph(rows, self.metric_.distances(scores))

    def _choice(self, queries: Any) -> str:
        if sparse.issparse(queries):
            return "sparse"
        if self.metric_.space != "squared":
            return "plain"
        # A search of few queries counts as one of all rows, which will often have been made before.
        n_points, n_columns = self.points_.shape
        work = n_points * max(n_points, queries.shape[0]) * (n_columns + 8)
        return "plain" if work <= PLAIN_WORK else "leaf"

    def _engine(self, name: str) -> Any:
        if name not in self._fitted:
            self._fitted[name] = self._make_engine(name).fit(self.points_, self.n_jobs)
        return self._fitted[name]

    def _make_engine(self, name: str) -> Any:
        if name == "plain":
            return PlainEngine(self.metric_)
        # Compiled engines are imported where they are used: that costs more than a small search.
        if name == "leaf":
            from unflip.neighbors.engines.copies import CopiesEngine, find_copies
            from unflip.neighbors.engines.parts import PartedEngine

            copies = find_copies(self.points_)
            return PartedEngine() if copies is None else CopiesEngine(PartedEngine(), *copies)
        from unflip.neighbors.engines.sparse import SparseEngine

        return SparseEngine()


def _name_of(owner: object) -> str:
    return owner if isinstance(owner, str) else type(owner).__name__


def _search_in_parts(
    engine: Any, queries: Any, k: int, exclude: np.ndarray | None, n_jobs: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Search a few parts of the queries per worker, each with a copy of the engine, and put the answers together."""
    parts = np.array_split(np.arange(queries.shape[0]), PARTS_PER_WORKER * effective_n_jobs(n_jobs))
    answers = Parallel(n_jobs=n_jobs)(
        delayed(engine.search)(queries[part], k, None if exclude is None else exclude[part])
        for part in parts
        if len(part)
    )
    scores, rows = zip(*answers, strict=True)
    return np.concatenate(scores), np.concatenate(rows)
