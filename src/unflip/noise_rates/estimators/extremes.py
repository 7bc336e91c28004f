"""The paper's noise rates: the purest neighborhoods of a class show how often its labels are flipped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.voting.votes import prefix_votes, vote_totals, with_own_label


class Extremes(BaseEstimator):
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

    def __init__(self, n_neighbors: int = 50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        return self.estimate_each(graph, labels, [self.n_neighbors], int(labels.max()) + 1)[0]

    @staticmethod
    def estimate_each(
        graph: NeighborGraph, labels: np.ndarray, k_values: Sequence[int], n_classes: int
    ) -> list[np.ndarray]:
        """Return the estimates for several k' at once, at the cost of one."""
        return Extremes.from_votes(prefix_votes(graph, labels, n_classes, k_values), labels, graph.own_mass)

    @staticmethod
    def from_votes(votes: np.ndarray, labels: np.ndarray, own_mass: np.ndarray | None = None) -> list[np.ndarray]:
        """Return one estimate for each k' from votes, (n_rows, n_k_values, n_classes), and the rows' own labels."""
        votes = with_own_label(votes, labels, own_mass)
        n_k_values, n_classes = votes.shape[1:]
        totals = vote_totals(votes)
        matrices = np.tile(np.eye(n_classes), (n_k_values, 1, 1))
        for c in range(n_classes):
            shares = np.divide(votes[:, :, c], totals, out=np.zeros(totals.shape), where=totals > 0)
            largest = shares.max(axis=0)
            purest = shares == largest
            for position in np.flatnonzero(largest > 0):  # a class that nobody has shows nothing of its flips
                chosen = purest[:, position]
                rows = votes[chosen, position] if own_mass is None else votes[chosen, position] * own_mass[chosen, None]
                seen = rows.sum(axis=0)  # of whole numbers: exact
                # Nor does, of more than two, a class that is in the majority nowhere.
                if n_classes == 2 or seen.argmax() == c:
                    matrices[position, c] = seen / seen.sum()
        return list(matrices)
