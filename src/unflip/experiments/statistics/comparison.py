"""Every cell of an experiment: our mean, the printed mean, and the verdicts of three tests, or why there is no mean."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import N_FOLDS, NOISES, Experiment
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.statistics.significance import bayes_factor_test, corrected_t_test, paired_t_test

OURS = "RkNN"
CELL = ["data", "tau_plus", "tau_minus"]
TESTS: dict[str, Callable[..., Any]] = {
    "t_test": paired_t_test,
    "corrected": lambda ours, theirs: corrected_t_test(ours, theirs, n_test=1, n_train=N_FOLDS - 1),
    "bayes": bayes_factor_test,
}
DONE, FAILED, NOT_RUN, NOT_AVAILABLE = "done", "failed", "not run", "data not available"
COLUMNS = (
    *CELL, "method", "mean", "std", "runs", "printed", "printed_std", "approximated", "tuned_on", "difference", *TESTS,
    "planned", "status", "reason",
)  # fmt: skip


def comparison(results: pd.DataFrame, experiment: Experiment, missing: Collection[str] = ()) -> pd.DataFrame:
    """Compare RkNN with every method, and our means with the printed ones.

    Parameters
    ----------
    results : DataFrame
        As returned by `Store.table`.
    experiment : Experiment
        The experiment they belong to.
    missing : collection of str, default=()
        Data sets that are not available.

    Returns
    -------
    compared : DataFrame
        One row per data set, noise level and method: our mean, the printed mean, and the verdicts on RkNN against the
        method ("win", "tie", "loss"). Without a mean, the status is "failed" (with a reason), "not run" or "data not
        available".
    """
    results = experiment.of(results)
    done = results[results["status"] == "done"]
    runs = done.pivot(index=[*CELL, "trial", "fold"], columns="method", values="accuracy")
    runs_by_cell = dict(list(runs.groupby(CELL)))
    details = {tuple(key): found for *key, found in done[[*CELL, "method", "details"]].itertuples(index=False)}
    reasons = _failure_reasons(results[results["status"] == "failed"])
    printed = printed_table(2).set_index([*CELL, "method"])
    rows = []
    for data, noise, method in product(experiment.data, NOISES, experiment.methods):
        key = (data, *noise, method)
        row: dict[str, Any] = dict(zip((*CELL, "method"), key, strict=True))
        row |= _measured(runs_by_cell.get((data, *noise), runs.iloc[:0]), method)
        row |= {"printed": printed["mean"].get(key, np.nan), "printed_std": printed["std"].get(key, np.nan)}
        flags = details.get(key, {})  # of any run: all runs of a cell have equally many rows
        row |= {"approximated": flags.get("approximated", False), "tuned_on": flags.get("tuned_on")}
        row |= {"planned": experiment.runs, "reason": reasons.get(key, "")}
        row["difference"] = row["mean"] - row["printed"]
        row["status"] = _status(row, data in missing)
        rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _measured(runs: pd.DataFrame, method: str) -> dict[str, Any]:
    """Return the mean and standard deviation of a method's runs, and the verdicts on RkNN against it."""
    scores = runs[method].dropna() if method in runs else pd.Series(dtype=float)
    row = {"mean": scores.mean(), "std": scores.std(ddof=1), "runs": len(scores)}
    if method != OURS and OURS in runs and len(scores):
        pairs = runs[[OURS, method]].dropna()
        if len(pairs) > 1:
            row |= {name: test(pairs[OURS], pairs[method]).verdict for name, test in TESTS.items()}
    return row


def _failure_reasons(failed: pd.DataFrame) -> dict[Hashable, str]:
    """Return the number of failed trials of each cell, and the first reason."""
    reasons = {}
    for key, trials in failed.groupby([*CELL, "method"]):
        first = " ".join(str(trials["error"].iloc[0]).split())
        reasons[key] = f"{len(trials)} failed: {first[:200]}"
    return reasons


def _status(row: dict[str, Any], missing: bool) -> str:
    if row["runs"]:
        return DONE
    if row["reason"]:
        return FAILED
    return NOT_AVAILABLE if missing else NOT_RUN
