"""Probabilities of many rows and classes: an array where it fits, else made anew for the rows that are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from unflip.foundation.threads import row_blocks
from unflip.opinions.order import put_back

# Rows x classes up to which probabilities are kept as an array: 256 MB, of which an audit has about eight at its peak.
MAX_KEPT = 2**25
VALUES_AT_ONCE = 2**22  # rows x classes of a block


class RowwiseProbabilities:
    """What an array of shape (n_rows, n_classes) would hold, computed for some rows whenever they are asked for.

    Parameters
    ----------
    shape : tuple of int
        Rows and classes.
    of_rows : callable
        Takes row numbers (an array of int) and returns their probabilities, (n_asked, n_classes).

    Examples
    --------
    >>> said = RowwiseProbabilities((10, 2), lambda rows: np.column_stack([rows / 10, 1 - rows / 10]))
    >>> said[2:4]
    array([[0.2, 0.8],
           [0.3, 0.7]])
    """

    def __init__(self, shape: tuple[int, int], of_rows: Callable[[np.ndarray], np.ndarray]):
        self.shape = shape
        self._of_rows = of_rows
        self._leading: Leading | None = None

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | np.ndarray) -> np.ndarray:
        return self._of_rows(np.arange(len(self))[rows])

    def leading(self) -> Leading:
        """Return the likeliest classes of all rows; they are kept, so that the rows are gone through only once."""
        if self._leading is None:
            found = in_blocks(lambda some: np.column_stack(_leading(some)), self)
            self._leading = Leading(found[:, 0].astype(np.intp), found[:, 1].astype(np.intp), found[:, 2])
        return self._leading

    def to_array(self) -> np.ndarray:
        """Return the probabilities of all rows."""
        return in_blocks(lambda block: block, self)


class Leading(NamedTuple):
    """The likeliest class of each row, the next likeliest, and the probability of the first; of equal ones the first.

    Parameters
    ----------
    first, second : ndarray of int of shape (n_rows,)
        Class numbers.
    probability : ndarray of shape (n_rows,)
        Of the first.
    """

    first: np.ndarray
    second: np.ndarray
    probability: np.ndarray


Probabilities: TypeAlias = "np.ndarray | RowwiseProbabilities"


def is_kept(n_rows: int, n_classes: int) -> bool:
    """Tell whether probabilities of so many rows and classes are kept as an array."""
    return n_rows * n_classes <= MAX_KEPT


def in_blocks(work: Callable[..., np.ndarray], probabilities: Probabilities, *others: np.ndarray) -> np.ndarray:
    """Return what a function says of each row: of an array at once, of RowwiseProbabilities block by block.

    Parameters
    ----------
    work : callable
        Takes the probabilities of some rows and what else is known of them, and returns an array of as many rows, in
        which no row's answer depends on another row.
    probabilities : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        Of all rows.
    *others : ndarray of shape (n_rows, ...)
        What else the function is told.

    Examples
    --------
    >>> own = lambda some, labels: some[np.arange(len(labels)), labels]
    >>> in_blocks(own, np.array([[0.2, 0.8], [0.3, 0.7]]), np.array([1, 0]))
    array([0.8, 0.3])
    """
    if not isinstance(probabilities, RowwiseProbabilities):
        return work(probabilities, *others)
    n_rows, n_classes = probabilities.shape
    blocks = row_blocks(n_rows, VALUES_AT_ONCE // n_classes) or [slice(0, 0)]
    return _put_together(
        n_rows, blocks, (work(probabilities[block], *(each[block] for each in others)) for block in blocks)
    )


def leading(probabilities: Probabilities) -> Leading:
    """Return the likeliest classes of each row.

    >>> leading(np.array([[0.2, 0.7, 0.1], [0.4, 0.2, 0.4]]))[:2]
    (array([1, 0]), array([0, 2]))
    """
    if isinstance(probabilities, RowwiseProbabilities):
        return probabilities.leading()
    return _leading(probabilities)


def _leading(probabilities: np.ndarray) -> Leading:
    first = probabilities.argmax(axis=1)
    others = probabilities.copy()
    others[np.arange(len(first)), first] = -1
    return Leading(first, others.argmax(axis=1), probabilities.max(axis=1))


def in_given_order(probabilities: Probabilities, order: np.ndarray) -> Probabilities:
    """Return probabilities of rows in that order, in the order the rows were given."""
    if not isinstance(probabilities, RowwiseProbabilities):
        return put_back(probabilities, order)
    return RowwiseProbabilities(probabilities.shape, partial(_at, probabilities, np.argsort(order)))


def _at(probabilities: RowwiseProbabilities, places: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return probabilities[places[rows]]


def own_probabilities(probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
    """Return the probability of each row's label."""
    return in_blocks(lambda some, own: some[np.arange(len(own)), own], probabilities, labels)


def _put_together(n_rows: int, blocks: list[slice], parts: Any) -> np.ndarray:
    whole: Any = None
    for block, part in zip(blocks, parts, strict=True):
        if whole is None:
            whole = np.empty((n_rows, *part.shape[1:]), part.dtype)
        whole[block] = part
    return whole
