"""Identifiers, free texts and twins of the label are found; honest columns are not taken for them."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import TableError, encode

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


@pytest.mark.parametrize("start", [0, 1, 5000])
def test_numbers_of_rows_in_any_order(start):
    assert reason(np.arange(N) + start) == "numbers the rows"
    assert reason(RANDOM.permutation(N) + start) == "numbers the rows"
    assert reason((RANDOM.permutation(N) + start).astype(float)) == "numbers the rows"


def test_whole_numbers_that_repeat_or_have_gaps_number_nothing():
    ages = np.arange(N) // 2
    assert reason(ages) is None
    assert reason(np.arange(N) * 3) is None
    assert reason(np.arange(N) + 0.5) is None
    assert reason(pd.Series(np.arange(N)).where(X < 1)) is None


@pytest.mark.parametrize(
    "name", ["id", "ID", "user_id", "customerId", "order id", "uuid", "index", "Unnamed: 0", "row.id"]
)
def test_different_numbers_under_an_identifiers_name(name):
    numbers = RANDOM.permutation(10 * N)[:N] + 10**9
    assert reason(numbers, name=name) == "an identifier: named so, and a different number in each row"


@pytest.mark.parametrize("name", ["price", "humid", "paid", "video", "bandwidth"])
def test_different_numbers_under_another_name_are_used(name):
    assert reason(RANDOM.permutation(10 * N)[:N], name=name) is None


def test_numbers_that_repeat_are_used_whatever_their_name():
    assert reason(RANDOM.randint(50, size=N), name="shop_id") is None


def test_texts_that_differ_in_each_row():
    assert reason([f"id-{i}" for i in range(N)]) == "1000 different texts, as identifiers have"
    assert reason([f"id-{i}" for i in range(20)]) == "20 different texts, as identifiers have"
    assert reason([f"id-{i // 2}" for i in range(20)]) is None


def test_free_text():
    words = ["the", "patient", "came", "back", "after", "a", "week", "with", "pain", "in", "the", "left"]
    notes = [" ".join(RANDOM.permutation(words)) for _ in range(N)]
    assert reason(notes).startswith("free text: ")
    assert reason(notes).endswith(" of 56 characters on average")
    assert reason([notes[i % 5] for i in range(N)]) is None


def test_a_twin_of_the_label():
    assert reason(LABELS.map({"a": "yes", "b": "no"}), LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": 1.5, "b": 3}), LABELS) == "repeats the label"
    assert reason(LABELS == "a", LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": "yes", "b": None}), LABELS) == "repeats the label"
    assert reason(LABELS.map({"a": 1.0, "b": np.nan}), LABELS) == "repeats the label"


def test_a_twin_that_differs_in_a_few_rows():
    assert reason(flipped(LABELS, 1 / 200), LABELS) == "repeats the label (in 99.5 % of rows)"
    gaps = LABELS.map({"a": 0, "b": 1}).where(np.arange(N) % 200 > 0)
    assert reason(gaps, LABELS) == "repeats the label (in 99.5 % of rows)"
    almost = LABELS.map({"a": "yes", "b": "no"})
    almost[0] = {"yes": "no", "no": "yes"}[almost[0]]
    assert reason(almost, LABELS) == "repeats the label (in 99.9 % of rows)"


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.3])
def test_an_honest_column_is_no_twin(share):
    assert reason(flipped(LABELS, share), LABELS) is None


def test_in_a_rare_class_agreement_of_all_rows_is_no_sign_of_a_twin():
    labels = pd.Series(np.where(np.arange(N) < 10, "rare", "common"))
    feature = np.arange(N) < 13  # agrees in 99.7 % of rows, but three of its thirteen are not rare
    assert reason(feature, labels) is None


def test_many_classes_take_no_more_memory_than_rows():
    labels = pd.Series(np.arange(200_000) // 2)
    table = {"twin": labels.to_numpy()[::-1] * 3.0, "honest": RANDOM.permutation(labels), "x": RANDOM.rand(200_000)}
    assert encode(table, labels).left_out == {"twin": "repeats the label"}


def test_a_column_with_more_values_than_labels_is_no_twin():
    assert reason(LABELS.map({"a": 0, "b": 2}) + RANDOM.randint(2, size=N), LABELS) is None


def test_two_values_with_one_majority_are_no_twin():
    labels = pd.Series(np.where(np.arange(N) < 2, "rare", "common"))
    assert reason(np.arange(N) % 2, labels) is None


def test_a_twin_that_is_wrong_somewhere_never_repeats_the_label_in_all_rows():
    labels = pd.Series(np.resize(["a", "b"], 3000))
    twin = (labels == "a").to_numpy(copy=True)
    twin[0] ^= True
    left_out = encode({"twin": twin, "x": RANDOM.normal(size=3000)}, labels).left_out
    assert left_out["twin"] == "repeats the label (in 99.9 % of rows)"


def test_a_column_can_be_kept_or_dropped():
    table = {"code": [f"id-{i}" for i in range(N)], "twin": LABELS == "a", "x": X, "y": -X}
    encoding = encode(table, LABELS, keep=["twin"], drop=["y"])
    assert encoding.used == ["twin", "x"]
    assert encoding.left_out == {"code": "1000 different texts, as identifiers have", "y": "dropped, as requested"}
    assert encode(table, LABELS, keep=["code"]).matrix.shape == (N, 52)
    assert encode(table, LABELS, keep="twin").used == ["twin", "x", "y"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"keep": ["twni"]}, "There is no column 'twni' to keep; did you mean 'twin'"),
        ({"drop": ["z"]}, "There is no column 'z' to drop; the columns are 'twin', 'none', 'x'"),
        ({"drop": ["x"], "keep": ["x"]}, "Column 'x' cannot be both kept and dropped"),
        ({"keep": ["none"]}, "Column 'none' cannot be kept: empty"),
        ({"drop": ["twin", "none", "x"]}, "No column is left .*twin: dropped, as requested"),
    ],
)
def test_what_cannot_be_kept_or_dropped_is_refused(asked, words):
    table = {"twin": [0, 1, 0], "none": [None, None, None], "x": [1.0, 2.0, 4.0]}
    with pytest.raises(TableError, match=words):
        encode(table, **asked)


def test_a_column_that_is_kept_may_be_constant():
    encoding = encode({"same": [5.0, 5.0, 5.0], "x": [1.0, 2.0, 4.0]}, keep=["same"])
    assert encoding.matrix[:, 0].tolist() == [0, 0, 0]


def test_labels_must_fit_the_rows():
    with pytest.raises(TableError, match="There are 2 labels for 3 rows"):
        encode({"x": [1.0, 2.0, 4.0]}, pd.Series([0, 1]))
    with pytest.raises(TableError, match="The label of row 2 is missing"):
        encode({"x": [1.0, 2.0, 4.0]}, pd.Series([0, None, 1]))
