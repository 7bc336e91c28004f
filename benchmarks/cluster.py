"""A Dask cluster against one process: digests of the graph by workers, shards and ties, and with a worker killed."""

import argparse
import hashlib
import os
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

from unflip.foundation.optional import optional
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex
from unflip.neighbors.shards import ArrayShards, ShardedIndex

K = 50


def data(n_rows):
    random = np.random.RandomState(0)
    return {
        "continuous": random.normal(size=(n_rows, 8)),
        "ties": random.randint(0, 2, (n_rows, 8)).astype(float),
    }


def digest(graph):
    return hashlib.sha256(graph.indices.tobytes() + graph.distances.tobytes()).hexdigest()[:12]


def run(client, folder, name, n_shards, expected, *, kill=False):
    index = ShardedIndex(executor=client).fit(ArrayShards(f"{folder}/{name}-{n_shards}-*.npy"))
    victims = [next(iter(client.run(os.getpid).values()))] if kill else []

    def kill_one(share):
        if victims and share > 0:
            os.kill(victims.pop(), signal.SIGKILL)

    start = time.perf_counter()
    with reporting(kill_one):
        same = digest(index.graph(K)) == expected
    workers = len(client.scheduler_info()["workers"])
    words = f"{workers} workers, {n_shards} shards" + (", one killed" if kill else "")
    print(f"  {name:12}{words:34}{time.perf_counter() - start:8.1f} s   identical: {same}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=40_000)
    chosen = parser.parse_args()
    distributed = optional("distributed", "dask", "benchmarks.cluster")
    with tempfile.TemporaryDirectory() as folder:
        expected = {}
        for name, X in data(chosen.rows).items():
            start = time.perf_counter()
            expected[name] = digest(ExactIndex().fit(X).graph(K))
            print(f"  {name:12}{'one process, one thread':34}{time.perf_counter() - start:8.1f} s")
            for n_shards in (1, 3, 8):
                for number, part in enumerate(np.array_split(X, n_shards)):
                    np.save(Path(folder) / f"{name}-{n_shards}-{number}.npy", part)
        for n_workers in (2, 4):
            with (
                distributed.LocalCluster(n_workers, threads_per_worker=1, dashboard_address=None) as cluster,
                distributed.Client(cluster) as client,
            ):
                for name, answer in expected.items():
                    for n_shards in (1, 3, 8):
                        run(client, folder, name, n_shards, answer)
                run(client, folder, "ties", 8, expected["ties"], kill=True)


if __name__ == "__main__":
    main()
