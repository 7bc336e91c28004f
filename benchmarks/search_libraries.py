"""Approximate graphs by unflip, faiss, usearch and pynndescent: time, recall, memory, growth with the rows."""

import argparse
import json
import math
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from benchmarks.memory import Peak
from benchmarks.timing import clustered, uniform
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex
from unflip.neighbors.approximate import ApproximateIndex

K = 50
THREADS = 2
RECALL = 0.99
SAMPLE = 500


def curved(n, d, seed=0):
    """Return rows near a surface of ten dimensions, as embeddings are."""
    random = np.random.RandomState(seed)
    centers = 2 * random.normal(size=(20, 10))
    places = centers[random.randint(0, 20, n)] + random.normal(size=(n, 10))
    return np.tanh(places @ random.normal(size=(10, d)) / 10**0.5) + 0.05 * random.normal(size=(n, d))


DATA = {"clustered": clustered, "uniform": uniform, "curved": curved}


def rows_of(data, n, d):
    return DATA[data](n, d).astype(np.float32)


def farthest_neighbors(data, n, d, rows):
    return ExactIndex(n_jobs=THREADS).fit(rows_of(data, n, d)).graph(K, rows).distances[:, -1]


class Truth:
    """Exact neighbors of some rows, by which libraries without a recall of their own are tuned and all are judged."""

    def __init__(self, data, n, d):
        self.X = rows_of(data, n, d)
        self.rows = np.random.RandomState(1).choice(n, SAMPLE, replace=False)
        # In a process of its own, because memory that was taken and given back would not be counted when taken again.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            self.farthest = pool.submit(farthest_neighbors, data, n, d, self.rows).result()

    def recall(self, found):
        """Return the recall of the neighbors found for the sample; one as near as the last true one counts."""
        shares = []
        for row, others, farthest in zip(self.rows, found, self.farthest, strict=True):
            others = others[(others != row) & (others >= 0)][:K]
            squared = ((self.X[others].astype(float) - self.X[row].astype(float)) ** 2).sum(axis=1)
            shares.append((np.sqrt(squared) <= farthest * (1 + 1e-9)).sum() / K)
        return float(np.mean(shares))


def by_exact(X, truth):
    return ExactIndex(n_jobs=THREADS).fit(X).graph(K).indices


def by_unflip(X, truth):
    index = ApproximateIndex(n_jobs=THREADS, recall=RECALL).fit(X)
    found = index.graph(K).indices
    print(f"  unflip: {index.algorithm_}, {index.n_probes_} lists probed", file=sys.stderr)
    return found


def by_faiss(X, truth):
    faiss = optional("faiss", "bench", "benchmarks.search_libraries")
    faiss.omp_set_num_threads(THREADS)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], int(len(X) ** 0.5))
    index.cp.max_points_per_centroid = 64  # without which its k-means warns and takes longer
    index.train(X)
    index.add(X)
    while truth.recall(index.search(X[truth.rows], K + 1)[1]) < RECALL and index.nprobe < index.nlist:
        index.nprobe = math.ceil(1.2 * index.nprobe)
    return np.vstack([index.search(X[start : start + 65_536], K + 1)[1] for start in range(0, len(X), 65_536)])


def by_usearch(X, truth):
    usearch = optional("usearch.index", "bench", "benchmarks.search_libraries")
    index = usearch.Index(ndim=X.shape[1], metric="l2sq", dtype="f32", expansion_search=64)
    index.add(np.arange(len(X)), X, threads=THREADS)
    while truth.recall(index.search(X[truth.rows], K + 1, threads=THREADS).keys.astype(np.int64)) < RECALL:
        if index.expansion_search >= 4096:
            break
        index.expansion_search *= 2
    return index.search(X, K + 1, threads=THREADS).keys.astype(np.int64)


def by_pynndescent(X, truth):
    pynndescent = optional("pynndescent", "bench", "benchmarks.search_libraries")
    return pynndescent.NNDescent(X, n_neighbors=K + 1, random_state=0, n_jobs=THREADS).neighbor_graph[0]


LIBRARIES = {
    "unflip": by_unflip,
    "exact": by_exact,
    "faiss": by_faiss,
    "usearch": by_usearch,
    "pynndescent": by_pynndescent,
}


def measure(name, data, n, d):
    """Return what one library takes for the whole graph, in this process."""
    warnings.simplefilter("ignore")
    search, few, truth = LIBRARIES[name], Truth("uniform", 20_000, 16), Truth(data, n, d)
    search(few.X, few)  # compile, or load from the cache, before timing
    with Peak() as watch:
        wall, processor = time.perf_counter(), time.process_time()
        found = search(truth.X, truth)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
    extra = watch.peak - watch.start - found.shape[0] * K * 12 / 2**20
    return {"wall": wall, "processor": processor, "recall": truth.recall(found[truth.rows]), "extra": extra}


def measured_apart(name, data, n, d):
    """Return the same from a process of its own: thread pools slow each other down, and memory is not given back."""
    command = [sys.executable, "-m", "benchmarks.search_libraries", "--measure", name, "--data", data]
    answer = subprocess.run([*command, "--rows", str(n), "--columns", str(d)], check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def compare(names, data, n, d):
    """Print what each library takes; return the processor times."""
    print(f"graph of the {K} nearest of {n} {data} rows of {d} columns, {THREADS} threads; ratios of processor time")
    times = {}
    for name in names:
        result = measured_apart(name, data, n, d)
        times[name] = result["processor"]
        print(
            f"  {name:12} {result['wall']:7.1f} s, processor {result['processor']:7.1f} s,"
            f" ratio {result['processor'] / times[names[0]]:6.2f}, recall {result['recall']:.4f},"
            f" extra at the peak {result['extra']:5.0f} MB",
            flush=True,
        )
    return times


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks search_libraries", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=32)
    parser.add_argument("--data", choices=DATA, default="curved")
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--growth", action="store_true", help="also ten times as many rows, and the exponent")
    parser.add_argument("--measure", choices=LIBRARIES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.data, options.rows, options.columns)))
        return
    few = compare(options.libraries, options.data, options.rows, options.columns)
    if options.growth:
        many = compare(options.libraries, options.data, 10 * options.rows, options.columns)
        exponents = ", ".join(f"{name} {math.log10(many[name] / few[name]):.2f}" for name in many)
        print(f"growth exponents: {exponents}")


if __name__ == "__main__":
    main()
