"""Why a row was classified as it was: its neighbors, their votes and the threshold, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unflip.foundation.text import joined


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
        The flip rate of each class.
    threshold : float or None
        For two classes: the share of votes from which the second class is predicted.
    """

    prediction: Any
    probabilities: dict[Any, float]
    votes: dict[Any, float]
    neighbors: np.ndarray
    neighbor_labels: np.ndarray
    distances: np.ndarray
    flip_rates: dict[Any, float]
    threshold: float | None

    def __str__(self) -> str:
        sentences = [
            f"Predicted {self.prediction} with probability {self.probabilities[self.prediction]:.2f}.",
            self._about_votes(),
            self._about_noise(),
        ]
        return " ".join(sentences)

    def _about_votes(self) -> str:
        if len(self.neighbors) == 0:
            return "It has no neighbors."
        total = sum(self.votes.values())
        near = (
            f"its {len(self.neighbors)} nearest rows (at distances {self.distances[0]:.3g} to {self.distances[-1]:.3g})"
        )
        counts = joined([f"{vote:.4g} labeled {name}" for name, vote in self.votes.items() if vote])
        if total == len(self.neighbors):
            return f"Of {near}, {counts}."
        return f"Of the weight {total:.4g} of {near}, {counts}."

    def _about_noise(self) -> str:
        rates = joined([f"{rate:.3g} for {name}" for name, rate in self.flip_rates.items()])
        if self.threshold is None:
            return f"Assumed flip rates: {rates}."
        second, total = list(self.votes)[1], sum(self.votes.values())
        share = self.votes[second] / total if total else 0.5
        return (
            f"Assumed flip rates: {rates}; so {second} is predicted from a share of {self.threshold:.3f}, "
            f"and its share here is {share:.3f}."
        )
