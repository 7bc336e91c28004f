"""Selection of k and k' on a 20 x 20 grid with 4 folds, against GridSearchCV over the same estimator."""

import time
from functools import partial

from sklearn.model_selection import GridSearchCV, StratifiedKFold

from benchmarks.timing import best_times, uniform
from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.classifier.selection import K_VALUES, N_FOLDS, graph_neighbors_for
from unflip.neighbors import ExactIndex

N, D = 20_000, 16
Paper = partial(RobustKNeighborsClassifier, noise_estimator="extremes")
TIMED = ((5, 5), (50, 50), (100, 100))


def main():
    X = uniform(N, D)
    y = make_label_noise((X[:, :4].sum(axis=1) > 2).astype(int), [0.1, 0.3], random_state=0)
    ExactIndex(n_jobs=2).fit(X).graph(5)
    times = best_times(
        {
            "graph": lambda: ExactIndex(n_jobs=2).fit(X).graph(graph_neighbors_for(max(K_VALUES))),
            "fit": lambda: Paper(selection="noisy_accuracy", n_jobs=2).fit(X, y),
        }
    )
    start = time.perf_counter()
    for k, noise_neighbors in TIMED:
        grid = {"n_neighbors": [k], "noise_neighbors": [noise_neighbors]}
        one_fold = list(StratifiedKFold(N_FOLDS).split(X, y))[:1]
        GridSearchCV(Paper(n_jobs=2), grid, cv=one_fold, refit=False).fit(X, y)
    n_fits = len(K_VALUES) ** 2 * N_FOLDS
    slow = (time.perf_counter() - start) / len(TIMED) * n_fits
    share = times["fit"] / times["graph"] - 1
    print(f"selection of k and k' ({len(K_VALUES)} x {len(K_VALUES)} grid, {N_FOLDS} folds, n={N}, d={D})")
    print(
        f"  unflip, whole fit      {times['fit']:8.2f} s (the graph {times['graph']:.2f} s, then {share:.2f} of that)"
    )
    print(f"  GridSearchCV           {slow:8.0f} s   (extrapolated from {len(TIMED)} of {n_fits} fits)")
    print(f"  ratio                  {slow / times['fit']:8.0f}")


if __name__ == "__main__":
    main()
