"""Tables come in from every format alike, and what is wrong with one is said in a sentence."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import TableError, read_labeled, read_labeled_table, read_table

TABLE = pd.DataFrame(
    {"size": [1.5, 2.0, 3.0, 4.5], "color": ["red", "blue", "red", "red"], "kind": ["a", "b", "a", "b"]}
)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.arrow", "t.feather"])
def test_every_format(name, tmp_path):
    path = tmp_path / name
    if name.endswith(".parquet"):
        TABLE.to_parquet(path)
    elif name.endswith((".arrow", ".feather")):
        TABLE.to_feather(path)
    else:
        TABLE.to_csv(path, index=False, sep={"t.tsv": "\t", "t.txt": ";"}.get(name, ","))
    pd.testing.assert_frame_equal(read_table(path).astype(object), TABLE.astype(object))
    columns, labels = read_labeled_table(path, "kind")
    assert list(columns) == ["size", "color"]
    assert labels.tolist() == ["a", "b", "a", "b"]


def written(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("", "t.csv", "is empty"),
        ("a,b\n", "t.csv", "has column names but no rows"),
        (b"a,kind\n\xff\xfe,x\n", "t.csv", "is not UTF-8 text: line 2 has the byte 0xff"),
        ("a,kind\n1,2\n1,2,3,4\n", "t.csv", "cannot be read as .csv: .*Expected 2 fields in line 3, saw 4"),
        ("a,kind\n1,2,3\n1,2,3\n", "t.csv", "rows have more cells than the 2 names of columns"),
        ("a,kind,b\n1,x,2\n1,y\n1,x,\n", "t.csv", "row 2 has 2 cells for 3 columns"),
        ('a,kind\n1,"x\n1,y\n', "t.csv", "cannot be read as .csv: "),
        ("a,kind,a\n1,2,3\n1,2,3\n", "t.csv", "has two columns 'a'"),
        ("a,kind\n1,2\n", "t.csv.gz", "cannot be read as .gz: "),
        ("a,kind\n1,2\n", "t.csv.zip", "cannot be read as .zip: "),
        ("a,kind\n1,2\n", "t.csv.xz", "cannot be read as .xz: "),
        ("a,kind\n1,2\n", "t.csv.bz2", "cannot be read as .bz2: "),
        ("\n\n", "t.csv", "is empty"),
        ("", "t.parquet", "is empty"),
        ("", "t.arrow", "is empty"),
        ("not a table", "t.arrow", "cannot be read as .arrow"),
        ("not a table", "t.parquet", "cannot be read as .parquet"),
        ("a", "t.xlsx", "t.xlsx is not a .csv"),
        ("a,kinds\n1,2\n", "t.csv", "has no column 'kind'; did you mean 'kinds'"),
        ("a,b\n1,2\n", "t.csv", "has no column 'kind'; the columns are 'a', 'b'"),
        ("a,kind\n1,x\n2,\n3,y\n", "t.csv", "column 'kind' has 1 missing label, the first in row 2; drop those rows"),
        ("a,kind\n1,x\n2,x\n", "t.csv", "has one class only, 'x'"),
        ("a,kind\n1,1.5\n2,2.5\n3,3.5\n4,4\n", "t.csv", "has 4 different values in 4 rows: no classes"),
        ("kind\nx\ny\nx\ny\n", "t.csv", "has no column besides the label"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(text, name, words, tmp_path):
    with pytest.raises(TableError, match=words) as caught:
        read_labeled_table(written(tmp_path, text, name), "kind")
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_what_is_not_there_or_not_a_file(tmp_path):
    with pytest.raises(TableError, match="does not exist"):
        read_table(tmp_path / "no.csv")
    with pytest.raises(TableError, match="is a directory"):
        read_table(tmp_path)


def test_no_permission(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    path = written(tmp_path, "a,b\n1,2\n")
    monkeypatch.setattr(pd, "read_csv", refuse)
    with pytest.raises(TableError, match="permission denied"):
        read_table(path)


def test_numbers_can_be_labels(tmp_path):
    _, labels = read_labeled_table(written(tmp_path, "a,kind\n1,0\n2,1\n3,0\n4,1\n"), "kind")
    assert labels.tolist() == [0, 1, 0, 1]
    assert np.issubdtype(labels.dtype, np.integer)


def test_labels_of_whole_floats_stay_as_given(tmp_path):
    _, labels = read_labeled_table(written(tmp_path, "a,kind\n1,0.0\n2,1.0\n3,0.0\n4,1.0\n"), "kind")
    assert labels.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert labels.dtype == np.float64


@pytest.mark.parametrize("ending", [".csv", ".txt"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_in_the_line_of_names(separator, ending, tmp_path):
    text = f'"a,;|b"{separator}kind\n1{separator}"x, y; z"\n2{separator}y\n'
    table = read_table(written(tmp_path, text, f"t{ending}"))
    assert list(table) == ["a,;|b", "kind"]
    assert table["kind"].tolist() == ["x, y; z", "y"]


def test_a_table_may_open_with_a_mark_of_its_encoding_and_hold_blank_lines(tmp_path):
    table = read_table(written(tmp_path, b"\xef\xbb\xbfa,kind\n\n1,x\n\n2,y\n"))
    assert list(table) == ["a", "kind"]
    assert len(table) == 2


def test_cells_that_are_there_but_blank_are_missing(tmp_path):
    table = read_table(written(tmp_path, "a,kind,b\n1,x,\n2,y,5\n"))
    assert table["b"].isna().tolist() == [True, False]


def test_a_column_of_numbers_here_and_texts_there_is_texts_throughout(tmp_path):
    numbers = "1\n" * 600_000  # more than pandas reads at once
    table = read_table(written(tmp_path, "a\n" + numbers + "x\n"))
    assert {type(value) for value in table["a"].unique()} == {str}


def test_the_label_is_split_off_without_copying_the_rest(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": np.arange(9.0), "kind": [0.0, 1, 2] * 3, "b": np.arange(9.0)}).to_parquet(path)
    labeled = read_labeled(path, "kind")
    for name in ("a", "b"):
        assert np.shares_memory(labeled.columns[name].to_numpy(), labeled.table[name].to_numpy())


def test_columns_without_a_name_are_not_two_of_one_name(tmp_path):
    assert read_table(written(tmp_path, "a,,\n1,2,3\n4,5,6\n")).shape == (2, 3)


def test_the_separator_is_found_after_blank_lines(tmp_path):
    assert list(read_table(written(tmp_path, "\n\na;kind\n1;x\n"))) == ["a", "kind"]


def test_digits_that_begin_with_a_zero_are_codes_not_numbers(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("zip,share,count,class\n00123,0.5,0,a\n01044,0.25,10,b\n,0.0,7,a\n")
    table = read_table(path)
    assert table["zip"].tolist()[:2] == ["00123", "01044"]
    assert table["zip"].isna().tolist() == [False, False, True]
    assert table["share"].tolist() == [0.5, 0.25, 0.0]
    assert table["count"].tolist() == [0, 10, 7]
