"""An audit's suspects as tasks that Label Studio imports."""

from __future__ import annotations

import json
from collections import Counter

from unflip.foundation.atomic_files import atomic_write
from unflip.report.wording import whole_characters


def label_studio_tasks(document, suspects=None, decided=None):
    """Return one task per suspect: what is shown of the row, the suggestion as prediction, a decision as annotation.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns, or its unflip, classes, columns and rows if suspects are given.
    suspects : list of dict or None, default=None
        With row, suggested and p_wrong; those of the document if None.
    decided : dict or None, default=None
        {row number: class number} of labels that a person has decided on.
    """
    suspects, decided = suspects if suspects is not None else document["suspects"], decided or {}
    names = [str(name) for name in document["classes"]]
    fields = unique_names(["row", *document["columns"]])
    return [
        {
            "data": dict(zip(fields, [one["row"], *document["rows"].get(str(one["row"]), [])], strict=False)),
            "annotations": [{"result": [_choice(names[decided[one["row"]]])]}] if one["row"] in decided else [],
            "predictions": [
                {
                    "model_version": f"unflip {document['unflip']}",
                    "score": one["p_wrong"],
                    "result": [_choice(names[one["suggested"]])],
                }
            ],
        }
        for one in suspects
    ]


def write_label_studio(document, path):
    """Write the tasks of a document to a JSON file.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns.
    path : str or Path
        The file.
    """
    content = tasks_as_text(label_studio_tasks(document))
    with atomic_write(path) as file:
        file.write(content)


def tasks_as_text(tasks):
    """Return tasks as the text of a file."""
    return whole_characters(json.dumps(tasks, indent=2, ensure_ascii=False) + "\n")


def unique_names(names):
    """Return the names with a number after each that came before: a task holds every name once.

    >>> unique_names(["row", "age", "row"])
    ['row', 'age', 'row (2)']
    """
    seen: Counter = Counter()
    unique: list[str] = []
    for name in names:
        seen[name] += 1
        candidate = name
        while candidate in unique:
            candidate = f"{name} ({seen[name]})"
            seen[name] += candidate in unique
        unique.append(candidate)
    return unique


def _choice(name):
    return {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": [name]}}
