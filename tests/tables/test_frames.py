"""In-memory tables of any library become pandas DataFrames."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from scipy import sparse

from unflip.tables import TableError, as_table, is_table, read_table
from unflip.tables.frames import frame_of_arrow, without_index

FRAME = pd.DataFrame({"size": [1.5, 2.0], "color": ["red", "blue"]})


@pytest.mark.parametrize(
    "data", [FRAME, polars.from_pandas(FRAME), pa.Table.from_pandas(FRAME), FRAME.to_dict("list")],
    ids=["pandas", "polars", "arrow", "mapping"],
)  # fmt: skip
def test_tables_of_every_library_are_taken(data):
    assert is_table(data)
    assert as_table(data).to_dict("list") == {"size": [1.5, 2.0], "color": ["red", "blue"]}


@pytest.mark.parametrize(
    "data",
    [
        np.ones((2, 2)), [[1, 2]], sparse.eye_array(2).tocsr(), sparse.eye_array(2).todok(), FRAME["size"],
        polars.Series([1]), pa.chunked_array([[1, 2]]), "t.csv", None,
    ],
    ids=["array", "list", "csr", "dok", "series", "polars series", "arrow column", "text", "none"],
)  # fmt: skip
def test_anything_without_named_columns_is_not_a_table(data):
    assert not is_table(data)


def test_the_columns_of_an_array_are_numbered():
    assert as_table(np.array([[1.0, 2.0]])).to_dict("list") == {"x0": [1.0], "x1": [2.0]}


def test_a_pandas_table_is_not_copied():
    assert as_table(FRAME) is FRAME


def test_numbers_from_arrow_share_memory():
    numbers = np.arange(1000.0)
    table = as_table(pa.table({"x": numbers}))
    assert np.shares_memory(table["x"].to_numpy(), numbers)


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_a_stored_index_is_a_column_only_if_it_has_a_name(ending, tmp_path):
    path = tmp_path / f"t{ending}"
    for name, columns in ((None, ["x"]), ("day", ["x", "day"])):
        table = pa.Table.from_pandas(pd.DataFrame({"x": [1.0, 2.0]}, index=pd.Index([5, 3], name=name)))
        assert without_index(table).column_names == columns
        assert list(frame_of_arrow(table)) == columns
        parquet.write_table(table, path) if ending == ".parquet" else feather.write_feather(table, str(path))
        assert list(read_table(path)) == columns


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([1, 2], "A table must be a pandas or polars DataFrame, .* got list"),
        (np.ones(2), "got ndarray"),
        ({"a": [1, 2], "b": [1]}, "The columns do not form a table: "),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "The table has two columns 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "The table has two columns '1'"),
    ],
)
def test_anything_else_is_refused(data, words):
    with pytest.raises(TableError, match=words):
        as_table(data)
