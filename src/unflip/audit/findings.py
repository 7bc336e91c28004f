"""What an audit found, as one frozen value that explanations, documents and files read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from unflip.audit.inputs import Inputs
from unflip.audit.probabilities import ranking
from unflip.neighbors import NeighborGraph
from unflip.neighbors.graph import NOBODY
from unflip.noise_rates import NoiseRates
from unflip.voting.votes import own_label_votes


@dataclass(frozen=True, eq=False)
class Findings:
    """Rates, probabilities, suggestions and neighbors.

    Parameters
    ----------
    inputs : Inputs
        The rows and labels.
    rates : NoiseRates
        How often labels of each class are wrong.
    p_wrong : ndarray of shape (n_rows,)
        How likely each label is wrong.
    alternative : ndarray of int of shape (n_rows,)
        The likeliest class other than the given one.
    flagged : ndarray of bool of shape (n_rows,)
        The labels to look at.
    graph : NeighborGraph or None
        The neighbors of every row; None if there were no rows, only probabilities.
    n_neighbors : int
        How many of them were consulted.
    """

    inputs: Inputs
    rates: NoiseRates
    p_wrong: np.ndarray
    alternative: np.ndarray
    flagged: np.ndarray
    graph: NeighborGraph | None
    n_neighbors: int

    @property
    def classes(self) -> np.ndarray:
        """The labels that occur, sorted."""
        return self.inputs.classes

    @property
    def labels(self) -> np.ndarray:
        """The given labels as class numbers."""
        return self.inputs.labels

    def neighbors(self, row: int) -> np.ndarray:
        """Return the row numbers of the neighbors that were consulted about a row, nearest first."""
        if self.graph is None:
            return np.empty(0, dtype=np.int32)
        near = self.graph.indices[row, : self.n_neighbors]
        return near[near != NOBODY]

    def distances(self, row: int) -> np.ndarray:
        """Return their distances."""
        return np.empty(0) if self.graph is None else self.graph.distances[row, : len(self.neighbors(row))]

    def votes(self, row: int) -> np.ndarray:
        """Return how many of them carry each class."""
        return np.bincount(self.labels[self.neighbors(row)], minlength=len(self.classes))

    def suspects(self, most: int | None = None) -> np.ndarray:
        """Return the row numbers of the flagged labels, worst first."""
        rows = ranking(np.where(self.flagged, self.p_wrong, -1))[: np.count_nonzero(self.flagged)]
        return rows[:most]

    def predicted(self) -> np.ndarray:
        """Return the likeliest true class of every row, as class numbers."""
        return np.where(self.p_wrong > 0.5, self.alternative, self.labels)

    def cleaned(self) -> np.ndarray:
        """Return the labels with those changed that are flagged and more likely wrong than right."""
        changed = self.flagged & (self.p_wrong > 0.5)
        return self.classes[np.where(changed, self.alternative, self.labels)]

    def table(self) -> pd.DataFrame:
        """Return one row per example in the order given, with cleanlab's column names."""
        n_agree = n_neighbors = np.zeros(len(self.labels), dtype=int)
        if self.graph is not None:
            agree, exist = own_label_votes(self.graph.first(self.n_neighbors), self.labels, [self.n_neighbors])
            n_agree, n_neighbors = agree[:, 0].astype(int), exist[:, 0].astype(int)
        columns = {
            "is_label_issue": self.flagged,
            "label_score": 1 - self.p_wrong,
            "p_wrong": self.p_wrong,
            "given_label": self.classes[self.labels],
            "predicted_label": self.classes[self.predicted()],
            "n_agree": n_agree,
            "n_neighbors": n_neighbors,
        }
        index = None if self.inputs.table is None else self.inputs.table.index
        return pd.DataFrame(columns, index=index)
