"""The audit that is reviewed: read from its folder, and refused in one sentence where it cannot be used."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from unflip.foundation.checks import is_integer
from unflip.foundation.errors import UnflipError
from unflip.report.document_format import FORMAT, format_of

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Suspect:
    """A label that is probably wrong; classes are numbers."""

    row: int
    given: int
    suggested: int
    p_wrong: float
    sentence: str
    neighbors: tuple
    votes: tuple


@dataclass(frozen=True, eq=False)
class Document:
    """What a review needs of an audit."""

    sha256: str
    unflip: str
    title: str
    label: str
    classes: list
    columns: list
    rows: dict
    suspects: tuple
    transition_matrix: np.ndarray
    class_prior: np.ndarray
    n_issues: int
    notes: list
    by_row: dict = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "by_row", {suspect.row: suspect for suspect in self.suspects})

    @property
    def names(self):
        """The classes as texts."""
        return [str(value) for value in self.classes]

    @property
    def fingerprint(self):
        """A text that is the same for audits with the same classes, suspects and given labels, in any order."""
        given = sorted((suspect.row, as_text(self.classes[suspect.given])) for suspect in self.suspects)
        parts = [sorted(map(as_text, self.classes)), given]
        return hashlib.sha256(as_text(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def shown(self):
        """The part that tasks for Label Studio are made of, as the audit wrote it."""
        return {"unflip": self.unflip, "classes": self.classes, "columns": self.columns, "rows": self.rows}

    def values(self, row):
        """Return the shown values of a row; none where the audit has none."""
        return self.rows.get(str(row), [])


def as_text(value):
    """Return a class as JSON: 1, "1" and true stay different."""
    return json.dumps(value, ensure_ascii=True)


def read_document(folder):
    """Read the audit in a folder, or say in one sentence why it cannot be reviewed.

    Parameters
    ----------
    folder : str or Path
        That holds ``audit.json``.

    Returns
    -------
    document : Document
        Checked: every class number and probability is one.
    """
    path = Path(folder) / "audit.json"
    content = _content(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnflipError(f"{path} is not readable as JSON: {error}.") from None
    if format_of(found) != FORMAT:
        raise UnflipError(f"{path} is not an audit of the format {FORMAT!r}, got {format_of(found)!r}.")
    try:
        return _document(found, hashlib.sha256(content).hexdigest())
    except (KeyError, TypeError, ValueError, IndexError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise UnflipError(f"{path} is not a usable audit: {reason}.") from None


def _content(path):
    if not path.parent.is_dir():
        raise UnflipError(f"{path.parent} is not a folder.")
    if not path.is_file():
        raise UnflipError(f"{path.parent} holds no audit.json; 'unflip audit' makes one.")
    return path.read_bytes()


def _document(found, sha256):
    classes = found["classes"]
    if not isinstance(classes, list) or not all(isinstance(value, str | int | float) for value in classes):
        raise UnflipError("'classes' must be a list of texts, numbers or booleans")
    return Document(
        sha256=sha256,
        unflip=str(found.get("unflip", "")),
        title=str(found.get("title", "")),
        label=str(found.get("label", "label")),
        classes=classes,
        columns=[str(name) for name in found.get("columns") or []],
        rows={row: [str(value) for value in values] for row, values in (found.get("rows") or {}).items()},
        suspects=_suspects(found["suspects"], len(classes)),
        transition_matrix=_probabilities(found["rates"], "transition_matrix", (len(classes), len(classes))),
        class_prior=_probabilities(found["rates"], "class_prior", (len(classes),)),
        n_issues=found.get("n_issues", len(found["suspects"])),
        notes=[str(note) for note in found.get("notes") or []],
    )


def _probabilities(rates, name, shape):
    values = np.array(rates[name], dtype=float)
    if values.shape != shape:
        raise UnflipError(f"'{name}' must have the shape {shape}, got {values.shape}")
    if not ((values >= 0) & (values <= 1 + ROUNDING)).all():
        raise UnflipError(f"'{name}' must hold probabilities")
    return values


def _suspects(found, n_classes):
    suspects = tuple(_suspect(one, n_classes) for one in found)
    if len({suspect.row for suspect in suspects}) < len(suspects):
        raise UnflipError("a row is listed twice among the suspects")
    return suspects


def _suspect(found, n_classes):
    if not is_integer(found["row"]) or found["row"] < 0:
        raise UnflipError(f"a suspect's row must be an integer >= 0, got {found['row']!r}")
    where = f"of row {found['row']}"
    return Suspect(
        row=found["row"],
        given=_class_number(found["given"], n_classes, f"'given' {where}"),
        suggested=_class_number(found["suggested"], n_classes, f"'suggested' {where}"),
        p_wrong=_probability(found["p_wrong"], f"'p_wrong' {where}"),
        sentence=str(found.get("sentence", "")),
        neighbors=tuple(_neighbor(one, n_classes, where) for one in found.get("neighbors") or []),
        votes=tuple((row, _class_number(label, n_classes, f"a vote {where}")) for row, label in found["votes"]),
    )


def _neighbor(found, n_classes, where):
    return {
        "row": int(found["row"]),
        "label": _class_number(found["label"], n_classes, f"a neighbor {where}"),
        "distance": _finite(found.get("distance")),
        "p_wrong": _finite(found.get("p_wrong")),
    }


def _finite(value):
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _class_number(value, n_classes, what):
    if not is_integer(value) or not 0 <= value < n_classes:
        raise UnflipError(f"{what} must be a class number from 0 to {n_classes - 1}, got {value!r}")
    return value


def _probability(value, what):
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UnflipError(f"{what} must be a probability, got {value!r}")
    return float(value)
