"""The exact neighbor graph against faiss's exact search: k = 100, two threads."""

import numpy as np

from benchmarks.timing import best_times, clustered, real, uniform
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex

K = 100
THREADS = 2
SYNTHETIC = {
    "uniform 20k x 8": lambda: uniform(20_000, 8),
    "uniform 20k x 16": lambda: uniform(20_000, 16),
    "uniform 20k x 50": lambda: uniform(20_000, 50),
    "uniform 20k x 256": lambda: uniform(20_000, 256),
    "clustered 20k x 16": lambda: clustered(20_000, 16),
    "clustered 20k x 50": lambda: clustered(20_000, 50),
    "clustered 20k x 256": lambda: clustered(20_000, 256),
    "clustered 80k x 16": lambda: clustered(80_000, 16),
}
REAL = ("shuttle", "magic04", "letter", "pendigits", "usps", "w8a")


def by_faiss(faiss, X):
    rows = X.astype(np.float32)
    index = faiss.IndexFlatL2(rows.shape[1])
    index.add(rows)
    return index.search(rows, K + 1)


def compare(faiss, name, X):
    ways = {"unflip": lambda: ExactIndex(n_jobs=THREADS).fit(X).graph(K), "faiss": lambda: by_faiss(faiss, X)}
    times = best_times(ways, repeats=1 if len(X) * X.shape[1] > 1e7 else 3)
    ratio = times["unflip"] / times["faiss"]
    print(
        f"{name:22} {len(X):>7} x {X.shape[1]:<4} {times['unflip']:8.2f} s {times['faiss']:8.2f} s   ratio {ratio:.2f}",
        flush=True,
    )


def main():
    faiss = optional("faiss", "bench", "benchmarks.graph")
    faiss.omp_set_num_threads(THREADS)
    ExactIndex(engine="leaf").fit(uniform(500, 4)).graph(5)  # compile, or load from the cache, before timing
    print(f"exact graph of the {K} nearest, {THREADS} threads: unflip (float64 order) and faiss flat (float32)")
    for name, make in SYNTHETIC.items():
        compare(faiss, name, make())
    for name in REAL:
        X = real(name)
        if X is not None:
            compare(faiss, name, X)


if __name__ == "__main__":
    main()
