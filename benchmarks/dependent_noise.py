"""Noise that depends on x: near the boundary, by weak rules, by annotators, and in tight clusters.

``python -m benchmarks.dependent_noise [--quick] [--store FOLDER]`` prints Markdown: the average precision of the
ranking, the change of label accuracy by cleaning (clean_labels at confidence .9; cleanlab's own suggestions), and clean
test accuracy. NoiseCorrectedClassifier and LabelAudit stand beside cleanlab's CleanLearning with a random forest, and
the forest as it is. All of them assume noise that depends on the class only. Interrupted runs resume.
"""

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score, pairwise_distances
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from benchmarks import cells
from benchmarks.cleanlab_rivals import clean_learning, forest
from unflip import LabelAudit, NoiseCorrectedClassifier

MEASURES = ("AP", "cleaning", "accuracy")


def near_the_boundary(X, y, random):
    """Flip with .4 where a forest of clean labels is least sure, falling to 0 at the median of its margins."""
    model = RandomForestClassifier(200, oob_score=True, min_samples_leaf=3, random_state=random).fit(X, y)
    margins = np.abs(model.oob_decision_function_[:, 1] - 0.5)
    ranks = np.lexsort((random.random_sample(len(y)), margins)).argsort() / len(y)  # ties are broken at random
    return np.where(random.random_sample(len(y)) < 0.4 * np.maximum(0, 1 - 2 * ranks), 1 - y, y)


def weak_tree(X, y, random):
    """Label everything by a tree of depth 3 fitted to 5 % of the rows."""
    size = max(10, len(y) // 20)
    rows, _ = train_test_split(np.arange(len(y)), train_size=size, stratify=y, random_state=random)
    return DecisionTreeClassifier(max_depth=3, random_state=random).fit(X[rows], y[rows]).predict(X)


def threshold_rules(X, y, random):
    """Label everything by the majority of three rules, each a threshold on one column between the class means."""
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    gap = means[1] - means[0]
    columns = np.argsort(-np.abs(gap) / (X.std(axis=0) + 1e-12), kind="stable")[:3]
    if X.shape[1] < 3:
        columns = columns[:1]
    above = X[:, columns] > means[:, columns].mean(axis=0)
    return (np.where(gap[columns] > 0, above, ~above).mean(axis=1) > 0.5).astype(int)


def annotators(X, y, random):
    """Label by the majority of three annotators whose skills, .6 to .95, differ between five regions."""
    regions = KMeans(5, n_init=1, random_state=random).fit_predict(X)
    skills = random.uniform(0.6, 0.95, size=(3, 5))
    right = random.random_sample((3, len(y))) < skills[:, regions]
    return np.where(right.sum(axis=0) >= 2, y, 1 - y)


def tight_clusters(X, y, random):
    """Give all rows of a ball the label that is wrong at its center; balls of 1 % of the rows make up 5 %."""
    labels = y.copy()
    size = max(5, len(y) // 100)
    for center in random.choice(len(y), max(1, len(y) // 20 // size), replace=False):
        distances = pairwise_distances(X[[center]], X)[0]
        labels[np.argsort(distances, kind="stable")[:size]] = 1 - y[center]
    return labels


NOISES = {
    "near the boundary": near_the_boundary,
    "weak tree": weak_tree,
    "threshold rules": threshold_rules,
    "annotators": annotators,
    "tight clusters": tight_clusters,
}


def ways(cell):
    X, X_test, y, y_test = cells.halves(cell)
    labels = NOISES[cell.noise](X, y, np.random.RandomState(cell.random_state))
    if len(np.unique(labels)) < 2:
        raise ValueError("the noise left one class")
    wrong = labels != y

    def scores(suspicion, cleaned, predicted):
        return {
            "AP": average_precision_score(wrong, suspicion) if wrong.any() else np.nan,
            "cleaning": np.mean(cleaned == y) - np.mean(labels == y),
            "accuracy": np.mean(predicted == y_test),
        }

    def ours():
        audit = LabelAudit(n_jobs=1).fit(X, labels)
        predicted = NoiseCorrectedClassifier(n_jobs=1).fit(X, labels).predict(X_test)
        return scores(audit.issues_["p_wrong"], audit.clean_labels(confidence=0.9), predicted) | {
            "wrong": wrong.mean(),
            "estimated": audit.rates_.share_wrong,
        }

    def cleanlab():
        learner = clean_learning(forest(cell.seed), cell.seed).fit(X, labels)
        issues = learner.get_label_issues()
        cleaned = np.where(issues["is_label_issue"], issues["predicted_label"], labels)
        return scores(-issues["label_quality"], cleaned, learner.predict(X_test))

    def plain():
        return {"accuracy": np.mean(forest(cell.seed).fit(X, labels).predict(X_test) == y_test)}

    return {"unflip": ours, "cleanlab": cleanlab, "forest": plain}


def show(table):
    if table.empty:
        return
    wide = {measure: cells.by_method(table, measure) for measure in (*MEASURES, "wrong", "estimated")}
    columns = {"wrong": wide["wrong"]["unflip"], "estimated": wide["estimated"]["unflip"]}
    for measure in MEASURES:
        columns |= {f"{measure}, {method}": values for method, values in wide[measure].items()}
    # No label wrong: there is no average precision, and the other columns keep the cell.
    means = cells.mean_by_noise(pd.DataFrame(columns), NOISES)
    print(f"{table['data'].nunique()} data sets, {len(wide['accuracy'])} cells\n")
    print(cells.markdown(means, signed=[column for column in means if column.startswith("cleaning")]), "\n")
    print("| | at least cleanlab's | mean lead | its standard error |\n|---|---|---|---|")
    for measure in MEASURES:
        print(f"| {measure} | {cells.lead_line(wide[measure]['unflip'] - wide[measure]['cleanlab'])} |")
    worse = (wide["cleaning"] < -0.002).mean()
    print("\ncleaning makes labels worse by more than .002 in " + ", ".join(f"{v:.0%} ({m})" for m, v in worse.items()))


def work(chosen):
    return cells.grid(cells.two_class_data(chosen), NOISES, chosen)


if __name__ == "__main__":
    cells.main(__doc__, "dependent_noise", ways, work, show)
