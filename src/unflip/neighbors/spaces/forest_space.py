"""ForestSpace: a space in which rows are near that trees, grown without either row's label, send to the same leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeRegressor

from unflip.foundation.checks import check_count, is_integer
from unflip.foundation.errors import refusal
from unflip.foundation.row_hashes import row_hashes
from unflip.foundation.threads import run_blocks
from unflip.neighbors.spaces.columns import ColumnRanks
from unflip.neighbors.spaces.label_trees import Sample, grow_trees, make_targets
from unflip.neighbors.spaces.parts import Parts, make_parts, stirred

NO_LEAF = -1


class ForestSpace(BaseEstimator):
    """A space that the labels choose, cross-fitted: nearness is the share of trees in which two rows share a leaf.

    Rows are shared out to parts, and trees are grown on each part alone. Two rows are compared by the trees of all
    parts that hold neither. Their labels took no part in that, so flipped labels among a row's neighbors are as
    independent as they are among neighbors in the columns themselves, and noise rates can be estimated from them.
    Trees grown on the same rows would put equal labels together, flipped or not, and hide the noise.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of each part.
    min_leaf : int, default=5
        How many rows of the part a leaf has at least.
    parts : int, default=3
        With two, neighbors come from a row's own half; from three on, from all rows.
    max_features : "sqrt", "log2", int, float or None, default="sqrt"
        How many columns each split looks at, as in scikit-learn's forests.
    random_state : int or None, default=None
        Seed of the parts and the trees; None takes that of the estimator the space is used in.

    See Also
    --------
    unflip.RobustKNeighborsClassifier : Takes a space as its ``metric``; "learned" means ``ForestSpace()``.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from unflip import RobustKNeighborsClassifier
    >>> from unflip.neighbors import ForestSpace
    >>> X, y = load_wine(return_X_y=True)
    >>> model = RobustKNeighborsClassifier(metric=ForestSpace(n_trees=50)).fit(X[::2], y[::2])
    >>> raw = RobustKNeighborsClassifier().fit(X[::2], y[::2])
    >>> print(f"{model.score(X[1::2], y[1::2]):.2f}, in the columns as they are {raw.score(X[1::2], y[1::2]):.2f}")
    0.96, in the columns as they are 0.75
    """

    def __init__(
        self,
        n_trees: int = 100,
        *,
        min_leaf: int = 5,
        parts: int = 3,
        max_features: Any = "sqrt",
        random_state: int | None = None,
    ):
        self.n_trees = n_trees
        self.min_leaf = min_leaf
        self.parts = parts
        self.max_features = max_features
        self.random_state = random_state

    def check(self, owner: object) -> None:
        """Refuse parameters that cannot be used, in the name of the estimator that has this space."""
        for name in ("n_trees", "min_leaf"):
            check_count(owner, f"metric.{name}", getattr(self, name))
        if not is_integer(self.parts) or self.parts < 2:
            raise refusal(owner, "metric.parts", "an integer >= 2", self.parts)
        if not _is_max_features(self.max_features):
            accepted = '"sqrt", "log2", None, an integer >= 1 or a share above 0 up to 1'
            raise refusal(owner, "metric.max_features", accepted, self.max_features)
        if self.random_state is not None and not is_integer(self.random_state):
            raise refusal(owner, "metric.random_state", "None or an integer", self.random_state)

    def grow(
        self, X: Any, labels: np.ndarray, weights: np.ndarray | None = None, *, seed: int = 0, n_jobs: int | None = None
    ) -> GrownSpace:
        """Grow the trees of all parts.

        Parameters
        ----------
        X : ndarray or CSR matrix of shape (n_rows, n_columns)
            Finite numbers.
        labels : ndarray of int of shape (n_rows,)
            Class numbers.
        weights : ndarray of shape (n_rows,) or None, default=None
            For how many rows each counts.
        seed : int, default=0
            Used if the space has none of its own.
        n_jobs : int or None, default=None
            Threads; the result does not depend on it.

        Returns
        -------
        space : GrownSpace
            The trees, and the leaves of all rows.
        """
        seed = seed if self.random_state is None else int(self.random_state)
        parts = make_parts(X, labels, weights, self.parts, seed)
        scale = ColumnRanks.of(X)
        rows, n_classes = scale(X), int(labels.max()) + 1
        mass = np.ones(len(labels)) if weights is None else weights
        # Copies lie together, and the order does not depend on positions: nor do the trees.
        order = np.lexsort((labels, stirred(row_hashes(X), seed)))
        trees = []
        for part in range(parts.n_parts):
            own = order[parts.part[order] == part]
            group = np.unique(parts.group[own], return_inverse=True)[1]
            random = np.random.RandomState((seed + 7919 * part) % 2**32)
            sample = Sample(rows[own], make_targets(rows[own], labels[own], n_classes, random), group, mass[own])
            part_seed = int(random.randint(2**31 - 1))
            trees.append(grow_trees(sample, self.n_trees, self.min_leaf, self.max_features, part_seed, n_jobs))
        return GrownSpace.of(scale, trees, rows, parts, n_jobs)


@dataclass(frozen=True, eq=False)
class GrownSpace:
    """The trees of all parts, and in which leaf of each tree a row lies.

    Parameters
    ----------
    scale : ColumnRanks
        What rows go through before trees see them.
    trees : list of list of DecisionTreeRegressor
        Of each part.
    parts : Parts
        The part of each fitted row.
    leaves : ndarray of int32 of shape (n_rows, n_trees)
        Leaves of all trees are numbered through; -1 where the row took part in growing the tree.
    n_leaves : int
        Numbers of leaves are below this.
    """

    scale: ColumnRanks
    trees: list[list[DecisionTreeRegressor]]
    parts: Parts
    leaves: np.ndarray
    n_leaves: int

    @classmethod
    def of(
        cls, scale: ColumnRanks, trees: list[list[DecisionTreeRegressor]], rows: Any, parts: Parts, n_jobs: int | None
    ) -> GrownSpace:
        """Find the leaves of the rows."""
        leaves = _leaves(trees, rows, n_jobs)
        for number, grown in enumerate(trees):
            place = slice(number * len(grown), (number + 1) * len(grown))
            leaves[parts.part == number, place] = NO_LEAF
        return cls(scale, trees, parts, leaves, _first_leaves(trees)[-1])

    def leaves_of(self, X: Any, n_jobs: int | None = None) -> np.ndarray:
        """Return the leaves of new rows, (n_rows, n_trees)."""
        return _leaves(self.trees, self.scale(X), n_jobs)

    @property
    def importances(self) -> np.ndarray:
        """How much each column does to tell labels apart, summing to 1 (all zero if no tree splits)."""
        total = np.sum([tree.feature_importances_ for grown in self.trees for tree in grown], axis=0)
        return total / total.sum() if total.sum() > 0 else total


def _is_max_features(value: Any) -> bool:
    if is_integer(value):
        return value >= 1
    if isinstance(value, float):
        return 0 < value <= 1
    return value is None or (isinstance(value, str) and value in ("sqrt", "log2"))


def _first_leaves(trees: list[list[DecisionTreeRegressor]]) -> np.ndarray:
    """Return the number of each tree's first leaf, and of the one after the last."""
    return np.concatenate([[0], np.cumsum([tree.tree_.node_count for grown in trees for tree in grown])])


def _leaves(trees: list[list[DecisionTreeRegressor]], rows: Any, n_jobs: int | None) -> np.ndarray:
    first = _first_leaves(trees)
    flat = [tree for grown in trees for tree in grown]
    leaves = np.empty((rows.shape[0], len(flat)), dtype=np.int32)

    def find(number: int) -> None:
        leaves[:, number] = flat[number].tree_.apply(rows) + first[number]

    run_blocks(find, range(len(flat)), n_jobs)
    return leaves
