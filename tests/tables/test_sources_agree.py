"""The same data give the same matrix, bit for bit, from every library and file format."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from pyarrow import feather

from unflip.tables import TableEncoder, encode, read_table

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


SOURCES = {
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


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_same_matrix(source, tmp_path):
    encoder = TableEncoder().fit(SOURCES[source](tmp_path))
    assert list(encoder.kinds_.items()) == list(zip(TABLE, KINDS, strict=True))
    assert np.array_equal(encode(SOURCES[source](tmp_path)).matrix, encode(TABLE).matrix)
    assert encode(TABLE).matrix.shape == (N, 2 + 2 + 5 + 2 + 2 + 2 + 1 + 1)
