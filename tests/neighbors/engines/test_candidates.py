"""Candidates are thinned without losing a neighbor, and put in order at last."""

import numpy as np
import pytest
from numba import njit

from unflip.neighbors.engines.candidates import (
    NO_LIMIT,
    Task,
    bits_of,
    clear,
    limit_of,
    make_buffer,
    thin,
    value_of,
    write_nearest,
)
from unflip.neighbors.engines.screen import EXACT, Slack


@njit
def search(distances, task, buffer, scratch, out_distances, out_rows):
    """Offer all points to query 0, thinning whenever the buffer is full."""
    clear(buffer, 1)
    for row in range(len(distances)):
        value = distances[row]
        late = value == buffer.limits[0] and row > buffer.latest[0]
        if value > buffer.limits[0] or late:
            continue
        count = buffer.counts[0]
        buffer.bits[0, count], buffer.rows[0, count] = bits_of(value), row
        buffer.counts[0] = count + 1
        if count + 1 == buffer.bits.shape[1]:
            thin(buffer, scratch, 0, 0, task, 4)
    write_nearest(buffer, scratch, 0, 0, task, out_distances, out_rows)


@pytest.mark.parametrize("k", [1, 5, 60])
@pytest.mark.parametrize("kind", ["distinct", "tied", "nearly tied"])
def test_the_k_nearest_by_distance_and_row_number_come_out(k, kind):
    random = np.random.RandomState(k)
    points = random.random_sample((3000, 1)) * 100
    if kind == "tied":
        points = np.round(points / 10)
    if kind == "nearly tied":
        points = 50 + points * 1e-9  # float32 cannot tell them apart
    query = np.array([[points.min()]])
    squared = ((points - query) ** 2).ravel()
    slack = EXACT if kind == "tied" else Slack(1 + 1e-6, 1e-4, 0.0)
    task = Task.of(query, points, np.array([-1]), k, slack)
    buffer, scratch = make_buffer(1, k)
    found, rows = np.empty((1, k)), np.empty((1, k), np.int32)
    search(squared.astype(np.float32), task, buffer, scratch, found, rows)
    expected = np.argsort(squared, kind="stable")[:k]
    np.testing.assert_array_equal(rows[0], expected)
    np.testing.assert_array_equal(found[0], squared[expected])


def test_bits_order_like_the_floats_they_are():
    values = np.array([0, 1e-30, 0.5, 1, 3e38], np.float32)
    bits = [bits_of(value) for value in values]
    assert bits == sorted(bits)
    assert [value_of(bit) for bit in bits] == values.tolist()


def test_a_limit_is_never_below_its_value_nor_above_all_floats():
    slack = Slack(1 + 1e-6, 1e-3, 0.0)
    for value in np.array([0, 1e-10, 1.0, 1e30, NO_LIMIT], np.float32):
        assert value <= limit_of(value, slack) <= NO_LIMIT
