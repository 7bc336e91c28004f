"""Fit and predict against scikit-learn's KNeighborsClassifier, two threads, though ours estimates the noise as well."""

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
    half = len(X) // 2
    return model.fit(X, y).predict(X[:half] + 1e-3)


def main():
    print("fit (k = 20, k' = 50) on all rows and predict half as many, 2 threads")
    RobustKNeighborsClassifier(20, n_jobs=2).fit(uniform(9000, 8), uniform(9000, 1)[:, 0] > 0.5)
    for name, make in DATA.items():
        X = make()
        if X is None:
            continue
        y = X[:, 0] > X[:, 0].mean()
        ours = RobustKNeighborsClassifier(20, noise_neighbors=50, n_jobs=2)
        theirs = KNeighborsClassifier(20, n_jobs=2)
        times = best_times(
            {
                "unflip": lambda m=ours, X=X, y=y: fit_and_predict(m, X, y),
                "scikit-learn": lambda m=theirs, X=X, y=y: fit_and_predict(m, X, y),
            }
        )
        print(
            f"{name:20} unflip {times['unflip']:6.2f} s   scikit-learn {times['scikit-learn']:6.2f} s   ratio {times['unflip'] / times['scikit-learn']:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
