"""Noise-aware baselines against the same models without correction: clean accuracy at (.3, .1), and time.

``python -m benchmarks.baselines [SPLITS]`` uses ten splits into 75 % and 25 % by default. If UNFLIP_PAPER is a folder
with the paper's Table 2 as table2_accuracy.csv, the paper's numbers are printed beside ours.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale
from sklearn.svm import SVC

from benchmarks.noise_problems import two_classes
from benchmarks.timing import best_times, data_file
from unflip import make_label_noise
from unflip.baselines import (
    ImportanceReweightedLogisticRegression,
    ImportanceReweightedSVC,
    LabelDependentSVC,
    UnbiasedLogisticRegression,
)

NAMES = ("heart", "housing", "cancer", "diabetes", "german", "splice", "optdigits", "segment")
TAU_PLUS, TAU_MINUS = 0.3, 0.1
RATES = [TAU_MINUS, TAU_PLUS]
TWINS: dict[str, Callable] = {"LLog": partial(LogisticRegression, max_iter=1000), "KSVM": SVC}
AWARE: dict[str, Callable] = {
    "IR-LLog": partial(ImportanceReweightedLogisticRegression, max_iter=1000, random_state=0),
    "UE-LLog": UnbiasedLogisticRegression,
    "IR-KSVM": partial(ImportanceReweightedSVC, random_state=0),
    "LD-KSVM": LabelDependentSVC,
}


def measure(name, seed):
    """Return rows of (data, seed, method, rates, accuracy) for one split."""
    X, y = two_classes(name, seed)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=seed, stratify=y)
    noisy = make_label_noise(y_train, RATES, random_state=1000 + seed)
    models = {(twin, "none"): make() for twin, make in TWINS.items()}
    for method, make in AWARE.items():
        models[method, "true"] = make(RATES)
        models[method, "estimated"] = make("estimate")
    return [(name, seed, *key, model.fit(X_train, noisy).score(X_test, y_test)) for key, model in models.items()]


def paper_accuracy():
    """Return {(data, method): mean} from the paper's Table 2; empty if the file is missing."""
    path = Path(os.environ.get("UNFLIP_PAPER", "")) / "table2_accuracy.csv"
    if not path.is_file():
        return {}
    table = pd.read_csv(path)
    printed = table[(table["tau_plus"] == TAU_PLUS) & (table["tau_minus"] == TAU_MINUS)]
    return dict(zip(zip(printed["dataset"], printed["method"], strict=True), printed["mean"], strict=True))


def gain(accuracy, twin):
    """Return two cells: the mean accuracy, and the mean difference to the twin's with its standard error."""
    difference = accuracy - twin
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return f"{accuracy.mean():.3f} | {difference.mean():+.3f} ± {error:.3f}"


def print_accuracy(splits):
    names = [name for name in NAMES if data_file(name) is not None]
    parts = Parallel(n_jobs=2)(delayed(measure)(name, seed) for name in names for seed in range(splits))
    columns = ["data", "seed", "method", "rates", "accuracy"]
    table = pd.DataFrame([row for part in parts for row in part], columns=columns)
    by_split = table.pivot(index=["data", "seed"], columns=["method", "rates"], values="accuracy")
    paper = paper_accuracy()
    print(f"clean test accuracy, tau_plus {TAU_PLUS}, tau_minus {TAU_MINUS}, {splits} splits; gain: paired, ± s.e.\n")
    print("| data | method | noise-unaware | true rates | gain | estimated | gain | paper |")
    print("|---|---|---|---|---|---|---|---|")
    for name in [*names, "all"]:
        rows = by_split if name == "all" else by_split.loc[name]
        for method in AWARE:
            twin = rows[method.split("-")[1], "none"]
            cells = " | ".join(gain(rows[method, rates], twin) for rates in ("true", "estimated"))
            printed = paper.get((name, method))
            print(
                f"| {name} | {method} | {twin.mean():.3f} | {cells} | {'' if printed is None else f'{printed:.3f}'} |"
            )


def print_times():
    print("\nfit of logistic regression: unbiased loss with known rates against scikit-learn, tol 1e-4")
    forms = {
        "shuttle": ("shuttle", lambda X: minmax_scale(X, (-1, 1))),
        "w8a, sparse": ("w8a", sparse.csr_array),
        "w8a, dense": ("w8a", np.asarray),
    }
    for label, (name, form) in forms.items():
        path = data_file(name)
        if path is None:
            continue
        table = pd.read_csv(path)
        X, labels = form(table.iloc[:, :-1].to_numpy(float)), table.iloc[:, -1]
        y = (labels != labels.mode()[0]).to_numpy().astype(int)
        noisy = make_label_noise(y, RATES, random_state=0)
        times = best_times(
            {
                "ours": partial(UnbiasedLogisticRegression(RATES).fit, X, noisy),
                "theirs": partial(LogisticRegression(max_iter=1000).fit, X, noisy),
            }
        )
        ratio = times["ours"] / times["theirs"]
        print(f"{label:12} unflip {times['ours']:6.2f} s   scikit-learn {times['theirs']:6.2f} s   ratio {ratio:.2f}")


def main(splits=10):
    print_accuracy(int(splits))
    print_times()


if __name__ == "__main__":
    main(*sys.argv[1:])
