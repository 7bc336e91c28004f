"""Rows and labels are read together from tables, embeddings and separate label files."""

import numpy as np
import pandas as pd
import pytest

from unflip.tables import TableError, read_labeled, read_labels, read_rows

TEXT = "size,kind,color\n1.5,a,red\n2.5,b,blue\n3.5,a,red\n4,b,red\n"
ROWS = np.random.RandomState(0).normal(size=(6, 3)).astype(np.float32)
LABELS = ["a", "b", "a", "b", "a", "b"]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TEXT)
    return path


@pytest.fixture
def array(tmp_path):
    np.save(tmp_path / "e.npy", ROWS)
    return tmp_path / "e.npy"


def written(path, content):
    if isinstance(content, str):
        path.write_text(content)
    else:
        np.save(path, content)
    return path


def test_a_table_keeps_the_order_of_its_columns(table):
    labeled = read_labeled(table, "kind")
    assert list(labeled.source.table) == ["size", "kind", "color"]
    assert list(labeled.columns) == ["size", "color"]
    assert labeled.labels.tolist() == ["a", "b", "a", "b"]
    assert (labeled.name, labeled.embedding, labeled.notes) == ("t.csv", None, [])
    assert labeled.encode().used == ["size", "color"]
    assert labeled.encode(drop=["size"]).used == ["color"]


def test_the_share_that_is_read_is_told(table):
    shares = []
    read_labeled(table, "kind", progress=shares.append)
    assert shares[-1] == 1


def test_the_labels_of_a_table_may_be_in_a_separate_file(table, tmp_path):
    (tmp_path / "l.txt").write_text("x\ny\nx\ny\n")
    labeled = read_labeled(table, "truth", tmp_path / "l.txt")
    assert labeled.labels.tolist() == ["x", "y", "x", "y"]
    assert labeled.labels.name == "truth"
    assert list(labeled.columns) == ["size", "kind", "color"]
    with pytest.raises(
        TableError, match=r"t\.csv already has a column 'kind'; labels from .*l.txt would contradict it"
    ):
        read_labeled(table, "kind", tmp_path / "l.txt")


def test_suspicious_labels_are_noted(tmp_path):
    labels = ["cat", "cat ", "dog", "cat", "dog", "dog"]
    note = "The labels 'cat' (2 rows) and 'cat ' (1 row) differ in white space only."
    pd.DataFrame({"x": range(6), "kind": labels}).to_parquet(tmp_path / "t.parquet")
    assert read_labeled(tmp_path / "t.parquet", "kind").notes == [note]
    np.savez(tmp_path / "e.npz", vectors=ROWS, kind=labels)
    assert read_labeled(tmp_path / "e.npz", "kind").notes == [note]


def test_the_label_is_split_off_without_copying_the_rest(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": np.arange(9.0), "kind": [0.0, 1, 2] * 3, "b": np.arange(9.0)}).to_parquet(path)
    labeled = read_labeled(path, "kind")
    for name in ("a", "b"):
        assert np.shares_memory(labeled.columns[name].to_numpy(), labeled.source.table[name].to_numpy())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("l.csv", "kind\n" + "\n".join(LABELS)),
        ("l.csv", "other,kind\n" + "\n".join(f"1,{label}" for label in LABELS)),
        ("l.txt", "\n".join(LABELS) + "\n"),
        ("l.npy", np.array(LABELS)),
        ("l.npy", np.array(LABELS, dtype="S1")),
    ],
)
def test_the_labels_of_an_embedding_come_from_a_second_file(name, content, array, tmp_path):
    labeled = read_labeled(array, "kind", written(tmp_path / name, content))
    assert labeled.columns is None
    assert labeled.source is None
    assert labeled.labels.tolist() == LABELS
    assert labeled.name == "e.npy"
    assert labeled.embedding.dtype == np.float32
    encoding = labeled.encode()
    assert np.array_equal(encoding.matrix, ROWS)
    assert (encoding.used, encoding.left_out) == (["embedding"], {})
    with pytest.raises(TableError, match=r"e\.npy is an embedding: it has no column 'x' to keep or drop"):
        labeled.encode(drop=["x"])


@pytest.mark.parametrize("name", ["label", "labels", "y", "kind"])
def test_an_archive_holds_both(name, tmp_path):
    np.savez(tmp_path / "e.npz", **{"vectors": ROWS, "other": np.arange(6), name: LABELS})
    labeled = read_labeled(tmp_path / "e.npz", "kind")
    assert np.array_equal(labeled.embedding, ROWS)
    assert labeled.labels.tolist() == LABELS


def test_the_given_name_is_preferred_to_the_usual_ones(tmp_path):
    np.savez(tmp_path / "e.npz", vectors=ROWS, y=[0, 1] * 3, kind=LABELS)
    assert read_labeled(tmp_path / "e.npz", "kind").labels.tolist() == LABELS


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"a": ROWS, "b": ROWS}, "has 2 two-dimensional arrays, a, b: one is needed"),
        ({"a": np.arange(3)}, r"has no two-dimensional array of numbers, but a \(3,\)"),
        ({"a": ROWS}, r"has no array of 6 labels named 'kind'; pass a label file \(--labels\)"),
        ({"a": ROWS, "y": np.arange(5)}, "has no array of 6 labels named 'kind'"),
    ],
)
def test_an_archive_without_rows_or_labels_is_refused(arrays, words, tmp_path):
    np.savez(tmp_path / "e.npz", **arrays)
    with pytest.raises(TableError, match=words):
        read_labeled(tmp_path / "e.npz", "kind")


def test_an_array_without_a_label_file_is_refused(array):
    with pytest.raises(TableError, match=r"e\.npy has no array of 6 labels named 'kind'; pass a label file"):
        read_labeled(array, "kind")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("l.txt", "a\nb\n", "l.txt has 2 labels for 6 rows"),
        ("l.txt", "", "l.txt is empty"),
        ("l.txt", "a\nb\na\n\na\nb\n", "has 1 missing label, the first in row 4"),
        ("l.csv", "kinds\n" + "\n".join(LABELS), "has no column 'kind'; did you mean 'kinds'"),
        ("l.npy", np.array([0.0, 1, 0, 1, np.nan, 1]), "has 1 missing label, the first in row 5"),
        ("l.npy", np.array([LABELS]), "has no one-dimensional array named 'kind'"),
        ("l.npy", np.array(["a"] * 6), "has one class only, 'a'"),
    ],
)
def test_bad_label_files_are_refused(name, content, words, tmp_path):
    with pytest.raises(TableError, match=words):
        read_labels(written(tmp_path / name, content), "kind", 6)


def test_rows_may_come_without_labels(table, array):
    pd.testing.assert_frame_equal(read_rows(table), pd.read_csv(table))
    assert np.array_equal(read_rows(array), ROWS)
