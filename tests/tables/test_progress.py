"""The share of a file that is read."""

import io

import pytest

from unflip.tables.progress import WatchedBytes, tell_nobody


@pytest.mark.parametrize("read", ["read", "read1"])
def test_the_share_read_before_is_told_with_each_reading(read):
    shares = []
    file = WatchedBytes(b"a" * 8, shares.append)
    pieces = [getattr(file, read)(n) for n in (2, 4, -1, 1)]
    assert pieces == [b"aa", b"aaaa", b"aa", b""]
    assert shares == [0, 0.25, 0.75, 1]


def test_a_reader_of_text_tells_it_too():
    shares = []
    assert io.TextIOWrapper(WatchedBytes(b"x\n" * 100_000, shares.append)).readlines() == ["x\n"] * 100_000
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_an_empty_file_is_read():
    assert WatchedBytes(b"", tell_nobody).read() == b""
