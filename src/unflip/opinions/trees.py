"""The opinion of extremely random trees: each row is judged by the trees that did not see it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import ExtraTreesClassifier

from unflip.neighbors.spaces.columns import ColumnRanks
from unflip.opinions.contract import bounded_probabilities
from unflip.opinions.order import content_order, put_back

SHARE_OUT_OF_BAG = 1 / np.e  # of the trees, about, did not see a row


class TreesOpinion(BaseEstimator):
    """Extremely random trees on bootstrap samples, judged out of bag.

    Parameters
    ----------
    n_trees : int, default=200
        Number of trees.
    min_leaf : int, default=1
        How many rows a leaf has at least.
    seed : int, default=0
        Of the trees.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_rows, n_classes)
        Votes of the trees that did not see the row, with one more vote spread over all classes.
    """

    name = "trees"

    def __init__(self, n_trees: int = 200, *, min_leaf: int = 1, seed: int = 0, n_jobs: int | None = None):
        self.n_trees = n_trees
        self.min_leaf = min_leaf
        self.seed = seed
        self.n_jobs = n_jobs

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> TreesOpinion:
        """Learn from rows and class numbers."""
        self._scale, self._n_classes = ColumnRanks.of(X), n_classes
        self.forest_ = ExtraTreesClassifier(
            self.n_trees,
            min_samples_leaf=self.min_leaf,
            bootstrap=True,
            oob_score=True,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        )
        order = content_order(X, labels)
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.filterwarnings("ignore", message="Some inputs do not have OOB scores")
            self.forest_.fit(self._scale(X)[order], labels[order])
        out_of_bag = put_back(self.forest_.oob_decision_function_, order)
        votes = self._of_all_classes(np.nan_to_num(out_of_bag))
        self.probabilities_ = _smoothed(votes, SHARE_OUT_OF_BAG * self.n_trees)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        return _smoothed(self._of_all_classes(self.forest_.predict_proba(self._scale(X))), self.n_trees)

    def _of_all_classes(self, votes: np.ndarray) -> np.ndarray:
        full = np.zeros((len(votes), self._n_classes))
        full[:, self.forest_.classes_] = votes
        return full


def _smoothed(shares: np.ndarray, n_votes: float) -> np.ndarray:
    """Return shares of votes with one more vote spread over all classes."""
    return bounded_probabilities((shares * n_votes + 1 / shares.shape[1]) / (n_votes + 1))
