"""Whether the data determine the noise rates, in sentences."""

from __future__ import annotations

import numpy as np

MAX_INTERVAL = 0.25  # a wider interval of a rate leaves it undetermined
MIN_SIGNAL = 0.3  # of 1 - tau_plus - tau_minus


def find_notes(classes: np.ndarray, rates: np.ndarray, intervals: np.ndarray) -> tuple[str, ...]:
    """Return a sentence for each reason why the rates are not determined: none if they are."""
    notes = []
    for name, (low, high) in zip(classes, intervals, strict=True):
        if high - low > MAX_INTERVAL:
            notes.append(
                f"Class {name} is pure nowhere, so noise cannot be told from overlap with other classes: its rate may "
                f"be anything from {low:.0%} to {high:.0%}."
            )
    if len(classes) == 2 and 1 - rates.sum() < MIN_SIGNAL:
        notes.append(
            f"The two rates sum to {rates.sum():.0%}. At 100% the labels would carry no information, so little can be "
            "learned here."
        )
    return tuple(notes)
