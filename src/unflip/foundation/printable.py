"""Text of unknown origin in messages: on one line, of bounded length, and without characters that steer a terminal."""

from __future__ import annotations

import re
from typing import Any

MAX_VALUE = 60
MAX_MESSAGE = 300
# Control characters, line and paragraph separators, half characters, and marks that reverse what follows.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
MARKS_HTML_REFUSES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def printable(text: object) -> str:
    r"""Return a text with its control characters and half characters escaped, so that it stays on one line.

    >>> print(printable("a\x1b[31m\nb"))
    a\x1b[31m\nb
    """
    return UNPRINTABLE.sub(lambda found: repr(found.group())[1:-1], str(text))


def shown(value: Any, length: int = MAX_VALUE) -> str:
    """Return the repr of a value for a message, cut in the middle if it is long.

    >>> shown("x" * 100, 20)
    "'xxxxxxxx…xxxxxxxxx'"
    """
    return cut(printable(repr(value)), length)


def cut(text: str, length: int) -> str:
    """Return a text of at most length characters, with an ellipsis in its middle if it was longer."""
    if len(text) <= length:
        return text
    start = (length - 1) // 2
    return f"{text[:start]}…{text[len(text) - (length - 1 - start) :]}"


def message(text: object) -> str:
    """Return one line of a length that people read."""
    return cut(printable(text), MAX_MESSAGE)


def valid_in_html(text: str) -> str:
    """Return a text in which control characters that HTML does not allow are replaced by the replacement character."""
    return MARKS_HTML_REFUSES.sub("\ufffd", text)
