"""The points that may be among the k nearest of a query: kept in a buffer, thinned when it fills, at last put in order.

A buffer holds, for each query, float32 squared distances (as bits: read as int32 they order like the non-negative
floats) and row numbers. Thinning keeps whatever the slack (see `screen`) says could still be among the k nearest in
float64, so the final order, by (float64 squared distance, row number), misses nothing.
"""

from typing import NamedTuple

import numpy as np

from unflip.foundation.compiled import compiled
from unflip.neighbors.engines.pairs import SparseRows, squared_distances_to
from unflip.neighbors.engines.screen import EXACT, Slack

NO_LIMIT = np.finfo(np.float32).max
NO_ROW = np.iinfo(np.int32).max


class Task(NamedTuple):
    """What a search is asked: float64 queries and points, the row each query leaves out, k, and the slack."""

    queries: np.ndarray | SparseRows
    points: np.ndarray | SparseRows
    exclude: np.ndarray
    k: int
    slack: Slack
    exact: bool  # float32 distances are the true ones
    within: np.ndarray  # (n_queries,) squared distances, scaled, beyond which nobody is asked for

    @classmethod
    def of(cls, queries, points, exclude, k, slack, within=None):
        """Make the task; the slack tells whether float32 is exact."""
        within = np.full(len(exclude), np.inf) if within is None else within
        return cls(queries, points, exclude, k, slack, slack == EXACT, within)


class Buffer(NamedTuple):
    """The candidates of some queries, one slot each."""

    bits: np.ndarray  # (slots, size)
    rows: np.ndarray  # (slots, size)
    counts: np.ndarray  # (slots,)
    thinned: np.ndarray  # (slots,) the count after the last thinning
    limits: np.ndarray  # (slots,) what lies beyond cannot be among the k nearest
    latest: np.ndarray  # (slots,) the row number from which a candidate *at* the limit comes too late


class Scratch(NamedTuple):
    """Room to sort one query's candidates in."""

    distances: np.ndarray
    rows: np.ndarray
    bits: np.ndarray
    starts: np.ndarray


@compiled()
def make_buffer(slots, k):
    """Return a buffer whose slots take a little more than 2 k candidates before they are thinned, and its scratch."""
    size = 2 * k + 48
    buffer = Buffer(
        np.empty((slots, size), np.int32), np.empty((slots, size), np.int32), np.zeros(slots, np.int64),
        np.zeros(slots, np.int64), np.full(slots, NO_LIMIT, np.float32), np.full(slots, NO_ROW, np.int32),
    )  # fmt: skip
    scratch = Scratch(
        np.empty(size), np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size + 1, np.int32)
    )  # fmt: skip
    return buffer, scratch


@compiled()
def clear(buffer, used):
    """Empty the buffer; slots from `used` on take nothing."""
    buffer.counts[:] = 0
    buffer.thinned[:] = 0
    buffer.limits[:] = NO_LIMIT
    buffer.limits[used:] = -1
    buffer.latest[:] = NO_ROW


@compiled()
def set_limits(buffer, first_slot, queries, task):
    """Let nobody into the slots of these queries who is farther than the task asks for."""
    for slot in range(len(queries)):
        within = task.within[queries[slot]]
        if within < np.inf:
            buffer.limits[first_slot + slot] = limit_of(within, task.slack)


@compiled()
def write_nearest(buffer, scratch, slot, query, task, out_distances, out_rows):
    """Write the k nearest of a slot's candidates, in the order of (float64 squared distance, row number).

    If there are fewer, because the task asks for near ones only, row numbers are -1 and distances NaN from there on.
    """
    if buffer.counts[slot] > task.k + 2:
        thin(buffer, scratch, slot, query, task, 2)
    count = buffer.counts[slot]
    _roughly_sort(buffer, scratch, slot, count)
    _true_distances(scratch.distances, scratch.rows, scratch.bits, count, query, task)
    _insertion_sort(scratch.distances, scratch.rows, scratch.bits, count, 1)
    for position in range(min(task.k, count)):
        out_distances[query, position] = scratch.distances[position]
        out_rows[query, position] = scratch.rows[position]
    out_rows[query, count:] = -1
    out_distances[query, count:] = np.nan


@compiled()
def _true_distances(distances, rows, bits, count, query, task):
    """Write the float64 squared distances of a query's candidates; where float32 is exact they are known."""
    if task.exact:
        for position in range(count):
            distances[position] = np.float64(value_of(bits[position]))
    else:
        squared_distances_to(task.queries, query, task.points, rows, count, distances)


@compiled()
def bits_of(value):
    """Return the bits of a float32."""
    return np.float32(value).view(np.int32)


@compiled()
def value_of(bits):
    """Return the float32 of these bits."""
    return np.int32(bits).view(np.float32)


@compiled()
def limit_of(value, slack):
    """Return the largest float32 squared distance that one of the k nearest can have when k points are within value."""
    distance = slack.factor * np.sqrt(np.float64(value) + slack.extra) + slack.offset
    return np.float32(min(distance * distance * (1 + 2.0**-22) + 1e-37, NO_LIMIT))


@compiled(inline="always")
def thin(buffer, scratch, slot, query, task, spare):
    """Drop the candidates that cannot be among the k nearest and set the limits for those to come.

    Where too many lie within the slack (ties, mostly), the k nearest of them in float64 stay.
    """
    kept, limit = _drop_distant(
        buffer.bits, buffer.rows, slot, buffer.counts[slot], task.k, spare, task.exact, task.slack
    )  # fmt: skip
    buffer.limits[slot], buffer.latest[slot] = min(limit, buffer.limits[slot]), NO_ROW
    if kept > buffer.bits.shape[1] - task.k // 2 - 16:
        kept = _settle(buffer, scratch, slot, kept, query, task)
    buffer.counts[slot] = kept
    buffer.thinned[slot] = kept


@compiled()
def _drop_distant(bits, rows, slot, count, k, spare, exact, slack):
    """Keep k candidates, a few to spare, and all that the slack adds; return how many stay, and the limit."""
    value = value_of(_bits_with_k_below(bits, slot, count, k, spare))
    limit = value if exact else limit_of(value, slack)
    limit_bits = bits_of(limit)
    kept = 0
    for position in range(count):
        bit, row = bits[slot, position], rows[slot, position]
        bits[slot, kept], rows[slot, kept] = bit, row
        kept += np.int64(bit <= limit_bits)
    return kept, limit


@compiled()
def _settle(buffer, scratch, slot, count, query, task):
    """Keep the k nearest in float64; if float32 is exact, what ties with the last must have a smaller row number."""
    bits, rows = buffer.bits[slot], buffer.rows[slot]
    _true_distances(scratch.distances, rows, bits, count, query, task)
    for gap in (301, 132, 57, 23, 10, 4, 1):  # a shell sort: candidates come in no order
        if gap < count:
            _insertion_sort(scratch.distances, rows, bits, count, gap)
    if task.exact:
        buffer.limits[slot] = value_of(bits[task.k - 1])
        buffer.latest[slot] = rows[task.k - 1]
    return task.k


@compiled()
def _bits_with_k_below(bits, slot, count, k, spare):
    """Return bits with k to k + spare candidates up to them (more if they tie), by bisection."""
    low, high = _smallest_and_largest(bits, slot, count)
    low -= 1
    while high - low > 1:
        middle = low + ((high - low) >> 1)
        below = _count_up_to(bits, slot, count, np.int32(middle))
        if below < k:
            low = middle
        else:
            high = middle
            if below <= k + spare:
                break
    return high


@compiled()
def _count_up_to(bits, slot, count, limit):
    total = np.int32(0)
    for position in range(count):
        total += np.int32(bits[slot, position] <= limit)
    return total


@compiled()
def _smallest_and_largest(bits, slot, count):
    low, high = bits[slot, 0], bits[slot, 0]
    for position in range(1, count):
        low, high = min(low, bits[slot, position]), max(high, bits[slot, position])
    return np.int64(low), np.int64(high)


@compiled()
def _roughly_sort(buffer, scratch, slot, count):
    """Put candidates into nearly the right order by one pass over as many buckets as there are candidates."""
    bits, rows, starts = buffer.bits[slot], buffer.rows[slot], scratch.starts
    low, high = _smallest_and_largest(buffer.bits, slot, count)
    per_bit = np.float64(count - 1) / max(1.0, np.float64(high - low))
    starts[: count + 1] = 0
    for position in range(count):
        starts[np.int64(np.float64(bits[position] - low) * per_bit) + 1] += 1
    for bucket in range(count):
        starts[bucket + 1] += starts[bucket]
    for position in range(count):
        bucket = np.int64(np.float64(bits[position] - low) * per_bit)
        place = starts[bucket]
        starts[bucket] += 1
        scratch.bits[place], scratch.rows[place] = bits[position], rows[position]


@compiled()
def _insertion_sort(distances, rows, bits, count, gap):
    """Sort every gap-th candidate by (distance, row number): quick on what is nearly in order."""
    for position in range(gap, count):
        distance, row, bit = distances[position], rows[position], bits[position]
        place = position
        while place >= gap and (
            distances[place - gap] > distance or (distances[place - gap] == distance and rows[place - gap] > row)
        ):
            before = place - gap
            distances[place], rows[place], bits[place] = distances[before], rows[before], bits[before]
            place = before
        distances[place], rows[place], bits[place] = distance, row, bit
