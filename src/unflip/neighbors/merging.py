"""Answers of several indexes merged into one, by (score, row number): exact, because each of the answers is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from unflip.neighbors.graph import NOBODY

COMPILED_FROM = 2**18  # neighbors to be merged
NOWHERE = np.nan  # the score of nobody: sorted behind all others, infinite ones too

Answer = tuple[np.ndarray, np.ndarray]  # scores and row numbers, each of shape (n_queries, k), sorted by both


def merged(answers: Sequence[Answer], n_neighbors: int) -> Answer:
    """Return the nearest few of several answers to the same queries.

    Parameters
    ----------
    answers : sequence of (scores, rows)
        Each sorted by (score, row number), and all row numbers of one smaller than those of the next.
    n_neighbors : int
        How many to keep; where there are fewer, the score is NaN and the row NOBODY.

    Examples
    --------
    >>> near, far = (np.array([[1.0, 4.0]]), np.array([[2, 0]])), (np.array([[1.0, 2.0]]), np.array([[7, 9]]))
    >>> merged([near, far], 3)
    (array([[1., 1., 2.]]), array([[2, 7, 9]], dtype=int32))
    """
    n_queries = len(answers[0][0])
    if len(answers) > 1 and n_queries * n_neighbors > COMPILED_FROM:
        # Imported where it is used: compiling costs more than a small merge.
        from unflip.neighbors.engines.merge import merge_two

        return reduce(lambda one, other: merge_two(*one, *other, n_neighbors), answers)
    scores = np.concatenate([each[0] for each in answers], axis=1)
    rows = np.concatenate([each[1] for each in answers], axis=1).astype(np.int32, copy=False)
    if len(answers) > 1:
        # The sort is stable, so that of equal scores those with smaller row numbers stay in front.
        order = np.argsort(scores, axis=1, kind="stable")[:, :n_neighbors]
        scores, rows = np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)
    missing = n_neighbors - scores.shape[1]
    if missing > 0:
        scores = np.pad(scores, ((0, 0), (0, missing)), constant_values=NOWHERE)
        rows = np.pad(rows, ((0, 0), (0, missing)), constant_values=NOBODY)
    return scores[:, :n_neighbors], rows[:, :n_neighbors]


def renumbered(answer: Answer, offset: int) -> Answer:
    """Return an answer whose row numbers are those of a part of all rows, with their numbers among all."""
    scores, rows = answer
    return scores, np.where(rows == NOBODY, np.int32(NOBODY), rows + np.int32(offset))


def limits_of(answer: Answer) -> np.ndarray:
    """Return the score beyond which nobody can be among the nearest any more, infinite where the answer is short."""
    last = answer[0][:, -1]
    return np.where(np.isnan(last), np.inf, last)


def without(answer: Answer, exclude: np.ndarray) -> Answer:
    """Return an answer with a row left out of each query: it becomes nobody, behind all others."""
    scores, rows = answer
    left_out = rows == np.where(exclude < 0, np.iinfo(np.int32).min, exclude)[:, None]
    order = np.argsort(left_out, axis=1, kind="stable")
    scores, rows = np.where(left_out, np.nan, scores), np.where(left_out, np.int32(NOBODY), rows)
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)
