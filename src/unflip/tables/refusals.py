"""What is said of a table that cannot be used: always one sentence."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from unflip.foundation.errors import UnflipError
from unflip.foundation.text import closest


class TableError(UnflipError):
    """A table that cannot be used, with the reason in one sentence."""


def hint(name: object, names: Iterable[object]) -> str:
    """Return what to try instead of a name that is not there.

    >>> hint("colour", ["size", "color"])
    "did you mean 'color'?"
    """
    names = [str(other) for other in names]
    meant = closest(name, names)
    return f"did you mean {meant!r}?" if meant else f"the columns are {', '.join(map(repr, names[:20]))}."


def check_names(table: pd.DataFrame, owner: object) -> None:
    """Refuse a table in which two columns have one name."""
    names = table.columns.map(str)
    repeated = names[names.duplicated()]
    if len(repeated):
        raise TableError(f"{owner} has two columns {repeated[0]!r}.")
