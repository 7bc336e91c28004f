"""The same data give the same matrix, to the last bit, whatever library or file holds them."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from unflip.tables import TableError, as_table, encode, read_table

N = 400


def mixed_table():
    """Return numbers, categories, booleans and dates, a tenth of each missing."""
    random = np.random.RandomState(0)
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(random.randint(1000, size=N), "D")
    table = pd.DataFrame({
        "size": random.normal(size=N) * 10.0 ** random.randint(-20, 20, size=N),
        "count": random.randint(50, size=N).astype(float),
        "color": random.choice(["red", "green", "dark blue", 'a "quoted", one'], size=N).astype(object),
        "flag": random.choice([True, False], size=N).astype(object),
        "day": days,
        "moment": days + pd.to_timedelta(random.randint(10**9, size=N), "ms"),
    })  # fmt: skip
    for name in table:
        table[name] = table[name].where(random.rand(N) > 0.1, None)
    whole = {"whole": random.randint(9, size=N), "sure": random.rand(N) < 0.5}
    return table.assign(**whole).astype({"color": "str"})


TABLE = mixed_table()
KINDS = ["number", "number", "category", "boolean", "date", "date", "number", "boolean"]


def from_csv(path, ending=".csv", **options):
    TABLE.to_csv(path / f"t{ending}", index=False, **options)
    return read_table(path / f"t{ending}")


def from_parquet(path):
    TABLE.to_parquet(path / "t.parquet")
    return read_table(path / "t.parquet")


def from_arrow(path):
    feather.write_feather(pa.Table.from_pandas(TABLE), str(path / "t.arrow"))
    return read_table(path / "t.arrow")


def from_polars_files(path):
    polars.from_pandas(TABLE).write_ipc(path / "t.feather")
    return read_table(path / "t.feather")


def from_polars_csv(path):
    polars.from_pandas(TABLE).write_csv(path / "t.csv")
    return read_table(path / "t.csv")


WAYS = {
    "csv": from_csv,
    "compressed": lambda path: from_csv(path, ".csv.gz"),
    "tabs": lambda path: from_csv(path, ".tsv", sep="\t"),
    "semicolons": lambda path: from_csv(path, ".txt", sep=";"),
    "parquet": from_parquet,
    "arrow": from_arrow,
    "polars": lambda path: polars.from_pandas(TABLE),
    "a file of polars": from_polars_files,
    "a csv of polars": from_polars_csv,
    "pyarrow": lambda path: pa.Table.from_pandas(TABLE),
    "mapping": lambda path: {name: TABLE[name].tolist() for name in TABLE},
    "nullable dtypes": lambda path: TABLE.convert_dtypes(),
    "arrow dtypes": lambda path: TABLE.convert_dtypes(dtype_backend="pyarrow"),
    "categorical": lambda path: TABLE.astype({"color": "category"}),
    "objects": lambda path: TABLE.astype(object),
    "another index": lambda path: TABLE.set_index(np.arange(N) * 2 + 7),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_same_data_give_the_same_matrix(way, tmp_path):
    from unflip.tables import TableEncoder

    encoder = TableEncoder().fit(WAYS[way](tmp_path))
    assert list(encoder.kinds_.items()) == list(zip(TABLE, KINDS, strict=True))
    assert np.array_equal(encode(WAYS[way](tmp_path)).matrix, encode(TABLE).matrix)
    assert encode(TABLE).matrix.shape == (N, 2 + 2 + 5 + 2 + 2 + 2 + 1 + 1)


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_an_index_that_pandas_stored_is_a_column_only_if_it_has_a_name(ending, tmp_path):
    path = tmp_path / f"t{ending}"
    for name, columns in ((None, ["x"]), ("day", ["x", "day"])):
        table = pa.Table.from_pandas(pd.DataFrame({"x": [1.0, 2.0]}, index=pd.Index([5, 3], name=name)))
        parquet.write_table(table, path) if ending == ".parquet" else feather.write_feather(table, str(path))
        assert list(read_table(path)) == columns


def test_a_pandas_table_is_not_copied():
    assert as_table(TABLE) is TABLE


def test_numbers_from_arrow_share_memory():
    numbers = np.arange(1000.0)
    table = as_table(pa.table({"x": numbers}))
    assert np.shares_memory(table["x"].to_numpy(), numbers)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([1, 2], "A table must be a pandas or polars DataFrame, .* got list"),
        (np.ones(2), "got ndarray"),
        ({"a": [1, 2], "b": [1]}, "The columns make no table: "),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "The table has two columns 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "The table has two columns '1'"),
    ],
)
def test_what_is_no_table_is_refused(data, words):
    with pytest.raises(TableError, match=words):
        as_table(data)
