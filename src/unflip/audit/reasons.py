"""Why a label is suspected: the neighbors, what they are labeled, and one sentence."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True, eq=False)
class Reason:
    """The neighbors of one row and what they say of its label; printing it gives the sentence and the nearest ones.

    Parameters
    ----------
    row : int
        Its number, from 0.
    given_label, predicted_label : object
        The label as it is, and the likeliest true one.
    p_wrong : float
        How likely the given label is wrong.
    sentence : str
        The same in words.
    neighbors : DataFrame
        Nearest first: row, distance, label, and p_wrong, how likely the neighbor's own label is wrong.
    """

    row: int
    given_label: object
    predicted_label: object
    p_wrong: float
    sentence: str
    neighbors: pd.DataFrame

    def __str__(self):
        shown = self.neighbors.head(10).round({"distance": 4, "p_wrong": 3}).to_string(index=False)
        return f"Row {self.row}: {self.sentence}\n{shown}"


def sentence_about(given, alternative, votes, p_wrong):
    """Say what the neighbors say.

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
    '43 of 50 nearest rows are labeled b; at your noise rates the label a is wrong with probability 0.93.'
    """
    total = sum(votes.values())
    if not total:
        return f"By the model's probabilities the label {given} is wrong with probability {in_words(p_wrong)}."
    said = f"{votes.get(alternative, 0)} of {total} nearest rows are labeled {alternative}"
    others = total - votes.get(alternative, 0) - votes.get(given, 0)
    if others:
        said += f", {votes.get(given, 0)} are labeled {given}"
    return f"{said}; at your noise rates the label {given} is wrong with probability {in_words(p_wrong)}."


def in_words(probability):
    """Return a probability with two digits; what rounds to 0 or 1 is neither.

    >>> in_words(0.934), in_words(0.9985)
    ('0.93', 'above 0.99')
    """
    if probability > 0.99:
        return "above 0.99"
    return "below 0.01" if 0 < probability < 0.01 else f"{probability:.2f}"
