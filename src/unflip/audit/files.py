"""audit_table: audit a file and write the report, the issues, the cleaned table and the document."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unflip.audit.document import make_document
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
CLEANED = "cleaned"  # the folder of cleaned files, of a table in many
READING, WRITING = "Reading the file.", "Writing the report."


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
    progress: Callable[..., None] = lambda stage: None,
) -> TableAudit:
    """Audit the labels of a file, and write what was found to a folder.

    Parameters
    ----------
    path : str or Path
        A table (CSV, Parquet, Arrow) or an embedding (.npy, .npz); for a table in many Parquet files see
        ``unflip.audit.shard_files.audit_shards``.
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
        Called with a sentence as each stage begins. If it has a parameter ``share``, it is also called with the
        sentence and the share of the stage that is done, whenever that is known.

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
    tell = telling_shares(progress)
    tell(READING)
    labeled = read_labeled(source, label, labels_path, progress=partial(tell, READING))
    if labeled.embedding is not None and (keep or drop):
        raise TableError(f"{source} is an embedding: it has no columns to keep or drop.")
    encoder = None if labeled.columns is None else TableEncoder(keep=keep, drop=drop)
    audit = LabelAudit(model, top=top, n_neighbors=n_neighbors, encoder=encoder)
    _fit(audit, labeled, tell)
    tell(WRITING)
    suspects = audit.suspects()
    document = make_document(
        audit._findings, title=labeled.name, label=label, first_row=FIRST_ROW, reasons=suspects["reason"].tolist()
    )
    document["notes"] = [*labeled.notes, *document["notes"]]
    check_replaceable(folder, inputs)
    with atomic_folder(folder) as hidden:
        files = TableAudit(audit, document, *(hidden / name for name in NAMES))
        _write(files, suspects, labeled, label, partial(tell, WRITING))
    return TableAudit(audit, document, *(folder / name for name in NAMES))


def _fit(audit: LabelAudit, labeled: LabeledTable, tell: Callable[..., None]) -> None:
    """Fit an audit, and tell who is asked."""

    def ask(name: str, share: float | None = None) -> None:
        tell(f"Asking the {name} about {len(labeled.labels):,} rows.", share)

    rows = labeled.embedding if labeled.columns is None else labeled.columns
    audit._fit(rows, _label_array(labeled.labels), progress=ask)


def telling_shares(progress: Callable[..., None]) -> Callable[..., None]:
    """Return a function of a stage and a share; progress that has no parameter for a share is told stages only."""
    try:
        takes_shares = "share" in inspect.signature(progress).parameters
    except ValueError:  # some compiled functions have no signature
        takes_shares = False

    def tell(stage: str, share: float | None = None) -> None:
        if share is None:
            progress(stage)
        elif takes_shares:
            progress(stage, share=share)

    return tell


def _label_array(labels: pd.Series) -> np.ndarray:
    """Return labels as an array in which equal texts are one object: a million texts would take 60 MB."""
    if not isinstance(labels.dtype, pd.StringDtype):
        return labels.to_numpy()
    codes, classes = pd.factorize(labels)
    return classes.to_numpy(dtype=object)[codes]


def check_replaceable(folder: Path, inputs: Sequence[str | PathLike[str] | None]) -> None:
    """Refuse a folder in which the files of an audit would replace an input, or something that is not ours."""
    if folder.exists() and not folder.is_dir():
        raise TableError(f"{folder} is a file; the output folder needs another name.")
    for name in (*NAMES, CLEANED):
        check_not_input(folder / name, inputs)
        if os.path.lexists(folder / name) and not _holds_an_audit(folder):
            raise TableError(f"{folder / name} was not written by unflip audit; choose another folder (--out).")


def _holds_an_audit(folder: Path) -> bool:
    document = folder / NAMES[-1]
    if not document.is_file():
        return False
    with open(document, "rb") as file:
        return OURS.match(file.read(100)) is not None


def _write(
    found: TableAudit, suspects: pd.DataFrame, labeled: LabeledTable, label: str, progress: Callable[[float], None]
) -> None:
    """Write the four files."""
    audit, suspects = found.audit, suspects.assign(row=suspects["row"] + FIRST_ROW)
    write_report(found)
    if labeled.source is not None and label in map(str, labeled.source.table.columns):
        kept_name = _kept_name(label, labeled.source.table)
        rewrite_with_labels(labeled.source, found.cleaned, label, audit.clean_labels(), kept_name, progress=progress)
        names, cells = _own_columns(suspects, labeled.source, label)
    else:
        names, cells = [], [[]] * len(suspects)
        columns = {"row": np.arange(len(labeled.labels)) + FIRST_ROW, label: audit.clean_labels(),
                   f"{label}_given": labeled.labels.to_numpy()}  # fmt: skip
        with atomic_write(found.cleaned) as file:
            write_frame(pd.DataFrame(columns), file)
    with atomic_write(found.issues) as file:
        write_frame_beside(suspects, names, cells, file)
    write_document(found)


def write_report(found: TableAudit) -> None:
    """Write the report."""
    with atomic_write(found.report) as file:
        file.write(to_html(found.document))


def write_document(found: TableAudit) -> None:
    """Write the document."""
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
    place = [str(name) for name in source.table.columns].index(label)
    header = [name for other, name in enumerate(source.header) if other != place]
    names = [f"{name}_" if name in suspects else name for name in header]
    cells = source.cells((suspects["row"] - FIRST_ROW).to_numpy())
    return names, [row[:place] + row[place + 1 :] for row in cells]
