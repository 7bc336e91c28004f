"""What was learned from one table holds for new rows, and rows that do not fit are refused by name."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from unflip.tables import TableEncoder, TableError, encode

TRAIN = pd.DataFrame({
    "size": np.linspace(0, 100, 201),
    "color": np.resize(["red", "blue", None], 201),
    "flag": np.resize([True, False, False, True], 201),
    "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(201) * 7 % 201, "D"),
    "code": [f"id-{i}" for i in range(201)],
})  # fmt: skip
GAPS = TRAIN.assign(size=TRAIN["size"].where(np.arange(201) % 10 > 0))
ENCODER = TableEncoder().fit(TRAIN)


def test_kinds_used_and_left_out():
    assert ENCODER.kinds_ == {"size": "number", "color": "category", "flag": "boolean", "day": "date"}
    assert ENCODER.used_ == ["size", "color", "flag", "day"]
    assert ENCODER.left_out_ == {"code": "201 different texts, as identifiers have"}


@pytest.mark.parametrize("table", [TRAIN, GAPS], ids=["whole", "gaps"])
def test_to_encode_is_to_fit_and_transform(table):
    fitted = TableEncoder().fit(table).transform(table)
    assert np.array_equal(encode(table).matrix, fitted)
    assert fitted.dtype == np.float64
    assert fitted.flags.c_contiguous


@settings(deadline=None)
@given(rows=st.lists(st.integers(0, 200), min_size=0, max_size=20))
def test_a_row_is_encoded_alone_as_among_others(rows):
    whole = ENCODER.transform(TRAIN)
    assert np.array_equal(ENCODER.transform(TRAIN.iloc[rows]), whole[rows])


def test_columns_may_come_in_another_order_and_those_left_out_may_be_absent():
    other = TRAIN[["day", "flag", "size", "color"]]
    assert np.array_equal(ENCODER.transform(other), ENCODER.transform(TRAIN))


def one(**changed):
    return TRAIN.iloc[[0]].assign(**changed)


def test_numbers_outside_the_range_go_on_linearly():
    low, high, far = (ENCODER.transform(one(size=[size]))[0, 0] for size in (1.0, 99.0, 197.0))
    assert (low, high, far) == pytest.approx((0, 1, 2))


def test_an_unknown_category_matches_none():
    colors = slice(1, 4)
    assert ENCODER.transform(one(color=["green"]))[0, colors].tolist() == [0, 0, 0]
    assert ENCODER.transform(one(color=[None]))[0, colors].tolist() == [0, 0, np.sqrt(0.5)]
    assert ENCODER.transform(one(color=["blue"]))[0, colors].tolist() == [np.sqrt(0.5), 0, 0]


def test_a_missing_number_lies_in_the_middle_with_a_mark_if_marks_were_learned():
    assert ENCODER.transform(one(size=[np.nan]))[0, 0] == 0.5
    assert TableEncoder().fit(GAPS).transform(one(size=[np.inf]))[0, :2].tolist() == [0.5, np.sqrt(0.5)]
    assert TableEncoder().fit(GAPS).transform(one(size=[None]))[0, :2].tolist() == [0.5, np.sqrt(0.5)]
    assert TableEncoder().fit(GAPS).transform(one(size=[50.0]))[0, 1] == 0


def test_numbers_are_texts_where_the_column_held_texts_that_look_like_them():
    encoder = TableEncoder().fit({"grade": ["1", "2", "2a"] * 10})
    known = encoder.transform({"grade": ["1", "2"]})
    assert np.array_equal(encoder.transform({"grade": [1, 2]}), known)
    assert np.array_equal(encoder.transform({"grade": [1.0, 2.0, np.nan]})[:2], known)
    with pytest.raises(TableError, match=r"Column 'grade' held categories before; row 2 has .*7\.0"):
        encoder.transform({"grade": [np.nan, 7.0]})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (TRAIN.drop(columns="color"), "Column 'color' is missing; the columns are 'size', 'flag', 'day', 'code'"),
        (TRAIN.rename(columns={"color": "colour"}), "Column 'color' is missing; did you mean 'colour'"),
        (TRAIN.assign(weight=1), "Column 'weight' was not in the fitted table; the columns are"),
        (TRAIN.assign(size="large"), "Column 'size' held numbers before; row 1 has 'large'"),
        (TRAIN.assign(flag="maybe"), "Column 'flag' held booleans before; row 1 has 'maybe'"),
        (TRAIN.assign(day="today"), "Column 'day' held dates before; row 1 has 'today'"),
        (TRAIN.assign(color=5), "Column 'color' held categories before; row 1 has .*5"),
    ],
)
def test_rows_that_do_not_fit_are_refused_by_name(table, words):
    with pytest.raises(TableError, match=words) as caught:
        ENCODER.transform(table)
    assert "\n" not in str(caught.value)


def test_the_most_common_categories_are_known():
    common = [f"z{i:02}" for i in range(50)]
    encoder = TableEncoder().fit({"c": common * 3 + ["a1", "a2"]})
    assert encoder.transform({"c": common}).any(axis=1).all()
    assert not encoder.transform({"c": ["a1", "a2"]}).any()


def test_a_number_that_is_nearly_always_the_same_is_scaled_by_all_of_its_range():
    assert encode({"x": [0.0] * 999 + [8.0]}).matrix[-1, 0] == 1


def test_a_column_of_categories_may_be_missing_in_all_new_rows():
    matrix = ENCODER.transform(TRAIN.assign(color=np.nan))
    assert np.array_equal(matrix[:, 1:4], np.tile([0, 0, np.sqrt(0.5)], (201, 1)))


def test_of_equally_common_categories_the_first_by_alphabet_are_known():
    names = [f"c{i:02}" for i in range(60)]
    there, back = (TableEncoder().fit({"c": order * 3}).transform({"c": names}) for order in (names, names[::-1]))
    assert np.array_equal(there, back)
    assert there[:50].any(axis=1).all()
    assert not there[50:].any()


def test_an_encoder_that_learned_nothing_says_so():
    with pytest.raises(NotFittedError, match="TableEncoder instance is not fitted yet"):
        TableEncoder().transform(TRAIN)


def test_the_largest_numbers_stay_finite():
    matrix = encode({"x": [-1.7e308, 1.7e308, 0.0, 1.0] * 10, "y": [0.0, 1e-300] * 20}).matrix
    assert np.isfinite(matrix).all()
    assert matrix[:2, 0].tolist() == [0, 1]
    outlier = TableEncoder().fit({"x": np.linspace(0, 1e-300, 10)}).transform({"x": [1.7e308]})
    assert np.isfinite(outlier**2).all()
