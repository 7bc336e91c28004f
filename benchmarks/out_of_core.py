"""A file four times as large as the memory budget: the exact graph of all its rows, and the peak of resident memory."""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from unflip.foundation.sizes import bytes_of
from unflip.neighbors import ExactIndex
from unflip.neighbors.shards import ArrayShards, ShardedIndex

K = 10
COLUMNS = 16_384  # few wide rows: the work grows with the square of the rows, memory does not
CLUSTERS = 400


def write_rows(path, n_bytes):
    """Write clustered rows of float32 whose clusters have few directions, as embeddings have."""
    n_rows, random = n_bytes // (4 * COLUMNS), np.random.RandomState(0)
    centers = random.normal(size=(CLUSTERS, COLUMNS)).astype(np.float32)
    directions = random.normal(size=(8, COLUMNS)).astype(np.float32) / 20
    rows = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n_rows, COLUMNS))
    for start in range(0, n_rows, 4096):
        stop = min(start + 4096, n_rows)
        inside = random.normal(size=(stop - start, 8)).astype(np.float32) @ directions
        rows[start:stop] = centers[random.randint(CLUSTERS, size=stop - start)] + inside
    rows.flush()
    return n_rows


def search(path, budget):
    """Make the graph in this process, and print what it took."""
    start = time.perf_counter()
    graph = ShardedIndex(n_jobs=2).fit(ArrayShards(path, memory_budget=budget)).graph(K)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"  {time.perf_counter() - start:.0f} s, peak {peak / 1e6:,.0f} MB of a budget of {budget / 1e6:,.0f} MB")
    rows = np.sort(np.random.RandomState(1).choice(len(graph), 20, replace=False))
    X = np.load(path, mmap_mode="r")
    same = np.array_equal(ExactIndex().fit(np.array(X)).graph(K, rows).indices, graph.indices[rows])
    print(f"  neighbors of 20 rows as found by one search in memory: {same}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="350MB")
    parser.add_argument("--search", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    budget = bytes_of("out_of_core", "--budget", chosen.budget)
    if chosen.search:
        search(chosen.search, budget)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        n_rows = write_rows(path, 4 * budget)
        print(f"{n_rows:,} rows x {COLUMNS} float32 columns, {path.stat().st_size / 1e6:,.0f} MB, k = {K}", flush=True)
        ask = ["--budget", str(budget), "--search", str(path)]
        subprocess.run([sys.executable, "-m", "benchmarks.out_of_core", *ask], check=True)


if __name__ == "__main__":
    main()
