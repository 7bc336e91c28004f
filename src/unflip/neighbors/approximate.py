"""Approximate neighbors of many rows: inverted lists, of which as many are probed as a measured recall asks for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from unflip.foundation.checks import check_n_jobs, is_number
from unflip.foundation.errors import UnflipError, refusal
from unflip.foundation.progress import reporting
from unflip.foundation.threads import row_blocks
from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.graph import NeighborGraph
from unflip.neighbors.metrics import Metric, resolve_metric

MIN_ROWS = 20_000  # fewer are searched exactly: that takes no longer than to make lists
SAMPLE_ROWS = 1000  # on which the recall is measured
CONFIDENCE = 3.0  # standard errors by which the recall on the sample must exceed the one asked for: rare rows miss many
FEW_COMPARED = 8192  # where exact search compares a row with so few others, lists gain next to nothing
FEWEST_PROBES = 4
QUERIES_AT_ONCE = 1 << 18
MAX_VALUE = 1e150  # squares of larger differences may overflow float64


@dataclass(frozen=True)
class Plan:
    """How to search for k neighbors: how many lists to probe (None: exactly), and the recall of that on the sample."""

    n_probes: int | None
    recall: float


EXACTLY = Plan(None, 1.0)


class Measured(NamedTuple):
    """The recall on the sample, what that of all rows is at least in all likelihood, and the comparisons for a row."""

    recall: float
    at_least: float
    compared: float


class ApproximateIndex:
    """Nearest neighbors of which a few may be missing: faster than exact search where that cannot rule rows out.

    For each k, exact answers for some rows tell how many lists must be probed for the recall asked for. Where that
    would take more comparisons than exact search, the search is exact. What is found is in exact order, with exact
    distances; the answer for a row depends neither on the other rows asked for nor on the number of threads.

    Parameters
    ----------
    metric : {"euclidean", "sqeuclidean", "cosine"}, default="euclidean"
        The metric.
    metric_params : dict or None, default=None
        Parameters of the metric.
    n_jobs : int or None, default=None
        Threads; None means one, -1 all cores.
    recall : float, default=0.99
        The share of the true neighbors that must be found, on average over the fitted rows; 1 means exact search.
    seed : int, default=0
        Of the rows on which the recall is measured.
    owner : object or None, default=None
        Whom error messages name: the estimator that was called, or this index.

    Attributes
    ----------
    algorithm_ : {"exact", "approximate"}
        What the latest search was.
    recall_ : float
        Its recall on the sample; a row as near as the last true neighbor counts as found.
    n_probes_ : int or None
        How many lists each row was compared with; None for exact search.

    See Also
    --------
    ExactIndex : The same, without a neighbor missing.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors.approximate import ApproximateIndex
    >>> index = ApproximateIndex().fit(np.array([[0.0], [1.0], [1.0], [3.0]]))
    >>> index.graph(2).indices
    array([[1, 2],
           [2, 0],
           [1, 0],
           [1, 2]], dtype=int32)
    >>> index.algorithm_  # of so few rows
    'exact'
    """

    def __init__(
        self,
        metric: Any = "euclidean",
        metric_params: dict | None = None,
        n_jobs: int | None = None,
        *,
        recall: float = 0.99,
        seed: int = 0,
        owner: object = None,
    ):
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.recall = recall
        self.seed = seed
        named = self if owner is None else owner
        self.owner = named if isinstance(named, str) else type(named).__name__

    def fit(self, X: Any) -> ApproximateIndex:
        """Take the rows to search: a dense array of finite numbers; float32 stays float32."""
        check_n_jobs(self.owner, self.n_jobs)
        if not is_number(self.recall) or not 0 < self.recall <= 1:
            raise refusal(self.owner, "recall", "a number above 0 and at most 1", self.recall)
        self.metric_ = self._squared_metric()
        return self._of(self._embedded(X))

    def extended(self, X: Any) -> ApproximateIndex:
        """Return the index of the fitted rows and more of them: the same as of all fitted at once."""
        return self._like(np.vstack([self.points_, self._embedded(X)]))

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return self.points_.shape[0]

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        rows = None if rows is None else np.asarray(rows)
        k = min(n_neighbors, self.n_rows - 1)
        if k < 1 or (rows is not None and len(rows) == 0):
            return _empty(self.n_rows if rows is None else len(rows), k)
        plan = self._plan(k)
        if plan.n_probes is None:
            return self._in_units(self._exact().graph(k, rows))
        squared, found, _ = self._lists().search(k, plan.n_probes, rows, self.n_jobs)
        return NeighborGraph(found, self.metric_.distances(squared))

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows; the recall is that of fitted rows."""
        return self._nearest(self._embedded(X), n_neighbors)

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        if len(rows) <= SAMPLE_ROWS:  # an exact search takes no longer than to measure the recall
            return self._in_units(self._exact().among(rows, keep, n_neighbors))
        kept = np.flatnonzero(keep)
        part = self._like(self.points_[kept])
        if keep[rows].any():
            found = part.graph(n_neighbors, np.searchsorted(kept, rows))
        else:
            found = part._nearest(self.points_[rows], n_neighbors)
        return NeighborGraph(kept.astype(np.int32)[found.indices], found.distances)

    def __getstate__(self) -> dict:
        # Lists and engines are made again where they are needed, and are the same then.
        return {**self.__dict__, "_made": {}}

    def _of(self, points: np.ndarray) -> ApproximateIndex:
        self.points_ = points
        self._plans: dict[int, Plan] = {}
        self._made: dict[str, Any] = {}
        return self

    def _like(self, points: np.ndarray) -> ApproximateIndex:
        other = ApproximateIndex(
            self.metric, self.metric_params, self.n_jobs, recall=self.recall, seed=self.seed, owner=self.owner
        )
        other.metric_ = self.metric_
        return other._of(points)

    def _squared_metric(self) -> Metric:
        with suppress(UnflipError):  # which names metrics that are not for approximate search
            metric = resolve_metric(self.metric, self.metric_params, owner=self.owner)
            if metric.space == "squared":
                return metric
        accepted = 'one of "euclidean", "sqeuclidean", "cosine" for approximate search'
        raise refusal(self.owner, "metric", accepted, self.metric)

    def _embedded(self, X: Any) -> np.ndarray:
        if sparse.issparse(X):
            raise refusal(self.owner, "X", "a dense array for approximate search", type(X).__name__)
        X = np.asarray(X)
        X = X.astype(np.float32 if X.dtype in (np.float16, np.float32) else np.float64, copy=False)
        return np.ascontiguousarray(self.metric_.embed(X))

    def _nearest(self, queries: np.ndarray, n_neighbors: int) -> NeighborGraph:
        k = min(n_neighbors, self.n_rows)
        if k < 1 or len(queries) == 0:
            return _empty(len(queries), k)
        plan = self._plan(min(k, self.n_rows - 1))
        if plan.n_probes is None:
            return self._in_units(self._exact().query(queries, k))
        queries = queries.astype(np.promote_types(queries.dtype, self.points_.dtype), copy=False)
        squared, found = np.empty((len(queries), k)), np.empty((len(queries), k), np.int32)
        for block in row_blocks(len(queries), QUERIES_AT_ONCE):
            squared[block], found[block] = self._searched(queries[block], k, plan.n_probes)
        return NeighborGraph(found, self.metric_.distances(squared))

    def _searched(self, queries: np.ndarray, k: int, n_probes: int) -> tuple[np.ndarray, np.ndarray]:
        """Search for new rows in the lists; exactly for those so far off that float32 cannot tell their neighbors."""
        near = self._lists().within_reach(queries, self.n_jobs)
        if near.all():
            return self._lists().search_new(queries, k, n_probes, self.n_jobs)[:2]
        squared, found = np.empty((len(queries), k)), np.empty((len(queries), k), np.int32)
        squared[near], found[near], _ = self._lists().search_new(queries[near], k, n_probes, self.n_jobs)
        far = self._exact().query(queries[~near], k)
        squared[~near], found[~near] = far.distances, far.indices
        return squared, found

    def _exact(self) -> ExactIndex:
        """Return the exact index of the embedded rows; its distances are squared ones."""
        if "exact" not in self._made:
            self._made["exact"] = ExactIndex("sqeuclidean", n_jobs=self.n_jobs, owner=self.owner).fit(self.points_)
        return self._made["exact"]

    def _lists(self) -> Any:
        if "lists" not in self._made:
            self._made["lists"] = self._partition().make_lists(self.n_jobs)
        return self._made["lists"]

    def _partition(self) -> Any:
        # Compiled engines are imported where they are used: that costs more than a small search.
        from unflip.neighbors.engines.inverted_lists import ListEngine

        return ListEngine().fit(self.points_, self.n_jobs)

    def _in_units(self, graph: NeighborGraph) -> NeighborGraph:
        return NeighborGraph(graph.indices, self.metric_.distances(graph.distances))

    def _plan(self, k: int) -> Plan:
        """Return the plan for k, measured on first use, and tell which it is."""
        if k not in self._plans:
            with reporting(None):  # who listens hears of the search itself
                self._plans[k] = self._make_plan(k)
        plan = self._plans[k]
        self.algorithm_ = "exact" if plan.n_probes is None else "approximate"
        self.recall_, self.n_probes_ = plan.recall, plan.n_probes
        return plan

    def _make_plan(self, k: int) -> Plan:
        if self.n_rows < MIN_ROWS or self.recall == 1 or _largest(self.points_) > MAX_VALUE:
            return EXACTLY
        size = min(SAMPLE_ROWS, self.n_rows)
        sample = np.sort(np.random.RandomState(self.seed).choice(self.n_rows, size, replace=False))
        kth = self._exact().graph(k, sample).distances[:, -1]
        lists = self._made.get("lists") or self._partition()
        most = lists.compared_exactly(sample, kth)
        if most <= FEW_COMPARED or not lists.is_precise(kth):
            return EXACTLY
        if "lists" not in self._made:
            self._made["lists"] = lists.make_lists(self.n_jobs)
        plan = self._fewest_probes(k, sample, kth, most)
        self._made.pop("lists" if plan.n_probes is None else "exact")  # either takes twice the memory of float32 rows
        return plan

    def _fewest_probes(self, k: int, sample: np.ndarray, kth: np.ndarray, most: float) -> Plan:
        """Return the plan with about the fewest probes whose recall suffices, unless it compares more than `most`."""
        too_few, enough = 0, FEWEST_PROBES
        measured = self._measured(k, enough, sample, kth)
        while measured.at_least < self.recall:
            if measured.compared >= 2 * most:  # twice as much, because half the probes may do
                return EXACTLY
            too_few, enough = enough, 2 * enough
            measured = self._measured(k, enough, sample, kth)
        while enough - too_few > max(1, enough // 12):
            middle = (too_few + enough) // 2
            other = self._measured(k, middle, sample, kth)
            if other.at_least >= self.recall:
                enough, measured = middle, other
            else:
                too_few = middle
        return Plan(enough, measured.recall) if measured.compared < most else EXACTLY

    def _measured(self, k: int, n_probes: int, sample: np.ndarray, kth: np.ndarray) -> Measured:
        squared, _, compared = self._lists().search(k, n_probes, sample, self.n_jobs)
        found = (squared <= kth[:, None]).mean(axis=1)
        recall, error = float(found.mean()), float(found.std(ddof=1)) / len(sample) ** 0.5
        return Measured(recall, recall - CONFIDENCE * error, compared / len(sample))


def _largest(points: np.ndarray) -> float:
    return max(float(points.max(initial=0.0)), -float(points.min(initial=0.0)))


def _empty(n_rows: int, k: int) -> NeighborGraph:
    return NeighborGraph(np.empty((n_rows, max(k, 0)), np.int32), np.empty((n_rows, max(k, 0))))
