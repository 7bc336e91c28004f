"""Every estimator of the noise rates on the paper's data sets: error of the rates and of their difference, accuracy.

python -m benchmarks.noise_rates [FIRST_SEED LAST_SEED], two seeds unless told. Rates are estimated on up to 3,000 rows;
k is chosen by leave-one-out likelihood; accuracy is on up to 3,000 other rows with clean labels.
"""

import sys

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.preprocessing import minmax_scale

from benchmarks.timing import data_file
from unflip import make_label_noise
from unflip.decision import decide, usable
from unflip.neighbors import ExactIndex
from unflip.noise_model import NoiseModel
from unflip.noise_rates import ESTIMATORS
from unflip.selection import candidates, select_by_likelihood
from unflip.votes import prefix_votes

NAMES = (
    "heart", "ionosphere", "housing", "cancer", "diabetes", "vehicle", "fourclass", "german", "splice", "optdigits",
    "segment", "landsat", "mushroom", "usps", "pendigits", "letter", "magic04", "shuttle",
)  # fmt: skip
NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4), (0.05, 0.4), (0.4, 0.1), (0.2, 0.2), (0.0, 0.0))  # tau_plus, tau_minus
MOST_ROWS = 3000


def load(name, seed):
    """Return rows scaled to [-1, 1] and two classes: at the median price, or a random half of the classes."""
    table = pd.read_csv(data_file(name))
    X, y = minmax_scale(table.iloc[:, :-1].to_numpy(float), (-1, 1)), table.iloc[:, -1].to_numpy()
    if name == "housing":
        return X, (y > np.median(y)).astype(int)
    classes, labels = np.unique(y, return_inverse=True)
    if len(classes) == 2:
        return X, labels
    positive = np.random.RandomState(seed).permutation(len(classes))[: len(classes) // 2]
    return X, np.isin(labels, positive).astype(int)


def measure(name, seed):
    """Return rows of (data, method, tau_plus, tau_minus, two estimates, accuracy) for one split."""
    X, y = load(name, seed)
    order = np.random.RandomState(1000 + seed).permutation(len(X))
    n_train = min(MOST_ROWS, 3 * len(X) // 4)
    train, test = order[:n_train], order[n_train : n_train + MOST_ROWS]
    index = ExactIndex().fit(X[train])
    graph, near = index.graph(100), index.query(X[test], 100)
    rows = []
    for number, (tau_plus, tau_minus) in enumerate(NOISES):
        labels = make_label_noise(y[train], [tau_minus, tau_plus], random_state=100 * seed + number)
        k = select_by_likelihood(graph, labels, 2, candidates("auto", n_train - 1)).best_n_neighbors
        votes = prefix_votes(near, labels, 2, [k])[:, 0]
        matrices = {label: estimator().estimate(graph, labels) for label, estimator in ESTIMATORS.items()}
        matrices["none"] = np.eye(2)
        matrices["true rates"] = NoiseModel.of([tau_minus, tau_plus], [0, 1]).transition_matrix
        for method, matrix in matrices.items():
            accuracy = np.mean(decide(votes, usable(matrix)) == y[test])
            rows.append((name, method, tau_plus, tau_minus, matrix[1, 0], matrix[0, 1], accuracy))
    return rows


def main(first=0, last=1):
    names = [name for name in NAMES if data_file(name) is not None]
    seeds = range(int(first), int(last) + 1)
    parts = Parallel(n_jobs=-1)(delayed(measure)(name, seed) for seed in seeds for name in names)
    columns = ["data", "method", "tau_plus", "tau_minus", "plus", "minus", "accuracy"]
    table = pd.DataFrame([row for part in parts for row in part], columns=columns)
    table["tau_plus error"] = (table["plus"] - table["tau_plus"]).abs()
    table["tau_minus error"] = (table["minus"] - table["tau_minus"]).abs()
    table["difference error"] = (table["minus"] - table["plus"] - table["tau_minus"] + table["tau_plus"]).abs()
    shown = ["tau_plus error", "tau_minus error", "difference error", "accuracy"]
    means = table.groupby("method", sort=False)[shown].mean()
    floor, ceiling = means.loc["none", "accuracy"], means.loc["true rates", "accuracy"]
    means["gap closed"] = (means["accuracy"] - floor) / (ceiling - floor)
    symmetric = table[table["tau_plus"] == table["tau_minus"]]
    means["accuracy, symmetric"] = symmetric.groupby("method", sort=False)["accuracy"].mean()
    print(f"{len(names)} data sets, {len(NOISES)} noises, {len(seeds)} seeds: means")
    print(means.round(4).to_string())


if __name__ == "__main__":
    main(*sys.argv[1:])
