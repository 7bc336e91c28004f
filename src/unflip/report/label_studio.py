"""The suspects of an audit as tasks for Label Studio."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from unflip.foundation.atomic_files import atomic_write
from unflip.report.document_format import Document
from unflip.report.wording import encodable


def label_studio_tasks(
    document: Document,
    suspects: Sequence[Mapping[str, Any]] | None = None,
    decided: Mapping[int, int] | None = None,
) -> list[dict[str, Any]]:
    """Return one task per suspect, with the suggestion as prediction and a decision as annotation.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns; its unflip, classes, columns and rows are enough if suspects are given.
    suspects : list of dict or None, default=None
        Suspects with row, suggested and p_wrong; None means those of the document.
    decided : dict or None, default=None
        Labels that a reviewer has decided, {row number: class number}.

    Returns
    -------
    tasks : list of dict
        Tasks in Label Studio's JSON format, in the order of the suspects.
    """
    suspects = document["suspects"] if suspects is None else suspects
    fields = unique_names(["row", *document["columns"]])
    return [_task(document, suspect, fields, decided or {}) for suspect in suspects]


def _task(
    document: Document, suspect: Mapping[str, Any], fields: Sequence[str], decided: Mapping[int, int]
) -> dict[str, Any]:
    row, classes = suspect["row"], document["classes"]
    return {
        "data": dict(zip(fields, [row, *document["rows"].get(str(row), [])], strict=False)),
        "annotations": [{"result": [_choice(classes[decided[row]])]}] if row in decided else [],
        "predictions": [
            {
                "model_version": f"unflip {document['unflip']}",
                "score": suspect["p_wrong"],
                "result": [_choice(classes[suspect["suggested"]])],
            }
        ],
    }


def write_label_studio(document: Document, path: str | PathLike[str]) -> None:
    """Write the tasks of a document to a JSON file, atomically.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns.
    path : str or Path
        The file; it is replaced if it exists.
    """
    content = tasks_as_text(label_studio_tasks(document))
    with atomic_write(path) as file:
        file.write(content)


def tasks_as_text(tasks: list[dict[str, Any]]) -> str:
    """Return tasks as the content of a JSON file."""
    return encodable(json.dumps(tasks, indent=2, ensure_ascii=False) + "\n")


def unique_names(names: Iterable[str]) -> list[str]:
    """Return the names, numbering repeated ones: the fields of a task need unique names.

    >>> unique_names(["row", "age", "row"])
    ['row', 'age', 'row (2)']
    """
    seen: Counter[str] = Counter()
    unique: list[str] = []
    for name in names:
        seen[name] += 1
        candidate = name
        while candidate in unique:
            candidate = f"{name} ({seen[name]})"
            seen[name] += candidate in unique
        unique.append(candidate)
    return unique


def _choice(label: object) -> dict[str, Any]:
    return {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": [str(label)]}}
