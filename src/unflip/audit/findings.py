"""What an audit found, as one frozen value that explanations, documents and files read."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from unflip.audit.inputs import Inputs
from unflip.foundation.text import joined
from unflip.foundation.threads import row_blocks
from unflip.neighbors import NeighborGraph
from unflip.neighbors.graph import NOBODY
from unflip.noise_rates import NoiseRates

ROWS_AT_ONCE = 2**17


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
    p_better_changed : ndarray of shape (n_rows,)
        How likely, over all that is not known of the noise, each label is more likely wrong than right.
    alternative : ndarray of int of shape (n_rows,)
        The likeliest class other than the given one.
    flagged : ndarray of bool of shape (n_rows,)
        The labels to look at.
    graph : NeighborGraph or None
        The neighbors of every row; None if there were no rows, only probabilities.
    n_neighbors : int
        How many of them were consulted.
    weights : dict
        How much each opinion weighs, {name: weight}.
    importances : ndarray of shape (n_columns,) or None
        How much each column of the matrix does to tell labels apart; None if no opinion says so.
    top : int or None, default=None
        How many labels were to be flagged; None if those that are more likely wrong than right.
    n_learned_from : dict, default={}
        How many rows each opinion learned from, {name: number of rows}; 0 if it was left out.
    """

    inputs: Inputs
    rates: NoiseRates
    p_wrong: np.ndarray
    p_better_changed: np.ndarray
    alternative: np.ndarray
    flagged: np.ndarray
    graph: NeighborGraph | None
    n_neighbors: int
    weights: dict[str, float]
    importances: np.ndarray | None = None
    top: int | None = None
    n_learned_from: dict[str, int] = field(default_factory=dict)

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

    def changed(self, confidence: float) -> np.ndarray:
        """Return a mask of the flagged labels that are more likely wrong than right with that confidence."""
        return self.flagged & (self.p_wrong > 0.5) & (self.p_better_changed >= confidence)

    def cleaned(self, confidence: float) -> np.ndarray:
        """Return the labels with those changed that are flagged and surely better changed."""
        return self.classes[np.where(self.changed(confidence), self.alternative, self.labels)]

    def expected_accuracy(self, confidence: float | None = None) -> float:
        """Return the share of labels that are expected to be right, as given or after cleaning.

        Of a changed label, the suggestion is taken to be right whenever the given label is wrong.
        """
        right = 1 - self.p_wrong
        if confidence is not None:
            right = np.where(self.changed(confidence), self.p_wrong, right)
        return float(right.mean())

    def table(self) -> pd.DataFrame:
        """Return one row per example in the order given, with cleanlab's column names."""
        n_agree, n_neighbors = self._own_votes()
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

    def _own_votes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return how many of each row's neighbors carry its label, and how many there are."""
        counts = np.zeros((2, len(self.labels)), dtype=int)
        if self.graph is not None:
            for block in row_blocks(len(self.labels), ROWS_AT_ONCE):
                near = self.graph.indices[block, : self.n_neighbors]
                exists = near != NOBODY
                counts[0, block] = ((self.labels[near] == self.labels[block, None]) & exists).sum(axis=1)
                counts[1, block] = exists.sum(axis=1)
        return counts[0], counts[1]

    def notes_on_opinions(self) -> list[str]:
        """Say which opinions learned from a sample of the rows, and which were left out."""
        n_rows = len(self.labels)
        notes = []
        for size in sorted({size for size in self.n_learned_from.values() if 0 < size < n_rows}):
            names = joined(name for name, its_size in self.n_learned_from.items() if its_size == size)
            notes.append(f"The {names} learned from a sample of {size:,} of the {n_rows:,} rows.")
        left_out = [name for name, size in self.n_learned_from.items() if not size]
        if left_out:
            notes.append(f"With {len(self.classes):,} classes, the {joined(left_out)} were not asked.")
        return notes


def worst(p_wrong: np.ndarray, how_many: int) -> np.ndarray:
    """Return a mask of the labels that are likeliest wrong; of equal ones the first; none that cannot be wrong."""
    flagged = np.zeros(len(p_wrong), bool)
    flagged[ranking(p_wrong)[: min(how_many, int(np.count_nonzero(p_wrong)))]] = True
    return flagged


def ranking(p_wrong: np.ndarray) -> np.ndarray:
    """Return the row numbers, worst first."""
    return np.argsort(-p_wrong, kind="stable")
