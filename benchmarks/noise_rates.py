"""Errors of the estimated noise rates, and the resulting accuracy: all estimators against cleanlab's.

``python -m benchmarks.noise_rates [paper|generated|many_classes] [FIRST LAST]`` uses the seeds from FIRST to LAST and
prints Markdown. k maximizes the likelihood of the observed labels, and all methods share it.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from benchmarks import noise_problems
from unflip import make_label_noise
from unflip.classifier.selection import k_candidates, select_by_likelihood
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex
from unflip.noise.posterior import invertible_or_identity
from unflip.noise_rates import ESTIMATORS, Bayes
from unflip.noise_rates.identifiability import find_notes
from unflip.noise_rates.neighborhoods import neighborhoods
from unflip.voting.decision import decide
from unflip.voting.folds import LabeledGraph
from unflip.voting.votes import prefix_votes

GROUP_B = ("ionosphere", "diabetes", "segment", "german", "letter", "magic04")  # where the extremes used to fail
MIN_PURE_SHARE = 0.01  # of the rows have only labels of a class around them, if it has a pure region


def cleanlab(graph, labels):
    """Return cleanlab's matrix, from leave-one-out vote shares of 50 neighbors."""
    count = optional("cleanlab.count", "bench", "benchmarks.noise_rates")
    votes = prefix_votes(graph, labels, labels.max() + 1, [50])[:, 0]
    shares = (votes + 1 / votes.shape[1]) / (votes.sum(axis=1, keepdims=True) + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = count.estimate_py_and_noise_matrices_from_probabilities(labels, shares, converge_latent_estimates=True)
    return found[1].T


def measure(problem, seed):
    """Return one row per noise and method."""
    X, y, n = problem.X, problem.y, problem.n_train
    n_classes = y.max() + 1
    index = ExactIndex().fit(X[:n])
    graph, near = index.graph(min(100, n - 1)), index.query(X[n:], min(100, n))
    pure = pure_classes(graph, y[:n])
    rows = []
    for number, (noise, truth) in enumerate(problem.noises.items()):
        labels = make_label_noise(y[:n], truth, random_state=100 * seed + number)
        labeled = LabeledGraph(graph, index, labels, n_classes)
        k = select_by_likelihood(labeled, k_candidates("auto", n - 1)).best_n_neighbors
        votes = prefix_votes(near, labels, n_classes, [k])[:, 0]
        matrix, posteriors = Bayes().estimate_with_posteriors(graph, labels)
        intervals = np.array(Bayes.intervals(posteriors, 0.9))
        sure = not find_notes(np.arange(n_classes), 1 - np.diag(matrix), intervals)
        matrices = {"bayes": matrix}
        matrices |= {name: made().estimate(graph, labels) for name, made in ESTIMATORS.items() if name != "bayes"}
        matrices |= {"cleanlab 2.9": cleanlab(graph, labels), "none": np.eye(n_classes), "true rates": truth}
        for method, found in matrices.items():
            row = {"data": problem.name, "noise": noise, "seed": seed, "method": method, "identifiable": sure}
            accuracy = np.mean(decide(votes, invertible_or_identity(found)) == y[n:])
            rows.append(row | errors_of(found, truth, intervals, pure) | {"accuracy": accuracy})
    return rows


def pure_classes(graph, y):
    """Tell which classes have enough rows whose neighbors, by the clean labels, are all of that class."""
    around = neighborhoods(graph, y, 50)
    return (around.shares == 1).mean(axis=0) >= MIN_PURE_SHARE


def errors_of(found, truth, intervals, pure):
    off = np.diag(truth) - np.diag(found)  # errors of the rates, which are one minus the diagonals
    rates = 1 - np.diag(truth)
    return {
        "rate": np.abs(off).mean(),
        "rate, pure": np.abs(off[pure]).mean() if pure.any() else np.nan,
        "difference": abs(off[0] - off[1]),
        "matrix": np.abs(found - truth).mean(),
        "covered": np.mean((intervals[:, 0] <= rates + 1e-9) & (rates <= intervals[:, 1] + 1e-9)),
        "width": np.ptp(intervals, axis=1).mean(),
    }


def table_of(kind, seeds):
    jobs = (delayed(measure)(problem, seed) for seed in seeds for problem in getattr(noise_problems, kind)(seed))
    return pd.DataFrame([row for part in Parallel(n_jobs=-1)(jobs) for row in part])


def gap_closed(table):
    """Return the share of the gap in accuracy between plain k-NN and the true rates that each method closes."""
    means = table.groupby("method", sort=False)["accuracy"].mean()
    return (means - means["none"]) / (means["true rates"] - means["none"])


def standard_error(table, column):
    """Return the standard error over seeds of a mean over data sets and noises."""
    by_seed = table.groupby(["method", "seed"], sort=False)[column].mean()
    return by_seed.groupby("method", sort=False).std() / np.sqrt(table["seed"].nunique())


def show_errors(table, shown):
    closed = gap_closed(table)
    means = table.groupby("method", sort=False)[shown].mean()
    errors = {column: standard_error(table, column) for column in shown}
    print("| method | " + " | ".join(shown) + " | gap closed |\n|---|" + "---|" * (len(shown) + 1))
    for method in means.index:
        cells = [f"{means.loc[method, column]:.4f} ± {errors[column][method]:.4f}" for column in shown]
        print(f"| {method} | " + " | ".join(cells) + f" | {closed[method]:.0%} |")
    print()


def show_claims(table):
    """Print the numbers behind the documented claims."""
    ours, theirs, plain = (table[table["method"] == name] for name in ("bayes", "cleanlab 2.9", "none"))
    cells = [part.groupby(["data", "noise"])["rate"].mean() for part in (ours, theirs)]
    lower = (cells[0] < cells[1]).mean()
    covered, width = ours["covered"].mean(), ours["width"].mean()
    print(f"- error of rates below cleanlab's on {lower:.0%} of {len(cells[0])} cells (data x noise)")
    least = [ours.groupby(by)["covered"].mean() for by in ("noise", "data")]
    print(f"- 90 % intervals: cover {covered:.1%}, mean width {width:.3f}; least: ", end="")
    print(", ".join(f"{part.min():.1%} ({part.idxmin()})" for part in least))
    sure, unsure = ours[ours["identifiable"]], ours[~ours["identifiable"]]
    print(
        f"- error of rates where called identifiable ({len(sure) / len(ours):.0%}): {sure['rate'].mean():.3f}, ", end=""
    )
    print(
        f"covered {sure['covered'].mean():.1%}; elsewhere {unsure['rate'].mean():.3f}, {unsure['covered'].mean():.1%}"
    )
    lost = ours.groupby("noise")["accuracy"].mean() - plain.groupby("noise")["accuracy"].mean()
    print("- accuracy beyond plain k-NN: " + ", ".join(f"{noise} {value:+.4f}" for noise, value in lost.items()))
    groups = table["data"].isin(GROUP_B)
    if 0 < groups.mean() < 1:
        for name, part in (("A", table[~groups]), ("B", table[groups])):
            closed = gap_closed(part)
            print(f"- gap closed on group {name}: " + ", ".join(f"{m} {closed[m]:.0%}" for m in ESTIMATORS))


def main(kind="paper", first=0, last=0):
    seeds = range(int(first), int(last) + 1)
    table = table_of(kind, seeds)
    print(f"## {kind}: {table['data'].nunique()} data sets, {table['noise'].nunique()} noises, {len(seeds)} seeds\n")
    shown = ["rate", "rate, pure", "matrix" if kind == "many_classes" else "difference", "accuracy"]
    show_errors(table, shown)
    show_claims(table)
    closed = table.groupby("data", sort=False)[["data", "method", "accuracy"]].apply(gap_closed)
    print("\n| data | " + " | ".join(closed.columns) + " |\n|---|" + "---|" * closed.shape[1])
    for name, row in closed.iterrows():
        print(f"| {name} | " + " | ".join(f"{value:.0%}" for value in row) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
