"""Fit and predict, including noise estimation, against scikit-learn's KNeighborsClassifier on two threads."""

from functools import partial

from sklearn.neighbors import KNeighborsClassifier

from benchmarks.timing import best_times, clustered, real, uniform
from unflip import RobustKNeighborsClassifier

DATA = {
    "uniform 20k x 8": lambda: uniform(20_000, 8),
    "uniform 20k x 16": lambda: uniform(20_000, 16),
    "clustered 20k x 16": lambda: clustered(20_000, 16),
    "clustered 20k x 50": lambda: clustered(20_000, 50),
    "magic04": lambda: real("magic04"),
}


def fit_and_predict(model, X, y):
    return model.fit(X, y).predict(X + 1e-3)


def main():
    print("fit (k = 20, k' = 50) and predict as many rows, 2 threads")
    RobustKNeighborsClassifier(20, n_jobs=2).fit(uniform(9000, 8), uniform(9000, 1)[:, 0] > 0.5)
    for name, make in DATA.items():
        X = make()
        if X is None:
            continue
        y = X[:, 0] > X[:, 0].mean()
        ours = RobustKNeighborsClassifier(20, noise_neighbors=50, n_jobs=2)
        theirs = KNeighborsClassifier(20, n_jobs=2)
        times = best_times(
            {"ours": partial(fit_and_predict, ours, X, y), "theirs": partial(fit_and_predict, theirs, X, y)}
        )
        ratio = times["ours"] / times["theirs"]
        print(f"{name:20} unflip {times['ours']:6.2f} s   scikit-learn {times['theirs']:6.2f} s   ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
