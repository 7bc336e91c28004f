"""Rows shared out to parts by what they hold: copies stay together, and the order of the rows does not matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unflip.foundation.row_hashes import row_hashes

STIR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Parts:
    """Which part each row is in, and which rows are copies.

    Parameters
    ----------
    part : ndarray of int of shape (n_rows,)
        From 0.
    group : ndarray of int of shape (n_rows,)
        The same for copies; groups are numbered in an order that the rows' positions do not decide.
    n_parts : int
        How many parts there are.
    """

    part: np.ndarray
    group: np.ndarray
    n_parts: int


def make_parts(X: Any, labels: np.ndarray, weights: np.ndarray | None, n_parts: int, seed: int) -> Parts:
    """Share rows out to parts of equal size, each with the same share of every label; no more parts than distinct rows.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [0.0], [2.0], [3.0], [4.0], [5.0]])
    >>> parts = make_parts(X, np.array([0, 0, 0, 1, 1, 1, 0]), None, 3, seed=0)
    >>> bool(parts.part[0] == parts.part[2]), np.bincount(parts.part[[0, 1, 6]]).tolist()
    (True, [1, 1, 1])
    """
    _, group = np.unique(stirred(row_hashes(X), seed), return_inverse=True)
    label_of_group = _common_label(group, labels, weights)
    n_parts = min(n_parts, len(label_of_group))
    order = np.lexsort((np.arange(len(label_of_group)), label_of_group))
    part_of_group = np.empty(len(order), dtype=np.int64)
    part_of_group[order] = np.arange(len(order)) % n_parts
    return Parts(part_of_group[group], group, n_parts)


def stirred(hashes: np.ndarray, seed: int) -> np.ndarray:
    """Return other hashes for another seed."""
    mixed = (hashes ^ np.uint64(seed % 2**64)) * STIR
    return mixed ^ (mixed >> np.uint64(32))


def _common_label(group: np.ndarray, labels: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Return the most common label of each group of copies, of equally common ones the first."""
    n_labels = int(labels.max()) + 1
    pairs, places = np.unique(group * np.int64(n_labels) + labels, return_inverse=True)
    mass = np.bincount(places, weights)
    order = np.lexsort((pairs % n_labels, -mass, pairs // n_labels))
    first = np.unique(pairs[order] // n_labels, return_index=True)[1]
    return pairs[order][first] % n_labels
