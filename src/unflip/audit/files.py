"""audit_table: audit a file and write the report, the issues, the cleaned table and the document."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unflip.audit.label_audit import LabelAudit
from unflip.foundation.atomic_files import atomic_write
from unflip.report import to_html
from unflip.tables import LabeledTable, TableEncoder, TableError, read_labeled, rewrite_with_labels
from unflip.tables.text_files import some_rows_of

FIRST_ROW = 1  # as people count the rows of a file, the header not among them
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
    labels_path : str, Path or None, default=None
        The file of labels, if they are apart.
    out : str, Path or None, default=None
        The folder; None means the file's name with "-audit".
    top : int or None, default=None
        How many labels to flag; None flags as many as the noise rates expect to be wrong.
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
        better labels, cells as written) and ``audit.json``.

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
    folder = Path(out) if out else Path(f"{source.name.split('.')[0]}-audit")
    progress("Reading the file.")
    labeled = read_labeled(source, label, labels_path)
    if labeled.embedding is not None and (keep or drop):
        raise TableError(f"{source} is an embedding: it has no columns to keep or drop.")
    progress(f"Finding the neighbors of {len(labeled.labels):,} rows.")
    audit = LabelAudit(top=top, n_neighbors=n_neighbors, random_state=0)
    if labeled.embedding is None:
        audit.set_params(encoder=TableEncoder(keep=keep, drop=drop)).fit(labeled.columns, labeled.labels.to_numpy())
    else:
        audit.fit(np.asarray(labeled.embedding, dtype=float), labeled.labels.to_numpy())
    document = audit.report(title=labeled.name, label=label, first_row=FIRST_ROW)
    document["notes"] = [*labeled.notes, *document["notes"]]
    progress("Writing the report.")
    _make_folder(folder)
    found = TableAudit(audit, document, *(folder / name for name in NAMES))
    _write(found, labeled, source, label, apart=labels_path is not None)
    return found


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise TableError(f"{folder} is a file; the output folder needs another name.") from None


def _write(found: TableAudit, labeled: LabeledTable, source: Path, label: str, *, apart: bool) -> None:
    """Write the four files, each whole or not at all."""
    audit = found.audit
    with atomic_write(found.report) as file:
        file.write(to_html(found.document))
    suspects = audit.suspects()
    if labeled.table is not None and not apart:
        rewrite_with_labels(source, found.cleaned, label, audit.clean_labels(), _kept_name(label, labeled.table))
        table = _with_columns(suspects, labeled, found.cleaned)
    else:
        table = suspects.assign(row=suspects["row"] + FIRST_ROW)
        columns = {"row": np.arange(len(labeled.labels)) + FIRST_ROW, label: audit.clean_labels(),
                   f"{label}_given": labeled.labels.to_numpy()}  # fmt: skip
        with atomic_write(found.cleaned) as file:
            pd.DataFrame(columns).to_csv(file, index=False, lineterminator="\n")
    with atomic_write(found.issues) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    with atomic_write(found.document_file) as file:
        json.dump(found.document, file, ensure_ascii=False, default=str)
        file.write("\n")


def _kept_name(label: str, table: pd.DataFrame) -> str:
    """Return a name for the column of original labels that no column has."""
    names, name = {str(column) for column in table.columns}, f"{label}_given"
    while name in names:
        name += "_"
    return name


def _with_columns(suspects: pd.DataFrame, labeled: LabeledTable, cleaned: Path) -> pd.DataFrame:
    """Return the suspects with the user's own columns beside them, as texts, and rows counted as in the other files."""
    assert labeled.columns is not None
    rows = suspects["row"].to_numpy()
    suspects = suspects.assign(row=rows + FIRST_ROW)
    names, texts = some_rows_of(cleaned, rows.tolist())
    own = pd.DataFrame([texts[row] for row in rows], columns=names)[[str(name) for name in labeled.columns.columns]]
    own.columns = [f"{name}_" if name in suspects else name for name in own.columns]
    return pd.concat([suspects, own], axis=1)
