"""Table 4 of the paper, estimated noise rates, and how far they are from the printed ones at each k'."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import NOISES
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.plan.registry import DATA
from unflip.experiments.runs.neighbors import RATES
from unflip.experiments.statistics.comparison import CELL, FAILED, NOT_AVAILABLE, NOT_RUN, OURS
from unflip.experiments.tables.markup import Cell, Table
from unflip.experiments.tables.paper_tables import CORNER, NOT_ASKED

BOTH = ("tau_plus", "tau_minus")
NEAR = 10  # how far from the best k' a chosen one may be to count as near


def rates_of_runs(results, experiment, method):
    """Return the estimates of each run: data, tau_plus, tau_minus, noise_k, tau_plus_ours, tau_minus_ours.

    Parameters
    ----------
    results : DataFrame
        As Store.table gives them.
    experiment : Experiment
        What was asked for.
    method : str
        A method that estimates rates, or RATES for the estimates at each k'.
    """
    found = experiment.of(results)
    found = found[(found["status"] == "done") & (found["method"] == method)].drop_duplicates([*CELL, "trial"])
    rows = []
    for *cell, details in found[[*CELL, "details"]].itertuples(index=False):
        columns = (np.ravel(details[name]).tolist() for name in ("noise_k", *BOTH))
        rows += [(*cell, *values) for values in zip(*columns, strict=True)]
    return pd.DataFrame(rows, columns=[*CELL, "noise_k", *(f"{rate}_ours" for rate in BOTH)])


def beside_printed(runs):
    """Return the mean estimates of each cell beside the printed ones, with the mean of the two differences."""
    ours = [f"{rate}_ours" for rate in BOTH]
    means = runs.groupby(CELL, sort=False)[ours].mean()
    beside = means.join(printed_table(4).set_index(CELL), how="inner")
    distances = [(beside[f"{rate}_ours"] - beside[f"{rate}_est"]).abs() for rate in BOTH]
    beside["distance"] = sum(distances) / 2
    return beside


def distance_by_noise_k(each):
    """Return a row for each k': the mean absolute difference from the printed rates if it were that of all cells."""
    rows = []
    for noise_k, part in each.groupby("noise_k"):
        beside = beside_printed(part)
        rows.append({"noise_k": int(noise_k), "distance": beside["distance"].mean(), "cells": len(beside)})
    return pd.DataFrame(rows, columns=["noise_k", "distance", "cells"])


def summary_of_rates(results, experiment):
    """Return in Markdown how far our Table 4 is from the printed one.

    Parameters
    ----------
    results : DataFrame
        As Store.table gives them.
    experiment : Experiment
        What was asked for.
    """
    chosen = rates_of_runs(results, experiment, OURS)
    each = rates_of_runs(results, experiment, RATES)
    lines = ["How far our estimated noise rates are from the printed ones: mean absolute difference over data sets,"]
    lines += [f"noises and the two rates, each the mean of its runs ({experiment.in_words}).", ""]
    if beside_printed(chosen).empty:
        return "\n".join([*lines, "Nothing to compare: RkNN has no results for data that the paper has."]) + "\n"
    lines += ["| k' | cells compared | difference |", "| :--- | ---: | ---: |"]
    lines.append(_line("as RkNN chooses it, by noisy accuracy in four folds", chosen))
    if each.empty:
        return "\n".join(lines) + "\n"
    by_k = distance_by_noise_k(each)
    best = int(by_k.loc[by_k["distance"].idxmin(), "noise_k"])
    near = chosen[(chosen["noise_k"] - best).abs() <= NEAR]
    if not near.empty:
        lines.append(_line(f"so chosen, runs with k' within {NEAR} of {best} only", near))
    lines += [_line(f"{noise_k} for all", each[each["noise_k"] == noise_k]) for noise_k in by_k["noise_k"]]
    lines += [
        "",
        f"The paper does not print its k'. At one k' for all, {best} comes nearest to its table; the runs in which",
    ]
    lines += [f"RkNN chooses a k' within {NEAR} of that are those near what was printed."]
    return "\n".join(lines) + "\n"


def _line(name, runs):
    beside = beside_printed(runs)
    return f"| {name} | {len(beside)} | {beside['distance'].mean():.4f} |"


def table_4(results, experiment, missing=()):
    """Return the estimated noise rates of RkNN and of our default, beside the printed ones.

    Parameters
    ----------
    results : DataFrame
        As Store.table gives them.
    experiment : Experiment
        What was asked for.
    missing : collection of str, default=()
        Data sets that are not available.
    """
    methods = tuple(name for name in (OURS, "unflip") if name in experiment.methods)
    runs = {name: dict(list(rates_of_runs(results, experiment, name).groupby(CELL))) for name in methods}
    failed = {tuple(row) for row in _failed(results, experiment)[[*CELL, "method"]].itertuples(index=False)}
    printed = printed_table(4).set_index(CELL)
    rows = {}
    for data in (*DATA, *(name for name in experiment.data if name not in DATA)):
        for noise in NOISES:
            row = rows[f"{data} ({noise[0]:g}, {noise[1]:g})"] = {}
            for name in methods:
                why = _why_not(data, experiment, missing, (data, *noise, name) in failed)
                part = runs[name].get((data, *noise))
                row |= {f"{rate}, {name}": _cell(part, rate, experiment.runs, why) for rate in BOTH}
            for rate in BOTH:
                known = (data, *noise) in printed.index
                value = float(printed.loc[(data, *noise), f"{rate}_est"]) if known else None
                row[f"{rate}, printed"] = Cell(value, instead="not printed")
    return _in_columns(rows, methods, experiment)


def _in_columns(rows, methods, experiment):
    columns = tuple(f"{rate}, {who}" for who in (*methods[:1], "printed", *methods[1:]) for rate in BOTH)
    caption = (
        f"Estimated noise rates, mean ± standard deviation over runs: {experiment.in_words}. The true rates stand in "
        "the first column. RkNN takes the extremes of the shares of labels among k' neighbors, with the k' of the best "
        "noisy accuracy" + ("; unflip is our default" if "unflip" in methods else "") + ". No test is made."
    )
    return Table(columns, rows, corner=CORNER, caption=caption, decimals=3, best="none")


def _failed(results, experiment):
    results = experiment.of(results)
    return results[results["status"] == "failed"]


def _why_not(data, experiment, missing, failed):
    if data not in experiment.data:
        return NOT_ASKED
    return FAILED if failed else NOT_AVAILABLE if data in missing else NOT_RUN


def _cell(runs, rate, planned, why):
    if runs is None:
        return Cell(instead=why)
    values = runs[f"{rate}_ours"]
    note = "" if len(values) == planned else f"{len(values)} of {planned} runs"
    return Cell(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, note=note)
