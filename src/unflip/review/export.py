"""The decisions as a file: CSV, or tasks for Label Studio."""

from __future__ import annotations

import csv
import io
import json
import re
from os import PathLike
from pathlib import Path
from typing import Any

from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.errors import UnflipError, UnwritableError
from unflip.report.label_studio import label_studio_tasks, tasks_as_text
from unflip.report.wording import encodable
from unflip.review.desk import Desk

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would evaluate such a cell
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TASK_PARTS = {"data", "predictions", "annotations"}
HEADER = ("row", "given_label", "decided_label", "decision", "time")


def as_csv(desk: Desk) -> str:
    """Return the current decisions, one line per row, sorted by row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for row, entry in sorted(desk.decisions().items()):
        decided = "" if entry.decided is None else escape_formula(json.loads(entry.decided))
        writer.writerow([row, escape_formula(json.loads(entry.given)), decided, entry.kind, entry.made])
    return out.getvalue()


def escape_formula(value: Any) -> Any:
    """Return a cell that no spreadsheet evaluates as a formula; numbers stay unchanged.

    >>> escape_formula("=1+2"), escape_formula(-1), escape_formula("-1")
    ("'=1+2", -1, '-1')
    """
    if isinstance(value, str) and value.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(value):
        return "'" + value
    return value


def as_label_studio(desk: Desk) -> str:
    """Return all suspects as Label Studio tasks, with the suggestion as prediction and the decision as annotation."""
    decided = desk.decided_classes()
    suspects = [{"row": row} | verdict._asdict() for row, verdict in desk.verdicts().items()]
    return tasks_as_text(label_studio_tasks(desk.document.task_source, suspects, decided))


FORMATS = {".csv": (as_csv, "text/csv"), ".json": (as_label_studio, "application/json")}


def write_export(desk: Desk, path: str | PathLike[str]) -> None:
    """Write the decisions to a file, atomically.

    Parameters
    ----------
    desk : Desk
        The review.
    path : str or Path
        The file; its name ends in ``.csv`` or ``.json``. It is replaced if it exists, see `check_export`.
    """
    make, _ = FORMATS[checked_ending(path)]
    content = encodable(make(desk))
    with atomic_write(path) as file:
        file.write(content)


def check_export(path: str | PathLike[str]) -> None:
    """Refuse a name for an export that belongs to a link, or to a file that is not an earlier export.

    Parameters
    ----------
    path : str or Path
        The file to write.
    """
    path, ending = Path(path), checked_ending(path)
    if path.is_symlink():
        raise UnwritableError(f"{path} is a link, and exports are not written through links; choose another name.")
    if path.is_file() and path.stat().st_size and not _is_export(path, ending):
        raise UnwritableError(f"{path} exists and is not an earlier export of decisions; choose another name.")


def _is_export(path: Path, ending: str) -> bool:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            if ending == ".csv":
                return file.readline() == ",".join(HEADER) + "\n"
            tasks = json.load(file)
    except (ValueError, RecursionError, OSError):
        return False
    return isinstance(tasks, list) and all(_is_task(task) for task in tasks)


def _is_task(task: Any) -> bool:
    """Tell whether this is a task as `label_studio_tasks` makes it."""
    if not isinstance(task, dict) or set(task) != TASK_PARTS or not isinstance(task["predictions"], list):
        return False
    versions = [one.get("model_version") if isinstance(one, dict) else None for one in task["predictions"]]
    return all(isinstance(version, str) and version.startswith("unflip") for version in versions)


def checked_ending(path: str | PathLike[str]) -> str:
    """Return the file name extension of an export, or refuse it."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise UnflipError(f"unflip review: '--export' must end in .csv (table) or .json (Label Studio), got {path!r}.")
    return ending
