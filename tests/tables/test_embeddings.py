"""Embeddings are used as they are, from files that never run code, or as a column of lists."""

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

from unflip.tables import TableEncoder, TableError, encode, read_labeled, read_labels, read_rows
from unflip.tables import embeddings as room

ROWS = np.random.RandomState(0).normal(size=(6, 3)).astype(np.float32)
LABELS = ["a", "b", "a", "b", "a", "b"]


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
def test_labels_come_from_a_second_file(name, content, array, tmp_path):
    labeled = read_labeled(array, "kind", written(tmp_path / name, content))
    assert labeled.columns is None
    assert labeled.table is None
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


def test_the_name_that_was_given_goes_before_the_usual_ones(tmp_path):
    np.savez(tmp_path / "e.npz", vectors=ROWS, y=[0, 1] * 3, kind=LABELS)
    assert read_labeled(tmp_path / "e.npz", "kind").labels.tolist() == LABELS


def test_a_large_array_stays_on_the_disk(array, monkeypatch):
    assert not isinstance(read_rows(array), np.memmap)
    monkeypatch.setattr(room, "LARGE", 10)
    assert isinstance(read_rows(array), np.memmap)
    assert np.array_equal(read_rows(array), ROWS)


WITH_NAN = ROWS.copy()
WITH_NAN[4, 1] = np.nan


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("no array", "is not a .npy file"),
        (np.array([["a", "b"], ["c", "d"]]), "holds <U1, not numbers"),
        (np.arange(5), r"has no array of rows by numbers, but \(5,\)"),
        (np.zeros((0, 3)), r"is an empty array of shape \(0, 3\)"),
        (WITH_NAN, "row 5 has a number that is missing or infinite"),
        (np.array([[{}, 1]], dtype=object), "holds Python objects, which could run code"),
    ],
)
def test_a_wrong_array_is_refused(content, words, tmp_path):
    with pytest.raises(TableError, match=words) as caught:
        read_rows(written(tmp_path / "e.npy", content))
    assert str(tmp_path) in str(caught.value)


def test_a_row_in_a_later_block_is_found(array, monkeypatch):
    monkeypatch.setattr(room, "BLOCK", 2)
    with pytest.raises(TableError, match="row 5 has"):
        read_rows(written(array, WITH_NAN))


def test_an_object_array_runs_no_code(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    for name in ("e.npy", "e.npz"):
        save = np.save if name == "e.npy" else np.savez
        save(tmp_path / name, np.array([[Trap()]], dtype=object))
        with pytest.raises(TableError, match="could run code"):
            read_rows(tmp_path / name)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"a": ROWS, "b": ROWS}, "has 2 arrays of two dimensions, a, b: one is needed"),
        ({"a": np.arange(3)}, r"has no array of rows by numbers, but a \(3,\)"),
        ({"a": ROWS}, "has no 6 labels called 'kind'; give the file that has them"),
        ({"a": ROWS, "y": np.arange(5)}, "has no 6 labels called 'kind'"),
    ],
)
def test_a_wrong_archive_is_refused(arrays, words, tmp_path):
    np.savez(tmp_path / "e.npz", **arrays)
    with pytest.raises(TableError, match=words):
        read_labeled(tmp_path / "e.npz", "kind")


def test_a_broken_archive_is_refused(tmp_path):
    np.savez(tmp_path / "e.npz", a=ROWS)
    content = (tmp_path / "e.npz").read_bytes()
    (tmp_path / "e.npz").write_bytes(content[: len(content) // 2])
    with pytest.raises(TableError, match=r"is not a \.npz file"):
        read_rows(tmp_path / "e.npz")


def test_an_array_that_is_cut_short_is_refused(array):
    array.write_bytes(array.read_bytes()[:-5])
    with pytest.raises(TableError, match=r"cannot be read as \.npy: "):
        read_rows(array)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("l.txt", "a\nb\n", "l.txt has 2 labels for 6 rows"),
        ("l.txt", "", "l.txt is empty"),
        ("l.txt", "a\nb\na\n\na\nb\n", "has 1 missing label, the first in row 4"),
        ("l.csv", "kinds\n" + "\n".join(LABELS), "has no column 'kind'; did you mean 'kinds'"),
        ("l.npy", np.array([0.0, 1, 0, 1, np.nan, 1]), "has 1 missing label, the first in row 5"),
        ("l.npy", np.array([LABELS]), "has no array of one dimension called 'kind'"),
        ("l.npy", np.array(["a"] * 6), "has one class only, 'a'"),
    ],
)
def test_wrong_labels_are_refused(name, content, words, tmp_path):
    with pytest.raises(TableError, match=words):
        read_labels(written(tmp_path / name, content), "kind", 6)


def test_an_array_without_labels_asks_for_them(array):
    with pytest.raises(TableError, match="has no 6 labels called 'kind'; give the file that has them"):
        read_labeled(array, "kind")


LISTS = np.random.RandomState(0).normal(5, 3, size=(300, 8))


@pytest.mark.parametrize("way", ["lists", "arrays", "arrow", "fixed size", "polars", "arrow dtype", "parquet"])
def test_a_column_of_lists_is_an_embedding_with_one_scale(way, tmp_path):
    lists = pd.DataFrame({"vector": list(LISTS)})
    table = {
        "lists": lambda: {"vector": LISTS.tolist()},
        "arrays": lambda: lists,
        "arrow": lambda: pa.Table.from_pandas(lists),
        "fixed size": lambda: pa.table({"vector": pa.array(LISTS.tolist(), type=pa.list_(pa.float64(), 8))}),
        "polars": lambda: polars.from_pandas(lists),
        "arrow dtype": lambda: lists.astype(pd.ArrowDtype(pa.list_(pa.float64()))),
        "parquet": lambda: lists.to_parquet(tmp_path / "t.parquet") or read_rows(tmp_path / "t.parquet"),
    }[way]()
    encoder = TableEncoder().fit(table)
    assert encoder.kinds_ == {"vector": "embedding"}
    matrix = encoder.transform(table)
    assert matrix.shape == (300, 8)
    assert np.allclose(matrix / LISTS, matrix[0, 0] / LISTS[0, 0])
    first, second = np.random.RandomState(1).randint(300, size=(2, 5000))
    apart = np.linalg.norm(matrix[first] - matrix[second], axis=1)
    assert np.median(apart) == pytest.approx(1, abs=0.05)
    assert np.array_equal(encoder.transform({"vector": LISTS[:5].tolist()}), matrix[:5])


@pytest.mark.parametrize(
    ("lists", "words"),
    [
        ([[1, 2], [1, 2, 3]], "Column 'v': row 2 has 3 numbers, row 1 has 2"),
        ([[1, 2], None, [3, 4]], "Column 'v' holds lists of numbers, but row 2 has none"),
        ([None, [1, 2], [3, 4]], "Column 'v' holds lists of numbers, but row 1 has none"),
        ([[1.0, 2.0], [np.nan, 2.0]], "Column 'v': row 2 has a number that is missing or infinite"),
    ],
)
def test_lists_that_are_ragged_or_missing_are_refused_by_row(lists, words):
    with pytest.raises(TableError, match=words):
        encode({"v": lists})
    assert encode({"v": lists, "x": np.arange(len(lists)) / 2}, drop=["v"]).used == ["x"]


def test_rows_that_are_mostly_the_same_have_a_scale_nevertheless():
    matrix = encode({"v": [[0.0, 0.0]] * 99 + [[3.0, 4.0]]}).matrix
    assert np.linalg.norm(matrix[-1]) == pytest.approx(1)


def test_new_lists_must_be_as_long():
    encoder = TableEncoder().fit({"v": [[1, 2], [3, 5], [4, 4]]})
    with pytest.raises(TableError, match="Column 'v' had 2 numbers a row, now 3"):
        encoder.transform({"v": [[1, 2, 3]]})


def test_lists_that_are_all_the_same_are_left_out():
    assert encode({"v": [[1, 2]] * 3, "x": [0.0, 1.0, 3.0]}).left_out == {"v": "the same everywhere"}
