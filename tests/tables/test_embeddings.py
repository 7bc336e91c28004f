"""Embeddings come from .npy and .npz files unchanged, and never run code."""

import numpy as np
import pytest

from unflip.tables import TableError, read_rows
from unflip.tables import embeddings as room
from unflip.tables.embeddings import embedding_among, is_embedding, labels_among, read_arrays, read_embedding

ROWS = np.random.RandomState(0).normal(size=(6, 3)).astype(np.float32)


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


def test_the_ending_tells_an_embedding():
    assert [is_embedding(name) for name in ("e.npy", "E.NPZ", "e.csv", "npy")] == [True, True, False, False]


def test_the_array_of_a_file_is_returned_in_its_own_dtype(array):
    found = read_embedding(array)
    assert np.array_equal(found, ROWS)
    assert found.dtype == np.float32
    assert list(read_arrays(array)) == [""]


def test_an_archive_may_hold_other_arrays_beside_the_embedding(tmp_path):
    np.savez(tmp_path / "e.npz", vectors=ROWS, other=np.arange(6))
    assert np.array_equal(read_embedding(tmp_path / "e.npz"), ROWS)
    assert list(read_arrays(tmp_path / "e.npz")) == ["vectors", "other"]


def test_a_large_array_is_memory_mapped(array, monkeypatch):
    assert not isinstance(read_embedding(array), np.memmap)
    monkeypatch.setattr(room, "MAX_LOADED_BYTES", 10)
    assert isinstance(read_embedding(array), np.memmap)
    assert np.array_equal(read_embedding(array), ROWS)


WITH_NAN = ROWS.copy()
WITH_NAN[4, 1] = np.nan


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("no array", "is not a .npy file"),
        (np.array([["a", "b"], ["c", "d"]]), "holds <U1, not numbers"),
        (np.arange(5), r"has no two-dimensional array of numbers, but \(5,\)"),
        (np.zeros((0, 3)), r"is an empty array of shape \(0, 3\)"),
        (WITH_NAN, "row 5 has a missing or infinite number"),
        (np.array([[{}, 1]], dtype=object), "holds Python objects, which could run code"),
    ],
)
def test_other_arrays_are_refused(content, words, tmp_path):
    with pytest.raises(TableError, match=words) as caught:
        read_rows(written(tmp_path / "e.npy", content))
    assert str(tmp_path) in str(caught.value)


def test_a_bad_row_in_a_later_block_is_found(array, monkeypatch):
    monkeypatch.setattr(room, "ROWS_PER_BLOCK", 2)
    with pytest.raises(TableError, match="row 5 has"):
        read_embedding(written(array, WITH_NAN))


def test_an_object_array_runs_no_code(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    for name in ("e.npy", "e.npz"):
        save = np.save if name == "e.npy" else np.savez
        save(tmp_path / name, np.array([[Trap()]], dtype=object))
        with pytest.raises(TableError, match="could run code"):
            read_embedding(tmp_path / name)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"a": ROWS, "b": ROWS}, "e.npz has 2 two-dimensional arrays, a, b: one is needed"),
        ({"a": np.arange(3)}, r"e.npz has no two-dimensional array of numbers, but a \(3,\)"),
        ({}, "e.npz has no two-dimensional array of numbers, but nothing"),
    ],
)
def test_an_archive_without_a_single_embedding_is_refused(arrays, words):
    with pytest.raises(TableError, match=words):
        embedding_among(arrays, "e.npz")


def test_a_broken_archive_is_refused(tmp_path):
    np.savez(tmp_path / "e.npz", a=ROWS)
    content = (tmp_path / "e.npz").read_bytes()
    (tmp_path / "e.npz").write_bytes(content[: len(content) // 2])
    with pytest.raises(TableError, match=r"is not a \.npz file"):
        read_embedding(tmp_path / "e.npz")


def test_a_truncated_array_is_refused(array):
    array.write_bytes(array.read_bytes()[:-5])
    with pytest.raises(TableError, match=r"cannot be read as \.npy: "):
        read_embedding(array)


def test_labels_are_found_by_the_given_name_first_and_by_the_usual_ones():
    first, second = np.arange(6), np.arange(6) % 2
    assert labels_among({"kind": first, "y": second}, "kind", 6) is first
    for name in ("label", "labels", "y"):
        assert labels_among({"other": first, name: second}, "kind", 6) is second
    assert labels_among({"kind": np.arange(5), "other": first}, "kind", 6) is None
    assert labels_among({"kind": ROWS}, "kind", 6) is None
