"""Labels that cannot be learned from are refused, and suspicious ones are noted."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from unflip.tables import TableError
from unflip.tables.labels import checked_labels, notes_on


@pytest.mark.parametrize(
    "labels", [["a", "b"], ["a", "a", "a", "b"], [0, 1, 2, 0, 1, 2], [True, False], list("aabbccdd")]
)
def test_two_or_more_classes_are_accepted(labels):
    checked_labels("t.csv", "kind", pd.Series(labels))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            ["a", None, "b"],
            "t.csv: column 'kind' has 1 missing label, the first in row 2; drop those rows (with pandas: "
            "table.dropna(subset=['kind'])) or fill them.",
        ),
        (
            [None, "a", None],
            "t.csv: column 'kind' has 2 missing labels, the first in row 1; drop those rows (with pandas: "
            "table.dropna(subset=['kind'])) or fill them.",
        ),
        (["a", "a"], "t.csv: column 'kind' has one class only, 'a'; two or more are needed."),
        (
            [1, 2, 3, 4],
            "t.csv: column 'kind' has 4 distinct values in 4 rows, too many to be classes.",
        ),
        (list("aabbcde"), "t.csv: column 'kind' has 5 distinct values in 7 rows, too many to be classes."),
    ],
)
def test_other_labels_are_refused(labels, message):
    with pytest.raises(TableError) as refused:
        checked_labels("t.csv", "kind", pd.Series(labels))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("labels", "notes"),
    [
        (
            ["cat", "cat ", "dog", "cat", "dog", "dog"],
            ["The labels 'cat' (2 rows) and 'cat ' (1 row) differ in white space only."],
        ),
        (
            ["a b", "a  b", " a b", "c", "c\u00a0"] * 2,
            [
                "The labels 'a b' (2 rows), 'a  b' (2 rows) and ' a b' (2 rows) differ in white space only.",
                "The labels 'c' (2 rows) and 'c\\xa0' (2 rows) differ in white space only.",
            ],
        ),
        (["cat", "Cat", "dog", "cat", "dog", "dog"], []),
        ([1, 2, 1, 2], []),
    ],
)
def test_labels_that_differ_in_white_space_only_are_noted(labels, notes):
    assert notes_on(pd.Series(labels)) == notes


def test_an_unused_category_is_not_noted():
    assert notes_on(pd.Series(pd.Categorical(["cat", "dog"] * 2, categories=["cat", "cat ", "dog"]))) == []


@pytest.mark.parametrize("labels", [range(3000), np.arange(3000) * 1.5, np.random.RandomState(0).poisson(1e6, 3000)])
def test_a_quantity_is_refused_with_a_reason_and_a_cure(labels):
    with pytest.raises(
        TableError, match=r"distinct numbers in 6,000 rows, a quantity and not classes; group them into"
    ):
        checked_labels("t.csv", "price", pd.Series([*labels, *labels]))


def test_many_numbers_in_many_rows_are_a_quantity_but_a_thousand_may_be_classes():
    checked_labels("t.csv", "kind", pd.Series(np.tile(np.arange(1000), 5)))
    checked_labels("t.csv", "kind", pd.Series([f"c{i}" for i in range(3000)] * 2))
    checked_labels("t.csv", "kind", pd.Series(np.tile(np.arange(50), 2)))
    with pytest.raises(TableError, match="1,001 distinct numbers in 100,100 rows"):
        checked_labels("t.csv", "kind", pd.Series(np.tile(np.arange(1001), 100)))
    with pytest.raises(TableError, match="60 distinct numbers in 240 rows"):
        checked_labels("t.csv", "kind", pd.Series(np.tile(np.arange(60), 4)))


@pytest.mark.parametrize(
    ("labels", "plain"),
    [
        ([b"a", b"b"], ["a", "b"]),
        ([Decimal("1.00"), Decimal("2.00")], [1, 2]),
        ([Decimal("1.5"), Decimal("2.5")], ["1.5", "2.5"]),
        (pd.to_datetime(["2024-05-31 00:00", "2024-06-01 10:30"]), ["2024-05-31", "2024-06-01T10:30"]),
        (pd.to_datetime(["2024-05-31", "2024-06-01"], utc=True), ["2024-05-31+00:00", "2024-06-01+00:00"]),
        (pd.Categorical(pd.to_datetime(["2024-05-31", "2024-06-01"])), ["2024-05-31", "2024-06-01"]),
        (np.array([1, 2], np.float16), [1.0, 2.0]),
        (pd.Categorical(["u", "v"]), ["u", "v"]),
    ],
)
def test_labels_of_other_types_become_numbers_or_texts(labels, plain):
    assert checked_labels("t.csv", "kind", pd.Series(labels)).tolist() == plain


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([[1], [2]], r"holds lists, such as \[1\] in row 1, not classes"),
        ([{"a": 1}, {}], "holds structs, such as"),
        ([b"\xff", b"a"], "holds bytes that are not UTF-8 text"),
        ([1j, 2j], "holds complex numbers"),
        ([np.inf, 1.0], "has an infinite label in row 1"),
        ([1.0, 1.5], "has fractions, such as 1.5 in row 2"),
    ],
)
def test_values_that_are_no_classes_are_refused(labels, words):
    with pytest.raises(TableError, match=words):
        checked_labels("t.csv", "kind", pd.Series(labels))


@pytest.mark.parametrize("dtype", ["str", object, "string"])
def test_texts_of_any_dtype_are_left_as_they_are(dtype):
    labels = pd.Series(["a", "b", "a", "b"], dtype=dtype)
    assert checked_labels("t.csv", "kind", labels) is labels
