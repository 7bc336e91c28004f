"""Rows and labels come through one door, and what is odd about the labels is noted."""

import pandas as pd
import pytest
from numpydoc.validate import validate

from unflip import tables
from unflip.tables import TableError, read_labeled, read_rows

TEXT = "size,kind,color\n1.5,a,red\n2.5,b,blue\n3.5,a,red\n4,b,red\n"
# Sections that a short text does without, as for the other public names.
NOT_ASKED = {"ES01", "SA01", "EX01", "GL01", "GL03", "SS05", "SS06", "RT02", "RT03", "PR01", "PR02", "SA04"}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    return path


def test_a_table_keeps_its_columns_in_their_order(table):
    labeled = read_labeled(table, "kind")
    assert list(labeled.table) == ["size", "kind", "color"]
    assert list(labeled.columns) == ["size", "color"]
    assert labeled.labels.tolist() == ["a", "b", "a", "b"]
    assert (labeled.name, labeled.embedding, labeled.notes) == ("t.csv", None, [])
    assert labeled.encode().used == ["size", "color"]
    assert labeled.encode(drop=["size"]).used == ["color"]


def test_the_labels_of_a_table_may_be_apart(table, tmp_path):
    (tmp_path / "l.txt").write_text("x\ny\nx\ny\n")
    labeled = read_labeled(table, "truth", tmp_path / "l.txt")
    assert labeled.labels.tolist() == ["x", "y", "x", "y"]
    assert labeled.labels.name == "truth"
    assert list(labeled.columns) == ["size", "kind", "color"]
    with pytest.raises(TableError, match=r"t\.csv has a column 'kind' itself; labels from .*l.txt would contradict it"):
        read_labeled(table, "kind", tmp_path / "l.txt")


def test_rows_may_come_without_labels(table):
    pd.testing.assert_frame_equal(read_rows(table), pd.read_csv(table))


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
def test_labels_that_differ_in_white_space_only_are_noted(labels, notes, tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"x": range(len(labels)), "kind": labels}).to_parquet(path)
    assert read_labeled(path, "kind").notes == notes


@pytest.mark.parametrize("name", [name for name in tables.__all__ if name != "TableError"])
def test_public_docstrings_are_complete(name):
    problems = [problem for problem in validate(f"unflip.tables.{name}")["errors"] if problem[0] not in NOT_ASKED]
    assert problems == []


def test_a_category_that_no_row_has_is_not_noted(tmp_path):
    labels = pd.Categorical(["cat", "dog"] * 2, categories=["cat", "cat ", "dog"])
    pd.DataFrame({"x": [1.0, 2.0, 3.0, 5.0], "kind": labels}).to_parquet(tmp_path / "t.parquet")
    assert read_labeled(tmp_path / "t.parquet", "kind").notes == []
