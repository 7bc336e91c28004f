"""Identifiers, free texts and copies of the label are detected; useful columns are not mistaken for them."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import encode
from unflip.tables.columns import read_column
from unflip.tables.leaving_out import reason_to_leave_out

N = 1000
RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=N)
LABELS = pd.Series(RANDOM.choice(["a", "b"], size=N, p=[0.6, 0.4]))


def reason(values, labels=None, name="column"):
    return encode({name: values, "x": X[: len(values)]}, labels).left_out.get(name)


def flipped(labels, share):
    """Return a column that agrees with labels in all but that share of rows, the rows spread evenly."""
    column = (labels == "a").to_numpy().astype(int)
    column[:: round(1 / share)] ^= 1
    return column


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([np.nan, np.nan], "empty"),
        ([{"a": 1}, {}], "nested values, which have no distance"),
        ([5.0, 5.0], "constant"),
        ([[1, 2], [1, 2]], "constant"),
        ([5.0, np.nan], None),  # missing or not is information
        ([[1, 2], [1, 3]], None),
    ],
)
def test_columns_without_information(values, expected):
    assert reason_to_leave_out(read_column("x", pd.Series(values))) == expected


@pytest.mark.parametrize("start", [0, 1, 5000])
def test_row_numbers_in_any_order(start):
    assert reason(np.arange(N) + start) == "row numbers"
    assert reason(RANDOM.permutation(N) + start) == "row numbers"
    assert reason((RANDOM.permutation(N) + start).astype(float)) == "row numbers"


def test_integers_that_repeat_or_have_gaps_are_not_row_numbers():
    ages = np.arange(N) // 2
    assert reason(ages) is None
    assert reason(np.arange(N) * 3) is None
    assert reason(np.arange(N) + 0.5) is None
    assert reason(pd.Series(np.arange(N)).where(X < 1)) is None


@pytest.mark.parametrize(
    "name", ["id", "ID", "user_id", "customerId", "order id", "uuid", "index", "Unnamed: 0", "row.id"]
)
def test_distinct_integers_in_a_column_named_like_an_identifier(name):
    numbers = RANDOM.permutation(10 * N)[:N] + 10**9
    assert reason(numbers, name=name) == "an identifier by its name, with a different number in each row"


@pytest.mark.parametrize("name", ["price", "humid", "paid", "video", "bandwidth"])
def test_distinct_integers_in_another_column_are_used(name):
    assert reason(RANDOM.permutation(10 * N)[:N], name=name) is None


def test_repeated_numbers_are_used_whatever_the_name():
    assert reason(RANDOM.randint(50, size=N), name="shop_id") is None


def test_texts_that_are_different_in_each_row():
    assert reason([f"id-{i}" for i in range(N)]) == "1000 distinct texts, like an identifier"
    assert reason([f"id-{i}" for i in range(20)]) == "20 distinct texts, like an identifier"
    assert reason([f"id-{i // 2}" for i in range(20)]) is None


def test_free_text():
    words = ["the", "patient", "came", "back", "after", "a", "week", "with", "pain", "in", "the", "left"]
    notes = [" ".join(RANDOM.permutation(words)) for _ in range(N)]
    assert reason(notes).startswith("free text: ")
    assert reason(notes).endswith(" of 56 characters on average")
    assert reason([notes[i % 5] for i in range(N)]) is None


def test_a_copy_of_the_label():
    assert reason(LABELS.map({"a": "yes", "b": "no"}), LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": 1.5, "b": 3}), LABELS) == "repeats the label"
    assert reason(LABELS == "a", LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": "yes", "b": None}), LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": 1.0, "b": np.nan}), LABELS) == "repeats the label"


def test_a_copy_of_the_label_that_differs_in_a_few_rows():
    assert reason(flipped(LABELS, 1 / 200), LABELS) == "repeats the label (in 99.5% of rows)"
    gaps = LABELS.map({"a": 0, "b": 1}).where(np.arange(N) % 200 > 0)
    assert reason(gaps, LABELS) == "repeats the label (in 99.5% of rows)"
    almost = LABELS.map({"a": "yes", "b": "no"})
    almost[0] = {"yes": "no", "no": "yes"}[almost[0]]
    assert reason(almost, LABELS) == "repeats the label (in 99.9% of rows)"


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.3])
def test_a_column_that_agrees_less_often_is_used(share):
    assert reason(flipped(LABELS, share), LABELS) is None


def test_a_column_that_predicts_a_rare_class_is_used():
    labels = pd.Series(np.where(np.arange(N) < 10, "rare", "common"))
    feature = np.arange(N) < 13  # agrees in 99.7% of rows, but three of its thirteen are not rare
    assert reason(feature, labels) is None


def test_many_classes_take_no_more_memory_than_rows():
    labels = pd.Series(np.arange(200_000) // 2)
    table = {"twin": labels.to_numpy()[::-1] * 3.0, "honest": RANDOM.permutation(labels), "x": RANDOM.rand(200_000)}
    assert encode(table, labels).left_out == {"twin": "repeats the label"}


def test_a_column_with_more_values_than_labels_is_used():
    assert reason(LABELS.map({"a": 0, "b": 2}) + RANDOM.randint(2, size=N), LABELS) is None


def test_a_column_whose_values_share_the_majority_label_is_used():
    labels = pd.Series(np.where(np.arange(N) < 2, "rare", "common"))
    assert reason(np.arange(N) % 2, labels) is None


def test_a_single_difference_is_never_rounded_to_all_rows():
    labels = pd.Series(np.resize(["a", "b"], 3000))
    twin = (labels == "a").to_numpy(copy=True)
    twin[0] ^= True
    left_out = encode({"twin": twin, "x": RANDOM.normal(size=3000)}, labels).left_out
    assert left_out["twin"] == "repeats the label (in 99.9% of rows)"


@pytest.mark.parametrize("name", ["Unnamed: 0", "Unnamed: 12_"])
def test_whole_numbers_without_a_name_are_like_row_numbers_also_if_they_repeat(name):
    halves = np.tile(np.arange(N // 2), 2)
    assert reason(halves, name=name) == "whole numbers without a name, like row numbers"
    assert reason(halves, name="count") is None
    assert reason(halves % 7, name=name) is None
    assert reason(halves + 0.5, name=name) is None


@pytest.mark.parametrize("gap", [0, 1, 500, N - 1])
@pytest.mark.parametrize("values", [["u", "v"], [3.5, 4.5], [True, False]])
def test_a_gap_anywhere_in_a_column_of_as_many_values_as_labels(values, gap):
    column = pd.Series([values[label == "b"] for label in LABELS], dtype=object)
    column[gap] = None
    assert reason(column, LABELS) == "repeats the label (in 99.9% of rows)"
    useful = pd.Series([values[number] for number in RANDOM.randint(2, size=N)], dtype=object)
    useful[gap] = None
    assert reason(useful, LABELS) is None
