"""The rows a classifier was fitted to: their index, labels and weights; more of them can be added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight

from unflip.neighbors import NeighborIndex, WeightedIndex, fit_index
from unflip.neighbors.index import UnfittedIndex, UnfittedLabeledIndex, extend_index

MIN_ROWS = 2  # weights that sum to less are shares of the rows


def checked_weights(sample_weight: ArrayLike, X: Any) -> np.ndarray:
    """Return sample weights as numbers of copies.

    Weights that sum to less than two rows cannot be copies: they are shares of all rows, as boosting gives them.
    """
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    total = weights.sum()
    return weights * (len(weights) / total) if len(weights) > 1 and total < MIN_ROWS else weights


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The fitted rows.

    Parameters
    ----------
    bare_index : NeighborIndex
        Of the rows with a positive weight.
    y : ndarray of shape (n_samples,)
        Labels of all rows.
    kept : ndarray of int or slice
        The rows that are in the index.
    weights : ndarray or None
        Weights of those; None if all are 1.
    """

    bare_index: NeighborIndex
    y: np.ndarray
    kept: Any
    weights: np.ndarray | None

    @classmethod
    def of(
        cls,
        index: UnfittedIndex | UnfittedLabeledIndex,
        X: Any,
        y: np.ndarray,
        weights: np.ndarray | None,
        *,
        pairwise: bool = False,
    ) -> TrainingRows:
        """Index the rows; those of weight zero are left out."""
        kept: Any = slice(None)
        if weights is not None:
            kept = np.flatnonzero(weights > 0)
            weights = weights[kept]
            X = X[kept][:, kept] if pairwise else X[kept]
        _, labels = np.unique(y[kept], return_inverse=True)
        return cls(fit_index(index, X, labels, weights), y, kept, weights)

    def extended(self, X: Any, y: np.ndarray, weights: np.ndarray | None) -> TrainingRows:
        """Return these rows and more of them."""
        all_y = np.concatenate([self.y, y])
        if self.weights is None and weights is None:
            return self._with(X, all_y, slice(None), None)
        weights = np.ones(len(y)) if weights is None else weights
        new = np.flatnonzero(weights > 0)
        old = np.arange(len(self.y)) if self.weights is None else self.kept
        old_weights = np.ones(len(self.y)) if self.weights is None else self.weights
        kept = np.concatenate([old, len(self.y) + new])
        return self._with(X[new], all_y, kept, np.concatenate([old_weights, weights[new]]))

    def _with(self, X: Any, y: np.ndarray, kept: Any, weights: np.ndarray | None) -> TrainingRows:
        _, labels = np.unique(y[kept], return_inverse=True)
        return TrainingRows(extend_index(self.bare_index, X, labels, weights), y, kept, weights)

    @property
    def n_samples(self) -> int:
        """Number of rows given, those of weight zero too."""
        return len(self.y)

    @property
    def index(self) -> NeighborIndex:
        """The index in which a row counts for its weight."""
        return self.bare_index if self.weights is None else WeightedIndex(self.bare_index, self.weights)

    def numbers(self, indices: np.ndarray) -> np.ndarray:
        """Return row numbers in the data as given, where rows of weight zero count."""
        return indices.astype(np.intp) if self.weights is None else self.kept[indices]
