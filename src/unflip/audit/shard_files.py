"""audit_shards: audit a table that is spread over many Parquet files, which is never in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unflip.audit.document import make_document
from unflip.audit.files import (
    CLEANED,
    FIRST_ROW,
    NAMES,
    WRITING,
    TableAudit,
    check_replaceable,
    telling_shares,
    write_document,
    write_report,
)
from unflip.audit.label_audit import LabelAudit
from unflip.foundation.atomic_files import atomic_folder, atomic_write
from unflip.neighbors.shards import ParquetShards
from unflip.tables import TableEncoder
from unflip.tables.labels import notes_on
from unflip.tables.writing import write_frame

READING = "Reading the files."


def audit_shards(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    label: str,
    *,
    model: Any = "auto",
    out: str | PathLike[str] | None = None,
    top: int | None = None,
    n_neighbors: int | str = "auto",
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    executor: Any = None,
    memory_budget: int | str | None = None,
    progress: Callable[..., None] = lambda stage: None,
) -> TableAudit:
    """Audit the labels of many Parquet files, and write what was found to a folder.

    Parameters
    ----------
    paths : str, Path or sequence of these
        A pattern such as ``"parts/*.parquet"``, or files; rows are numbered in the order of the files' names.
    label : str
        The label column.
    model : "auto", None or classifier, default="auto"
        Who judges the labels, as in ``LabelAudit``.
    out : str, Path or None, default=None
        The folder; None means "audit" beside the first file's folder name.
    top : int or None, default=None
        How many labels to flag; None flags those that are more likely wrong than right.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are consulted.
    keep : sequence of str, default=()
        Columns to use although they look like identifiers or repeat the label.
    drop : sequence of str, default=()
        Columns not to use.
    executor : None, "joblib", dask.distributed.Client or address, default=None
        Where neighbors are searched.
    memory_budget : int, str or None, default=None
        How much memory this process may hold, in bytes or as "2GB".
    progress : callable, default=lambda stage: None
        As for ``audit_table``.

    Returns
    -------
    found : TableAudit
        As of ``audit_table``, but ``cleaned`` is a folder with a file for each that was read, of the same name: the
        same table with labels changed, and the column of original labels.
    """
    tell = telling_shares(progress)
    tell(READING)
    shards = ParquetShards(paths, label, memory_budget=memory_budget)
    files = [Path(entry.path) for entry in shards.manifest]
    folder = Path(out) if out else Path(f"{files[0].parent.name or 'shards'}-audit")
    names = [name if name != "cleaned.csv" else CLEANED for name in NAMES]
    check_replaceable(folder, files)
    audit = LabelAudit(
        model, top=top, n_neighbors=n_neighbors, encoder=TableEncoder(keep=keep, drop=drop), executor=executor
    )

    def ask(name: str, share: float | None = None) -> None:
        tell(f"Asking the {name} about {len(shards):,} rows.", share)

    audit._fit(shards, shards.labels.to_numpy(), progress=ask)
    tell(WRITING)
    suspects = audit.suspects()
    document = make_document(
        audit._findings,
        title=f"{len(files)} files",
        label=label,
        first_row=FIRST_ROW,
        reasons=suspects["reason"].tolist(),
    )
    document["notes"] = [*notes_on(shards.labels), *document["notes"]]
    document["files"] = [
        {"name": Path(shard.source.name).name, "first_row": shard.offset + FIRST_ROW, "n_rows": shard.n_rows}
        for shard in shards.shards
    ]
    with atomic_folder(folder) as hidden:
        found = TableAudit(audit, document, *(hidden / name for name in names))
        write_report(found)
        _write_issues(found, suspects, shards)
        _write_cleaned(found, shards, lambda share: tell(WRITING, share))
        write_document(found)
    return TableAudit(audit, document, *(folder / name for name in names))


def _write_issues(found: TableAudit, suspects: pd.DataFrame, shards: ParquetShards) -> None:
    """Write the suspects with the file and the row in it, and the user's own columns."""
    rows = suspects["row"].to_numpy()
    starts = np.array([shard.offset for shard in shards.shards])
    shard = np.searchsorted(starts, rows, side="right") - 1
    names = np.array([Path(each.source.name).name for each in shards.shards], dtype=object)
    table = suspects.assign(row=rows + FIRST_ROW)
    table.insert(1, "file", names[shard])
    table.insert(2, "row_in_file", rows - starts[shard] + FIRST_ROW)
    if len(rows):
        order = np.argsort(rows)
        own = shards.frame(rows[order]).set_index(order).sort_index()
        for name in own.columns:
            table[f"{name}_" if name in table else name] = own[name].to_numpy()
    with atomic_write(found.issues) as file:
        write_frame(table, file)


def _write_cleaned(found: TableAudit, shards: ParquetShards, progress: Callable[[float], None]) -> None:
    """Write a copy of each file with better labels, one after the other."""
    import pyarrow
    from pyarrow import parquet

    found.cleaned.mkdir()
    labels, label = found.audit.clean_labels(), shards.label
    assert label is not None
    for number, shard in enumerate(shards.shards, 1):
        table = parquet.read_table(shard.source.name, partitioning=None)
        place = table.column_names.index(label)
        given = table.column(place)
        cleaned = pyarrow.array(labels[shard.offset : shard.offset + shard.n_rows].tolist()).cast(given.type)
        kept_name = f"{label}_given"
        while kept_name in table.column_names:
            kept_name += "_"
        table = table.set_column(place, label, cleaned).add_column(place + 1, kept_name, given)
        with atomic_write(found.cleaned / Path(shard.source.name).name, binary=True) as file:
            parquet.write_table(table, file)
        progress(number / len(shards.shards))
