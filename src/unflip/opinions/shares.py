"""P(observed label | x) from a row's neighbors: shares of each class, the nearest weighing most, the row left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unflip.neighbors.graph import NOBODY, NeighborGraph

# How many neighbors to consult, compared by the likelihood of the observed labels.
K_VALUES = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 200)
ROWS_AT_ONCE = 16384


def rank_weights(n_neighbors: int) -> np.ndarray:
    """Return the weights of neighbors by rank: the nearest weighs 1, the last 1 / n_neighbors.

    >>> rank_weights(4)
    array([1.  , 0.75, 0.5 , 0.25])
    """
    return 1 - np.arange(n_neighbors) / n_neighbors


def blocks(n_rows: int) -> Iterator[slice]:
    """Yield slices that together are all rows."""
    for start in range(0, n_rows, ROWS_AT_ONCE):
        yield slice(start, start + ROWS_AT_ONCE)


def choose_n_neighbors(
    graph: NeighborGraph, labels: np.ndarray, n_classes: int, k_values: Sequence[int], rows: np.ndarray
) -> int:
    """Return the k under which the observed labels of some rows are likeliest, each judged by its neighbors alone.

    Parameters
    ----------
    graph : NeighborGraph
        The neighbors of those rows.
    labels : ndarray of int
        The class numbers of all rows.
    n_classes : int
        How many there are; one pseudo-count is spread over them.
    k_values : sequence of int
        Those above the graph's own number are left out; if all are, that number is the answer.
    rows : ndarray of int
        The numbers of the graph's rows.

    Returns
    -------
    n_neighbors : int
        The best k.
    """
    k_values = [k for k in k_values if k <= graph.n_neighbors] or [graph.n_neighbors]
    weights = np.zeros((graph.n_neighbors, len(k_values)), np.float32)
    for column, k in enumerate(k_values):
        weights[:k, column] = rank_weights(k)
    exists = graph.indices != NOBODY
    agrees = (labels[graph.indices] == labels[rows, None]) & exists
    shares = (agrees.astype(np.float32) @ weights + 1 / n_classes) / (exists.astype(np.float32) @ weights + 1)
    return k_values[int(np.log(shares).sum(axis=0, dtype=np.float64).argmax())]


def neighbor_shares(
    graph: NeighborGraph, labels: np.ndarray, n_classes: int, n_neighbors: int, block: slice = slice(None)
) -> np.ndarray:
    """Return the share of each class among the neighbors of a block of rows, (n_rows, n_classes), none of them zero.

    Examples
    --------
    >>> from unflip.neighbors import ExactIndex
    >>> graph = ExactIndex().fit(np.array([[0.0], [1.0], [3.0]])).graph(2)
    >>> neighbor_shares(graph, np.array([0, 1, 1]), 2, 2, slice(0, 3))  # weights 1 and 1/2
    array([[0.2, 0.8],
           [0.6, 0.4],
           [0.4, 0.6]])
    """
    weights = rank_weights(n_neighbors)
    near = graph.indices[block, :n_neighbors]
    weights = weights[: near.shape[1]]
    seen = np.where(near != NOBODY, labels[near], NOBODY)
    shares = np.stack([(seen == c) @ weights for c in range(n_classes)], axis=1) + 1 / n_classes
    return shares / shares.sum(axis=1, keepdims=True)


def counted_shares(
    graph: NeighborGraph, labels: np.ndarray, n_classes: int, n_neighbors: int, rows: slice | np.ndarray
) -> np.ndarray:
    """Return what ``neighbor_shares`` does for some rows, to rounding: with many classes, counting is faster.

    >>> graph = NeighborGraph(np.array([[1, 2], [0, 2], [1, 0]]), np.ones((3, 2)))
    >>> counted_shares(graph, np.array([0, 1, 1]), 2, 2, np.array([2]))  # weights 1 and 1/2
    array([[0.4, 0.6]])
    """
    near = graph.indices[rows, :n_neighbors]
    weights = np.where(near != NOBODY, rank_weights(n_neighbors)[: near.shape[1]], 0.0)
    cells = np.arange(len(near))[:, None] * n_classes + labels[near]
    shares = np.bincount(cells.ravel(), weights.ravel(), minlength=len(near) * n_classes) + 1 / n_classes
    return shares.reshape(len(near), n_classes) / (weights.sum(axis=1, keepdims=True) + 1)
