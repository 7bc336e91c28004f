"""What cleaning does at the noise people have.

``python -m benchmarks.low_noise [--quick] [--store FOLDER]`` flips no labels, few, and many, and prints Markdown: the
change of label accuracy by clean_labels(), how often it makes labels worse, the precision and calibration of p_wrong,
and errors and coverage of the estimated share of wrong labels. Beside it stands cleanlab with a random forest:
find_label_issues, the likeliest class as its suggestion, and one minus self-confidence as p_wrong. Interrupted runs
resume.
"""

import numpy as np
import pandas as pd

from benchmarks import cells, cleanlab_rivals
from unflip import LabelAudit

UNIFORM = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
RATES = (*((rate, rate) for rate in UNIFORM), (0.3, 0.1), (0.05, 0.4), (0.4, 0.4))  # tau_plus, tau_minus
NOISES = [cells.noise_name(*rates) for rates in RATES]
QUICK = ("(0, 0)", "(0.05, 0.05)", "(0.05, 0.4)")
BINS = 10
SURE = 0.9
WORSE = -0.002


def scores(labels, y, cleaned, p_wrong, share):
    """Return the measures of one method; sums over bins, so that they can be pooled."""
    wrong = labels != y
    bins = np.minimum((p_wrong * BINS).astype(int), BINS - 1)
    found = {
        "rows": len(y),
        "change": np.mean(cleaned == y) - np.mean(labels == y),
        "changed": np.mean(cleaned != labels),
        "sure": np.count_nonzero(p_wrong > SURE),
        "sure and wrong": np.count_nonzero(wrong & (p_wrong > SURE)),
        "share error": abs(share - wrong.mean()),
    }
    for name, weights in (("expected", p_wrong), ("actual", wrong)):
        found |= {f"{name} {b}": total for b, total in enumerate(np.bincount(bins, weights, BINS))}
    return found


def ways(cell):
    X, y = cells.sample(cell)
    labels = cells.flipped(cell, y)
    wrong = np.mean(labels != y)

    def ours():
        audit = LabelAudit(n_jobs=1).fit(X, labels)
        low, high = audit.rates_.share_interval
        p_wrong = audit.issues_["p_wrong"].to_numpy()
        return scores(labels, y, audit.clean_labels(), p_wrong, audit.rates_.share_wrong) | {
            "covered": low - 1e-9 <= wrong <= high + 1e-9,
            "width": high - low,
            "identifiable": audit.rates_.identifiable,
        }

    def cleanlab():
        probabilities = cleanlab_rivals.out_of_sample(cleanlab_rivals.forest(cell.seed), X, labels, cell.seed)
        flags = cleanlab_rivals.flags(labels, probabilities)
        cleaned = np.where(flags, probabilities.argmax(axis=1), labels)
        p_wrong = 1 - probabilities[np.arange(len(y)), labels]
        return scores(labels, y, cleaned, p_wrong, cleanlab_rivals.share_wrong(labels, probabilities))

    return {"unflip": ours, "cleanlab": cleanlab}


def summary(part):
    """Return the numbers of one method over some cells; part has one row per cell and one column per measure."""
    off = sum(abs(part[f"expected {b}"].sum() - part[f"actual {b}"].sum()) for b in range(BINS))
    sure = part["sure"].sum()
    return {
        "change": part["change"].mean(),
        "worse": (part["change"] < WORSE).mean(),
        "worst": part["change"].min(),
        "changed": part["changed"].mean(),
        "sure": sure / part["rows"].sum(),
        "precision": part["sure and wrong"].sum() / sure if sure else np.nan,
        "calibration": off / part["rows"].sum(),
        "share error": part["share error"].mean(),
        "covered": part["covered"].mean(),
        "width": part["width"].mean(),
        "identifiable": part["identifiable"].mean(),
    }


def show(table):
    numbers = table.dropna(subset="value")
    complete = cells.by_method(table, "change").index  # without cells in which a method failed
    wide = numbers.pivot_table(index=[*cells.KEY, "method"], columns="measure", values="value", sort=False)
    for method in ("unflip", "cleanlab"):
        if complete.empty:
            return
        part = wide.xs(method, level="method").reindex(complete)
        by_noise = {noise: summary(found) for noise, found in part.groupby("noise")}
        rows = {noise: by_noise[noise] for noise in NOISES if noise in by_noise} | {"all": summary(part)}
        means = pd.DataFrame(rows).T.rename_axis("noise").dropna(axis=1, how="all")
        print(f"## {method}: {complete.unique('data').size} data sets, {len(complete)} cells\n")
        print(cells.markdown(means, signed=("change", "worst")), "\n")


def work(chosen):
    return cells.grid(cells.two_class_data(chosen), QUICK if chosen.quick else NOISES, chosen)


if __name__ == "__main__":
    cells.main(__doc__, "low_noise", ways, work, show)
