"""Parquet files as one matrix, with labels."""

import numpy as np
import pandas as pd
import pytest

from unflip.neighbors.shards import ParquetShards
from unflip.tables import TableEncoder

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def table():
    random = np.random.RandomState(0)
    return pd.DataFrame({
        "size": random.normal(size=60),
        "count": random.randint(0, 9, 60),
        "color": random.choice(["red", "blue"], 60),
        "label": random.choice(["cat", "dog"], 60),
    })  # fmt: skip


@pytest.fixture
def files(tmp_path, table):
    for name, part in (("b", table[20:]), ("a", table[:20])):
        parquet.write_table(
            arrow.Table.from_pandas(part, preserve_index=False), tmp_path / f"{name}.parquet", row_group_size=7
        )
    return tmp_path / "*.parquet"


def test_numbers_and_labels_come_in_the_order_of_the_files(files, table):
    shards = ParquetShards(files, "label", columns=["size", "count"])
    np.testing.assert_array_equal(shards[:], table[["size", "count"]].to_numpy(float))
    np.testing.assert_array_equal(shards[[25, 3, 59]], table[["size", "count"]].to_numpy(float)[[25, 3, 59]])
    assert shards.labels.tolist() == table["label"].tolist()
    assert [entry.n_rows for entry in shards.manifest] == [20, 40]
    some = shards.frame(np.array([1, 30])).to_numpy()
    assert some.tolist() == table[["size", "count"]].iloc[[1, 30]].to_numpy().tolist()


def test_columns_of_any_kind_are_encoded(files, table):
    columns = table.drop(columns="label")
    encoder = TableEncoder().fit(columns, table["label"])
    names = list(columns)
    shards = ParquetShards(files, "label", columns=names, encoder=encoder)
    np.testing.assert_array_equal(shards[:], encoder.transform(columns))
    plain = ParquetShards(files, "label", columns=["size", "count"], memory_budget="1GB")
    pair = TableEncoder().fit(columns[["size", "count"]], table["label"])
    np.testing.assert_array_equal(plain.encoded(pair)[:], pair.transform(columns[["size", "count"]]))
    assert plain.encoded(pair).memory_budget == 10**9


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_a_column_of_vectors_is_a_matrix_in_its_own_precision(tmp_path, kind):
    X = np.random.RandomState(0).normal(size=(12, 5)).astype(kind)
    values = arrow.FixedSizeListArray.from_arrays(arrow.array(X.ravel()), 5)
    lists = arrow.array([row.tolist() for row in X], arrow.list_(arrow.from_numpy_dtype(X.dtype)))
    for number, column in enumerate((values, lists)):
        path = tmp_path / f"{number}.parquet"
        if kind == "float16" and number == 0:
            continue  # not every pyarrow writes fixed-size lists of half precision
        parquet.write_table(arrow.table({"embedding": column, "y": ["a", "b"] * 6}), path)
        shards = ParquetShards(path, "y")
        assert shards.dtype == X.dtype
        np.testing.assert_array_equal(shards[:], X)
        np.testing.assert_array_equal(shards[[7, 2]], X[[7, 2]])


def test_vectors_of_different_lengths_are_refused(tmp_path):
    parquet.write_table(arrow.table({"embedding": [[1.0, 2.0], [3.0]] * 2}), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="lists of different lengths"):
        ParquetShards(tmp_path / "a.parquet")[:]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"label": "lable"}, "has no column 'lable'"),
        ({"columns": ["sizes"]}, "has no column 'sizes'"),
        ({"columns": []}, "has no column besides the label"),
        ({"columns": ["size"], "memory_budget": 0}, "ParquetShards: 'memory_budget' must be"),
    ],
)
def test_bad_columns_are_refused(files, parameters, said):
    with pytest.raises(ValueError, match=said):
        ParquetShards(files, **parameters)


def test_columns_of_texts_wait_for_an_encoder(files, table):
    shards = ParquetShards(files, "label")
    assert shards.shape == (60, 3)
    with pytest.raises(ValueError, match="'columns' must be columns of numbers, or an encoder for others, got 'color"):
        shards[:3]
    columns = table.drop(columns="label")
    encoder = TableEncoder().fit(columns, table["label"])
    np.testing.assert_array_equal(shards.encoded(encoder)[:], encoder.transform(columns))


def test_files_without_rows_are_passed_over_unless_all_are(files, table):
    empty = arrow.Table.from_pandas(table[:0], preserve_index=False).cast(
        parquet.read_schema(files.parent / "a.parquet")
    )
    parquet.write_table(empty, files.parent / "0.parquet")
    assert ParquetShards(files, "label", columns=["size"]).shape == (60, 1)
    with pytest.raises(ValueError, match="have no rows"):
        ParquetShards(files.parent / "0.parquet", "label")


def test_files_of_other_columns_and_missing_labels_are_refused(files, table):
    parquet.write_table(arrow.Table.from_pandas(table.drop(columns="size")), files.parent / "c.parquet")
    with pytest.raises(ValueError, match=r"c\.parquet has other columns than .*a\.parquet"):
        ParquetShards(files, "label", columns=["count"])
    without_label = ParquetShards(files.parent / "a.parquet", columns=["size"])
    with pytest.raises(ValueError, match="'label' must be the name of the label column"):
        _ = without_label.labels
    (files.parent / "d.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(ValueError, match=r"d\.parquet cannot be read"):
        ParquetShards(files.parent / "d.parquet")
