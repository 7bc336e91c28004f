"""Tables from files, and the way from their columns to numbers between which distances make sense."""

from unflip.tables.encoding import Encoding, encode
from unflip.tables.reading import TableError, read_labeled_table, read_table

__all__ = ["Encoding", "TableError", "encode", "read_labeled_table", "read_table"]
