"""Tables become matrices, new rows are encoded like the fitted ones, and scikit-learn's checks pass."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from unflip import LabelAudit
from unflip.tables import TableEncoder, TableError, encode

REPEATS = "the check rounds X to a few values that repeat y, and columns that repeat the label are left out"


@parametrize_with_checks(
    [TableEncoder()],
    expected_failed_checks=lambda estimator: {"check_fit2d_1feature": REPEATS, "check_pipeline_consistency": REPEATS},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


TRAIN = pd.DataFrame({
    "size": np.linspace(0, 100, 201),
    "color": np.resize(["red", "blue", None], 201),
    "flag": np.resize([True, False, False, True], 201),
    "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(201) * 7 % 201, "D"),
    "code": [f"id-{i}" for i in range(201)],
})  # fmt: skip
GAPS = TRAIN.assign(size=TRAIN["size"].where(np.arange(201) % 10 > 0))
ENCODER = TableEncoder().fit(TRAIN)


def distances(matrix):
    return np.sqrt(((matrix[:, None] - matrix[None]) ** 2).sum(axis=-1))


def test_a_different_category_is_as_far_as_the_full_range_of_a_number():
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


def test_missing_values_are_a_value_of_their_own():
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


def test_identifiers_constants_and_copies_of_the_label_are_left_out_with_a_reason():
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
        "row": "row numbers",
        "code": "200 distinct texts, like an identifier",
        "same": "constant",
        "empty": "empty",
        "answer": "repeats the label",
    }
    with pytest.raises(TableError, match="No column is left to compare rows by \\(same: constant\\)"):
        encode(table[["same"]], labels)


def test_values_without_a_distance_are_left_out():
    table = pd.DataFrame({"x": [1.0, 2.0, 4.0], "tags": [["a"], ["b", "c"], []], "more": [{"a": 1}, {}, {"b": 2}]})
    table["waves"] = [1j, 2j, 3j]
    left_out = encode(table).left_out
    assert list(left_out) == ["tags", "more", "waves"]
    assert set(left_out.values()) == {"nested values, which have no distance"}
    with pytest.raises(TableError, match="Column 'tags' cannot be kept: nested values"):
        encode(table, keep=["tags"])


def test_rare_categories_beyond_the_fiftieth_have_no_coordinate():
    table = pd.DataFrame({"c": [f"c{i % 80}" for i in range(800)] + ["c0"] * 10})
    assert encode(table).matrix.shape == (810, 50)


def test_a_column_can_be_kept_or_dropped():
    random, n_rows = np.random.RandomState(0), 1000
    labels = pd.Series(random.choice(["a", "b"], size=n_rows))
    x = random.normal(size=n_rows)
    table = {"code": [f"id-{i}" for i in range(n_rows)], "twin": labels == "a", "x": x, "y": -x}
    encoding = encode(table, labels, keep=["twin"], drop=["y"])
    assert encoding.used == ["twin", "x"]
    assert encoding.left_out == {"code": "1000 distinct texts, like an identifier", "y": "dropped, as requested"}
    assert encode(table, labels, keep=["code"]).matrix.shape == (n_rows, 52)
    assert encode(table, labels, keep="twin").used == ["twin", "x", "y"]


@pytest.mark.parametrize(
    ("requested", "words"),
    [
        ({"keep": ["twni"]}, "There is no column 'twni' to keep; did you mean 'twin'"),
        ({"drop": ["z"]}, "There is no column 'z' to drop; the columns are 'twin', 'none', 'x'"),
        ({"drop": ["x"], "keep": ["x"]}, "Column 'x' cannot be both kept and dropped"),
        ({"keep": ["none"]}, "Column 'none' cannot be kept: empty"),
        ({"drop": ["twin", "none", "x"]}, "No column is left .*twin: dropped, as requested"),
    ],
)
def test_impossible_requests_to_keep_or_drop_are_refused(requested, words):
    table = {"twin": [0, 1, 0], "none": [None, None, None], "x": [1.0, 2.0, 4.0]}
    with pytest.raises(TableError, match=words):
        encode(table, **requested)


def test_a_kept_column_may_be_constant():
    encoding = encode({"same": [5.0, 5.0, 5.0], "x": [1.0, 2.0, 4.0]}, keep=["same"])
    assert encoding.matrix[:, 0].tolist() == [0, 0, 0]


def test_labels_must_match_the_rows():
    with pytest.raises(TableError, match="There are 2 labels for 3 rows"):
        encode({"x": [1.0, 2.0, 4.0]}, pd.Series([0, 1]))
    with pytest.raises(TableError, match="The label of row 2 is missing"):
        encode({"x": [1.0, 2.0, 4.0]}, pd.Series([0, None, 1]))


def test_a_single_row_is_refused():
    with pytest.raises(TableError, match="TableEncoder: 'X' must have two rows or more, got 1 sample"):
        TableEncoder().fit({"x": [1.0]})


def test_kinds_used_and_left_out():
    assert ENCODER.kinds_ == {"size": "number", "color": "category", "flag": "boolean", "day": "date"}
    assert ENCODER.used_ == ["size", "color", "flag", "day"]
    assert ENCODER.left_out_ == {"code": "201 distinct texts, like an identifier"}


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


def test_columns_may_be_in_another_order_and_those_left_out_may_be_absent():
    other = TRAIN[["day", "flag", "size", "color"]]
    assert np.array_equal(ENCODER.transform(other), ENCODER.transform(TRAIN))


def one(**changed):
    return TRAIN.iloc[[0]].assign(**changed)


def test_numbers_beyond_the_range_are_extrapolated_linearly():
    low, high, far = (ENCODER.transform(one(size=[size]))[0, 0] for size in (1.0, 99.0, 197.0))
    assert (low, high, far) == pytest.approx((0, 1, 2))


def test_an_unknown_category_matches_none():
    colors = slice(1, 4)
    assert ENCODER.transform(one(color=["green"]))[0, colors].tolist() == [0, 0, 0]
    assert ENCODER.transform(one(color=[None]))[0, colors].tolist() == [0, 0, np.sqrt(0.5)]
    assert ENCODER.transform(one(color=["blue"]))[0, colors].tolist() == [np.sqrt(0.5), 0, 0]


def test_a_missing_number_is_in_the_middle_and_marked_if_marks_were_learned():
    assert ENCODER.transform(one(size=[np.nan]))[0, 0] == 0.5
    assert TableEncoder().fit(GAPS).transform(one(size=[np.inf]))[0, :2].tolist() == [0.5, np.sqrt(0.5)]
    assert TableEncoder().fit(GAPS).transform(one(size=[None]))[0, :2].tolist() == [0.5, np.sqrt(0.5)]
    assert TableEncoder().fit(GAPS).transform(one(size=[50.0]))[0, 1] == 0


def test_numbers_are_texts_if_the_fitted_column_held_texts_that_look_like_them():
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
def test_rows_that_do_not_match_the_fitted_table_are_refused(table, words):
    with pytest.raises(TableError, match=words) as caught:
        ENCODER.transform(table)
    assert "\n" not in str(caught.value)


def test_the_most_common_categories_are_known():
    common = [f"z{i:02}" for i in range(50)]
    encoder = TableEncoder().fit({"c": common * 3 + ["a1", "a2"]})
    assert encoder.transform({"c": common}).any(axis=1).all()
    assert not encoder.transform({"c": ["a1", "a2"]}).any()


def test_a_nearly_constant_number_is_scaled_by_its_full_range():
    assert encode({"x": [0.0] * 999 + [8.0]}).matrix[-1, 0] == 1


def test_all_categories_may_be_missing_in_new_rows():
    matrix = ENCODER.transform(TRAIN.assign(color=np.nan))
    assert np.array_equal(matrix[:, 1:4], np.tile([0, 0, np.sqrt(0.5)], (201, 1)))


def test_of_equally_common_categories_the_alphabetically_first_are_known():
    names = [f"c{i:02}" for i in range(60)]
    there, back = (TableEncoder().fit({"c": order * 3}).transform({"c": names}) for order in (names, names[::-1]))
    assert np.array_equal(there, back)
    assert there[:50].any(axis=1).all()
    assert not there[50:].any()


def test_an_unfitted_encoder_says_so():
    for call in (lambda: TableEncoder().transform(TRAIN), TableEncoder().get_feature_names_out):
        with pytest.raises(NotFittedError, match="TableEncoder instance is not fitted yet"):
            call()


def test_the_largest_numbers_stay_finite():
    matrix = encode({"x": [-1.7e308, 1.7e308, 0.0, 1.0] * 10, "y": [0.0, 1e-300] * 20}).matrix
    assert np.isfinite(matrix).all()
    assert matrix[:2, 0].tolist() == [0, 1]
    outlier = TableEncoder().fit({"x": np.linspace(0, 1e-300, 10)}).transform({"x": [1.7e308]})
    assert np.isfinite(outlier**2).all()


def test_new_lists_must_have_the_fitted_length():
    encoder = TableEncoder().fit({"v": [[1, 2], [3, 5], [4, 4]]})
    with pytest.raises(TableError, match="Column 'v' had 2 numbers per row, now 3"):
        encoder.transform({"v": [[1, 2, 3]]})


# As a scikit-learn transformer

ROWS = [[1.0, "red", None], [2.5, "blue", True], [4.0, "red", False], [8.0, "red", True]]
NAMED = pd.DataFrame(ROWS, columns=["size", "color", "flag"])


@pytest.mark.parametrize("make", [list, lambda rows: np.array(rows, dtype=object)], ids=["list", "array"])
def test_rows_of_numbers_and_texts_are_encoded_like_a_table(make):
    encoder = TableEncoder().fit(make(ROWS))
    assert encoder.kinds_ == {"x0": "number", "x1": "category", "x2": "boolean"}
    assert np.array_equal(encoder.transform(make(ROWS)), encode(NAMED).matrix)
    assert encoder.get_feature_names_out().tolist() == ["x0", "x1=blue", "x1=red", "x2", "x2 is missing"]


def test_numbers_in_a_list_of_rows_stay_numbers_beside_texts():
    assert TableEncoder().fit([[1.0, "red"], [2.5, "blue"], [4.0, "red"]]).kinds_ == {"x0": "number", "x1": "category"}


def test_names_are_remembered_only_if_all_are_strings():
    encoder = TableEncoder().fit(NAMED)
    assert encoder.feature_names_in_.tolist() == ["size", "color", "flag"]
    for X in (NAMED.set_axis([0, 1, 2], axis=1), NAMED.set_axis(["size", 1, 2], axis=1), NAMED.to_numpy()):
        assert not hasattr(encoder.fit(X), "feature_names_in_")
        assert encoder.n_features_in_ == 3


def test_integer_names_are_names_too():
    encoder = TableEncoder().fit(NAMED.set_axis([0, 1, 2], axis=1))
    assert encoder.used_ == ["0", "1", "2"]
    assert np.array_equal(encoder.transform(NAMED.set_axis([0, 1, 2], axis=1)[[2, 0, 1]]), encode(NAMED).matrix)


def test_an_array_is_matched_by_position_and_scikit_learn_warns_about_the_names():
    named, unnamed = TableEncoder().fit(NAMED), TableEncoder().fit(NAMED.to_numpy())
    with pytest.warns(UserWarning, match="X does not have valid feature names, but TableEncoder was fitted with"):
        assert np.array_equal(named.transform(NAMED.to_numpy()), encode(NAMED).matrix)
    with pytest.warns(UserWarning, match="X has feature names, but TableEncoder was fitted without feature names"):
        assert np.array_equal(unnamed.transform(NAMED), encode(NAMED).matrix)
    with pytest.raises(ValueError, match="X has 2 features, but TableEncoder is expecting 3 features as input"):
        unnamed.transform(NAMED.to_numpy()[:, :2])


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([1.0, 2.0, 3.0], "Reshape your data"),
        (pd.Series([1.0, 2.0, 3.0]), "Expected a 2-dimensional container but got .*Series"),
        (np.ones((3, 2)) * 1j, "Complex data not supported"),
        (np.ones((3, 0)), r"0 feature\(s\)"),
        (np.ones((0, 3)), r"0 sample\(s\)"),
    ],
)
def test_other_arrays_are_refused_in_scikit_learns_words(X, words):
    with pytest.raises(ValueError, match=words):
        TableEncoder().fit(X)


def test_sparse_rows_are_refused():
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        TableEncoder().fit(sparse.eye_array(3).tocsr())


def test_names_of_columns_may_be_given_afterwards():
    encoder = TableEncoder().fit(NAMED.to_numpy())
    assert encoder.get_feature_names_out(["a", "b", "c"]).tolist() == ["a", "b=blue", "b=red", "c", "c is missing"]
    with pytest.raises(ValueError, match="input_features should have length equal to number of features"):
        encoder.get_feature_names_out(["a"])
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        TableEncoder().fit(NAMED).get_feature_names_out(["a", "b", "c"])


def test_the_output_may_be_a_frame_with_the_index_of_the_rows():
    rows = NAMED.set_index(np.array([7, 5, 3, 1]))
    out = TableEncoder(drop=["flag"]).set_output(transform="pandas").fit_transform(rows)
    assert out.columns.tolist() == ["size", "color=blue", "color=red"]
    assert out.index.tolist() == [7, 5, 3, 1]
    assert np.array_equal(out.to_numpy(), encode(NAMED, drop=["flag"]).matrix)


def test_it_works_in_a_pipeline_and_a_clone_has_its_parameters():
    pipeline = make_pipeline(TableEncoder(drop=["flag"]), KNeighborsClassifier(1))
    assert pipeline.fit(NAMED, [0, 1, 0, 1]).predict(NAMED).tolist() == [0, 1, 0, 1]
    assert clone(pipeline[0]).get_params() == {"drop": ["flag"], "keep": ()}


def test_fitting_again_forgets_the_first_table():
    encoder = TableEncoder().fit(TRAIN).fit(NAMED)
    assert encoder.used_ == ["size", "color", "flag"]
    assert encoder.left_out_ == {}
    assert np.array_equal(encoder.transform(NAMED), TableEncoder().fit_transform(NAMED))


def test_very_many_categories_become_a_sparse_matrix_of_the_same_numbers(monkeypatch):
    random = np.random.RandomState(0)
    table = pd.DataFrame({f"c{i}": random.randint(0, 40, 300).astype(str) for i in range(14)})
    table["size"] = random.normal(size=300)
    table.loc[3, "c1"] = None
    encoder = TableEncoder().fit(table)
    wide = encoder.transform(table)
    assert sparse.issparse(wide)
    monkeypatch.setattr("unflip.tables.encoding.MAX_DENSE_WIDTH", 10**9)
    dense = encoder.transform(table)
    np.testing.assert_array_equal(wide.toarray(), dense)
    y = random.randint(0, 2, 300)
    by_dense = LabelAudit(model=None).fit(table, y).issues_["p_wrong"].tolist()
    monkeypatch.undo()
    assert LabelAudit(model=None).fit(table, y).issues_["p_wrong"].tolist() == by_dense


def test_each_encoded_column_knows_the_column_it_was_made_of():
    table = pd.DataFrame({"size": [1.5, 0.2, 3.1, 1.5], "color": ["red", "blue", "red", "green"]})
    encoder = TableEncoder().fit(table)
    names, columns = encoder.get_feature_names_out(), encoder.columns_of_features()
    assert len(names) == len(columns) == encoder.transform(table).shape[1]
    assert all(str(name).startswith(column) for name, column in zip(names, columns, strict=True))
    assert set(columns) == {"size", "color"}
