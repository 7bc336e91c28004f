"""Why a label is suspected: the neighbors, how they are labeled, and one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from unflip.audit.findings import Findings
from unflip.foundation.text import joined, probability


@dataclass(frozen=True, eq=False)
class Reason:
    """The neighbors of one row and what they say of its label; printing it gives the sentence and the nearest ones.

    Parameters
    ----------
    row : int
        Its number, from 0.
    given_label, predicted_label : object
        The given label, and the likeliest true one.
    p_wrong : float
        How likely the given label is wrong.
    sentence : str
        The same in words.
    neighbors : DataFrame
        Nearest first: row, distance, label, and p_wrong, how likely the neighbor's own label is wrong.
    """

    row: int
    given_label: Any
    predicted_label: Any
    p_wrong: float
    sentence: str
    neighbors: pd.DataFrame

    def __str__(self) -> str:
        shown = self.neighbors.head(10).round({"distance": 4, "p_wrong": 3}).to_string(index=False)
        return f"Row {self.row}: {self.sentence}\n{shown}"


def explain(findings: Findings, row: int) -> Reason:
    """Return why the label of a row is suspected, or not."""
    near = findings.neighbors(row)
    classes, labels = findings.classes, findings.labels
    return Reason(
        row=int(row),
        given_label=classes[labels[row]],
        predicted_label=classes[findings.predicted()[row]],
        p_wrong=float(findings.p_wrong[row]),
        sentence=sentences(findings, [row])[0],
        neighbors=pd.DataFrame({
            "row": near,
            "distance": findings.distances(row),
            "label": classes[labels[near]],
            "p_wrong": findings.p_wrong[near],
        }),
    )  # fmt: skip


def sentences(findings: Findings, rows: Sequence[int] | np.ndarray) -> list[str]:
    """Return the sentences about the labels of some rows."""
    names = findings.classes.tolist()
    said = []
    for row in rows:
        votes = findings.votes(row)
        counts = {names[c]: int(votes[c]) for c in np.flatnonzero(votes)}
        given, alternative = findings.labels[row], findings.alternative[row]
        said.append(sentence_about(names[given], names[alternative], counts, findings.p_wrong[row]))
    return said


def sentence_about(given: Any, alternative: Any, votes: Mapping[Any, int], p_wrong: float) -> str:
    """Put into words what the neighbors say.

    Parameters
    ----------
    given, alternative : object
        The given label and the likeliest other one.
    votes : dict
        {label: number of neighbors that carry it}, without zeros.
    p_wrong : float
        How likely the given label is wrong.

    Examples
    --------
    >>> sentence_about("a", "b", {"a": 7, "b": 43}, 0.93)
    '43 of the 50 nearest rows are labeled b; the label a is wrong with probability 0.93.'
    >>> sentence_about("a", "b", {"a": 4, "b": 6, "c": 10}, 0.6)
    '10 of the 20 nearest rows are labeled c, 6 b and 4 a; the label a is wrong with probability 0.60.'
    """
    total, how_likely = sum(votes.values()), probability(p_wrong, in_sentence=True)
    if not total:
        return f"According to the model, the label {given} is wrong with probability {how_likely}."
    leader = max((alternative, given, *votes), key=lambda label: votes.get(label, 0))
    rest = total - votes.get(leader, 0)
    others = [label for label in (alternative, given) if label != leader]
    if leader == alternative and rest == votes.get(given, 0):  # all the others carry the given label
        others = []
    said = [f"{votes.get(leader, 0)} of the {total} nearest rows are labeled {leader}"]
    said += [f"{votes.get(label) or 'none'} {label}" for label in others]
    return f"{joined(said)}; the label {given} is wrong with probability {how_likely}."
