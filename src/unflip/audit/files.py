"""audit_table: audit a file and write the report, the issues, the cleaned table and the document."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unflip.audit.label_audit import LabelAudit
from unflip.foundation.atomic_files import atomic_folder, atomic_write, check_not_input
from unflip.report import to_html
from unflip.report.wording import encodable
from unflip.tables import LabeledTable, TableEncoder, TableError, read_labeled, rewrite_with_labels
from unflip.tables.reading import Source
from unflip.tables.writing import write_frame, write_frame_beside

FIRST_ROW = 1  # as people count the rows of a file, the header not among them
OURS = re.compile(rb'\s*\{\s*"format":\s*"unflip-audit/')
NAMES = ("report.html", "issues.csv", "cleaned.csv", "audit.json")


@dataclass(frozen=True, eq=False)
class TableAudit:
    """The audit of a file.

    Parameters
    ----------
    audit : LabelAudit
        Fitted.
    document : dict
        Its report.
    report, issues, cleaned, document_file : Path
        The files that were written.
    """

    audit: LabelAudit
    document: dict[str, Any]
    report: Path
    issues: Path
    cleaned: Path
    document_file: Path

    @property
    def files(self) -> list[Path]:
        """All files, the report first."""
        return [self.report, self.issues, self.cleaned, self.document_file]


def audit_table(
    path: str | PathLike[str],
    label: str,
    *,
    model: Any = "auto",
    labels_path: str | PathLike[str] | None = None,
    out: str | PathLike[str] | None = None,
    top: int | None = None,
    n_neighbors: int | str = "auto",
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    progress: Callable[[str], None] = lambda stage: None,
) -> TableAudit:
    """Audit the labels of a file, and write what was found to a folder.

    Parameters
    ----------
    path : str or Path
        A table (CSV, Parquet, Arrow) or an embedding (.npy, .npz).
    label : str
        The label column.
    model : "auto", None or classifier, default="auto"
        Who judges the labels, as in ``LabelAudit``.
    labels_path : str, Path or None, default=None
        The file of labels, if they are apart.
    out : str, Path or None, default=None
        The folder; None means the file's whole name with "-audit". Files of an earlier audit in it are replaced, any
        other file there stays, and so does every input.
    top : int or None, default=None
        How many labels to flag; None flags those that are more likely wrong than right.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are consulted.
    keep : sequence of str, default=()
        Columns to use although they look like identifiers or repeat the label.
    drop : sequence of str, default=()
        Columns not to use.
    progress : callable, default=lambda stage: None
        Called with a sentence as each stage begins.

    Returns
    -------
    found : TableAudit
        The fitted audit, its document, and the files: ``report.html``, ``issues.csv``, ``cleaned.csv`` (the table with
        those labels changed that are surely better changed, cells as written) and ``audit.json``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import load_iris
    >>> from unflip.audit import audit_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder) / "iris.csv"
    ...     load_iris(as_frame=True).frame.to_csv(table, index=False)
    ...     found = audit_table(table, "target", out=Path(folder) / "audit")
    ...     [file.name for file in found.files]
    ['report.html', 'issues.csv', 'cleaned.csv', 'audit.json']
    """
    source = Path(path)
    folder = Path(out) if out else Path(f"{source.name}-audit")
    inputs = [source, labels_path]
    check_replaceable(folder, inputs)
    progress("Reading the file.")
    labeled = read_labeled(source, label, labels_path)
    if labeled.embedding is not None and (keep or drop):
        raise TableError(f"{source} is an embedding: it has no columns to keep or drop.")
    audit, rows = LabelAudit(model, top=top, n_neighbors=n_neighbors), labeled.columns
    if labeled.embedding is None:
        audit.set_params(encoder=TableEncoder(keep=keep, drop=drop))
    else:
        rows = np.asarray(labeled.embedding, dtype=float)
    n_rows = f"{len(labeled.labels):,} rows"
    audit._fit(rows, labeled.labels.to_numpy(), progress=lambda name: progress(f"Asking the {name} about {n_rows}."))
    document = audit.report(title=labeled.name, label=label, first_row=FIRST_ROW)
    document["notes"] = [*labeled.notes, *document["notes"]]
    progress("Writing the report.")
    found = TableAudit(audit, document, *(folder / name for name in NAMES))
    check_replaceable(folder, inputs)
    with atomic_folder(folder) as partial:
        _write(TableAudit(audit, document, *(partial / name for name in NAMES)), labeled, label)
    return found


def check_replaceable(folder: Path, inputs: Sequence[str | PathLike[str] | None]) -> None:
    """Refuse a folder in which the files of an audit would replace an input, or something that is not ours."""
    if folder.exists() and not folder.is_dir():
        raise TableError(f"{folder} is a file; the output folder needs another name.")
    for name in NAMES:
        check_not_input(folder / name, inputs)
        if os.path.lexists(folder / name) and not _holds_an_audit(folder):
            raise TableError(f"{folder / name} was not written by unflip audit; choose another folder (--out).")


def _holds_an_audit(folder: Path) -> bool:
    document = folder / NAMES[-1]
    if not document.is_file():
        return False
    with open(document, "rb") as file:
        return OURS.match(file.read(100)) is not None


def _write(found: TableAudit, labeled: LabeledTable, label: str) -> None:
    """Write the four files."""
    audit, suspects = found.audit, found.audit.suspects()
    suspects = suspects.assign(row=suspects["row"] + FIRST_ROW)
    with atomic_write(found.report) as file:
        file.write(to_html(found.document))
    if labeled.source is not None and label in map(str, labeled.source.table.columns):
        kept_name = _kept_name(label, labeled.source.table)
        rewrite_with_labels(labeled.source, found.cleaned, label, audit.clean_labels(), kept_name)
        names, cells = _own_columns(suspects, labeled.source, label)
    else:
        names, cells = [], [[]] * len(suspects)
        columns = {"row": np.arange(len(labeled.labels)) + FIRST_ROW, label: audit.clean_labels(),
                   f"{label}_given": labeled.labels.to_numpy()}  # fmt: skip
        with atomic_write(found.cleaned) as file:
            write_frame(pd.DataFrame(columns), file)
    with atomic_write(found.issues) as file:
        write_frame_beside(suspects, names, cells, file)
    with atomic_write(found.document_file) as file:
        file.write(encodable(json.dumps(found.document, ensure_ascii=False, allow_nan=False, default=str)) + "\n")


def _kept_name(label: str, table: pd.DataFrame) -> str:
    """Return a name for the column of original labels that no column has."""
    names, name = {str(column) for column in table.columns}, f"{label}_given"
    while name in names:
        name += "_"
    return name


def _own_columns(suspects: pd.DataFrame, source: Source, label: str) -> tuple[list[str], list[list[str]]]:
    """Return the names of the user's own columns, and their cells as written in the rows of the suspects."""
    rows = (suspects["row"] - FIRST_ROW).tolist()
    wanted = set(rows)
    cells = {number: row for number, row in enumerate(source.rows()) if number in wanted}
    place = [str(name) for name in source.table.columns].index(label)
    header = [name for other, name in enumerate(source.header) if other != place]
    names = [f"{name}_" if name in suspects else name for name in header]
    return names, [cells[row][:place] + cells[row][place + 1 :] for row in rows]
