"""Whether noise rates can be told from the data at all, said in words."""

from __future__ import annotations

WIDEST = 0.25  # an interval of a rate that leaves more open than this pins nothing down
LEAST_SIGNAL = 0.3  # of 1 - tau_plus - tau_minus


def find_notes(classes, rates, intervals):
    """Return a sentence for each reason why the rates are not pinned down: none if they are."""
    notes = []
    for name, (low, high) in zip(classes, intervals, strict=True):
        if high - low > WIDEST:
            notes.append(
                f"No region shows class {name} clearly pure, so noise and overlap with other classes look alike: "
                f"its rate may be anything from {low:.0%} to {high:.0%}."
            )
    if len(classes) == 2 and 1 - rates.sum() < LEAST_SIGNAL:
        notes.append(
            f"The two rates sum to {rates.sum():.0%}; at 100 % labels would say nothing, so little can be learned here."
        )
    return tuple(notes)
