"""Clean accuracy by the criterion that selects k, with estimated rates, on the paper's data sets.

``python -m benchmarks.criteria [FIRST LAST]`` uses the seeds from FIRST to LAST and prints Markdown.
"""

import sys

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from benchmarks import noise_problems
from unflip import RobustKNeighborsClassifier, make_label_noise

METHODS: dict[str, dict] = {
    "log_likelihood": {},
    "noisy_accuracy": {"selection": "noisy_accuracy"},
    "balanced_accuracy": {"selection": "balanced_accuracy"},
    "corrected_accuracy": {"selection": "corrected_accuracy"},
    "the paper's (extremes, noisy_accuracy)": {
        "selection": "noisy_accuracy", "noise_estimator": "extremes", "decision": "algorithm_1",
    },
    "plain k-NN": {"noise_rates": None},
}  # fmt: skip


def measure(problem, seed):
    X, y, n = problem.X, problem.y, problem.n_train
    rows = []
    for number, (noise, truth) in enumerate(problem.noises.items()):
        labels = make_label_noise(y[:n], truth, random_state=100 * seed + number)
        for method, parameters in METHODS.items():
            model = RobustKNeighborsClassifier(random_state=seed, **parameters).fit(X[:n], labels)
            rows.append((problem.name, noise, seed, method, model.score(X[n:], y[n:])))
    return rows


def main(first=0, last=0):
    seeds = range(int(first), int(last) + 1)
    jobs = (delayed(measure)(problem, seed) for seed in seeds for problem in noise_problems.paper(seed))
    parts = Parallel(n_jobs=-1)(jobs)
    columns = ["data", "noise", "seed", "method", "accuracy"]
    table = pd.DataFrame([row for part in parts for row in part], columns=columns)
    wide = table.pivot_table(index=["data", "noise", "seed"], columns="method", values="accuracy", sort=False)
    print(f"## {table['data'].nunique()} data sets, {table['noise'].nunique()} noises, {len(seeds)} seeds\n")
    print("| k chosen by | accuracy | beyond log_likelihood | standard error over data sets |\n|---|---|---|---|")
    for method in METHODS:
        difference = wide[method] - wide["log_likelihood"]
        by_data = difference.groupby("data").mean()
        error = by_data.std() / np.sqrt(len(by_data))
        print(f"| {method} | {wide[method].mean():.4f} | {difference.mean():+.4f} | {error:.4f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
