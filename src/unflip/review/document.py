"""The audit under review, read from its folder and checked."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from unflip.foundation.checks import is_number
from unflip.foundation.errors import UnflipError
from unflip.foundation.text import first_line, truncate
from unflip.report.document_format import FORMAT, format_of

ROUNDING = 1e-9
MAX_ROW = 2**53 - 1  # the largest integer that the page, which is JavaScript, tells from its neighbors
MAX_SHOWN = 60  # characters of a refused value

Part = TypeVar("Part")


@dataclass(frozen=True, eq=False)
class Suspect:
    """A label that is probably wrong; classes are class numbers."""

    row: int
    given: int
    suggested: int
    p_wrong: float
    sentence: str
    neighbors: tuple[dict[str, Any], ...]
    votes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Document:
    """The parts of an audit that a review needs."""

    sha256: str
    unflip: str
    title: str
    label: str
    classes: list[str | int | float]
    columns: list[str]
    rows: dict[str, list[str]]
    suspects: tuple[Suspect, ...]
    transition_matrix: np.ndarray
    class_prior: np.ndarray
    n_issues: int
    notes: list[str]
    by_row: dict[int, Suspect] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_row", {suspect.row: suspect for suspect in self.suspects})

    @property
    def names(self) -> list[str]:
        """The classes as text."""
        return [str(value) for value in self.classes]

    @property
    def fingerprint(self) -> str:
        """A hash of the classes, suspects and given labels, whatever their order."""
        given = sorted((suspect.row, class_key(self.classes[suspect.given])) for suspect in self.suspects)
        parts = [sorted(map(class_key, self.classes)), given]
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def task_source(self) -> dict[str, Any]:
        """The parts of the audit document that Label Studio tasks are made of."""
        return {"unflip": self.unflip, "classes": self.classes, "columns": self.columns, "rows": self.rows}

    def values(self, row: int) -> list[str]:
        """Return the values of a row; empty if the audit has none."""
        return self.rows.get(str(row), [])


def class_key(value: str | int | float) -> str:
    """Return a class as JSON, which tells 1, "1" and true apart."""
    return json.dumps(value)


def read_document(folder: str | PathLike[str]) -> Document:
    """Read the audit in a folder, or refuse it in one sentence.

    Parameters
    ----------
    folder : str or Path
        The folder with ``audit.json``.

    Returns
    -------
    document : Document
        The audit; all rows, class numbers, probabilities and texts are valid.
    """
    path = Path(folder) / "audit.json"
    content = _content(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnflipError(f"{path} is not readable as JSON: {first_line(error)}.") from None
    if format_of(found) != FORMAT:
        raise UnflipError(f"{path} is not an audit of the format {FORMAT!r}, got {_shown(format_of(found))}.")
    try:
        return _document(found, hashlib.sha256(content).hexdigest())
    except UnflipError as error:
        raise UnflipError(f"{path} is not a usable audit: {error}; 'unflip audit' creates a new one.") from None


def _content(path: Path) -> bytes:
    if not path.parent.is_dir():
        raise UnflipError(f"{path.parent} is not a folder.")
    if not path.is_file():
        raise UnflipError(f"{path.parent} holds no audit.json; 'unflip audit' creates one.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnflipError(f"{path} cannot be read: {error.strerror or error}.") from None


def _document(found: dict[str, Any], sha256: str) -> Document:
    classes = _classes(_part(found, "classes"))
    rates = _dict(_part(found, "rates"), "'rates'")
    suspects = _suspects(_part(found, "suspects"), len(classes))
    return Document(
        sha256=sha256,
        unflip=_text(found.get("unflip", ""), "'unflip'"),
        title=_text(found.get("title", ""), "'title'"),
        label=_text(found.get("label", "label"), "'label'"),
        classes=classes,
        columns=_list(found.get("columns") or [], "'columns'", _text),
        rows=_rows(_dict(found.get("rows") or {}, "'rows'")),
        suspects=suspects,
        transition_matrix=_matrix(_part(rates, "transition_matrix"), len(classes)),
        class_prior=_probabilities(_part(rates, "class_prior"), "'class_prior'", len(classes)),
        n_issues=_count(found.get("n_issues", len(suspects)), "'n_issues'"),
        notes=_list(found.get("notes") or [], "'notes'", _text),
    )


def _rows(found: dict[str, Any]) -> dict[str, list[str]]:
    return {row: _list(values, f"the values of row {_shown(row)}", _text) for row, values in found.items()}


def _classes(found: Any) -> list[str | int | float]:
    if not isinstance(found, list) or not all(isinstance(value, str | int | float) for value in found):
        raise UnflipError("'classes' must be a list of texts, numbers or booleans")
    if len({class_key(value) for value in found}) < len(found):
        raise UnflipError("'classes' must differ from each other")
    return found


def _matrix(found: Any, n_classes: int) -> np.ndarray:
    name = "'transition_matrix'"
    rows = _list(found, name, lambda row, what: _probabilities(row, what, n_classes))
    if len(rows) != n_classes:
        raise UnflipError(f"{name} must have {n_classes} rows, got {len(rows)}")
    return np.array(rows, dtype=float).reshape(n_classes, n_classes)


def _probabilities(found: Any, what: str, n_classes: int) -> np.ndarray:
    values = _list(found, what, _probability)
    if len(values) != n_classes:
        raise UnflipError(f"{what} must hold {n_classes} probabilities, got {len(values)}")
    return np.array(values, dtype=float)


def _suspects(found: Any, n_classes: int) -> tuple[Suspect, ...]:
    suspects = tuple(_list(found, "'suspects'", lambda one, what: _suspect(one, what, n_classes)))
    if len({suspect.row for suspect in suspects}) < len(suspects):
        raise UnflipError("a row is listed twice among the suspects")
    return suspects


def _suspect(found: Any, what: str, n_classes: int) -> Suspect:
    found = _dict(found, what)
    row = _count(_part(found, "row"), "a suspect's row")
    where = f"of row {row}"

    def neighbor(one: Any, what: str) -> dict[str, Any]:
        return _neighbor(_dict(one, what), n_classes, where)

    def vote(one: Any, what: str) -> tuple[int, int]:
        return _vote(one, what, n_classes)

    return Suspect(
        row=row,
        given=_class_number(_part(found, "given"), f"'given' {where}", n_classes),
        suggested=_class_number(_part(found, "suggested"), f"'suggested' {where}", n_classes),
        p_wrong=_probability(_part(found, "p_wrong"), f"'p_wrong' {where}"),
        sentence=_text(found.get("sentence", ""), f"'sentence' {where}"),
        neighbors=tuple(_list(found.get("neighbors") or [], f"'neighbors' {where}", neighbor)),
        votes=tuple(_list(_part(found, "votes"), f"'votes' {where}", vote)),
    )


def _neighbor(found: dict[str, Any], n_classes: int, where: str) -> dict[str, Any]:
    return {
        "row": _count(_part(found, "row"), f"the row of a neighbor {where}"),
        "label": _class_number(_part(found, "label"), f"a neighbor {where}", n_classes),
        "distance": _finite(found.get("distance")),
        "p_wrong": _finite(found.get("p_wrong")),
    }


def _vote(found: Any, what: str, n_classes: int) -> tuple[int, int]:
    # There may be millions: the sentence is made only where it is needed.
    if isinstance(found, list) and len(found) == 2 and _is_count(found[0]) and _is_class(found[1], n_classes):
        return found[0], found[1]
    pair = f"got [{', '.join(map(_shown, found))}]" if isinstance(found, list) and len(found) < 5 else "got others"
    raise UnflipError(f"{what} must be pairs of a row >= 0 and a class number from 0 to {n_classes - 1}, {pair}")


def _part(found: dict[str, Any], name: str) -> Any:
    if name not in found:
        raise UnflipError(f"'{name}' is missing")
    return found[name]


def _dict(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnflipError(f"{what} must be a JSON object, got {_shown(value)}")
    return value


def _list(value: Any, what: str, read: Callable[[Any, str], Part]) -> list[Part]:
    if not isinstance(value, list):
        raise UnflipError(f"{what} must be a list, got {_shown(value)}")
    return [read(one, what) for one in value]


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str | int | float | None):
        raise UnflipError(f"{what} must be text, got {_shown(value)}")
    return "" if value is None else str(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MAX_ROW


def _is_class(value: Any, n_classes: int) -> bool:
    return type(value) is int and 0 <= value < n_classes


def _count(value: Any, what: str) -> int:
    if not _is_count(value):
        raise UnflipError(f"{what} must be an integer >= 0, got {_shown(value)}")
    return value


def _finite(value: Any) -> float | None:
    try:
        return float(value) if is_number(value) and math.isfinite(value) else None
    except OverflowError:  # an integer beyond the floats
        return None


def _class_number(value: Any, what: str, n_classes: int) -> int:
    if not _is_class(value, n_classes):
        raise UnflipError(f"{what} must be a class number from 0 to {n_classes - 1}, got {_shown(value)}")
    return value


def _probability(value: Any, what: str) -> float:
    if not is_number(value) or not 0 <= value <= 1 + ROUNDING:
        raise UnflipError(f"{what} must be a probability, got {_shown(value)}")
    return min(float(value), 1.0)


def _shown(value: Any) -> str:
    """Return a value for a sentence; nested ones by their kind, as they may be deeper than repr can go."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a JSON object"
    return truncate(repr(value), MAX_SHOWN)
