"""How well wrong labels are found: LabelAudit against the rankings and the filter of cleanlab.

``python -m benchmarks.label_issues [paper|many_classes] [FIRST LAST]`` uses the seeds from FIRST to LAST and prints
Markdown: average precision of the ranking, F1 of the flagged set, and calibration of the probabilities. As in its
tutorials, cleanlab gets out-of-fold probabilities of nearest neighbors (five folds), with 10 and with 50 neighbors. In
each cell it is credited with the best of its eight rankings and the better of its two sets.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score, f1_score
from sklearn.preprocessing import minmax_scale

from benchmarks.noise_problems import MANY_CLASSES, PAPER, class_noises, load_or_skip
from unflip import LabelAudit, make_label_noise
from unflip.datasets import load_benchmark, load_raw
from unflip.foundation.optional import optional
from unflip.neighbors import ExactIndex
from unflip.noise.transition import NoiseModel
from unflip.voting.folds import FoldVotes, LabeledGraph

NOISES = ((0.1, 0.2), (0.3, 0.1), (0.05, 0.4), (0.4, 0.4))  # tau_plus, tau_minus
K_VALUES = (10, 50)
N_FOLDS = 5
BINS = 10


def problems(which, seed):
    """Yield name, rows, clean class numbers and {noise: T}."""
    if which == "paper":
        noises = {f"{noise}": NoiseModel.of(noise[::-1], [0, 1]).transition_matrix for noise in NOISES}
        for name in (*PAPER, "w8a"):
            X, y = load_or_skip(load_benchmark, name, random_state=seed)
            if X is not None:
                yield name, X, y, noises
        return
    for name in MANY_CLASSES:
        X, y = load_or_skip(load_raw, name)
        if X is not None:
            classes, labels = np.unique(y, return_inverse=True)
            noises = {noise: T for noise, T in class_noises(len(classes)).items() if noise != "none"}
            yield name, minmax_scale(X, (-1, 1)), labels, noises


def out_of_fold(graph, index, labels, seed):
    """Return {k: the shares of each row's k nearest neighbors in the other folds}."""
    folds = np.random.RandomState(seed).permutation(len(labels)) % N_FOLDS
    n_classes = labels.max() + 1
    voting = FoldVotes(LabeledGraph(graph, index, labels, n_classes), folds, K_VALUES, n_jobs=-1)
    votes = np.zeros((len(labels), len(K_VALUES), n_classes))
    for fold in range(N_FOLDS):
        rows = np.flatnonzero(folds == fold)
        votes[rows] = voting.votes(fold, rows, K_VALUES)
    return {k: votes[:, column] / votes[:, column].sum(axis=1, keepdims=True) for column, k in enumerate(K_VALUES)}


def by_cleanlab(labels, probabilities, wrong):
    """Return the best average precision and the best F1."""
    rank = optional("cleanlab.rank", "bench", "benchmarks.label_issues")
    find_label_issues = optional("cleanlab.filter", "bench", "benchmarks.label_issues").find_label_issues
    precisions, sets = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shares in probabilities.values():
            for method in ("self_confidence", "normalized_margin"):
                for adjust in (False, True):
                    score = rank.get_label_quality_scores(labels, shares, method=method, adjust_pred_probs=adjust)
                    precisions.append(average_precision_score(wrong, -score))
            sets.append(f1_score(wrong, find_label_issues(labels, shares, n_jobs=1)))
    return max(precisions), max(sets)


def measure(which, seed):
    """Return one row per data set and noise."""
    rows = []
    for name, X, y, noises in problems(which, seed):
        index = ExactIndex(n_jobs=-1).fit(X)
        graph = index.graph(min(100, len(y) - 1))
        for number, (noise, T) in enumerate(noises.items()):
            labels = make_label_noise(y, T, random_state=1000 * seed + number)
            wrong = labels != y
            precision, f1 = by_cleanlab(labels, out_of_fold(graph, index, labels, seed), wrong)
            issues = LabelAudit().fit(X, labels).issues_
            p_wrong = issues["p_wrong"].to_numpy()
            bins = np.minimum((p_wrong * BINS).astype(int), BINS - 1)
            rows.append(
                {
                    "data": name,
                    "noise": noise,
                    "seed": seed,
                    "AP": average_precision_score(wrong, p_wrong),
                    "AP, cleanlab": precision,
                    "F1": f1_score(wrong, issues["is_label_issue"]),
                    "F1, cleanlab": f1,
                    "Brier": np.mean((p_wrong - wrong) ** 2),
                    "Brier of the rate": wrong.mean() * (1 - wrong.mean()),
                    "reliability": np.array([np.bincount(bins, w, BINS) / len(y) for w in (None, p_wrong, wrong)]),
                }
            )
        print(name, file=sys.stderr)
    return rows


def summary(found):
    lines = ["| | ours at least cleanlab's | mean lead | its standard error |", "|---|---|---|---|"]
    for score in ("AP", "F1"):
        lead = found[score] - found[f"{score}, cleanlab"]
        # Cells of one data set are not independent, so the standard error is over the means of data sets.
        by_data = lead.groupby(found["data"]).mean()
        error = by_data.std(ddof=1) / np.sqrt(len(by_data))
        lines.append(f"| {score} | {(lead >= 0).mean():.1%} of {len(lead)} cells | {lead.mean():+.4f} | {error:.4f} |")
    return "\n".join(lines)


def reliability(found):
    share, expected, actual = np.sum(found["reliability"].tolist(), axis=0)
    lines = ["| p_wrong | share of labels | mean p_wrong | wrong |", "|---|---|---|---|"]
    for b in range(BINS):
        means = f"{expected[b] / share[b]:.3f} | {actual[b] / share[b]:.3f}" if share[b] else " | "
        lines.append(f"| {b / BINS:.1f} to {(b + 1) / BINS:.1f} | {share[b] / len(found):.3f} | {means} |")
    return "\n".join(lines)


def markdown(means):
    lines = [f"| {means.index.name} | " + " | ".join(means.columns) + " |", "|---|" + "---|" * means.shape[1]]
    lines += [f"| {name} | " + " | ".join(f"{value:.4f}" for value in row) + " |" for name, row in means.iterrows()]
    return "\n".join(lines)


def main(which="paper", first=0, last=4):
    found = pd.DataFrame([row for seed in range(int(first), int(last) + 1) for row in measure(which, seed)])
    numbers = found.drop(columns="reliability")
    for by in ("noise", "data"):
        print(markdown(numbers.groupby(by, sort=False).mean(numeric_only=True).drop(columns="seed")), "\n")
    print(summary(found), "\n")
    print(
        f"Brier score {found['Brier'].mean():.4f}; of the noise rate itself {found['Brier of the rate'].mean():.4f}.\n"
    )
    print(reliability(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
