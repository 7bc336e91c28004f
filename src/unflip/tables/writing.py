"""A copy of a table with other labels."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from unflip.foundation.atomic_files import atomic_write
from unflip.tables.frames import without_index
from unflip.tables.reading import ACCEPTED, ARROW, read_arrow, read_one_column, refusing
from unflip.tables.refusals import TableError, hint
from unflip.tables.text_files import COMPRESSIONS, SEPARATORS, ending_of, rows_of, separator_of


def check_uncompressed(path):
    """Refuse a name that promises a compressed file: what is written here is plain text."""
    ending = Path(path).suffix
    if ending.lower() in COMPRESSIONS:
        raise TableError(f"{path} would not be compressed: leave {ending} away.")


def rewrite_with_labels(source_path, out_path, label, new_labels, kept_name):
    """Write a copy of a table as CSV, with other labels and the original ones in a column right after them.

    All other cells of a text file keep the very text they have, and so do labels that stay; a new label is written as
    the table writes that class elsewhere.

    Parameters
    ----------
    source_path : str or Path
        The table, as for read_table.
    out_path : str or Path
        The copy, with the separator of the original.
    label : str
        The column of labels.
    new_labels : array-like of shape (n_rows,)
        As read_table reads labels.
    kept_name : str
        The name of the column with the original labels.
    """
    source_path, out_path = Path(source_path), Path(out_path)
    if out_path.exists() and source_path.exists() and out_path.samefile(source_path):
        raise TableError(f"{out_path} is the table itself; give the copy another name.")
    check_uncompressed(out_path)
    with refusing(source_path):
        rows, separator = _rows_and_separator(source_path)
        header = next(rows)
        place = _place_of_label(header, label, kept_name, source_path)
        new_texts = _texts_of(source_path, label, place, new_labels)
    with atomic_write(out_path) as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow([*header[: place + 1], kept_name, *header[place + 1 :]])
        for cells, text in zip(rows, new_texts, strict=True):
            writer.writerow([*cells[:place], text, *cells[place:]])


def _rows_and_separator(path):
    if ending_of(path) in SEPARATORS:
        separator = separator_of(path)
        return rows_of(path, separator), separator
    if ending_of(path) in ARROW:
        return _rows_of_arrow(path), ","
    raise TableError(f"{path} is not {ACCEPTED}.")


def _rows_of_arrow(path):
    """Yield the names, then the cells of each row as text; Arrow's own types keep whole numbers whole."""
    table = without_index(read_arrow(path)).to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    yield [str(name) for name in table.columns]
    for cells in table.itertuples(index=False, name=None):
        yield ["" if _is_missing(cell) else str(cell) for cell in cells]


def _is_missing(cell):
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and cell != cell)


def _place_of_label(header, label, kept_name, path):
    if label not in header:
        raise TableError(f"{path} has no column {label!r}; {hint(label, header)}")
    if kept_name in header:
        raise TableError(f"{path} has a column {kept_name!r} already; the original labels need another name.")
    return header.index(label)


def _texts_of(path, label, place, new_labels):
    """Return each new label as the table writes it."""
    rows, _ = _rows_and_separator(path)
    next(rows)
    old_texts = pd.Series([cells[place] for cells in rows], dtype=object)
    old_labels = read_one_column(path, label)
    new_labels = pd.Series(np.asarray(new_labels)).reset_index(drop=True)
    if not len(new_labels) == len(old_texts) == len(old_labels):
        raise TableError(f"{path} has {len(old_texts)} rows for {len(new_labels)} labels.")
    usual = old_texts.groupby(old_labels.to_numpy()).agg(lambda texts: texts.mode().iloc[0]).to_dict()
    same = (old_labels.astype(object) == new_labels.astype(object)).to_numpy()
    rows = zip(old_texts, same, new_labels, strict=True)
    return [old if stays else usual.get(new, str(new)) for old, stays, new in rows]
