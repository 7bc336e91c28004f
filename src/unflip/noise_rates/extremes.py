"""The paper's noise rates: the purest neighborhoods of a class show how often its labels are flipped."""

from __future__ import annotations

import numpy as np

from unflip.votes import prefix_votes, vote_shares, with_own_label


class Extremes:
    """Noise rates from the extreme shares of labels among each row and its k' neighbors (RkNN, step 2).

    Where a class is pure, only flipped labels differ, so for two classes the smallest share of positives estimates
    tau_minus and one minus the largest tau_plus (the paper's equation prints the two exchanged). With more classes,
    row i of T is the shares among the rows whose share of class i is largest, if it is the most common there.
    Extremes of many noisy shares lie too far out: both rates come out too low, by .1 to .2 for small k'; their
    difference, which moves the threshold, nearly does not.

    Parameters
    ----------
    n_neighbors : int, default=50
        k': how many neighbors make a neighborhood, besides the row itself.
    """

    def __init__(self, n_neighbors=50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph, labels):
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        return self.estimate_each(graph, labels, [self.n_neighbors], int(labels.max()) + 1)[0]

    @staticmethod
    def estimate_each(graph, labels, counts, n_classes):
        """Return the estimates for several k' at once, at the cost of one."""
        votes = with_own_label(prefix_votes(graph, labels, n_classes, counts), labels, graph.own_mass)
        return [_from_purest(votes[:, position], graph.own_mass) for position in range(len(counts))]


def _from_purest(votes, own_mass=None):
    n_classes = votes.shape[1]
    matrix = np.eye(n_classes)
    shares = vote_shares(votes)
    if own_mass is not None:
        votes = votes * own_mass[:, None]
    for c in range(n_classes):
        largest = shares[:, c].max(initial=0)
        purest = votes[shares[:, c] == largest].sum(axis=0)  # sums of whole numbers: exact
        # A class that nobody has, or (of more than two) that is in the majority nowhere, shows nothing of its flips.
        if largest > 0 and (n_classes == 2 or purest.argmax() == c):
            matrix[c] = purest / purest.sum()
    return matrix
