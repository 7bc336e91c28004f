"""A copy of a table with new labels, and CSV files that every reader takes apart the same way."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from unflip.foundation.atomic_files import atomic_write, check_not_input
from unflip.foundation.printable import shown
from unflip.tables.arrow_files import ArrowFile
from unflip.tables.cell_spans import CodedTexts
from unflip.tables.csv_cells import CsvLines, long_cells
from unflip.tables.errors import TableError, hint
from unflip.tables.labels import checked_labels
from unflip.tables.progress import ShareDone, tell_nobody
from unflip.tables.reading import Source, read_source
from unflip.tables.text_files import CANDIDATES, COMPRESSIONS, FilePath, TextFile

ROWS_PER_BLOCK = 2**14


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
    source: FilePath | Source,
    out_path: FilePath,
    label: str,
    new_labels: ArrayLike,
    kept_name: str,
    *,
    progress: ShareDone = tell_nobody,
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
    progress : callable, default=tell_nobody
        Called with the share of the rows that is written.
    """
    check_uncompressed(out_path)
    if not isinstance(source, (TextFile, ArrowFile)):
        source = read_source(source)
    check_not_input(out_path, [source.path])
    place = _label_place(source, label, kept_name)
    new_texts = _label_texts(source, place, label, new_labels)
    n_rows = len(new_texts.codes)
    with atomic_write(out_path) as file:
        _write_header(file, source, [*source.header[: place + 1], kept_name, *source.header[place + 1 :]])
        for n_written, text in _copied_rows(source, place, new_texts):
            file.write(text)
            progress(n_written / n_rows)


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


def _copied_rows(source: Source, place: int, texts: CodedTexts) -> Iterator[tuple[int, str]]:
    """Yield the rows with one more cell at a place as text, many at a time, each with the number of rows so far."""
    if source.spans is not None:
        yield from source.spans.with_column(place, texts)
        return
    rows, n_rows = source.rows(), len(texts.codes)
    for start in range(0, n_rows, ROWS_PER_BLOCK):
        out, codes = io.StringIO(newline=""), texts.codes[start : start + ROWS_PER_BLOCK].tolist()
        writer = csv.writer(CsvLines(out), delimiter=source.separator, lineterminator="\r\n")
        for cells, code in zip(islice(rows, len(codes)), codes, strict=True):
            writer.writerow([*cells[:place], texts.distinct[code], *cells[place:]])
        yield start + len(codes), out.getvalue()


def _label_texts(source: Source, place: int, label: str, new_labels: ArrayLike) -> CodedTexts:
    """Return each new label as the table writes it."""
    written = source.column(place)
    new_codes, new_values = pd.factorize(pd.Series(np.asarray(new_labels)), use_na_sentinel=False)
    if not len(new_codes) == len(written.codes) == len(source.table):
        raise TableError(f"{source.path} has {len(written.codes)} rows for {len(new_codes)} labels.")
    old_codes, old_values = pd.factorize(checked_labels(source.path, label, source.table.iloc[:, place]))
    class_of = {value: number for number, value in enumerate(old_values)}
    classes = np.array([class_of.get(value, -1) for value in new_values])
    unknown = np.flatnonzero(classes < 0)
    text_codes = _usual_texts(written, old_codes)[classes]
    text_codes[unknown] = len(written.distinct) + np.arange(len(unknown))
    unchanged = classes[new_codes] == old_codes
    distinct = [*written.distinct, *(str(value) for value in new_values[unknown])]
    return CodedTexts(np.where(unchanged, written.codes, text_codes[new_codes]), distinct)


def _usual_texts(written: CodedTexts, classes: np.ndarray) -> np.ndarray:
    """Return the most common text of each class; of equally common ones the alphabetically first."""
    n_texts = len(written.distinct)
    pairs, counts = np.unique(classes * n_texts + written.codes, return_counts=True)
    class_of_pair, text_of_pair = np.divmod(pairs, n_texts)
    ranks = np.argsort(np.argsort(np.array(written.distinct, dtype=object)))
    order = np.lexsort((ranks[text_of_pair], -counts, class_of_pair))
    first = np.unique(class_of_pair[order], return_index=True)[1]
    return text_of_pair[order[first]]
