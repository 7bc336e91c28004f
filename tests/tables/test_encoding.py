"""Columns of every kind become numbers of comparable weight; columns that give the answer away are left out."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import encode


def distances(matrix):
    return np.sqrt(((matrix[:, None] - matrix[None]) ** 2).sum(axis=-1))


def test_another_category_is_as_far_as_the_full_range_of_a_number():
    number = encode(pd.DataFrame({"x": [0.0, 5.0, 10.0] * 100})).matrix
    text = encode(pd.DataFrame({"x": ["a", "b", "c"] * 100})).matrix
    assert distances(number)[0, 2] == pytest.approx(1, abs=0.01)
    assert distances(text)[0, 1] == pytest.approx(1)
    assert distances(text)[0, 3] == 0


def test_an_outlier_does_not_flatten_the_rest():
    values = np.linspace(0, 1, 1000)
    values[0] = 1e9
    matrix = encode(pd.DataFrame({"x": values})).matrix
    assert np.ptp(matrix[1:]) == pytest.approx(1, abs=0.05)


def test_missing_values_are_a_case_of_their_own():
    table = pd.DataFrame({"x": [0.0, 1.0, np.nan, np.nan] * 50, "c": ["a", None, "b", None] * 50})
    matrix = encode(table).matrix
    assert np.isfinite(matrix).all()
    assert encode(table[["x"]]).matrix.shape == (200, 2)
    apart = distances(encode(table[["c"]]).matrix)
    assert apart[1, 3] == 0
    assert apart[0, 1] == pytest.approx(1)


def test_dates_booleans_and_infinities():
    table = pd.DataFrame({
        "day": pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-02"] * 20),
        "zoned": pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-02"] * 20, utc=True),
        "flag": [True, False, True] * 20,
        "far": [1.0, np.inf, 2.0] * 20,
    })  # fmt: skip
    encoding = encode(table)
    assert encoding.used == list(table)
    assert np.isfinite(encoding.matrix).all()
    assert encoding.matrix[2, 0] == pytest.approx(0.5, abs=0.01)


def test_identifiers_constants_and_twins_of_the_label_are_left_out_and_named():
    random = np.random.RandomState(0)
    labels = pd.Series(random.choice(["a", "b"], size=200))
    table = pd.DataFrame({
        "row": np.arange(200),
        "code": [f"id-{i}" for i in range(200)],
        "same": 1,
        "empty": np.full(200, np.nan),
        "answer": labels.map({"a": 0, "b": 1}),
        "x": random.normal(size=200),
    })  # fmt: skip
    encoding = encode(table, labels)
    assert encoding.used == ["x"]
    assert encoding.left_out == {
        "row": "numbers the rows",
        "code": "200 different texts, as identifiers have",
        "same": "the same everywhere",
        "empty": "empty",
        "answer": "repeats the label",
    }
    with pytest.raises(ValueError, match="No column is left to compare rows by \\(same: the same everywhere\\)"):
        encode(table[["same"]], labels)


def test_rare_categories_beyond_the_fiftieth_share_no_column():
    table = pd.DataFrame({"c": [f"c{i % 80}" for i in range(800)] + ["c0"] * 10})
    assert encode(table).matrix.shape == (810, 50)
