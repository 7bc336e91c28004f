"""Noise rates by confident learning (Northcutt, Jiang and Chuang, 2021) on the neighbors' votes."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from unflip.neighbors import NeighborGraph
from unflip.noise_rates.neighborhoods import neighborhoods


class Confident(BaseEstimator):
    """Counts of rows that confidently belong to a class other than their label's.

    A row belongs to the likeliest of the classes whose probability, by its neighbors and without its own label, is at
    least the mean of that probability among rows labeled so. Class overlap raises all rates, their differences hardly.

    Parameters
    ----------
    n_neighbors : int, default=50
        How many neighbors the probabilities come from.
    """

    def __init__(self, n_neighbors: int = 50):
        self.n_neighbors = n_neighbors

    def estimate(self, graph: NeighborGraph, labels: np.ndarray) -> np.ndarray:
        """Return T[true, observed] from a graph of the labeled rows and their class numbers."""
        around = neighborhoods(graph, labels, self.n_neighbors, own=False)
        probabilities = (around.counts + 1 / around.counts.shape[1]) / (around.totals[:, None] + 1)
        labels = labels[: len(graph)]
        joint = confident_joint(probabilities, labels, around.weights)
        return transition_matrix(joint, np.bincount(labels, around.weights, minlength=len(joint)))


def confident_joint(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return how many rows of each observed class (first axis) confidently belong to each class (second)."""
    n_classes = probabilities.shape[1]
    own = [labels == c for c in range(n_classes)]
    present = [mask.any() for mask in own]
    thresholds = np.array(
        [np.average(probabilities[mask, c], weights=weights[mask]) if some else np.inf
         for c, (mask, some) in enumerate(zip(own, present, strict=True))]
    )  # fmt: skip
    candidates = np.where(probabilities >= thresholds, probabilities, -1)
    belongs = candidates.argmax(axis=1)
    sure = candidates.max(axis=1) >= 0
    joint = np.zeros((n_classes, n_classes))
    np.add.at(joint, (labels[sure], belongs[sure]), weights[sure])
    return joint


def transition_matrix(joint: np.ndarray, label_counts: np.ndarray) -> np.ndarray:
    """Scale the joint counts to the labels' own and turn them into T[true, observed]."""
    rows = joint.sum(axis=1, keepdims=True)
    scaled = np.where(rows > 0, joint / np.where(rows > 0, rows, 1), np.eye(len(joint))) * label_counts[:, None]
    columns = scaled.sum(axis=0)
    matrix = np.where(columns > 0, scaled / np.where(columns > 0, columns, 1), np.eye(len(joint)))
    return matrix.T
