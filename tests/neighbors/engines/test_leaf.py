"""The search over leaves: squares, products, and when which."""

import numpy as np

from neighbors.data import awkward_data

DATA = awkward_data()


def test_limits_of_products_never_let_missing_points_through():
    from unflip.neighbors.engines.candidates import NO_LIMIT
    from unflip.neighbors.engines.leaf import _half_above

    for limit in (np.float32(NO_LIMIT), np.float32(1e30), np.float32(0)):
        for length in (np.float32(0), np.float32(5)):
            half = _half_above(limit, length)
            assert np.isfinite(half)
            assert half >= (float(limit) - float(length)) / 2 or limit == NO_LIMIT
    assert _half_above(np.float32(-1), np.float32(5)) == -np.inf


def test_products_are_used_where_nothing_is_ruled_out_and_they_are_precise(monkeypatch):
    from unflip.neighbors.engines.leaf import LeafEngine

    uniform = np.random.RandomState(0).random_sample((3000, 40))
    far_groups = uniform.copy()
    far_groups[1500:] += 1e4
    for X, expected in ((uniform, True), (far_groups, False), (DATA["one column"], False)):
        engine = LeafEngine().fit(X)
        engine.search(X, 10)
        assert (engine._packed_for_products is not None) == expected
