"""Rows cut into boxes."""

import numpy as np
import pytest

from unflip.neighbors.engines import leaves as module
from unflip.neighbors.engines.leaves import make_leaves, pack_for_products
from unflip.neighbors.engines.loop_tile import POINTS


@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 64, 65, 1000])
def test_every_row_is_in_one_leaf_inside_its_box_and_packed_in_its_place(n_rows, monkeypatch):
    monkeypatch.setattr(module, "LEAF_SIZE", 64)
    copies = np.random.RandomState(n_rows).normal(size=(n_rows, 3)).astype(np.float32)
    leaves = make_leaves(copies)
    assert sorted(leaves.rows.tolist()) == list(range(n_rows))
    np.testing.assert_array_equal(leaves.copies, copies[leaves.rows])
    sizes = np.diff(leaves.starts)
    assert sizes.sum() == n_rows
    assert 1 <= sizes.min() <= sizes.max() <= 64
    for leaf, (start, stop) in enumerate(zip(leaves.starts[:-1], leaves.starts[1:], strict=True)):
        inside = leaves.copies[start:stop]
        np.testing.assert_array_equal(leaves.low[leaf], inside.min(axis=0))
        np.testing.assert_array_equal(leaves.high[leaf], inside.max(axis=0))
        np.testing.assert_allclose(leaves.center[leaf], inside.mean(axis=0), atol=1e-5)
        tiles = leaves.packed[leaves.tile_starts[leaf] : leaves.tile_starts[leaf + 1]]
        unpacked = np.moveaxis(tiles, 1, 2).reshape(-1, 3)
        np.testing.assert_array_equal(unpacked[: stop - start], inside)
        assert np.isinf(unpacked[stop - start :]).all()
        assert len(unpacked) - (stop - start) < POINTS


def test_for_products_half_the_squared_length_comes_first_and_missing_points_are_infinitely_long():
    packed = np.full((1, 2, POINTS), np.float32(np.inf))
    packed[0, :, 0] = 3, 4
    longer = pack_for_products(packed)
    assert longer[0, :, 0].tolist() == [12.5, 3, 4]
    assert np.isinf(longer[0, 0, 1:]).all()
    assert (longer[0, 1:, 1:] == 0).all()
