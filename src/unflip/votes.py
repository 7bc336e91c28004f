"""Votes of the nearest neighbors, for every k at once: pure arithmetic on a graph and integer labels."""

from __future__ import annotations

from functools import reduce

import numpy as np

from unflip.neighbors.graph import NOBODY


def prefix_votes(graph, labels, n_classes, counts, *, by_distance=False):
    """Count the labels of each row's k nearest neighbors, for several k.

    Parameters
    ----------
    graph : NeighborGraph
        Of n_rows rows.
    labels : ndarray of int
        Class number of every row that can be a neighbor.
    n_classes : int
        Number of classes.
    counts : sequence of int
        The values of k.
    by_distance : bool, default=False
        Whether a neighbor's vote weighs 1 / distance instead of 1.

    Returns
    -------
    votes : ndarray of shape (n_rows, len(counts), n_classes)
        Whole numbers (int32) unless rows or votes are weighted. Where a row has fewer than k neighbors, all have voted.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors import ExactIndex
    >>> graph = ExactIndex().fit(np.array([[0.0], [1.0], [2.0], [4.0]])).graph(3)
    >>> prefix_votes(graph, np.array([0, 1, 1, 0]), 2, [1, 3])[0]
    array([[0, 1],
           [1, 2]], dtype=int32)
    """
    counts = np.asarray(counts)
    if graph.mass is None:
        graph = graph.first(counts.max())
    neighbor_labels = np.append(labels, NOBODY)[graph.indices]
    if graph.mass is not None or by_distance:
        return _weighted_votes(graph, neighbor_labels, n_classes, counts, by_distance)
    votes = np.zeros((len(graph), len(counts), n_classes), np.int32)
    if graph.depth:
        last = np.minimum(counts, graph.depth) - 1
        for c in range(n_classes):
            votes[:, :, c] = np.cumsum(neighbor_labels == c, axis=1, dtype=np.int32)[:, last]
    return votes


def own_label_votes(graph, labels, counts):
    """Return how many of each row's k nearest share its own label, and how many there are, for several k.

    The graph's rows are the labeled ones. Both have shape (n_rows, len(counts)).
    """
    agrees = np.append(labels, NOBODY)[graph.indices] == np.asarray(labels)[:, None]
    exists = graph.indices != NOBODY
    if graph.mass is None:
        last = np.minimum(counts, graph.depth) - 1
        return (np.cumsum(which, axis=1, dtype=np.int32)[:, last] for which in (agrees, exists))
    parts = [_share_of_mass(graph.mass, k) for k in counts]
    return (np.column_stack([(part * which).sum(axis=1) for part in parts]) for which in (agrees, exists))


def with_own_label(votes, labels, own_mass=None):
    """Return the votes with each row's own label added: the paper's k' + 1 labels."""
    votes = votes.copy() if own_mass is None else votes.astype(float)
    # Of a row that counts for several, the others are among its neighbors already.
    votes[np.arange(len(votes)), :, labels] += 1 if own_mass is None else np.minimum(own_mass, 1)[:, None]
    return votes


def vote_totals(votes):
    """Return the sum over classes, the last axis: one class after the other, since numpy is slow along short axes."""
    return reduce(np.add, np.moveaxis(votes, -1, 0))


def vote_shares(votes):
    """Turn votes into shares that sum to 1; where nobody voted, all classes are equally likely."""
    totals = vote_totals(votes)[..., None]
    n_classes = votes.shape[-1]
    return np.divide(votes, totals, out=np.full(votes.shape, 1 / n_classes), where=totals > 0)


def _weighted_votes(graph, neighbor_labels, n_classes, counts, by_distance):
    mass = (graph.indices != NOBODY).astype(float) if graph.mass is None else graph.mass
    value = inverse_distances(graph.distances) if by_distance else 1.0
    votes = np.zeros((len(graph), len(counts), n_classes))
    for position, k in enumerate(counts):
        part = _share_of_mass(mass, k) * value
        for c in range(n_classes):
            votes[:, position, c] = np.where(neighbor_labels == c, part, 0).sum(axis=1)
    return votes


def _share_of_mass(mass, k):
    """Return how much of each neighbor belongs to the first k: all of it, the rest that is missing to k, or nothing."""
    before = np.cumsum(mass, axis=1) - mass
    return np.clip(k - before, 0, mass)


def inverse_distances(distances):
    """Return 1 / distance; where a row has neighbors at distance zero, only those count."""
    zero = distances == 0
    with np.errstate(divide="ignore"):
        inverse = 1 / distances
    return np.where(zero.any(axis=1, keepdims=True), zero.astype(float), inverse)
