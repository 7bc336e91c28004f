"""Scales turn columns into coordinates, with numbers worked by hand."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables.columns import read_column
from unflip.tables.scales import MISMATCH, CategoryScale, EmbeddingScale, RangeScale, learn_scale

NAN = np.nan


def coordinates(scale, values):
    column = read_column("x", pd.Series(values))
    block = np.zeros((len(column.values), scale.width))
    scale.write(column, block)
    return block.tolist()


def learned(values):
    return learn_scale(read_column("x", pd.Series(values)))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.0, 2.0], RangeScale),
        ([True, False], RangeScale),
        (["2024-01-01", "2024-01-03"], RangeScale),
        (["a", "b"], CategoryScale),
        ([[1, 2], [3, 4]], EmbeddingScale),
    ],
)
def test_each_kind_has_its_scale(values, kind):
    assert isinstance(learned(values), kind)


def test_the_range_of_a_number_is_its_core_quantiles():
    # 0, 1, ..., 100: the quantiles 0.01 and 0.99 are 1 and 99
    assert learned(np.arange(101.0)) == RangeScale(1.0, 99.0, False)


def test_the_range_of_a_nearly_constant_number_is_its_full_range():
    assert learned([0.0] * 999 + [8.0]) == RangeScale(0.0, 8.0, False)


def test_numbers_are_linear_also_beyond_the_range():
    assert coordinates(RangeScale(2.0, 6.0, False), [2.0, 3.0, 6.0, 10.0, -2.0]) == [[0], [0.25], [1], [2], [-1]]


def test_a_range_of_zero_is_taken_as_one():
    assert coordinates(RangeScale(5.0, 5.0, False), [5.0, 7.5]) == [[0], [2.5]]


def test_missing_numbers_are_in_the_middle_and_marked_if_any_were_missing_before():
    assert coordinates(RangeScale(0.0, 1.0, False), [0.0, NAN]) == [[0], [0.5]]
    assert coordinates(RangeScale(0.0, 1.0, True), [0.0, NAN]) == [[0, 0], [0.5, MISMATCH]]
    assert learned([0.0, NAN, 1.0]).marks_missing
    assert not learned([0.0, 1.0]).marks_missing


def test_booleans_are_zero_and_one_even_if_one_of_them_is_rare():
    assert learned([True] * 99 + [False]) == RangeScale(0.0, 1.0, False)  # its quantile 0.01 is 0.99
    assert learned([True, None]) == RangeScale(0.0, 1.0, True)


def test_the_largest_floats_do_not_overflow():
    ((low,), (high,), (outlier,)) = coordinates(RangeScale(-1.7e308, 1.7e308, False), [-1.7e308, 1.7e308, 0.0])
    assert (low, high, outlier) == (0, 1, 0.5)
    assert coordinates(RangeScale(0.0, 1e-300, False), [1.7e308, -1.7e308]) == [[1e100], [-1e100]]


def test_categories_are_one_hot_and_different_ones_are_1_apart():
    scale = CategoryScale(("a", "b"), True)
    rows = np.array(coordinates(scale, ["b", "a", None, "unknown"]))
    assert rows.tolist() == [[0, MISMATCH, 0], [MISMATCH, 0, 0], [0, 0, MISMATCH], [0, 0, 0]]
    assert np.linalg.norm(rows[0] - rows[1]) == pytest.approx(1)
    assert coordinates(CategoryScale(("a", "b"), False), [None, "a"]) == [[0, 0], [MISMATCH, 0]]


def test_the_most_common_categories_are_kept_and_ties_go_to_the_alphabetically_first():
    names = [f"c{i:02}" for i in range(60)]
    assert learned(names[::-1] * 2 + ["c59"]).categories == (*names[:49], "c59")


def test_all_unknown_is_about_texts_only():
    scale = CategoryScale(("1", "2"), False)
    assert scale.all_unknown(read_column("x", pd.Series(["7", "x"])))
    assert not scale.all_unknown(read_column("x", pd.Series(["7", "2", "x"])))
    assert not scale.all_unknown(read_column("x", pd.Series([None, None], dtype="category")))


def test_an_embedding_is_divided_by_the_median_distance_of_random_pairs():
    scale = learned([[0.0, 0.0], [3.0, 4.0]])  # all pairs of different rows are 5 apart
    assert scale == EmbeddingScale(5.0, 2)
    assert coordinates(scale, [[5.0, 10.0]]) == [[1, 2]]
    assert learned([[1.0, 2.0]] * 3).divisor == 1


def test_names_of_coordinates():
    assert RangeScale(0.0, 1.0, False).names("size") == ["size"]
    assert RangeScale(0.0, 1.0, True).names("size") == ["size", "size is missing"]
    assert CategoryScale(("a", "b"), True).names("c") == ["c=a", "c=b", "c is missing"]
    assert EmbeddingScale(1.0, 3).names("v") == ["v[0]", "v[1]", "v[2]"]
    for scale in (RangeScale(0.0, 1.0, True), CategoryScale(("a",), False), EmbeddingScale(1.0, 4)):
        assert len(scale.names("x")) == scale.width
