"""Tables from files, and the way from their columns to numbers between which distances make sense."""

from unflip.tables.encoding import Encoding, TableEncoder, encode
from unflip.tables.frames import as_table, is_table
from unflip.tables.labeled import LabeledTable, read_labeled, read_labels, read_rows
from unflip.tables.reading import read_labeled_table, read_table
from unflip.tables.refusals import TableError
from unflip.tables.writing import check_uncompressed, rewrite_with_labels

__all__ = [
    "Encoding",
    "LabeledTable",
    "TableEncoder",
    "TableError",
    "as_table",
    "check_uncompressed",
    "encode",
    "is_table",
    "read_labeled",
    "read_labeled_table",
    "read_labels",
    "read_rows",
    "read_table",
    "rewrite_with_labels",
]
