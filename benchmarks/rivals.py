"""Corrected classifiers against CleanLearning with the same model.

``python -m benchmarks.rivals [--quick] [--store FOLDER]`` trains forests, gradient boosting and logistic regression as
they are, in cleanlab's CleanLearning and in NoiseCorrectedClassifier, on the catalog's data sets with flipped labels,
and prints clean test accuracy as Markdown. Interrupted runs resume.
"""

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks import cells
from benchmarks.cleanlab_rivals import clean_learning, forest
from unflip import NoiseCorrectedClassifier

RATES = ((0, 0), (0.1, 0.1), (0.1, 0.2), (0.3, 0.1), (0.05, 0.4), (0.4, 0.1), (0.4, 0.4))  # tau_plus, tau_minus
NOISES = [cells.noise_name(*rates) for rates in RATES]
QUICK = ("(0, 0)", "(0.1, 0.2)", "(0.05, 0.4)")
MODELS = ("forest", "boosting", "logistic")


def make_model(name, seed):
    if name == "forest":
        return forest(seed)
    return (
        HistGradientBoostingClassifier(random_state=seed) if name == "boosting" else LogisticRegression(max_iter=1000)
    )


def ways(cell):
    X, X_test, y, y_test = cells.halves(cell)
    labels = cells.flipped(cell, y)
    scaler = StandardScaler().fit(X)
    scaled = scaler.transform(X), scaler.transform(X_test)

    def accuracy(learner, rows=(X, X_test)):
        return lambda: {"accuracy": (learner.fit(rows[0], labels).predict(rows[1]) == y_test).mean()}

    found = {}
    for name in MODELS:
        # Not a pipeline: CleanLearning would see no sample_weight in the signature of its fit.
        rows = scaled if name == "logistic" else (X, X_test)
        found[f"{name}, plain"] = accuracy(make_model(name, cell.seed), rows)
        found[f"{name}, CleanLearning"] = accuracy(clean_learning(make_model(name, cell.seed), cell.seed), rows)
        found[f"{name}, corrected"] = accuracy(NoiseCorrectedClassifier(make_model(name, cell.seed), n_jobs=1), rows)
    return found | {"the blend alone": accuracy(NoiseCorrectedClassifier(n_jobs=1))}


def show(table):
    accuracy = cells.by_method(table, "accuracy")
    if accuracy.empty:
        return
    n_data = accuracy.index.unique("data").size
    print(f"clean test accuracy, {n_data} data sets, {len(accuracy)} cells\n")
    print(cells.markdown(cells.mean_by_noise(accuracy, NOISES)), "\n")
    print("| | at least CleanLearning's | mean lead | its standard error |\n|---|---|---|---|")
    for name in MODELS:
        for ours in (f"{name}, corrected", "the blend alone"):
            lead = accuracy[ours] - accuracy[f"{name}, CleanLearning"]
            print(f"| {ours}, over {name} | {cells.lead_line(lead)} |")
    seconds = cells.by_method(table, "seconds").mean()
    print("\nmean seconds: " + ", ".join(f"{method} {value:.2f}" for method, value in seconds.items()))


def work(chosen):
    return cells.grid(cells.two_class_data(chosen), QUICK if chosen.quick else NOISES, chosen)


if __name__ == "__main__":
    cells.main(__doc__, "rivals", ways, work, show)
