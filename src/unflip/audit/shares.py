"""What a row's neighbors say of its label: shares of each class, the nearest weighing most, the row itself left out."""

from __future__ import annotations

import numpy as np

from unflip.neighbors.graph import NOBODY

# How many neighbors to listen to, compared by the likelihood of the observed labels.
WIDTHS = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 200)
ROWS_TO_CHOOSE_BY = 2000
ROWS_AT_ONCE = 16384
LEAST_SHARE = 1e-6  # of a class that pred_probs hold impossible


def falling_weights(width):
    """Return the weights of neighbors by rank: the nearest weighs 1, the last 1 / width.

    >>> falling_weights(4)
    array([1.  , 0.75, 0.5 , 0.25])
    """
    return 1 - np.arange(width) / width


def blocks(n_rows):
    """Yield slices that together are all rows."""
    for start in range(0, n_rows, ROWS_AT_ONCE):
        yield slice(start, start + ROWS_AT_ONCE)


def choose_width(graph, labels, n_classes, widths, rows):
    """Return the width under which the observed labels of some rows are likeliest, each judged by its neighbors alone.

    Parameters
    ----------
    graph : NeighborGraph
        The neighbors of those rows.
    labels : ndarray of int
        The class numbers of all rows.
    n_classes : int
        How many there are; all are taken to have a share of one more neighbor.
    widths : sequence of int
        Those deeper than the graph are left out; if all are, its depth is the answer.
    rows : ndarray of int
        The numbers of the graph's rows.
    """
    widths = [width for width in widths if width <= graph.depth] or [graph.depth]
    weights = np.zeros((graph.depth, len(widths)), np.float32)
    for column, width in enumerate(widths):
        weights[:width, column] = falling_weights(width)
    exists = graph.indices != NOBODY
    agrees = (labels[graph.indices] == labels[rows, None]) & exists
    shares = (agrees.astype(np.float32) @ weights + 1 / n_classes) / (exists.astype(np.float32) @ weights + 1)
    return widths[int(np.log(shares).sum(axis=0).argmax())]


def neighbor_shares(graph, labels, n_classes, width, block):
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
    weights = falling_weights(width)
    near = graph.indices[block, :width]
    seen = np.where(near != NOBODY, labels[near], NOBODY)
    shares = np.stack([(seen == c) @ weights for c in range(n_classes)], axis=1) + 1 / n_classes
    return shares / shares.sum(axis=1, keepdims=True)


def joined(shares, pred_probs, weight):
    """Return the average of two opinions, neither of them ever quite sure."""
    mixed = (1 - weight) * shares + weight * pred_probs
    mixed = np.maximum(mixed, LEAST_SHARE)
    return mixed / mixed.sum(axis=1, keepdims=True)


def choose_weight(own_shares, own_probs):
    """Return the weight of a model beside the neighbors, in tenths, under which the observed labels are likeliest.

    Both arguments are the probabilities of each row's observed label, by the neighbors and by the model.
    """
    weights = np.linspace(0, 1, 11)
    likelihood = [np.log(np.maximum((1 - w) * own_shares + w * own_probs, LEAST_SHARE)).mean() for w in weights]
    return float(weights[int(np.argmax(likelihood))])
