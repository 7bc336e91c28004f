"""A copy of a table with new labels, and CSV files that every reader takes apart the same way."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from unflip.foundation.atomic_files import atomic_write, check_not_input
from unflip.foundation.printable import shown
from unflip.tables.arrow_files import ArrowFile
from unflip.tables.errors import TableError, hint
from unflip.tables.labels import checked_labels
from unflip.tables.reading import Source, read_source
from unflip.tables.text_files import CANDIDATES, COMPRESSIONS, FilePath, TextFile, long_cells


class CsvLines:
    r"""A text file that csv writers write to with the line end "\r\n", so that they quote cells with a lone "\r" too.

    The file itself gets plain line ends, each written by the end of a row.
    """

    def __init__(self, file: IO[str]):
        self._file = file

    def write(self, row: str) -> int:
        """Write a row."""
        return self._file.write(row.removesuffix("\r\n") + "\n")


def write_frame(table: pd.DataFrame, file: IO[str]) -> None:
    """Write a table as CSV, without its index."""
    table.to_csv(CsvLines(file), index=False, lineterminator="\r\n")


def write_frame_beside(table: pd.DataFrame, names: list[str], cells: list[list[str]], file: IO[str]) -> None:
    """Write a table as CSV, and texts beside it: the names of more columns, and the cells of each row."""
    text = io.StringIO(newline="")
    write_frame(table, text)
    text.seek(0)
    writer = csv.writer(CsvLines(file), lineterminator="\r\n")
    # A frame of so many columns of texts would take far longer than its rows.
    with long_cells():
        for written, beside in zip(csv.reader(text), [names, *cells], strict=True):
            writer.writerow([*written, *beside])


def check_uncompressed(path: FilePath) -> None:
    """Refuse a file name with the ending of a compressed file: output is always plain text.

    Parameters
    ----------
    path : str or Path
        The file to write.
    """
    ending = Path(path).suffix
    if ending.lower() in COMPRESSIONS:
        raise TableError(f"{path} would not be compressed: remove {ending} from the name.")


def rewrite_with_labels(
    source: FilePath | Source, out_path: FilePath, label: str, new_labels: ArrayLike, kept_name: str
) -> None:
    """Write a CSV copy of a table with new labels, and the original labels in the column after them.

    All other cells of a text file keep their exact text, and so do unchanged labels. A new label is written the way
    the table writes that class elsewhere.

    Parameters
    ----------
    source : str, Path, TextFile or ArrowFile
        The table, as for read_table, or as read by read_source.
    out_path : str or Path
        The copy; it has the separator of the original.
    label : str
        The label column.
    new_labels : array-like of shape (n_rows,)
        The new labels, of the type that read_labeled returns.
    kept_name : str
        The name of the column for the original labels.
    """
    check_uncompressed(out_path)
    if not isinstance(source, (TextFile, ArrowFile)):
        source = read_source(source)
    check_not_input(out_path, [source.path])
    place = _label_place(source, label, kept_name)
    new_texts = _label_texts(source, place, label, new_labels)
    with atomic_write(out_path) as file:
        writer = csv.writer(CsvLines(file), delimiter=source.separator, lineterminator="\r\n")
        _write_header(file, source, [*source.header[: place + 1], kept_name, *source.header[place + 1 :]])
        for cells, text in zip(source.rows(), new_texts, strict=True):
            writer.writerow([*cells[:place], text, *cells[place:]])


def _write_header(file: IO[str], source: Source, header: Sequence[str]) -> None:
    # In quotes, so that whoever detects the separator in the first line is not misled.
    misleading = any(other in name for name in header for other in CANDIDATES if other != source.separator)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if misleading else csv.QUOTE_MINIMAL
    csv.writer(CsvLines(file), delimiter=source.separator, lineterminator="\r\n", quoting=quoting).writerow(header)


def _label_place(source: Source, label: str, kept_name: str) -> int:
    names = [str(name) for name in source.table.columns]
    if label not in names:
        raise TableError(f"{source.path} has no column {shown(label)}; {hint(label, names)}")
    if kept_name in names:
        kept = shown(kept_name)
        raise TableError(f"{source.path} already has a column {kept}; the original labels need another name.")
    return names.index(label)


def _label_texts(source: Source, place: int, label: str, new_labels: ArrayLike) -> list[str]:
    """Return each new label as the table writes it."""
    old_texts = pd.Series([cells[place] for cells in source.rows()], dtype=object)
    new = pd.Series(np.asarray(new_labels)).reset_index(drop=True)
    if not len(new) == len(old_texts) == len(source.table):
        raise TableError(f"{source.path} has {len(old_texts)} rows for {len(new)} labels.")
    old = checked_labels(source.path, label, source.table.iloc[:, place])
    text_of_class: dict[Any, str] = old_texts.groupby(old.to_numpy()).agg(lambda texts: texts.mode().iloc[0]).to_dict()
    unchanged = (old.astype(object).to_numpy() == new.astype(object).to_numpy()).tolist()
    return [
        text if same else text_of_class.get(value, str(value))
        for text, same, value in zip(old_texts, unchanged, new, strict=True)
    ]
