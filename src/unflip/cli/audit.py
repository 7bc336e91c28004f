"""The command ``unflip audit``: which labels of a file are wrong, why, and the file with better ones."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import numpy as np
import pandas as pd

from unflip.audit import LabelAudit
from unflip.report import to_html
from unflip.tables import TableEncoder, TableError, read_labeled, rewrite_with_labels
from unflip.tables.text_files import some_rows_of
from unflip.validation import refusal
from unflip.whole_files import written_whole

FIRST_ROW = 1  # as people count the rows of a file, the line of names not among them
SHOWN = 10
NEAREST = 5


def audit_file(path, label, *, labels_path=None, out=None, top=None, n_neighbors="auto", keep=(), drop=()):
    """Audit a file and write what was found to a folder.

    Returns
    -------
    audit : LabelAudit
        Fitted.
    document : dict
        Its report.
    files : list of Path
        report.html, issues.csv, cleaned.csv and audit.json.
    """
    folder = Path(out) if out else Path(f"{Path(path).name.split('.')[0]}-audit")
    _tell("Reading the file.")
    labeled = read_labeled(path, label, labels_path)
    if labeled.embedding is not None and (keep or drop):
        raise TableError(f"{path} is an embedding: it has no columns to keep or drop.")
    n_rows = len(labeled.labels)
    _tell(f"Finding the neighbors of {n_rows:,} rows.")
    audit = LabelAudit(top=top, n_neighbors=n_neighbors, encoder=TableEncoder(keep=keep, drop=drop), random_state=0)
    rows = labeled.columns if labeled.embedding is None else np.asarray(labeled.embedding, dtype=float)
    audit.fit(rows, labeled.labels.to_numpy())
    document = audit.report(title=labeled.name, label=label, first_row=FIRST_ROW)
    document["notes"] = [*labeled.notes, *document["notes"]]
    _tell("Writing the report.")
    _make_folder(folder)
    return audit, document, _write(folder, audit, document, labeled, Path(path), label, labels_path)


def _tell(stage):
    if sys.stderr.isatty():
        click.echo(stage, err=True)


def _make_folder(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise TableError(f"{folder} is a file; --out must be a folder, there or to be made.") from None


def _write(folder, audit, document, labeled, source, label, labels_path):
    """Write the four files, each whole or not at all."""
    files = [folder / name for name in ("report.html", "issues.csv", "cleaned.csv", "audit.json")]
    report, issues, cleaned, kept = files
    with written_whole(report) as file:
        file.write(to_html(document))
    suspects = audit.suspects()
    if labeled.table is not None and labels_path is None:
        rewrite_with_labels(source, cleaned, label, audit.clean_labels(), _kept_name(label, labeled.table))
        table = _with_columns(suspects, labeled, cleaned)
    else:
        table = suspects.assign(row=suspects["row"] + FIRST_ROW)
        columns = {"row": np.arange(len(labeled.labels)) + FIRST_ROW, label: audit.clean_labels(),
                   f"{label}_given": labeled.labels.to_numpy()}  # fmt: skip
        with written_whole(cleaned) as file:
            pd.DataFrame(columns).to_csv(file, index=False, lineterminator="\n")
    with written_whole(issues) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    with written_whole(kept) as file:
        json.dump(document, file, ensure_ascii=False, default=str)
        file.write("\n")
    return files


def _kept_name(label, table):
    """Return a name for the column of original labels that no column has."""
    names, name = {str(column) for column in table.columns}, f"{label}_given"
    while name in names:
        name += "_"
    return name


def _with_columns(suspects, labeled, cleaned):
    """Return the suspects with the user's own columns beside them, as texts, and rows counted as in the other files."""
    rows = suspects["row"].to_numpy()
    suspects = suspects.assign(row=rows + FIRST_ROW)
    names, texts = some_rows_of(cleaned, rows.tolist())
    own = pd.DataFrame([texts[row] for row in rows], columns=names)[[str(name) for name in labeled.columns.columns]]
    own.columns = [f"{name}_" if name in suspects else name for name in own.columns]
    return pd.concat([suspects, own], axis=1)


def summary(audit, document, files):
    """Return what a person wants to know first."""
    n_changed = int((audit.clean_labels() != audit.issues_["given_label"].to_numpy()).sum())
    lines = [
        f"{document['title']}: {document['n_rows']:,} rows, labels in {document['label']!r}",
        "",
        str(audit.rates_),
    ]
    lines += ["", f"{document['n_issues']:,} labels are listed as probably wrong, the worst first."]
    if document["n_issues"]:
        lines[-1] += f" {n_changed:,} are likelier wrong than right and are changed in {files[2].name}."
    lines += [line for suspect in document["suspects"][:SHOWN] for line in about_suspect(suspect, document)]
    lines += ["", _about_columns(document)] if document["used"] else []
    lines += [f"Left out: {name} ({reason})." for name, reason in document["left_out"].items()]
    notes = [note for note in document["notes"] if note not in audit.rates_.notes]
    lines += [f"Note: {note}" for note in notes]
    lines += [
        "",
        "Written: " + ", ".join(map(str, files)),
        f"Go through them one by one: unflip review {files[0].parent}",
    ]
    return "\n".join(lines)


def about_suspect(suspect, document):
    """Yield the lines on one suspect and its nearest rows."""
    names = document["classes"]
    nearest = (f"{near['row']} ({names[near['label']]})" for near in suspect["neighbors"][:NEAREST])
    yield ""
    yield f"  row {suspect['row']}: {names[suspect['given']]}, rather {names[suspect['suggested']]}"
    yield f"    {suspect['sentence']}"
    if suspect["neighbors"]:
        yield f"    Nearest rows: {', '.join(nearest)}."


def _about_columns(document):
    return f"Compared by {len(document['used'])} columns: {', '.join(document['used'])}."


def as_json(document, files):
    """Return the findings without pictures and neighbors, for programs."""
    names = (
        "title",
        "label",
        "n_rows",
        "n_issues",
        "expected_wrong",
        "n_neighbors",
        "rates",
        "used",
        "left_out",
        "notes",
    )
    found = {name: document[name] for name in names} | {"files": [str(path) for path in files]}
    return json.dumps(found, indent=2, ensure_ascii=False, default=str)


def check_limit(limit):
    """Refuse a limit that is no share."""
    if limit is not None and not 0 <= limit <= 1:
        raise refusal("unflip audit", "--fail-over", "a share between 0 and 1", limit)
