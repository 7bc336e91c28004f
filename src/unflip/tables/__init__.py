"""Tables from files, and their columns encoded as numbers between which distances make sense."""

from unflip.tables.encoding import Encoding, TableEncoder, encode
from unflip.tables.errors import TableError
from unflip.tables.frames import as_table, is_table
from unflip.tables.labeled import LabeledTable, read_labeled, read_labels, read_rows
from unflip.tables.reading import read_source, read_table
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
    "read_labels",
    "read_rows",
    "read_source",
    "read_table",
    "rewrite_with_labels",
]
