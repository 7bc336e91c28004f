"""The decisions as a file: CSV for a table program, or tasks that Label Studio imports."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.errors import UnflipError
from unflip.report.label_studio import label_studio_tasks, tasks_as_text
from unflip.report.wording import whole_characters

# What a table program would run as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
HEADER = ("row", "given_label", "decided_label", "decision", "time")


def as_csv(desk):
    """Return the decisions that hold, one line per row in the order of the rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for row, entry in sorted(desk.decisions().items()):
        decided = "" if entry.decided is None else defused(json.loads(entry.decided))
        writer.writerow([row, defused(json.loads(entry.given)), decided, entry.kind, entry.made])
    return out.getvalue()


def defused(value):
    """Return a cell that no table program takes for a formula; numbers stay what they are.

    >>> defused("=1+2"), defused(-1), defused("-1")
    ("'=1+2", -1, '-1')
    """
    if isinstance(value, str) and value.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(value):
        return "'" + value
    return value


def as_label_studio(desk):
    """Return all suspects as tasks: the suggestion as prediction, the decision as annotation."""
    decided = desk.decided_classes(desk.decisions())
    suspects = [{"row": row} | verdict._asdict() for row, verdict in desk.verdicts(decided).items()]
    return tasks_as_text(label_studio_tasks(desk.document.shown, suspects, decided))


FORMATS = {".csv": (as_csv, "text/csv"), ".json": (as_label_studio, "application/json")}


def write_export(desk, path):
    """Write the decisions to a file whose ending says the form; it is written whole or not at all.

    Parameters
    ----------
    desk : Desk
        The review.
    path : str or Path
        Ending in ``.csv`` or ``.json``.
    """
    make, _ = FORMATS[checked_ending(path)]
    content = whole_characters(make(desk))
    with atomic_write(path) as file:
        file.write(content)


def checked_ending(path):
    """Return the ending of an export, or refuse it."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise UnflipError(f"unflip review: '--export' must end in .csv (table) or .json (Label Studio), got {path!r}.")
    return ending
