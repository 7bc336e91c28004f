"""Why a row was classified as it was: its neighbors, their votes, and the threshold, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Explanation:
    """The reasons for one prediction; printing it gives a sentence.

    Parameters
    ----------
    prediction : object
        The predicted clean label.
    probabilities : dict
        Clean probability of each class.
    votes : dict
        Votes of the neighbors for each class, as observed.
    neighbors : ndarray
        Row numbers of the neighbors in the training data, nearest first.
    neighbor_labels : ndarray
        Their observed labels.
    distances : ndarray
        Their distances.
    flip_rates : dict
        The rate at which the labels of each class are flipped.
    threshold : float or None
        For two classes: from this share of votes for the second class on, it is predicted.
    """

    prediction: object
    probabilities: dict
    votes: dict
    neighbors: np.ndarray
    neighbor_labels: np.ndarray
    distances: np.ndarray
    flip_rates: dict
    threshold: float | None

    def __str__(self):
        total = sum(self.votes.values())
        counts = ", ".join(f"{vote:.4g} labeled {name}" for name, vote in self.votes.items() if vote)
        rates = ", ".join(f"{name} {rate:.3g}" for name, rate in self.flip_rates.items())
        words = [f"{self.prediction} (probability {self.probabilities[self.prediction]:.2f}): "]
        words.append(f"of {total:.4g} votes of {len(self.neighbors)} neighbors, {counts or 'none'}")
        if len(self.distances):
            words.append(f", at distances {self.distances[0]:.3g} to {self.distances[-1]:.3g}")
        words.append(f"; labels are flipped at the rates {rates}")
        if self.threshold is not None:
            second = list(self.votes)[1]
            share = self.votes[second] / total if total else 0.5
            words.append(f", so {second} is predicted from a share of {self.threshold:.3f} on; it has {share:.3f}")
        return "".join(words) + "."
