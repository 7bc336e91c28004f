"""Arrays and files of arrays as one matrix."""

import numpy as np
import pytest
from scipy import sparse

from unflip.neighbors.shards import ArrayShards
from unflip.neighbors.shards.array_shards import as_shards

X = np.random.RandomState(0).normal(size=(40, 3)).astype(np.float32)


def test_npy_files_are_read_in_the_order_of_their_names(tmp_path):
    np.save(tmp_path / "part-2.npy", X[25:])
    np.save(tmp_path / "part-1.npy", X[:25])
    shards = ArrayShards(tmp_path / "*.npy")
    assert shards.shape == (40, 3)
    assert shards.dtype == np.float32
    np.testing.assert_array_equal(shards[:], X)
    assert [entry.n_rows for entry in shards.manifest] == [25, 15]


def test_sparse_matrices_come_from_memory_and_from_files(tmp_path):
    matrix = sparse.random(30, 6, density=0.3, format="csr", random_state=0)
    sparse.save_npz(tmp_path / "a.npz", matrix[:10])
    sparse.save_npz(tmp_path / "b.npz", matrix[10:].tocsc())
    for shards in (ArrayShards(tmp_path / "*.npz"), ArrayShards([matrix[:10], matrix[10:]])):
        assert sparse.issparse(shards[[3, 20]])
        np.testing.assert_array_equal(shards[:].toarray(), matrix.toarray())


def test_large_parts_are_cut():
    assert [shard.n_rows for shard in ArrayShards(X, most_rows=15).shards] == [13, 13, 14]
    assert [shard.n_rows for shard in as_shards(X, 3).shards] == [13, 13, 14]
    shards = ArrayShards(X)
    assert as_shards(shards, 3) is shards


def test_a_file_that_changed_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", X)
    shards = ArrayShards(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", X + 1)
    with pytest.raises(ValueError, match="has changed since"):
        shards[:3]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (5, "'parts' must be arrays, .npy files"),
        ([], "'parts' must be arrays, .npy files"),
        ([np.ones(3)], "got 'ndarray'"),
        ([X, X[:, :2]], r"of one number of columns, got 'parts of \[2, 3\] columns'"),
        ("nothing-*.npy", "No file matches"),
    ],
)
def test_what_is_no_matrix_is_refused(parts, said):
    with pytest.raises(ValueError, match=said):
        ArrayShards(parts)


def test_files_of_something_else_are_refused(tmp_path):
    np.save(tmp_path / "flat.npy", np.ones(3))
    np.save(tmp_path / "text.npy", np.array([["a"]]))
    np.save(tmp_path / "objects.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    (tmp_path / "broken.npy").write_bytes(b"no array")
    (tmp_path / "broken.npz").write_bytes(b"no archive")
    (tmp_path / "rows.csv").write_text("1,2\n")
    for name in ("flat.npy", "text.npy", "objects.npy", "broken.npy", "broken.npz", "rows.csv"):
        with pytest.raises(ValueError, match=name.replace(".", r"\.")):
            ArrayShards(tmp_path / name)


def test_a_budget_is_read_or_refused():
    assert ArrayShards(X, memory_budget="2GB").memory_budget == 2 * 10**9
    with pytest.raises(ValueError, match="ArrayShards: 'memory_budget' must be"):
        ArrayShards(X, memory_budget="much")
