"""Blocks of rows handed to threads."""

from concurrent.futures import ThreadPoolExecutor

from joblib import effective_n_jobs


def row_blocks(n_rows, size):
    """Return the slices that cut n_rows into blocks of at most size."""
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, max(1, size))]


def run_blocks(work, blocks, n_jobs):
    """Call work(block) for every block on n_jobs threads (None: one, -1: all cores); return the results in order."""
    threads = min(effective_n_jobs(n_jobs), len(blocks))
    if threads <= 1:
        return [work(block) for block in blocks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, blocks))
