"""Graph, rates and audit of up to a million rows x 32 columns: seconds, recall, peak memory, and how time grows."""

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, make_label_noise
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex, fit_index, make_index

COLUMNS, K = 32, 50
SAMPLE = 500


def rows(n_rows):
    """Return float32 rows of 200 overlapping clusters on curved sheets of eight directions, with noise in all 32."""
    random = np.random.RandomState(0)
    centers = random.normal(size=(200, COLUMNS))
    inside = random.normal(size=(n_rows, 8))
    curved = np.hstack([inside, np.sin(2 * inside)]) @ random.normal(size=(16, COLUMNS)) / 4
    cluster = random.randint(200, size=n_rows)
    X = centers[cluster] + curved + 0.1 * random.normal(size=(n_rows, COLUMNS))
    return X.astype(np.float32), (cluster + (inside[:, 0] > 0.7)) % 2


def measure(n_rows, algorithm, model):
    """Print what a search and an audit take in this process."""
    X, truth = rows(n_rows)
    labels = make_label_noise(truth, 0.05, random_state=0)
    LabelAudit(model).fit(X[:3000], labels[:3000])
    ExactIndex(n_jobs=-1).fit(X[:20_000]).graph(K)  # compile before timing
    found = {"rows": n_rows}
    start = time.perf_counter()
    index = fit_index(make_index("million_rows", "euclidean", X=X, algorithm=algorithm, n_jobs=-1), X, labels)
    graph = index.graph(K)
    found["graph"] = time.perf_counter() - start
    sample = np.random.RandomState(1).choice(n_rows, SAMPLE, replace=False)
    exact = ExactIndex(n_jobs=-1).fit(X).graph(K, sample)
    found["recall"] = float((graph.distances[sample] <= exact.distances[:, -1:]).mean())
    found["algorithm"] = getattr(index, "algorithm_", "exact")
    del graph, index, exact
    start = time.perf_counter()
    with reporting(None):
        audit = LabelAudit(model, algorithm=algorithm).fit(X, labels)
    found["audit"] = time.perf_counter() - start
    found["AP"] = average_precision_score(labels != truth, audit.issues_["p_wrong"])
    found["share"], found["k"] = audit.rates_.share_wrong, audit.n_neighbors_
    found["GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(json.dumps(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--algorithm", choices=["auto", "exact", "approximate"], default="auto")
    parser.add_argument("--model", choices=["auto", "neighbors"], default="auto")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        measure(chosen.measure, chosen.algorithm, None if chosen.model == "neighbors" else "auto")
        return
    print(f"{COLUMNS} columns, k = {K}, algorithm {chosen.algorithm!r}, model {chosen.model!r}")
    results = []
    for n_rows in chosen.rows:
        ask = ["--measure", str(n_rows), "--algorithm", chosen.algorithm, "--model", chosen.model]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.million_rows", *ask], check=True, stdout=subprocess.PIPE, text=True
        )
        result = json.loads(done.stdout)
        results.append(result)
        print("  " + "  ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
                               for name, value in result.items()), flush=True)  # fmt: skip
    if len(results) > 1:
        first, last = results[0], results[-1]
        for what in ("graph", "audit"):
            exponent = np.log(last[what] / first[what]) / np.log(last["rows"] / first["rows"])
            print(f"  {what} grows with the rows to the power of {exponent:.2f}")


if __name__ == "__main__":
    main()
