"""What is said of a table that cannot be used: always one sentence."""

from __future__ import annotations

from difflib import get_close_matches


class TableError(ValueError):
    """A table that cannot be used, with the reason in one sentence."""


def hint(name, names):
    """Return what to try instead of a name that is not there.

    >>> hint("colour", ["size", "color"])
    "did you mean 'color'?"
    """
    names = [str(other) for other in names]
    close = get_close_matches(str(name), names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"the columns are {', '.join(map(repr, names[:20]))}."


def first_line(error):
    """Return the first line of another library's message, without its full stop."""
    return str(error).strip().split("\n")[0].rstrip(".")


def check_names(table, owner):
    """Refuse a table in which two columns have one name."""
    names = table.columns.map(str)
    repeated = names[names.duplicated()]
    if len(repeated):
        raise TableError(f"{owner} has two columns {repeated[0]!r}.")
