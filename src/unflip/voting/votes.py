"""Votes of the nearest neighbors, for every k at once: pure arithmetic on a graph and integer labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from unflip.foundation.threads import row_blocks
from unflip.neighbors.graph import NOBODY, NeighborGraph

ROWS_AT_ONCE = 2**16
MANY_CLASSES = 20  # from here on, counting labels is faster than looking for one class after the other


def prefix_votes(
    graph: NeighborGraph,
    labels: np.ndarray,
    n_classes: int,
    k_values: Sequence[int] | np.ndarray,
    *,
    by_distance: bool = False,
) -> np.ndarray:
    """Count the labels of each row's k nearest neighbors, for several k.

    Parameters
    ----------
    graph : NeighborGraph
        Of n_rows rows.
    labels : ndarray of int
        Class number of every row that can be a neighbor.
    n_classes : int
        Number of classes.
    k_values : sequence of int
        The values of k.
    by_distance : bool, default=False
        Whether a neighbor's vote weighs 1 / distance instead of 1.

    Returns
    -------
    votes : ndarray of shape (n_rows, len(k_values), n_classes)
        Whole numbers (int32) unless rows or votes are weighted. A row with fewer than k neighbors has all their votes.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors import ExactIndex
    >>> graph = ExactIndex().fit(np.array([[0.0], [1.0], [2.0], [4.0]])).graph(3)
    >>> prefix_votes(graph, np.array([0, 1, 1, 0]), 2, [1, 3])[0]
    array([[0, 1],
           [1, 2]], dtype=int32)
    """
    k_values, n_rows = np.asarray(k_values), len(graph)
    if n_rows > ROWS_AT_ONCE:
        parts = (graph.part(rows) for rows in row_blocks(n_rows, ROWS_AT_ONCE))
        return np.concatenate(
            [prefix_votes(part, labels, n_classes, k_values, by_distance=by_distance) for part in parts]
        )
    if graph.mass is None:
        graph = graph.first(k_values.max())
    neighbor_labels = np.append(labels, NOBODY)[graph.indices]
    if graph.mass is not None or by_distance:
        return _weighted_votes(graph, neighbor_labels, n_classes, k_values, by_distance)
    votes = np.zeros((len(graph), len(k_values), n_classes), np.int32)
    if n_classes > MANY_CLASSES and graph.n_neighbors:
        for position, k in enumerate(k_values):
            votes[:, position] = _counted(neighbor_labels[:, :k], n_classes)
    elif graph.n_neighbors:
        last = np.minimum(k_values, graph.n_neighbors) - 1
        for c in range(n_classes):
            votes[:, :, c] = np.cumsum(neighbor_labels == c, axis=1, dtype=np.int32)[:, last]
    return votes


def _counted(neighbor_labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Count the labels of each row's neighbors, those that are NOBODY's left out."""
    rows, _ = (exists := neighbor_labels != NOBODY).nonzero()
    cells = rows * n_classes + neighbor_labels[exists]
    return np.bincount(cells, minlength=len(neighbor_labels) * n_classes).reshape(len(neighbor_labels), n_classes)


def own_label_votes(graph: NeighborGraph, labels: np.ndarray, k_values: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return how many of each row's k nearest share its own label, and how many there are, for several k.

    The graph's rows are the labeled ones, or the first of them. Both arrays have shape (n_rows, len(k_values)).
    """
    blocks = row_blocks(len(graph), ROWS_AT_ONCE) or [slice(0, 0)]
    found = [_own_label_votes(graph.part(rows), labels, labels[rows], k_values) for rows in blocks]
    agree, exist = zip(*found, strict=True)
    return np.concatenate(agree), np.concatenate(exist)


def _own_label_votes(
    graph: NeighborGraph, labels: np.ndarray, own: np.ndarray, k_values: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    agrees = np.append(labels, NOBODY)[graph.indices] == own[:, None]
    exists = graph.indices != NOBODY
    if graph.mass is None:
        last = np.minimum(k_values, graph.n_neighbors) - 1
        return (
            np.cumsum(agrees, axis=1, dtype=np.int32)[:, last],
            np.cumsum(exists, axis=1, dtype=np.int32)[:, last],
        )
    parts = [_share_of_mass(graph.mass, k) for k in k_values]
    return (
        np.column_stack([(part * agrees).sum(axis=1) for part in parts]),
        np.column_stack([(part * exists).sum(axis=1) for part in parts]),
    )


def with_own_label(votes: np.ndarray, labels: np.ndarray, own_mass: np.ndarray | None = None) -> np.ndarray:
    """Return the votes with each row's own label added: the paper's k' + 1 labels. The rows are the first labeled."""
    votes = votes.copy() if own_mass is None else votes.astype(float)
    # The other copies of a row that counts for several are among its neighbors already.
    votes[np.arange(len(votes)), :, labels[: len(votes)]] += 1 if own_mass is None else np.minimum(own_mass, 1)[:, None]
    return votes


def vote_totals(votes: np.ndarray) -> np.ndarray:
    """Return the sum over classes, the last axis: one class after the other, since numpy is slow along short axes."""
    return reduce(np.add, np.moveaxis(votes, -1, 0))


def vote_shares(votes: np.ndarray) -> np.ndarray:
    """Turn votes into shares that sum to 1; where nobody voted, all classes are equally likely."""
    totals = vote_totals(votes)[..., None]
    n_classes = votes.shape[-1]
    return np.divide(votes, totals, out=np.full(votes.shape, 1 / n_classes), where=totals > 0)


def _weighted_votes(
    graph: NeighborGraph, neighbor_labels: np.ndarray, n_classes: int, k_values: np.ndarray, by_distance: bool
) -> np.ndarray:
    mass = (graph.indices != NOBODY).astype(float) if graph.mass is None else graph.mass
    value = inverse_distances(graph.distances) if by_distance else 1.0
    votes = np.zeros((len(graph), len(k_values), n_classes))
    for position, k in enumerate(k_values):
        part = _share_of_mass(mass, k) * value
        for c in range(n_classes):
            votes[:, position, c] = np.where(neighbor_labels == c, part, 0).sum(axis=1)
    return votes


def _share_of_mass(mass: np.ndarray, k: int) -> np.ndarray:
    """Return how much of each neighbor belongs to the first k: all of it, what is missing to k, or nothing."""
    before = np.cumsum(mass, axis=1) - mass
    return np.clip(k - before, 0, mass)


def inverse_distances(distances: np.ndarray) -> np.ndarray:
    """Return 1 / distance; where a row has neighbors at distance zero, only those count."""
    zero = distances == 0
    with np.errstate(divide="ignore"):
        inverse = 1 / distances
    return np.where(zero.any(axis=1, keepdims=True), zero.astype(float), inverse)
