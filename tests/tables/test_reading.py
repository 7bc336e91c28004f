"""Every format is read alike, and unusable files are refused in one sentence."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import TableError, read_table
from unflip.tables.reading import read_source, reading_errors, split_labels

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
    columns, labels = split_labels(read_table(path), "kind", path)
    assert list(columns) == ["size", "color"]
    assert labels.tolist() == ["a", "b", "a", "b"]


def written(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def labels_of(path):
    return split_labels(read_table(path), "kind", path)[1]


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("", "t.csv", "is empty"),
        ("a,b\n", "t.csv", "has a header but no rows"),
        (b"a,kind\n\xff\xfe,x\n", "t.csv", "is not UTF-8 text: line 2 has the byte 0xff"),
        ("a,kind\n1,2\n1,2,3,4\n", "t.csv", "cannot be read as .csv: .*Expected 2 fields in line 3, saw 4"),
        ("a,kind\n1,2,3\n1,2,3\n", "t.csv", "rows have more cells than the 2 columns of the header"),
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
        ("a,kind\n1,1\n2,2\n3,3\n4,4\n", "t.csv", "has 4 distinct values in 4 rows, too many to be classes"),
        ("kind\nx\ny\nx\ny\n", "t.csv", "has no column besides the label"),
    ],
)
def test_unusable_tables_are_refused_in_one_sentence(text, name, words, tmp_path):
    with pytest.raises(TableError, match=words) as caught:
        labels_of(written(tmp_path, text, name))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_missing_files_and_directories_are_refused(tmp_path):
    with pytest.raises(TableError, match="does not exist"):
        read_table(tmp_path / "no.csv")
    with pytest.raises(TableError, match="is a directory"):
        read_table(tmp_path)


def test_a_file_without_read_permission_is_refused(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    path = written(tmp_path, "a,b\n1,2\n")
    monkeypatch.setattr("unflip.tables.text_files.opened", refuse)
    with pytest.raises(TableError, match="permission denied"):
        read_table(path)


def test_numbers_can_be_labels(tmp_path):
    labels = labels_of(written(tmp_path, "a,kind\n1,0\n2,1\n3,0\n4,1\n"))
    assert labels.tolist() == [0, 1, 0, 1]
    assert np.issubdtype(labels.dtype, np.integer)


def test_labels_written_as_floats_stay_floats(tmp_path):
    labels = labels_of(written(tmp_path, "a,kind\n1,0.0\n2,1.0\n3,0.0\n4,1.0\n"))
    assert labels.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert labels.dtype == np.float64


@pytest.mark.parametrize("ending", [".csv", ".txt"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_detected_in_the_header(separator, ending, tmp_path):
    text = f'"a,;|b"{separator}kind\n1{separator}"x, y; z"\n2{separator}y\n'
    table = read_table(written(tmp_path, text, f"t{ending}"))
    assert list(table) == ["a,;|b", "kind"]
    assert table["kind"].tolist() == ["x, y; z", "y"]


def test_a_byte_order_mark_and_blank_lines_are_skipped(tmp_path):
    table = read_table(written(tmp_path, b"\xef\xbb\xbfa,kind\n\n1,x\n\n2,y\n"))
    assert list(table) == ["a", "kind"]
    assert len(table) == 2


def test_blank_cells_are_missing_values(tmp_path):
    table = read_table(written(tmp_path, "a,kind,b\n1,x,\n2,y,5\n"))
    assert table["b"].isna().tolist() == [True, False]


def test_a_column_of_numbers_and_texts_is_read_as_text(tmp_path):
    numbers = "1\n" * 600_000  # more than pandas reads at once
    table = read_table(written(tmp_path, "a\n" + numbers + "x\n"))
    assert {type(value) for value in table["a"].unique()} == {str}


def test_unnamed_columns_are_not_duplicates(tmp_path):
    assert read_table(written(tmp_path, "a,,\n1,2,3\n4,5,6\n")).shape == (2, 3)


def test_the_separator_is_detected_after_blank_lines(tmp_path):
    assert list(read_table(written(tmp_path, "\n\na;kind\n1;x\n"))) == ["a", "kind"]


def test_digits_with_leading_zeros_are_read_as_text(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("zip,share,count,class\n00123,0.5,0,a\n01044,0.25,10,b\n,0.0,7,a\n")
    table = read_table(path)
    assert table["zip"].tolist()[:2] == ["00123", "01044"]
    assert table["zip"].isna().tolist() == [False, False, True]
    assert table["share"].tolist() == [0.5, 0.25, 0.0]
    assert table["count"].tolist() == [0, 10, 7]


def test_the_columns_beside_the_label_are_not_copied():
    table = pd.DataFrame({"a": np.arange(9.0), "kind": [0.0, 1, 2] * 3, 7: np.arange(9.0)})
    columns, labels = split_labels(table, "kind", "t.csv")
    assert list(columns) == ["a", 7]
    assert labels.tolist() == [0, 1, 2] * 3
    assert np.shares_memory(columns["a"].to_numpy(), table["a"].to_numpy())


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_a_file_is_opened_once(name, tmp_path, monkeypatch):
    path = tmp_path / name
    write = {".parquet": TABLE.to_parquet, ".arrow": TABLE.to_feather}.get(path.suffix)
    write(path) if write else TABLE.to_csv(path, index=False)
    source = read_source(path)
    path.unlink()  # whatever happens to it now
    assert source.header == list(TABLE)
    assert source.table["kind"].tolist() == ["a", "b", "a", "b"]
    assert [cells[2] for cells in source.rows()] == ["a", "b", "a", "b"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(), "t.csv does not exist."),
        (PermissionError(), "t.csv cannot be read: permission denied."),
        (pd.errors.EmptyDataError(), "t.csv is empty."),
        (MemoryError(), "t.csv needs more memory than there is, or is damaged."),
        (KeyError("x"), "t.csv cannot be read as .csv: 'x'."),
        (IndexError(), "t.csv cannot be read as .csv: IndexError."),
        (EOFError("file ended early.\nmore"), "t.csv cannot be read as .csv: file ended early."),
        (TableError("As it was."), "As it was."),
    ],
)
def test_errors_while_reading_become_one_sentence(error, words):
    with pytest.raises(TableError) as refused, reading_errors("t.csv"):
        raise error
    assert str(refused.value) == words


def test_interrupts_while_reading_are_not_hidden():
    with pytest.raises(KeyboardInterrupt), reading_errors("t.csv"):
        raise KeyboardInterrupt
