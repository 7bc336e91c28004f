"""Times of several ways to do the same thing, measured in turns, so that a slow spell affects all of them."""

import os
import time
from pathlib import Path

import numpy as np


def best_times(ways, repeats=3):
    """Return {name: best wall seconds} of functions without arguments."""
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(repeats):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def clustered(n, d, seed=0):
    random = np.random.RandomState(seed)
    centers = 3 * random.normal(size=(50, d))
    return centers[random.randint(0, 50, size=n)] + 0.5 * random.normal(size=(n, d))


def uniform(n, d, seed=0):
    return np.random.RandomState(seed).random_sample((n, d))


def data_file(name):
    """Return the path of a benchmark data set; if it is not in the folder UNFLIP_DATA, print that and return None."""
    path = Path(os.environ.get("UNFLIP_DATA", "")) / f"{name}.csv.gz"
    if path.is_file():
        return path
    print(f"{name}: missing (set UNFLIP_DATA to the folder of the data sets)")
    return None


def real(name):
    """Return the features of a benchmark data set, or None if it is missing."""
    import pandas as pd

    path = data_file(name)
    return None if path is None else pd.read_csv(path).iloc[:, :-1].to_numpy(float)
