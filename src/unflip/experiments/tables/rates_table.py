"""Table 4 of the paper, estimated noise rates, and their distance from the printed ones at each k'."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import NOISES, RATE_ESTIMATES, Experiment
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.plan.registry import DATA
from unflip.experiments.statistics.comparison import CELL, FAILED, NOT_AVAILABLE, NOT_RUN, OURS
from unflip.experiments.tables.markup import Cell, Table, pipe_row
from unflip.experiments.tables.paper_tables import CORNER, NOT_PRINTED, NOT_REQUESTED, row_name

RATES = ("tau_plus", "tau_minus")
MAX_K_DISTANCE = 10  # a chosen k' this far from the best one still counts as near it


def rates_of_runs(results: pd.DataFrame, experiment: Experiment, method: str) -> pd.DataFrame:
    """Return the estimated rates of each run.

    Parameters
    ----------
    results : DataFrame
        As returned by `Store.table`.
    experiment : Experiment
        The experiment they belong to.
    method : str
        A method that estimates rates, or RATE_ESTIMATES for the estimates at each k'.

    Returns
    -------
    estimates : DataFrame
        Columns data, tau_plus, tau_minus, noise_k, tau_plus_ours and tau_minus_ours.
    """
    found = experiment.of(results)
    found = found[(found["status"] == "done") & (found["method"] == method)].drop_duplicates([*CELL, "trial"])
    rows: list[tuple] = []
    for *cell, details in found[[*CELL, "details"]].itertuples(index=False):
        columns = (np.ravel(details[name]).tolist() for name in ("noise_k", *RATES))
        rows += [(*cell, *values) for values in zip(*columns, strict=True)]
    return pd.DataFrame(rows, columns=[*CELL, "noise_k", *(f"{rate}_ours" for rate in RATES)])


def beside_printed(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the mean estimates of each cell beside the printed ones.

    Parameters
    ----------
    estimates : DataFrame
        As returned by `rates_of_runs`.

    Returns
    -------
    beside : DataFrame
        One row per cell that the paper prints; its distance is the mean absolute difference of the two rates.
    """
    means = estimates.groupby(CELL, sort=False)[[f"{rate}_ours" for rate in RATES]].mean()
    beside = means.join(printed_table(4).set_index(CELL), how="inner")
    distances = [(beside[f"{rate}_ours"] - beside[f"{rate}_est"]).abs() for rate in RATES]
    beside["distance"] = sum(distances) / 2
    return beside


def distance_by_noise_k(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the distance from the printed rates if all cells used the same k', for each k'.

    Parameters
    ----------
    estimates : DataFrame
        As returned by `rates_of_runs` for RATE_ESTIMATES.

    Returns
    -------
    distances : DataFrame
        Columns noise_k, distance (the mean over cells) and cells (their number).
    """
    rows = []
    for noise_k, part in estimates.groupby("noise_k"):
        beside = beside_printed(part)
        rows.append({"noise_k": int(noise_k), "distance": beside["distance"].mean(), "cells": len(beside)})
    return pd.DataFrame(rows, columns=["noise_k", "distance", "cells"])


def summary_of_rates(results: pd.DataFrame, experiment: Experiment) -> str:
    """Summarize in Markdown how far our Table 4 is from the printed one.

    Parameters
    ----------
    results : DataFrame
        As returned by `Store.table`.
    experiment : Experiment
        The experiment they belong to.

    Returns
    -------
    text : str
        The mean distance with the k' that RkNN chooses and at each fixed k'.
    """
    chosen = rates_of_runs(results, experiment, OURS)
    estimates = rates_of_runs(results, experiment, RATE_ESTIMATES)
    lines = [
        "Distance of our estimated noise rates from the printed ones: mean absolute difference over data sets, noise",
        f"levels and both rates, each averaged over its runs ({experiment.description}).",
        "",
    ]
    if beside_printed(chosen).empty:
        lines.append("Nothing to compare: RkNN has no results on the paper's data sets.")
    else:
        lines += [pipe_row(("k'", "cells compared", "difference")), pipe_row((":---", "---:", "---:"))]
        lines.append(_distance_row("chosen by RkNN, by noisy accuracy in four folds", chosen))
        lines += _distances_at_fixed_k(chosen, estimates)
    return "\n".join(lines) + "\n"


def _distances_at_fixed_k(chosen: pd.DataFrame, estimates: pd.DataFrame) -> list[str]:
    """Return the rows of the summary that need the estimates at each k', and its conclusion."""
    if estimates.empty:
        return []
    by_k = distance_by_noise_k(estimates)
    best = int(by_k.loc[by_k["distance"].idxmin(), "noise_k"])
    near = chosen[(chosen["noise_k"] - best).abs() <= MAX_K_DISTANCE]
    name = f"the same, only runs with k' within {MAX_K_DISTANCE} of {best}"
    lines = [] if near.empty else [_distance_row(name, near)]
    lines += [_distance_row(f"{k} in all runs", estimates[estimates["noise_k"] == k]) for k in by_k["noise_k"]]
    return [
        *lines,
        "",
        f"The paper does not print its k'. A fixed k' of {best} comes closest to its table; the runs in which RkNN",
        f"chooses a k' within {MAX_K_DISTANCE} of {best} are close to it too.",
    ]


def _distance_row(name: str, estimates: pd.DataFrame) -> str:
    beside = beside_printed(estimates)
    return pipe_row((name, str(len(beside)), f"{beside['distance'].mean():.4f}"))


def table_4(results: pd.DataFrame, experiment: Experiment, missing: Collection[str] = ()) -> Table:
    """Return the noise rates estimated by RkNN and by our default, beside the printed ones.

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
    table : Table
        One row per data set and noise level, two columns per source.
    """
    methods = tuple(name for name in (OURS, "RkNN, posterior") if name in experiment.methods)
    estimates = {name: dict(list(rates_of_runs(results, experiment, name).groupby(CELL))) for name in methods}
    failed = _failed_cells(results, experiment)
    printed = printed_table(4).set_index(CELL)
    rows: dict[str, dict[str, Cell]] = {}
    for cell in ((data, *noise) for data in dict.fromkeys((*DATA, *experiment.data)) for noise in NOISES):
        row = rows[row_name(*cell)] = {}
        for name in methods:
            reason = _reason(cell[0], experiment, missing, failed=(*cell, name) in failed)
            found = estimates[name].get(cell)
            row |= {f"{rate}, {name}": _rate_cell(found, rate, experiment.runs, reason) for rate in RATES}
        row |= {f"{rate}, printed": _printed_cell(printed, cell, rate) for rate in RATES}
    columns = tuple(f"{rate}, {source}" for source in (*methods[:1], "printed", *methods[1:]) for rate in RATES)
    return Table(columns, rows, corner=CORNER, caption=_caption(experiment), decimals=3, best="none")


def _caption(experiment: Experiment) -> str:
    default = "; RkNN, posterior is our default" if "RkNN, posterior" in experiment.methods else ""
    return (
        f"Estimated noise rates, mean ± standard deviation over runs: {experiment.description}. The first column gives "
        "the true rates. RkNN takes the extremes of the label shares among k' neighbors, with k' chosen by noisy "
        f"accuracy{default}. No differences are tested."
    )


def _failed_cells(results: pd.DataFrame, experiment: Experiment) -> set[tuple]:
    results = experiment.of(results)
    failed = results[results["status"] == "failed"]
    return {tuple(row) for row in failed[[*CELL, "method"]].itertuples(index=False)}


def _reason(data: str, experiment: Experiment, missing: Collection[str], *, failed: bool) -> str:
    """Say why a cell is empty, if it is."""
    if data not in experiment.data:
        return NOT_REQUESTED
    return FAILED if failed else NOT_AVAILABLE if data in missing else NOT_RUN


def _rate_cell(estimates: pd.DataFrame | None, rate: str, planned: int, reason: str) -> Cell:
    if estimates is None:
        return Cell(instead=reason)
    values = estimates[f"{rate}_ours"]
    note = "" if len(values) == planned else f"{len(values)} of {planned} runs"
    return Cell(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, note=note)


def _printed_cell(printed: pd.DataFrame, cell: tuple[str, float, float], rate: str) -> Cell:
    value = float(printed.loc[cell, f"{rate}_est"]) if cell in printed.index else None
    return Cell(value, instead=NOT_PRINTED)
