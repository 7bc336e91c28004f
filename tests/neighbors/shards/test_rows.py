"""Shards look like one matrix."""

import numpy as np
import pytest

from unflip.neighbors.shards import ArrayShards
from unflip.neighbors.shards import rows as rows_module

X = np.random.RandomState(0).normal(size=(50, 3))
SHARDS = ArrayShards(np.split(X, [7, 7, 30]))


@pytest.mark.parametrize(
    "asked", [slice(None), slice(5, 40, 7), [3, 49, 0, 8, 8], np.arange(50) % 3 == 0, np.array([], int)]
)
@pytest.mark.parametrize("at_once", [4, 2**16])
def test_rows_are_taken_as_from_an_array(monkeypatch, asked, at_once):
    monkeypatch.setattr(rows_module, "ROWS_AT_ONCE", at_once)
    np.testing.assert_array_equal(SHARDS[asked], X[asked])


def test_shards_know_their_size_and_where_they_begin():
    assert SHARDS.shape == (50, 3)
    assert len(SHARDS) == 50
    assert SHARDS.dtype == np.float64
    assert [(shard.offset, shard.n_rows) for shard in SHARDS.shards] == [(0, 7), (7, 23), (30, 20)]


def test_blocks_and_pieces_are_all_rows_in_order():
    blocks = list(SHARDS.blocks(10))
    assert max(map(len, blocks)) <= 10
    np.testing.assert_array_equal(np.concatenate(blocks), X)
    pieces = SHARDS.shards[1].pieces(6)
    assert [piece.offset for piece in pieces] == [7, 12, 18, 24]
    np.testing.assert_array_equal(np.concatenate([piece.load() for piece in pieces]), X[7:30])


def test_a_missing_number_is_refused_with_the_place_where_it_is():
    broken = X.copy()
    broken[12, 1] = np.nan
    with pytest.raises(ValueError, match="array: row 13 or after it has a missing or infinite number"):
        ArrayShards(broken)[:]
