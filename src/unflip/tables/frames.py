"""In-memory tables of any library as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from unflip.foundation.optional import optional
from unflip.foundation.text import first_line
from unflip.tables.errors import TableError, check_names

if TYPE_CHECKING:
    import pyarrow

ACCEPTED = "a pandas or polars DataFrame, a pyarrow Table, a mapping of columns, or a two-dimensional array"


def is_table(data: Any) -> bool:
    """Tell whether data has named columns: a pandas or polars DataFrame, a pyarrow Table, or a mapping.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    answer : bool
        False for arrays and sparse matrices.
    """
    if isinstance(data, Mapping):
        return not hasattr(data, "shape")  # some sparse matrices are mappings
    return isinstance(data, pd.DataFrame) or (
        hasattr(data, "__arrow_c_stream__") and len(getattr(data, "shape", ())) == 2
    )


def as_table(data: Any) -> pd.DataFrame:
    """Convert a table of any library to a pandas DataFrame, copying only what the conversion requires.

    Parameters
    ----------
    data : DataFrame, pyarrow.Table, mapping, array or object with ``__arrow_c_stream__``
        A pandas DataFrame is returned unchanged; polars and others are read through Arrow's stream interface. The
        columns of an array are named x0, x1 and so on.

    Returns
    -------
    table : DataFrame
        No two columns have the same name.

    Examples
    --------
    >>> as_table({"size": [1.5, 2.0], "color": ["red", "blue"]}).shape
    (2, 2)
    """
    if isinstance(data, pd.DataFrame):
        table = data
    elif hasattr(data, "__arrow_c_stream__"):
        arrow = optional("pyarrow", "parquet", f"A table of type {type(data).__name__}")
        table = frame_of_arrow(arrow.table(data))
    elif isinstance(data, Mapping):
        table = _frame_of_mapping(data)
    elif isinstance(data, np.ndarray) and data.ndim == 2:
        table = pd.DataFrame(data, columns=[f"x{number}" for number in range(data.shape[1])])
    else:
        raise TableError(f"A table must be {ACCEPTED}, got {type(data).__name__}.")
    check_names(table, "The table")
    return table


def frame_of_arrow(table: pyarrow.Table) -> pd.DataFrame:
    """Convert an Arrow table to a DataFrame, sharing memory where the types allow it."""
    return without_index(table).to_pandas(split_blocks=True, date_as_object=False, ignore_metadata=True)


def without_index(table: pyarrow.Table) -> pyarrow.Table:
    """Drop the unnamed index that pandas stored with an Arrow table; a named index is an ordinary column."""
    return table.drop_columns([name for name in table.column_names if name.startswith("__index_level_")])


def _frame_of_mapping(columns: Mapping[Any, Any]) -> pd.DataFrame:
    try:
        return pd.DataFrame(dict(columns))
    except ValueError as error:
        raise TableError(f"The columns do not form a table: {first_line(error)}.") from None
