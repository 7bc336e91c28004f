"""An audit of many rows and a thousand classes: time, peak memory, and how well wrong labels are found."""

import argparse
import time

import numpy as np
from sklearn.metrics import average_precision_score

from benchmarks.memory import Peak
from unflip import LabelAudit, make_label_noise
from unflip.foundation.threads import row_blocks

ROWS, COLUMNS, CLASSES, RATE = 200_000, 32, 1000, 0.05


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--classes", type=int, nargs="+", default=(CLASSES,))
    chosen = parser.parse_args()
    LabelAudit().fit(*clusters(300, 2))  # compile before timing
    print(f"audit of {chosen.rows:,} rows x {COLUMNS} columns, {RATE:.0%} flips")
    print(f"  {'classes':>8} {'seconds':>8} {'cpu s':>8} {'peak MB':>8} {'AP':>7} {'log-loss':>9} {'share wrong':>12}")
    for n_classes in chosen.classes:
        measure(chosen.rows, n_classes)


def measure(n_rows, n_classes):
    X, true = clusters(n_rows, n_classes)
    labels = make_label_noise(true, RATE, random_state=0)
    wall, cpu = time.perf_counter(), time.process_time()
    with Peak() as watch:
        audit = LabelAudit().fit(X, labels)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    wrong, p_wrong = labels != true, audit.issues_["p_wrong"].to_numpy()
    loss = -np.log(np.clip(np.where(wrong, p_wrong, 1 - p_wrong), 1e-6, 1)).mean()
    print(f"  {n_classes:8,} {wall:8.0f} {cpu:8.0f} {watch.peak:8.0f} {average_precision_score(wrong, p_wrong):7.4f} "
          f"{loss:9.4f} {audit.rates_.share_wrong:12.1%}")  # fmt: skip
    for note in audit._findings.notes_on_opinions():
        print(f"  {'':8} {note}")


def clusters(n_rows, n_classes):
    """Return rows of one cluster per class, which overlap a little, and their class numbers."""
    random = np.random.RandomState(0)
    centers = random.normal(size=(n_classes, COLUMNS))
    true = np.arange(n_rows) % n_classes
    X = np.empty((n_rows, COLUMNS))
    for rows in row_blocks(n_rows, 50_000):
        X[rows] = centers[true[rows]] + 1.1 * random.normal(size=(rows.stop - rows.start, COLUMNS))
    return X, true


if __name__ == "__main__":
    main()
