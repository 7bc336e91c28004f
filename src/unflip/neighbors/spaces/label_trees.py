"""Trees that split rows by their labels first and, where those agree, by what else the columns show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.tree import DecisionTreeRegressor

from unflip.foundation.threads import run_blocks

# Labels of many classes are compared by random signs, this many, which keep their distances apart.
MAX_LABEL_TARGETS = 32
COLUMN_TARGETS = 4
# Small against any difference of labels; a multiple of a power of two, so that sums are exact in any order.
COLUMN_SCALE = 2.0**-10
STEPS = 2.0**6


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows that trees are grown on, in an order that their positions in the data do not decide.

    Parameters
    ----------
    X : ndarray or CSR matrix of float32
        Rows.
    targets : ndarray of shape (n_rows, n_targets)
        What splits should make alike, see `make_targets`.
    group : ndarray of int of shape (n_rows,)
        The same for copies.
    weights : ndarray of shape (n_rows,)
        For how many rows each counts.
    """

    X: Any
    targets: np.ndarray
    group: np.ndarray
    weights: np.ndarray


def make_targets(X: Any, labels: np.ndarray, n_classes: int, random: np.random.RandomState) -> np.ndarray:
    """Return one column per class (random signs if there are many), and a few tiny projections of the columns.

    Splits then lower the Gini impurity of the labels, as a classification tree's do. Where all labels agree, a
    classification tree would stop, and leave thousands of rows in one leaf as equals; the projections keep splitting.
    """
    signs = random.choice([-1.0, 1.0], size=(X.shape[1], COLUMN_TARGETS))
    if sparse.issparse(X):
        projected = X @ signs
    else:
        projected = np.zeros((X.shape[0], COLUMN_TARGETS))
        for column, sign in zip(X.T, signs, strict=True):  # one after the other: the same bits for any number of rows
            projected += column[:, None].astype(np.float64) * sign
    steps = np.round(projected * (STEPS / np.sqrt(X.shape[1])))
    if n_classes <= MAX_LABEL_TARGETS:
        classes = np.eye(n_classes)
    else:
        classes = random.choice([-1.0, 1.0], size=(n_classes, MAX_LABEL_TARGETS))
    return np.column_stack([classes[labels], steps * (COLUMN_SCALE / STEPS)])


def grow_trees(
    sample: Sample, n_trees: int, min_leaf: int, max_features: Any, seed: int, n_jobs: int | None
) -> list[DecisionTreeRegressor]:
    """Grow trees, each on a Poisson sample of the distinct rows: copies are drawn together."""
    random = np.random.RandomState(seed)
    seeds = random.randint(0, 2**31 - 1, size=n_trees)
    n_groups = int(sample.group.max()) + 1 if len(sample.group) else 0

    def grow(tree_seed: int) -> DecisionTreeRegressor:
        drawn = np.random.RandomState(tree_seed).poisson(1.0, n_groups)[sample.group] * sample.weights
        if not drawn.any():
            drawn = sample.weights
        tree = DecisionTreeRegressor(
            max_features=max_features,
            # Half a row less, so that rounding cannot ask for one more.
            min_weight_fraction_leaf=min(0.5, max(0.0, (min_leaf - 0.5) / drawn.sum())),
            random_state=tree_seed,
        )
        return tree.fit(sample.X, sample.targets, sample_weight=drawn)

    return run_blocks(grow, seeds.tolist(), n_jobs)
