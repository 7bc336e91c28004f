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
        sentences = [
            f"Predicted {self.prediction} with probability {self.probabilities[self.prediction]:.2f}.",
            self._about_votes(),
            self._about_noise(),
        ]
        return " ".join(sentences)

    def _about_votes(self):
        if len(self.neighbors) == 0:
            return "It has no neighbors."
        total = sum(self.votes.values())
        near = (
            f"its {len(self.neighbors)} nearest rows (at distances {self.distances[0]:.3g} to {self.distances[-1]:.3g})"
        )
        counts = _listed([f"{vote:.4g} labeled {name}" for name, vote in self.votes.items() if vote])
        if total == len(self.neighbors):
            return f"Of {near}, {counts}."
        return f"Of the weight {total:.4g} of {near}, {counts}."

    def _about_noise(self):
        rates = _listed([f"{name} at a rate of {rate:.3g}" for name, rate in self.flip_rates.items()])
        if self.threshold is None:
            return f"Labels are taken to be flipped: {rates}."
        second, total = list(self.votes)[1], sum(self.votes.values())
        share = self.votes[second] / total if total else 0.5
        return (
            f"Labels are taken to be flipped: {rates}; "
            f"so {second} is predicted from a share of {self.threshold:.3f} on, and it has {share:.3f}."
        )


def _listed(parts):
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
