"""Time of estimating noise rates from a given neighbor graph, with 20,000 rows."""

from functools import partial

import numpy as np

from benchmarks.timing import best_times
from unflip import make_label_noise
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.noise_rates import ESTIMATORS
from unflip.noise_rates.bootstrap import bootstrap_intervals

N = 20_000


def show(title, graph, labels):
    ways = {name: partial(make().estimate, graph, labels) for name, make in ESTIMATORS.items()}
    rates, random = np.full(labels.max() + 1, 0.2), np.random.RandomState(0)
    extremes = ESTIMATORS["extremes"]()
    ways["extremes, bootstrapped"] = partial(bootstrap_intervals, extremes, graph, labels, rates, 0.9, random)
    print(title)
    for name, seconds in best_times(ways).items():
        print(f"  {name:28} {seconds:7.3f} s")


def main():
    X, y = make_sine_product(N, random_state=0)
    graph = ExactIndex(n_jobs=-1).fit(X).graph(50)
    show("2 classes", graph, make_label_noise(y, [0.1, 0.3], random_state=0))
    random = np.random.RandomState(0)
    y = random.randint(0, 10, size=N)
    graph = ExactIndex(n_jobs=-1).fit(random.normal(size=(N, 8)) + 3 * random.normal(size=(10, 8))[y]).graph(50)
    show("10 classes", graph, make_label_noise(y, 0.2, random_state=0))


if __name__ == "__main__":
    main()
