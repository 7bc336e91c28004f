"""Blocks of rows shared out to threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from joblib import effective_n_jobs
from threadpoolctl import threadpool_limits

from unflip.foundation.progress import report

Block = TypeVar("Block")
Result = TypeVar("Result")


def one_blas_thread() -> threadpool_limits:
    """Return a context in which sums of products are made in one order, so that results do not depend on the cores."""
    return threadpool_limits(1, user_api="blas")


def row_blocks(n_rows: int, size: int) -> list[slice]:
    """Return the slices that cut n_rows into blocks of at most size, or of one row if size is less."""
    size = max(1, size)
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def run_blocks(
    work: Callable[[Block], Result], blocks: Sequence[Block], n_jobs: int | None, *, tell: bool = False
) -> list[Result]:
    """Call work(block) for every block on n_jobs threads (None: one, -1: all cores); return the results in order.

    With tell, whoever listens hears what share of the blocks is done.
    """
    threads = min(effective_n_jobs(n_jobs), len(blocks))
    if threads <= 1:
        return _collected(map(work, blocks), len(blocks), tell)
    with ThreadPoolExecutor(threads) as pool:
        return _collected(pool.map(work, blocks), len(blocks), tell)


def _collected(results: Iterator[Result], count: int, tell: bool) -> list[Result]:
    found = []
    for result in results:
        found.append(result)
        if tell:
            report(len(found) / count)
    return found
