"""One pass of AROW and NHERD over real rows, against a plain numpy loop and one pass of scikit-learn's SGD.

Compilation is not counted. All diagonal forms of NHERD share one plain loop, which runs on dense rows.
"""

import time
from functools import partial

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import minmax_scale

from benchmarks.timing import best_times, data_file
from unflip.baselines import AROWClassifier, NHERDClassifier

FORMS = {
    "AROW diagonal": AROWClassifier(covariance="diagonal", epochs=1, random_state=0),
    "AROW full": AROWClassifier(covariance="full", epochs=1, random_state=0),
    **{
        f"NHERD {form}": NHERDClassifier(covariance=form, epochs=1, random_state=0)
        for form in ("exact", "project", "drop", "full")
    },
}
THEIRS = {
    "SGDClassifier": SGDClassifier(max_iter=1, tol=None, random_state=0),
    "passive-aggressive": SGDClassifier(
        penalty=None, learning_rate="pa1", eta0=1.0, max_iter=1, tol=None, random_state=0
    ),
}


def w8a(table):
    return sparse.csr_matrix(table.iloc[:, :-1].to_numpy(float)), table.iloc[:, -1].to_numpy() > 0


def shuttle(table):
    return minmax_scale(table.iloc[:, :-1].to_numpy(float), (-1, 1)), table.iloc[:, -1].to_numpy() == 1


def plain_loop(rows, signs, r, full, herding):
    """Run AROW or NHERD row by row in numpy, and return the seconds it took."""
    weights = np.zeros(rows.shape[1])
    covariance = np.eye(rows.shape[1]) if full else np.ones(rows.shape[1])
    start = time.perf_counter()
    for x, sign in zip(rows, signs, strict=True):
        margin = sign * (weights @ x)
        if margin < 1:
            direction = covariance @ x if full else covariance * x
            spread = x @ direction
            weights += sign * (1 - margin) / (spread + r) * direction
            precision = (spread / r + 2) / r if herding else 1 / r
            if full:
                covariance -= np.outer(direction, direction) * (precision / (1 + precision * spread))
            else:
                covariance /= 1 + precision * covariance * x**2
    return time.perf_counter() - start


def measure(name, X, y):
    """Print the times of one pass over the rows."""
    models = THEIRS | FORMS
    for model in FORMS.values():
        model.fit(X, y)
    times = best_times({way: partial(model.fit, X, y) for way, model in models.items()}, repeats=5)
    rows = np.column_stack([X.toarray() if sparse.issparse(X) else X, np.ones(len(y))])
    plain = {
        (kind, full): plain_loop(rows, np.where(y, 1, -1), r, full, kind == "NHERD")
        for kind, r in (("AROW", AROWClassifier().r), ("NHERD", 1 / NHERDClassifier().C))
        for full in (False, True)
    }
    print(f"one pass over {name}, {X.shape[0]} x {X.shape[1]}, {'sparse' if sparse.issparse(X) else 'dense'}")
    for way, model in models.items():
        print(
            f"  {way:20} {1000 * times[way]:7.1f} ms   accuracy {model.score(X, y):.4f}"
            f"   {times[way] / times['SGDClassifier']:6.2f} x SGDClassifier",
            end="" if way in FORMS else "\n",
        )
        if way in FORMS:
            seconds = plain[way.split()[0], way.endswith("full")]
            print(f"   plain loop {seconds:5.2f} s, ratio {seconds / times[way]:5.1f}")


def main():
    for load in (w8a, shuttle):
        path = data_file(load.__name__)
        if path is not None:
            measure(load.__name__, *load(pd.read_csv(path)))


if __name__ == "__main__":
    main()
