"""What the blend loses, and gains in time, if all but the neighbors learn from a sample of at most so many rows."""

import argparse
import sys
import time

import numpy as np
from sklearn.metrics import average_precision_score, log_loss

from benchmarks.memory import Peak
from unflip import UnflipError, make_label_noise
from unflip.datasets import load_benchmark
from unflip.foundation.threads import row_blocks
from unflip.noise_rates.judgement import judge
from unflip.opinions import Blend, GivenProbabilities, default_opinions
from unflip.opinions.sampled import inner_opinion, sample_size

LIMITS = (5000, 10_000, 20_000, 50_000)
RATE = 0.1
REAL = ("shuttle", "w8a", "magic04", "letter")
# Rows, columns, classes, and how many of the columns tell the classes apart.
MADE = {
    "50,000": (50_000, 32, 2, 6),
    "200,000": (200_000, 32, 2, 6),
    "500,000": (500_000, 16, 2, 6),
    "ten classes": (100_000, 32, 10, 10),
}
# Of these the neighbors are left out, which take longer than all others together.
LARGE = {"million": (1_000_000, 32, 2, 6), "wide": (100_000, 768, 10, 64)}


def made(n_rows, n_columns, n_classes, n_telling):
    """Return clusters in some of the columns, which tell the classes apart; the others hold noise of the same size."""
    random = np.random.RandomState(0)
    centers = random.normal(size=(10 * n_classes, n_telling))
    cluster = random.randint(0, len(centers), n_rows)
    X = np.empty((n_rows, n_columns), np.float32)
    for rows in row_blocks(n_rows, 50_000):
        X[rows] = random.normal(size=(rows.stop - rows.start, n_columns))
        X[rows, :n_telling] = centers[cluster[rows]] + 0.4 * X[rows, :n_telling]
    return X, cluster % n_classes


def load(name):
    if name in REAL:
        return load_benchmark(name)
    return made(*(MADE | LARGE)[name])


def learning_opinions(limit):
    opinions = default_opinions(n_jobs=-1)[1:]
    return [opinion.set_params(max_rows=limit) for opinion in opinions]


def measure(name, X, true, limits):
    n_classes = int(true.max()) + 1
    labels = make_label_noise(true, RATE, random_state=0)
    print(f"{name}: {X.shape[0]:,} x {X.shape[1]}, {n_classes} classes, {RATE:.0%} flips; "
          f"limit by default {sample_size(X, n_classes):,}")  # fmt: skip
    print(f"  {'limit':>10} {'wall s':>7} {'cpu s':>7} {'MB':>6} {'AP':>7} {'logloss':>8} {'accuracy':>9}   weights")
    opinions = []
    if name not in LARGE:
        neighbors = default_opinions(n_jobs=-1)[0].fit(X, labels, n_classes)
        opinions = [GivenProbabilities(neighbors.probabilities_, "neighbors")]  # their time is not compared
        report(Blend(opinions), "neighbors", X, labels, true, n_classes)
    for limit in limits:
        blend = Blend([*opinions, *learning_opinions(limit)])
        report(blend, f"{min(limit, len(labels)):,}", X, labels, true, n_classes)
        if limit >= len(labels):
            break


def report(blend, what, X, labels, true, n_classes):
    wall, cpu = time.perf_counter(), time.process_time()
    with Peak() as peak:
        blend.fit(X, labels, n_classes)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    judgement = judge(blend.probabilities_, labels)
    p_wrong = judgement.p_wrong(blend.probabilities_, labels)
    wrong = labels != true
    accuracy = np.mean(judgement.clean(blend.probabilities_).argmax(axis=1) == true)
    weights = " ".join(f"{weight:.2f}" for weight in blend.weights_.values())
    print(f"  {what:>10} {wall:7.1f} {cpu:7.1f} {peak.peak - peak.start:6.0f} "
          f"{average_precision_score(wrong, p_wrong):7.4f} {log_loss(wrong, np.clip(p_wrong, 1e-6, 1 - 1e-6)):8.4f} "
          f"{accuracy:9.4f}   {weights}", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    names = (*REAL, *MADE, *LARGE)
    parser.add_argument(
        "--data", nargs="+", choices=names, default=(*REAL, *MADE), help="tables (default: not the largest)"
    )
    parser.add_argument("--limits", nargs="+", type=int, default=LIMITS)
    chosen = parser.parse_args()
    _compile()
    for name in chosen.data:
        try:
            X, true = load(name)
        except UnflipError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        measure(name, X, true, chosen.limits)


def _compile():
    X, true = made(500, 8, 2, 4)
    for opinion in default_opinions(n_jobs=-1):
        inner_opinion(opinion).fit(X, true, 2).predict(X[:9])


if __name__ == "__main__":
    main()
