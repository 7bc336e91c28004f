"""TableError, and the checks of column names."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from unflip.foundation.errors import UnflipError
from unflip.foundation.printable import message, shown
from unflip.foundation.text import closest

MAX_NAMES = 20
MAX_NAMES_LENGTH = 140
MAX_COMPARED, MAX_LENGTH = 10_000, 200  # comparing takes time for each name, and for each pair of characters


class TableError(UnflipError):
    """A table that cannot be used; the message gives the reason in one sentence, on one line."""

    def __init__(self, text: object):
        super().__init__(message(text))


def hint(name: object, names: Iterable[object]) -> str:
    """Return the closest existing name, or the first of them, to end the message about an unknown one.

    >>> hint("colour", ["size", "color"])
    "did you mean 'color'?"
    """
    texts = [str(other) for other in names]
    meant = closest(str(name)[:MAX_LENGTH], [other for other in texts if len(other) <= MAX_LENGTH][:MAX_COMPARED])
    return f"did you mean {shown(meant)}?" if meant else f"the columns are {', '.join(_first(texts))}."


def _first(names: list[str]) -> list[str]:
    listed: list[str] = []
    for name in names[:MAX_NAMES]:
        if listed and sum(map(len, listed)) + len(shown(name)) > MAX_NAMES_LENGTH:
            break
        listed.append(shown(name))
    return [*listed, f"and {len(names) - len(listed):,} more"] if len(listed) < len(names) else listed


def check_names(table: pd.DataFrame, owner: object) -> None:
    """Refuse a table with duplicate column names; they are compared as text."""
    names = table.columns.map(str)
    repeated = names[names.duplicated()]
    if len(repeated):
        raise TableError(f"{owner} has two columns {shown(repeated[0])}; rename one of them.")
