"""Recipes: the paper's rows and columns from the source's."""

import numpy as np
import pandas as pd
import pytest

from unflip.datasets import CATALOG
from unflip.datasets.files import checksum, format_labels
from unflip.datasets.recipes import digits_1_and_3, drop_missing_rows, first_15000_rows


@pytest.mark.parametrize(("name", "whole", "recipe"), [
    ("optdigits", "optdigits_full", digits_1_and_3),
    ("letter", "letter_full", first_15000_rows),
])  # fmt: skip
def test_a_recipe_makes_the_data_set_from_the_whole(benchmark_data, name, whole, recipe):
    path = benchmark_data / f"{whole}.csv.gz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not among the benchmark data")
    table = pd.read_csv(path)
    X, y = recipe(table.iloc[:, :-1].to_numpy(float), format_labels(table.iloc[:, -1].to_numpy()))
    assert checksum(X, y) == CATALOG[name].sha256


def test_rows_with_a_missing_value_are_dropped():
    X, y = drop_missing_rows(np.array([[1, 2], [np.nan, 3], [4, 5]]), np.array(["a", "b", "c"]))
    assert X.tolist() == [[1, 2], [4, 5]]
    assert y.tolist() == ["a", "c"]


def test_only_the_first_15000_rows_are_kept():
    X, y = first_15000_rows(np.arange(15_002.0)[:, None], np.arange(15_002))
    assert (X[0, 0], X[-1, 0], len(X)) == (0, 14_999, 15_000)
    np.testing.assert_array_equal(X[:, 0], y)


def test_only_digits_1_and_3_and_columns_of_14_values_are_kept():
    # Rows 0 to 27 are the digits 1 and 3. Their first column has 14 values, their second 13; others do not count.
    rows = np.arange(40)
    X = np.column_stack([rows % 14, np.where(rows < 28, rows % 13, rows)]).astype(float)
    y = np.where(rows < 28, np.where(rows % 2, "1", "3"), "7")
    kept, labels = digits_1_and_3(X, y)
    np.testing.assert_array_equal(kept, X[:28, :1])
    assert labels.tolist() == ["3", "1"] * 14
