"""Whether the data determine the noise rates, in sentences."""

from __future__ import annotations

import numpy as np

MAX_INTERVAL = 0.25  # a wider interval of a rate leaves it undetermined
MAX_SHARE_INTERVAL = 0.15  # the same for the share of all labels that are wrong
MAX_SENSITIVITY = 0.05  # by how much that share may depend on what was believed beforehand
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
    return (*notes, *_note_on_signal(classes, rates))


def find_notes_on_share(
    classes: np.ndarray, rates: np.ndarray, share: tuple[float, float, float], by_data_alone: float
) -> tuple[str, ...]:
    """Return a sentence for each reason why the share of wrong labels is not determined: none if it is.

    Parameters
    ----------
    classes, rates : ndarray
        Of each class.
    share : tuple of float
        The share of all labels that are wrong, and the ends of its interval.
    by_data_alone : float
        What it would be if all rates were equally likely beforehand.
    """
    notes = []
    estimate, low, high = share
    if high - low > MAX_SHARE_INTERVAL:
        notes.append(
            "The classes overlap in these columns, and wrong labels look like overlap: the share of wrong labels may "
            f"be anything from {low:.0%} to {high:.0%}."
        )
    elif abs(by_data_alone - estimate) > MAX_SENSITIVITY:
        notes.append(
            f"The answer depends on what is believed of noise beforehand: {estimate:.0%} with the prior that was used, "
            f"{by_data_alone:.0%} if every rate were equally likely. Say what you expect with noise_prior."
        )
    return (*notes, *_note_on_signal(classes, rates))


def _note_on_signal(classes: np.ndarray, rates: np.ndarray) -> tuple[str, ...]:
    if len(classes) == 2 and 1 - rates.sum() < MIN_SIGNAL:
        return (
            f"The two rates sum to {rates.sum():.0%}. At 100% the labels would carry no information, so little can be "
            "learned here.",
        )
    return ()
