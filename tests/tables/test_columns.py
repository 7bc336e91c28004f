"""The kind of a column follows from its values, whatever dtype holds them."""

from datetime import date, datetime, time
from decimal import Decimal

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

from unflip.tables import TableEncoder, TableError, encode, read_rows
from unflip.tables.columns import read_column, read_column_as

NAN = np.nan
KINDS = {
    "whole numbers": (pd.Series([1, 2, 2]), "number", [1, 2, 2]),
    "small whole numbers": (pd.Series([1, 2, 2], dtype="int8"), "number", [1, 2, 2]),
    "infinite numbers": (pd.Series([1.0, np.inf, -np.inf]), "number", [1, NAN, NAN]),
    "nullable numbers": (pd.Series([1, None, 3], dtype="Int64"), "number", [1, NAN, 3]),
    "decimals": (pd.Series([Decimal("1.5"), None, Decimal("2")]), "number", [1.5, NAN, 2]),
    "objects that are numbers": (pd.Series([1, 2.5, pd.NA], dtype=object), "number", [1, 2.5, NAN]),
    "arrow numbers": (pd.Series([1, None, 3], dtype=pd.ArrowDtype(pa.int32())), "number", [1, NAN, 3]),
    "arrow decimals": (
        pd.Series([Decimal("1.5"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
        "number",
        [1.5, NAN],
    ),
    "durations": (pd.Series(pd.to_timedelta(["1s", None, "3s"])), "number", [1e6, NAN, 3e6]),
    "booleans": (pd.Series([True, False]), "boolean", [1, 0]),
    "nullable booleans": (pd.Series([True, None, False], dtype="boolean"), "boolean", [1, NAN, 0]),
    "objects that are booleans": (pd.Series([True, None, False], dtype=object), "boolean", [1, NAN, 0]),
    "arrow booleans": (pd.Series([True, None], dtype=pd.ArrowDtype(pa.bool_())), "boolean", [1, NAN]),
    "texts true and false": (pd.Series(["True", "false", None]), "boolean", [1, 0, NAN]),
    "dates": (pd.Series(pd.to_datetime(["1970-01-02", None])), "date", [86400e6, NAN]),
    "nanosecond dates": (pd.Series(pd.to_datetime(["1970-01-02", None])).astype("M8[ns]"), "date", [86400e6, NAN]),
    "zoned dates": (
        pd.Series(pd.to_datetime(["1970-01-02 01:00+01:00"]).tz_convert("Europe/Paris")),
        "date",
        [86400e6],
    ),
    "objects that are dates": (pd.Series([date(1970, 1, 2), None]), "date", [86400e6, NAN]),
    "objects that are moments": (pd.Series([datetime(1970, 1, 2), None], dtype=object), "date", [86400e6, NAN]),
    "arrow dates": (pd.Series([date(1970, 1, 2), None], dtype=pd.ArrowDtype(pa.date32())), "date", [86400e6, NAN]),
    "months": (pd.Series(pd.PeriodIndex(["1970-01", "1970-02"], freq="M")), "date", [0, 31 * 86400e6]),
    "texts of dates": (pd.Series(["1970-01-02", None, "1970-01-01T00:00:01"]), "date", [86400e6, NAN, 1e6]),
    "texts of zoned dates": (pd.Series(["1970-01-02T01:00:00+01:00", "1970-01-01 00:00Z"]), "date", [86400e6, 0]),
}  # fmt: skip


@pytest.mark.parametrize("case", KINDS)
def test_numbers_booleans_and_dates_of_every_type(case):
    values, kind, expected = KINDS[case]
    column = read_column("x", values)
    assert column.kind == kind
    np.testing.assert_array_equal(column.values, np.array(expected, dtype=float))


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pd.Series(["b", "a", None, "b"]), ["b", "a", None, "b"]),
        (pd.Series(["b", "a", None, "b"], dtype="category"), ["b", "a", None, "b"]),
        (pd.Series(["b", "a", None, "b"], dtype=pd.ArrowDtype(pa.string())), ["b", "a", None, "b"]),
        (pd.Series(pd.Categorical([2, 1, None, 2], categories=[1, 2, 3])), ["2", "1", None, "2"]),
        (pd.Series([1, "1", None, "x", 1.0], dtype=object), ["1", "1", None, "x", "1"]),
        (pd.Series([time(1), time(2), None]), ["01:00:00", "02:00:00", None]),
        (pd.Series(["2024-05-31", "soon", None]), ["2024-05-31", "soon", None]),
        (pd.Series(["2024-05-31", "2024-13-45", None]), ["2024-05-31", "2024-13-45", None]),
        (pd.Series(["2024", "2025-01", None]), ["2024", "2025-01", None]),
    ],
)
def test_everything_else_is_a_category_of_texts(values, texts):
    column = read_column("x", values)
    assert column.kind == "category"
    assert [None if code < 0 else column.texts[code] for code in column.values] == texts
    assert column.n_values == len(set(texts) - {None})


def test_integers_with_few_distinct_values_stay_numbers():
    assert read_column("x", pd.Series([0, 1, 2] * 20)).kind == "number"
    assert encode({"x": [0, 1, 2] * 20}).matrix.shape == (60, 1)


@pytest.mark.parametrize("values", [[["a"], ["b", "c"], []], [{"a": 1}, {}, {"b": 2}], [1j, 2j, 3j], [{1}, {2}, None]])
def test_lists_of_texts_dictionaries_sets_and_complex_numbers_are_nested(values):
    assert read_column("x", pd.Series(values)).kind == "nested"


@pytest.mark.parametrize(
    ("values", "n_values", "missing"),
    [
        ([1.0, NAN, 1.0, np.inf], 1, [False, True, False, True]),
        (["b", None, "a", "b"], 2, [False, True, False, False]),
        ([True, None, False, None], 2, [False, True, False, True]),
        ([None, None], 0, [True, True]),
    ],
)
def test_distinct_and_missing_values_are_counted(values, n_values, missing):
    column = read_column("x", pd.Series(values))
    assert column.n_values == n_values
    assert column.missing.tolist() == missing


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("number", ["1.5", "2", "many"], "'x' held numbers before; row 3 has 'many'"),
        ("number", [True, False, True], "'x' held numbers before; row 1 has 'True'"),
        ("number", pd.to_datetime(["2024-05-31"]), "'x' held numbers before; row 1 has '2024-05-31"),
        ("boolean", [None, 1, 0], "'x' held booleans before; row 2 has '1'"),
        ("date", ["2024-05-31", "31.5.2024"], "'x' held dates before; row 2 has '31.5.2024'"),
        ("date", [5, 6], "'x' held dates before; row 1 has '5'"),
        ("embedding", [5, 6], "'x' held lists before; row 1 has .*5"),
        ("number", [[5, 6], [7, 8]], "'x' held numbers before; row 1 has .*5, 6"),
        ("category", [[5, 6], [7, 8]], "'x' held categories before; row 1 has .*5, 6"),
    ],
)
def test_the_first_value_of_another_kind_is_refused(kind, values, words):
    with pytest.raises(TableError, match=words):
        read_column_as("x", pd.Series(values), kind)


@pytest.mark.parametrize("kind", ["number", "category", "boolean", "date"])
@pytest.mark.parametrize("dtype", ["float64", "str", "object", "boolean", "Int64", "datetime64[us]"])
def test_a_column_of_missing_values_fits_any_kind(kind, dtype):
    column = read_column_as("x", pd.Series([None, None]).astype(dtype), kind)
    assert column.kind == kind
    assert column.missing.all()


LISTS = np.random.RandomState(0).normal(5, 3, size=(300, 8))


@pytest.mark.parametrize("source", ["lists", "arrays", "arrow", "fixed size", "polars", "arrow dtype", "parquet"])
def test_a_column_of_lists_is_an_embedding_with_one_scale(source, tmp_path):
    lists = pd.DataFrame({"vector": list(LISTS)})
    table = {
        "lists": lambda: {"vector": LISTS.tolist()},
        "arrays": lambda: lists,
        "arrow": lambda: pa.Table.from_pandas(lists),
        "fixed size": lambda: pa.table({"vector": pa.array(LISTS.tolist(), type=pa.list_(pa.float64(), 8))}),
        "polars": lambda: polars.from_pandas(lists),
        "arrow dtype": lambda: lists.astype(pd.ArrowDtype(pa.list_(pa.float64()))),
        "parquet": lambda: lists.to_parquet(tmp_path / "t.parquet") or read_rows(tmp_path / "t.parquet"),
    }[source]()
    encoder = TableEncoder().fit(table)
    assert encoder.kinds_ == {"vector": "embedding"}
    matrix = encoder.transform(table)
    assert matrix.shape == (300, 8)
    assert np.allclose(matrix / LISTS, matrix[0, 0] / LISTS[0, 0])
    first, second = np.random.RandomState(1).randint(300, size=(2, 5000))
    apart = np.linalg.norm(matrix[first] - matrix[second], axis=1)
    assert np.median(apart) == pytest.approx(1, abs=0.05)
    assert np.array_equal(encoder.transform({"vector": LISTS[:5].tolist()}), matrix[:5])


@pytest.mark.parametrize(
    ("lists", "words"),
    [
        ([[1, 2], [1, 2, 3]], "Column 'v': row 2 has 3 numbers, row 1 has 2"),
        ([[1, 2], None, [3, 4]], "Column 'v' holds lists of numbers, but row 2 has none"),
        ([None, [1, 2], [3, 4]], "Column 'v' holds lists of numbers, but row 1 has none"),
        ([[1.0, 2.0], [np.nan, 2.0]], "Column 'v': row 2 has a missing or infinite number"),
    ],
)
def test_ragged_or_missing_lists_are_refused_by_row(lists, words):
    with pytest.raises(TableError, match=words):
        encode({"v": lists})
    assert encode({"v": lists, "x": np.arange(len(lists)) / 2}, drop=["v"]).used == ["x"]


def test_an_embedding_of_mostly_equal_rows_has_a_scale():
    matrix = encode({"v": [[0.0, 0.0]] * 99 + [[3.0, 4.0]]}).matrix
    assert np.linalg.norm(matrix[-1]) == pytest.approx(1)


def test_an_embedding_of_equal_rows_is_left_out():
    assert encode({"v": [[1, 2]] * 3, "x": [0.0, 1.0, 3.0]}).left_out == {"v": "constant"}
