"""An opinion that learns from a sample where rows are many, and says of all the others what it predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from unflip.foundation.row_hashes import row_hashes
from unflip.foundation.rows import in_memory, take_rows
from unflip.foundation.threads import row_blocks
from unflip.neighbors.spaces.parts import STIR, stirred
from unflip.opinions.contract import Opinion
from unflip.opinions.rowwise import Probabilities, RowwiseProbabilities

# The limits of a sample; `python -m benchmarks blend_size` measures what they cost.
MAX_ROWS = 20_000
MAX_CELLS = 2**22  # rows x columns: 5,461 rows of 768 columns
MAX_COUNTS = 2**19  # rows x classes: trees keep about 1.7 kB for each
MIN_ROWS = 2000  # however wide they are
MIN_ROWS_OF_CLASS = 20  # of which there is nothing to learn from fewer, on average
CELLS_AT_ONCE, MIN_ROWS_AT_ONCE, MAX_ROWS_AT_ONCE = 2**22, 2**12, 2**15


def sample_size(X: Any, n_classes: int) -> int:
    """Return from how many rows of a dense or CSR matrix an opinion may learn; 0 if that is too few for the classes.

    >>> sample_size(np.empty((1_000_000, 32)), 2), sample_size(np.empty((100_000, 768)), 10)
    (20000, 5461)
    >>> sample_size(np.empty((200_000, 32)), 1000)
    0
    """
    size = min(MAX_ROWS, max(MIN_ROWS, int(MAX_CELLS // max(_row_width(X), 1))), MAX_COUNTS // n_classes)
    return size if size >= min(MIN_ROWS_OF_CLASS * n_classes, X.shape[0]) else 0


def draw_rows(X: Any, labels: np.ndarray, size: int, seed: int = 0) -> np.ndarray:
    """Return some row numbers, ascending: of each class as many as its share, picked by what the rows hold.

    The order of the rows does not matter: the sample of shuffled rows has the same contents. Copies of a row are drawn
    one by one, so that a row of which there are many does not fill the sample.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_columns)
        Rows.
    labels : ndarray of int of shape (n_rows,)
        Class numbers.
    size : int
        How many rows to draw, at most all.
    seed : int, default=0
        Another one draws other rows.
    """
    keys = stirred(row_hashes(X), seed) ^ (labels.astype(np.uint64) * STIR)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first_of_its_kind = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    n_copies = np.diff(np.append(first_of_its_kind, len(keys)))
    number = np.arange(len(keys)) - np.repeat(first_of_its_kind, n_copies)
    lots = stirred(keys ^ (number.astype(np.uint64) * STIR), seed)
    by_class = order[np.lexsort((lots, labels[order]))]
    places = (np.arange(size) * len(labels) + len(labels) // 2) // size
    return np.sort(by_class[places])


class Sampled(BaseEstimator):
    """An opinion that is fitted to a sample of at most max_rows rows; with no more rows than that, the opinion itself.

    What it says of a row in the sample is what the opinion says out of sample; of a row outside, what it predicts.

    Parameters
    ----------
    opinion : Opinion
        It is fitted in place.
    max_rows : int or "auto", default="auto"
        How many rows it learns from at most; "auto" is ``sample_size``.
    seed : int, default=0
        Of the sample.

    Attributes
    ----------
    probabilities_ : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        Out of sample.
    rows_ : ndarray of int or None
        The numbers of the rows it learned from; None if it learned from all.
    n_learned_from_ : int
        How many they are; 0 if there are too many classes for it to learn anything: then it is not fitted.
    """

    def __init__(self, opinion: Any, max_rows: int | str = "auto", *, seed: int = 0):
        self.opinion = opinion
        self.max_rows = max_rows
        self.seed = seed

    @property
    def name(self) -> str | None:
        """The name of the opinion."""
        return getattr(self.opinion, "name", None)

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> Sampled:
        """Learn from rows and class numbers."""
        size = sample_size(X, n_classes) if isinstance(self.max_rows, str) else self.max_rows
        self.n_learned_from_ = min(size, len(labels))
        self.rows_: np.ndarray | None = None
        self._n_classes = n_classes
        if 0 < size < len(labels):
            self._fit_to_sample(X, labels, size)
        elif size:
            self.opinion.fit(in_memory(X), labels, n_classes)
            self.probabilities_: Probabilities = self.opinion.probabilities_
        return self

    def _fit_to_sample(self, X: Any, labels: np.ndarray, size: int) -> None:
        rows = self.rows_ = draw_rows(X, labels, size, self.seed)
        self.opinion.fit(take_rows(X, rows), labels[rows], self._n_classes)
        self._all_rows = X
        self.probabilities_ = RowwiseProbabilities((len(labels), self._n_classes), self._said_of)

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        if self.rows_ is None:
            return self.opinion.predict(X)
        said = np.empty((X.shape[0], self._n_classes))
        for block in row_blocks(X.shape[0], _rows_at_once(X)):
            said[block] = self.opinion.predict(X[block])
        return said

    def _said_of(self, rows: np.ndarray) -> np.ndarray:
        """Return what was said of rows of the sample, and what is predicted of others."""
        assert self.rows_ is not None
        places = np.searchsorted(self.rows_, rows)
        inside = self.rows_[np.minimum(places, len(self.rows_) - 1)] == rows
        said = np.empty((len(rows), self._n_classes))
        said[inside] = self.opinion.probabilities_[places[inside]]
        outside = np.flatnonzero(~inside)
        for block in row_blocks(len(outside), _rows_at_once(self._all_rows)):
            said[outside[block]] = self.opinion.predict(take_rows(self._all_rows, rows[outside[block]]))
        return said


def inner_opinion(opinion: Opinion) -> Any:
    """Return the opinion that learns from a sample, or any other as it is."""
    return opinion.opinion if isinstance(opinion, Sampled) else opinion


def learned_rows(opinion: Opinion) -> np.ndarray | None:
    """Return the numbers of the rows that a fitted opinion learned from; None means all."""
    return opinion.rows_ if isinstance(opinion, Sampled) else None


def _row_width(X: Any) -> float:
    """Return how many values a row holds, of a sparse matrix those that are stored."""
    return X.nnz / max(X.shape[0], 1) if sparse.issparse(X) else X.shape[1]


def _rows_at_once(X: Any) -> int:
    return min(MAX_ROWS_AT_ONCE, max(MIN_ROWS_AT_ONCE, int(CELLS_AT_ONCE // max(_row_width(X), 1))))
