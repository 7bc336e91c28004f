"""Files of a data set: their order, and that they stay what they were."""

import os

import pytest

from unflip.neighbors.shards.manifest import FileEntry, digest_of, sorted_paths


@pytest.fixture
def files(tmp_path):
    for name in ("b.bin", "a.bin", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


def test_patterns_and_lists_give_files_in_the_order_of_their_names(files):
    both = [str(files / "a.bin"), str(files / "b.bin")]
    assert sorted_paths(files / "*.bin") == both
    assert sorted_paths([files / "b.bin", files / "a.bin"]) == both
    assert sorted_paths(str(files / "b.bin")) == both[1:]


@pytest.mark.parametrize("pattern", ["*.csv", "missing.bin"])
def test_what_is_not_there_is_refused(files, pattern):
    with pytest.raises(ValueError, match=r"No file matches|does not exist"):
        sorted_paths(files / pattern)


@pytest.mark.parametrize("content", [b"b.bim", b"longer than it was"])
def test_a_file_that_changed_is_refused(files, content):
    path = files / "b.bin"
    entry = FileEntry.of(str(path), 1)
    entry.check()
    path.write_bytes(content)
    os.utime(path, ns=(1, 1))
    with pytest.raises(ValueError, match="has changed since it was first read"):
        entry.check()
    path.unlink()
    with pytest.raises(ValueError, match="does not exist here; every worker must be able to read it"):
        entry.check()


def test_a_file_is_read_through_once(files, monkeypatch):
    path = str(files / "a.bin")
    first = digest_of(path)
    monkeypatch.setattr("builtins.open", None)
    assert digest_of(path) == first
