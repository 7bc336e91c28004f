"""Rows that arrive in batches: partial_fit against one fit, with and without a look at the rates after each batch."""

import time

import numpy as np

from benchmarks.timing import clustered, uniform
from unflip import RobustKNeighborsClassifier, make_label_noise

BATCHES = 20
PROBLEMS = {"clustered": (clustered, 60_000, 16), "uniform": (uniform, 60_000, 16), "larger": (clustered, 200_000, 16)}


def at_once(X, y):
    return RobustKNeighborsClassifier(n_jobs=2).fit(X, y)


def in_batches(X, y, look=False):
    model = RobustKNeighborsClassifier(n_jobs=2)
    for batch in np.array_split(np.arange(len(X)), BATCHES):
        model.partial_fit(X[batch], y[batch], classes=[0, 1])
        if look:
            _ = model.noise_rates_
    _ = model.noise_rates_
    return model


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    for name, (make, n_rows, n_columns) in PROBLEMS.items():
        X = make(n_rows, n_columns)
        y = make_label_noise((X[:, 0] > np.median(X[:, 0])).astype(int), 0.1, random_state=0)
        at_once(X[:9000], y[:9000])
        in_batches(X[:9000], y[:9000], look=True)  # compile before timing
        whole_seconds, whole = timed(lambda X=X, y=y: at_once(X, y))
        print(f"{name}: {n_rows:,} rows x {n_columns} columns in {BATCHES} batches; one fit {whole_seconds:.2f} s")
        for words, look in (("rates at the end", False), ("rates after each batch", True)):
            seconds, grown = timed(lambda X=X, y=y, look=look: in_batches(X, y, look))
            same = np.array_equal(grown.transition_matrix_, whole.transition_matrix_) and np.array_equal(
                grown.kneighbors(X[:2000])[1], whole.kneighbors(X[:2000])[1]
            )
            print(f"  {words:24}{seconds:8.2f} s   ratio {seconds / whole_seconds:5.2f}   identical: {same}")


if __name__ == "__main__":
    main()
