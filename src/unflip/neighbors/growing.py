"""An exact index to which rows are added: its graph is brought up to date, not searched for again."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.graph import NeighborGraph
from unflip.neighbors.merging import Answer, limits_of, merged, renumbered, without

MERGED_UP_TO = 2.0  # a segment is joined with the next if it is at most so many times as large


class GrowingIndex:
    """Rows in segments, each with an index of its own; answers are those of one index of all rows, to the last bit.

    When rows were added, their neighbors are searched for among all rows, and those of the other rows among the new
    ones: all batches together cost what one search does. The graph is kept for that. Segments are joined as they
    grow, so that there are only a few.

    Parameters
    ----------
    segments : list of ExactIndex
        Of consecutive rows, fitted, with the same metric.
    """

    def __init__(self, segments: list[ExactIndex]):
        self.segments = segments
        self._known: Answer | None = None  # the neighbors of the first rows among themselves

    @classmethod
    def of(cls, index: ExactIndex) -> GrowingIndex:
        """Return the index of the same rows, ready to grow."""
        return cls([index])

    @property
    def n_rows(self) -> int:
        """How many rows can be found."""
        return int(self._starts()[-1])

    def extended(self, X: Any) -> GrowingIndex | ExactIndex:
        """Return the index of the fitted rows and more of them: the same as of all fitted at once."""
        first = self.segments[0]
        new = first.embedded(X)
        if first.metric_learns:  # from all rows, of which there are more now
            return first.unfitted().fit(_stacked([*(each.points_ for each in self.segments), new]))
        more = GrowingIndex([*self.segments, first.like(new)])
        more._known = self._known
        return more

    def graph(self, n_neighbors: int, rows: np.ndarray | None = None) -> NeighborGraph:
        """Return the nearest other rows of every fitted row, or of some, given by their numbers."""
        k = min(n_neighbors, self.n_rows - 1)
        if rows is None:
            scores, found = self._all(k)
            return self._graph((scores[:, :k].copy(), found[:, :k]))
        return self._graph(self._of_rows(np.asarray(rows), k, [np.arange(each.n_rows) for each in self.segments]))

    def query(self, X: Any, n_neighbors: int) -> NeighborGraph:
        """Return the nearest fitted rows of new rows."""
        queries = self.segments[0].embedded(X)
        return self._graph(self._nearest(queries, min(n_neighbors, self.n_rows), range(len(self.segments))))

    def among(self, rows: np.ndarray, keep: np.ndarray, n_neighbors: int) -> NeighborGraph:
        """Return the nearest of the kept fitted rows (a mask) for some fitted rows, themselves left out."""
        starts = self._starts()
        kept = [np.flatnonzero(keep[starts[number] : starts[number + 1]]) for number in range(len(self.segments))]
        k = min(n_neighbors, int(np.count_nonzero(keep)) - int(keep[rows].any()))
        return self._graph(self._of_rows(np.asarray(rows), k, kept))

    def _all(self, k: int) -> Answer:
        """Return at least k neighbors of every row; the answer is kept, and rows that were added complete it."""
        known = 0 if self._known is None or self._known[0].shape[1] < k else len(self._known[0])
        if known < self.n_rows:
            n_old = int(np.searchsorted(self._starts(), known))
            self.segments = [*self.segments[:n_old], _joined(self.segments[n_old:])]
            parts = [self._completed(number, k, n_old) for number in range(n_old)]
            parts.append(self._nearest(self.segments[n_old].points_, k, range(n_old + 1), own=n_old))
            self._known = tuple(map(np.concatenate, zip(*parts, strict=True)))  # type: ignore[assignment]
            while len(self.segments) > 1 and self.segments[-2].n_rows <= MERGED_UP_TO * self.segments[-1].n_rows:
                self.segments = [*self.segments[:-2], _joined(self.segments[-2:])]
        assert self._known is not None
        return self._known

    def _completed(self, number: int, k: int, new: int) -> Answer:
        """Return the neighbors of an old segment's rows, the new segment's rows among them."""
        assert self._known is not None
        start, stop = self._starts()[number : number + 2]
        known = (self._known[0][start:stop, :k], self._known[1][start:stop, :k])
        return self._nearest(self.segments[number].points_, k, [new], known=known)

    def _nearest(self, queries: Any, k: int, among: Any, own: int | None = None, known: Answer | None = None) -> Answer:
        """Return the nearest rows of some segments: the next is asked only for what is nearer than those found."""
        starts = self._starts()
        for number in among:
            index = self.segments[number]
            exclude = np.arange(index.n_rows) if number == own else None
            within = None if known is None else limits_of(known)
            found = index.nearest(queries, min(k, index.n_rows - (number == own)), exclude, within)
            found = renumbered(found, starts[number])
            known = merged([found] if known is None else [known, found], k)
        assert known is not None
        return known

    def _of_rows(self, rows: np.ndarray, k: int, kept: list[np.ndarray]) -> Answer:
        """Return the nearest of the kept rows of each segment for some rows, given by their numbers."""
        starts = self._starts()
        queries = self._take(rows)
        answers = []
        for index, start, numbers in zip(self.segments, starts, kept, strict=False):
            if not len(numbers):
                continue
            part = index if len(numbers) == index.n_rows else index.like(index.points_[numbers])
            place = np.searchsorted(numbers, rows - start)
            present = (place < len(numbers)) & (numbers[np.minimum(place, len(numbers) - 1)] == rows - start)
            # One more than asked for, since only some queries leave a row out.
            scores, found = part.nearest(queries, min(k + 1, len(numbers)))
            found = (numbers[found] + start).astype(np.int32)
            answers.append(without((scores, found), np.where(present, rows, -1)))
        return merged(answers, k)

    def _take(self, rows: np.ndarray) -> Any:
        """Return some rows in the space that is searched."""
        starts = self._starts()
        segment = np.searchsorted(starts, rows, side="right") - 1
        order = np.argsort(segment, kind="stable")
        parts = [
            self.segments[number].points_[rows[segment == number] - starts[number]] for number in np.unique(segment)
        ]
        together = _stacked(parts)
        back = np.empty(len(rows), np.intp)
        back[order] = np.arange(len(rows))
        return together[back]

    def _starts(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum([each.n_rows for each in self.segments])])

    def _graph(self, answer: Answer) -> NeighborGraph:
        scores, rows = answer
        scores[np.isnan(scores)] = np.inf
        return NeighborGraph(rows, self.segments[0].metric_.distances(scores))

    def __getstate__(self) -> dict:
        # The graph is made again where it is needed.
        return {**self.__dict__, "_known": None}


def _joined(segments: list[ExactIndex]) -> ExactIndex:
    return segments[0] if len(segments) == 1 else segments[0].like(_stacked([each.points_ for each in segments]))


def _stacked(parts: list[Any]) -> Any:
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.ascontiguousarray(np.vstack(parts))
