"""Texts cut, joined and corrected: what messages, reports and tables share."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from math import isfinite


def truncate(text: str, length: int) -> str:
    """Return a text of at most length characters, with an ellipsis where it was cut.

    >>> truncate("neighborhood", 8)
    'neighbo…'
    """
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def first_line(error: object) -> str:
    """Return the first line of another library's message, without its full stop."""
    return str(error).strip().split("\n")[0].rstrip(".")


def closest(name: object, names: Iterable[object]) -> str | None:
    """Return the name that was probably meant, or None.

    >>> closest("colour", ["size", "color"])
    'color'
    """
    close = get_close_matches(str(name), [str(other) for other in names], n=1)
    return close[0] if close else None


def joined(parts: Iterable[str]) -> str:
    """Return parts as a list in a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def probability(value: float, *, in_sentence: bool = False) -> str:
    """Return a probability with two digits; only certainty is called 0 or 1.

    >>> [probability(value) for value in (0.931, 0.9996, 1.0, 0.001)]
    ['0.93', '>0.99', '1.00', '<0.01']
    >>> probability(0.9996, in_sentence=True)
    'above 0.99'
    """
    if 0.995 <= value < 1:
        return "above 0.99" if in_sentence else ">0.99"
    if 0 < value < 0.005:
        return "below 0.01" if in_sentence else "<0.01"
    return f"{value:.2f}"


def percent(share: float | None) -> str:
    """Return a share in percent, with one decimal if it is small.

    >>> [percent(share) for share in (0, 0.0002, 0.0294, 0.17)]
    ['0%', '<0.1%', '2.9%', '17%']
    """
    if share is None or not isfinite(share):
        return "unknown"
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if 0 < share < 0.0995 else f"{share:.0%}"
