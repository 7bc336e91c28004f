"""The paper's data sets: exact neighbors of real rows, and robust against plain neighbors under noise."""

import numpy as np
import pandas as pd
import pytest
from neighbors.data import brute_force
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.neighbors import ExactIndex


def load(folder, name):
    table = pd.read_csv(folder / f"{name}.csv.gz")
    return table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy()


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("name", ["shuttle", "magic04", "letter", "mushroom", "usps", "segment", "cancer"])
def test_neighbors_of_real_rows_are_the_brute_force_ones(benchmark_data, name, scaled):
    X, _ = load(benchmark_data, name)
    X = minmax_scale(X, (-1, 1)) if scaled else X
    rows = np.random.RandomState(0).choice(len(X), 60, replace=False)
    graph = ExactIndex(engine="leaf", n_jobs=2).fit(X).graph(50)
    squared, expected = brute_force(X, X[rows], 50, exclude=rows)
    np.testing.assert_array_equal(graph.indices[rows], expected)
    np.testing.assert_array_equal(graph.distances[rows], np.sqrt(squared))


def binary(X, y):
    """Two classes: as they are, or the first half of them against the second."""
    classes, labels = np.unique(y, return_inverse=True)
    return minmax_scale(X, (-1, 1)), (labels >= len(classes) // 2).astype(int)


def test_robust_neighbors_beat_plain_ones_where_the_rates_differ(benchmark_data):
    """tau_plus = .3, tau_minus = .1, as in the paper's Table 2; both rates estimated, five splits each."""
    gains = {}
    for name in ("cancer", "segment", "mushroom", "optdigits", "landsat", "pendigits", "letter"):
        X, y = binary(*load(benchmark_data, name))
        gain = []
        for seed in range(5):
            X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=seed, train_size=0.5, stratify=y)
            noisy = make_label_noise(y_train, {0: 0.1, 1: 0.3}, random_state=seed)
            scores = [
                RobustKNeighborsClassifier(noise_rates=rates, n_jobs=2).fit(X_train, noisy).score(X_test, y_test)
                for rates in ("estimate", None)
            ]
            gain.append(scores[0] - scores[1])
        gains[name] = np.mean(gain)
    assert np.mean(list(gains.values())) > 0.005, gains
    assert sum(gain > 0 for gain in gains.values()) >= 5, gains
