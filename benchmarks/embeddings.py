"""Audit of 100,000 x 768 float32 embeddings against cleanlab's Datalab on the same features: time and precision."""

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, make_label_noise
from unflip.foundation.optional import optional

COLUMNS, CLASSES = 768, 10


def embeddings(n_rows):
    """Return rows as an encoder gives them: clusters of few directions each, some clusters shared by two classes."""
    random = np.random.RandomState(0)
    n_clusters = 40 * CLASSES
    centers = random.normal(size=(n_clusters, COLUMNS)) / np.sqrt(COLUMNS)
    directions = random.normal(size=(n_clusters, 10, COLUMNS)) / np.sqrt(10 * COLUMNS)
    cluster = random.randint(n_clusters, size=n_rows)
    truth = cluster % CLASSES
    X = np.empty((n_rows, COLUMNS), np.float32)
    for number in range(n_clusters):
        own = np.flatnonzero(cluster == number)
        X[own] = centers[number] + random.normal(size=(len(own), 10)) @ directions[number]
        X[own] += 0.3 * random.normal(size=(len(own), COLUMNS)) / np.sqrt(COLUMNS)
    mixed = (cluster % 8 == 0) & (random.random_sample(n_rows) < 0.3)
    return X, np.where(mixed, (truth + 1) % CLASSES, truth)


def unflip_scores(X, labels):
    return LabelAudit(metric="cosine").fit(X, labels).issues_["p_wrong"].to_numpy()


def neighbors_scores(X, labels):
    return LabelAudit(None, metric="cosine").fit(X, labels).issues_["p_wrong"].to_numpy()


def datalab_scores(X, labels):
    cleanlab = optional("cleanlab", "bench", "benchmarks.embeddings")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lab = cleanlab.Datalab({"label": labels}, label_name="label", verbosity=0)
        lab.find_issues(features=X, issue_types={"label": {}})
    return 1 - lab.get_issues("label")["label_score"].to_numpy()


WAYS = {"unflip": unflip_scores, "unflip, neighbors alone": neighbors_scores, "cleanlab Datalab": datalab_scores}


def measure(way, n_rows):
    X, truth = embeddings(n_rows)
    labels = make_label_noise(truth, 0.08, random_state=0)
    WAYS[way](X[:3000], labels[:3000])
    if "unflip" in way:
        WAYS[way](X[:9000], labels[:9000])  # compile before timing
    start = time.perf_counter()
    scores = WAYS[way](X, labels)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(json.dumps([seconds, average_precision_score(labels != truth, scores), peak]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--measure", choices=WAYS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        measure(chosen.measure, chosen.rows)
        return
    print(f"{chosen.rows:,} rows x {COLUMNS} float32 columns, {CLASSES} classes, 8 % flips")
    times = {}
    for way in WAYS:
        ask = ["--measure", way, "--rows", str(chosen.rows)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.embeddings", *ask], check=True, stdout=subprocess.PIPE, text=True
        )
        times[way], precision, peak = json.loads(done.stdout.splitlines()[-1])
        print(f"  {way:26}{times[way]:8.1f} s   average precision {precision:.4f}   peak {peak:.2f} GB", flush=True)
    print(f"  cleanlab / unflip: {times['cleanlab Datalab'] / times['unflip']:.2f}")


if __name__ == "__main__":
    main()
