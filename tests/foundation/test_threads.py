import threading
import time

import pytest

from unflip.foundation.threads import row_blocks, run_blocks


@pytest.mark.parametrize(("n_rows", "size"), [(0, 4), (1, 4), (8, 4), (9, 4), (5, 0)])
def test_blocks_are_all_rows_once_in_order(n_rows, size):
    blocks = row_blocks(n_rows, size)
    assert [row for block in blocks for row in range(n_rows)[block]] == list(range(n_rows))
    assert all(block.stop - block.start <= max(1, size) for block in blocks)


@pytest.mark.parametrize("n_jobs", [None, 1, 3])
def test_results_come_in_order_whatever_the_threads(n_jobs):
    def slow_at_first(number):
        time.sleep(0.02 / (number + 1))
        return number, threading.get_ident()

    found = run_blocks(slow_at_first, range(6), n_jobs)
    assert [number for number, _ in found] == list(range(6))
    assert (len({thread for _, thread in found}) == 1) == (n_jobs != 3)


def test_a_failure_in_a_thread_is_raised():
    def fail(number):
        raise KeyError(number)

    with pytest.raises(KeyError):
        run_blocks(fail, range(4), 2)
