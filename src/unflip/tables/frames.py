"""Tables that are in memory already, of any library, as pandas frames."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from unflip.foundation.optional import optional
from unflip.foundation.text import first_line
from unflip.tables.refusals import TableError, check_names

ACCEPTED = "a pandas or polars DataFrame, a pyarrow Table, a mapping of columns, or an array of two dimensions"


def is_table(data):
    """Tell whether something has columns with names: a frame of pandas or polars, an Arrow table, a mapping.

    Parameters
    ----------
    data : object
        Anything.

    Returns
    -------
    answer : bool
        Whether as_table takes it as a table; False for arrays and sparse matrices.
    """
    if isinstance(data, Mapping):
        return not hasattr(data, "shape")  # some sparse matrices are mappings
    return isinstance(data, pd.DataFrame) or (
        hasattr(data, "__arrow_c_stream__") and len(getattr(data, "shape", ())) == 2
    )


def as_table(data):
    """Turn a table of any library into a pandas DataFrame, copying no more than the change of format needs.

    Parameters
    ----------
    data : DataFrame, pyarrow.Table, mapping, array or object with ``__arrow_c_stream__``
        A pandas frame is returned as it is; polars and others come through Arrow's stream interface. The columns of an
        array are called x0, x1 and so on.

    Returns
    -------
    table : DataFrame
        With one column for each name.

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


def frame_of_arrow(table):
    """Return the frame of an Arrow table, sharing memory where types allow it."""
    return without_index(table).to_pandas(split_blocks=True, date_as_object=False, ignore_metadata=True)


def without_index(table):
    """Return an Arrow table without the row numbers that pandas stored; an index with a name is a column."""
    return table.drop_columns([name for name in table.column_names if name.startswith("__index_level_")])


def _frame_of_mapping(columns):
    try:
        return pd.DataFrame(dict(columns))
    except ValueError as error:
        raise TableError(f"The columns make no table: {first_line(error)}.") from None
