"""Every cell that was asked for: our mean beside the printed one, verdicts of three tests, or why there is none."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import N_FOLDS, NOISES
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.statistics.significance import bayes_factor_test, corrected_t_test, paired_t_test

OURS = "RkNN"
CELL = ["data", "tau_plus", "tau_minus"]
TESTS = {
    "t_test": paired_t_test,
    "corrected": lambda ours, theirs: corrected_t_test(ours, theirs, n_test=1, n_train=N_FOLDS - 1),
    "bayes": bayes_factor_test,
}
DONE, FAILED, NOT_RUN, NOT_AVAILABLE = "done", "failed", "not run", "data not available"
COLUMNS = (
    *CELL, "method", "mean", "std", "runs", "printed", "printed_std", "approximated", "tuned_on", "difference", *TESTS,
    "planned", "status", "reason",
)  # fmt: skip


def comparison(results, experiment, missing=()):
    """Return one row per data set, noise and method that was asked for.

    Parameters
    ----------
    results : DataFrame
        As Store.table gives them.
    experiment : Experiment
        What was asked for.
    missing : collection of str, default=()
        Data sets that are not available.

    Returns
    -------
    compared : DataFrame
        Our mean, the printed one, the verdicts on RkNN against the method ("win", "tie", "loss"), and where there is
        no mean the status: "failed" (and a reason), "not run" or "data not available".
    """
    results = experiment.of(results)
    done = results[results["status"] == "done"]
    runs = done.pivot(index=[*CELL, "trial", "fold"], columns="method", values="accuracy")
    details = {tuple(key): found for *key, found in done[[*CELL, "method", "details"]].itertuples(index=False)}
    reasons = _reasons(results[results["status"] == "failed"])
    printed = printed_table(2).set_index([*CELL, "method"])
    parts = dict(list(runs.groupby(CELL)))
    rows = []
    for data in experiment.data:
        for noise in NOISES:
            part = parts.get((data, *noise), runs.iloc[:0])
            for method in experiment.methods:
                key = (data, *noise, method)
                row = dict(zip((*CELL, "method"), key, strict=True)) | _measured(part, method)
                row |= {"printed": printed["mean"].get(key, np.nan), "printed_std": printed["std"].get(key, np.nan)}
                known = details.get(key, {})  # of any run: all runs of a cell have as many rows
                row |= {"approximated": known.get("approximated", False), "tuned_on": known.get("tuned_on")}
                row |= {"planned": experiment.runs, "reason": reasons.get(key, "")}
                row["difference"] = row["mean"] - row["printed"]
                row["status"] = _status(row, data in missing)
                rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _measured(part, method):
    """Return the mean and spread of a method's runs, and the verdicts of the tests against RkNN."""
    scores = part[method].dropna() if method in part else pd.Series(dtype=float)
    row = {"mean": scores.mean(), "std": scores.std(ddof=1), "runs": len(scores)}
    if method != OURS and OURS in part and len(scores):
        pairs = part[[OURS, method]].dropna()
        if len(pairs) > 1:
            row |= {name: test(pairs[OURS], pairs[method]).verdict for name, test in TESTS.items()}
    return row


def _reasons(failed):
    """Return how many trials of each cell failed, and the first reason."""
    reasons = {}
    for key, part in failed.groupby([*CELL, "method"]):
        first = " ".join(str(part["error"].iloc[0]).split())
        reasons[key] = f"{len(part)} failed: {first[:200]}"
    return reasons


def _status(row, missing):
    if row["runs"]:
        return DONE
    if row["reason"]:
        return FAILED
    return NOT_AVAILABLE if missing else NOT_RUN
