"""Tables 1 to 3 of the paper from stored results, each number beside the printed one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.experiments.plan.printed import printed_table
from unflip.experiments.plan.registry import DATA
from unflip.experiments.statistics.comparison import DONE, FAILED, OURS, TESTS
from unflip.experiments.tables.markup import Cell, Table

NOT_ASKED = "not asked for"
CORNER = "data (tau_plus, tau_minus)"
METHOD_NOTES = {
    "unflip": "our default: k by log-likelihood, rates by the default estimator",
    "LD-KSVM": "the width of its kernel is chosen on clean labels, a leak, as the paper's was",
    "RkNN, true rates": "told the true rates, as IR-KSVM, IR-LLog, LD-KSVM and UE-LLog are; k by log-likelihood",
}
NYSTROEM = "kernel approximated by 300 Nystroem features"


def table_1(loaded):
    """Return the data sets: our shapes ({name: (rows, columns)}) beside the printed ones."""
    columns = ("rows", "columns", "rows, printed", "columns, printed")
    printed = printed_table(1).set_index("data")
    rows = {}
    for name in (*printed.index, *(name for name in loaded if name not in printed.index)):
        row = dict(zip(columns[:2], map(Cell, loaded.get(name, (None, None))), strict=True))
        if name in printed.index:
            row |= {f"{what}, printed": Cell(int(printed.loc[name, what])) for what in columns[:2]}
        else:
            row |= {f"{what}, printed": Cell(instead="not printed") for what in columns[:2]}
        if name == "vehicle" and row["rows"].mean != row["rows, printed"].mean:
            row["rows"] = Cell(row["rows"].mean, note="two of the four classes, which is what the printed means fit")
        rows[name] = row
    caption = "Data sets: rows and columns (features) as they were run, beside those printed in the paper's Table 1."
    return Table(columns, rows, corner="data", caption=caption, decimals=0, best="none")


def table_2(compared, experiment):
    """Return our accuracies; a dot marks where RkNN is better (filled) or worse by the corrected test."""
    rows = {
        f"{data} ({tau_plus:g}, {tau_minus:g})": {row.method: _accuracy(row) for row in cells.itertuples()}
        for (data, tau_plus, tau_minus), cells in compared.groupby(["data", "tau_plus", "tau_minus"], sort=False)
    }
    caption = (
        f"Accuracy on clean labels, mean ± standard deviation over runs: {experiment.in_words}. The training labels "
        "are flipped at the rates tau_plus (of positive labels) and tau_minus (of negative ones). The highest mean of "
        "a row is bold. A dot is the verdict on RkNN against the method of the column by the corrected resampled "
        "t-test (Nadeau and Bengio) on paired runs at 95 %: filled (•) where RkNN is better, open (◦) where it is "
        "worse; no dot where they do not differ."
    )
    notes = {name: METHOD_NOTES[name] for name in experiment.methods if name in METHOD_NOTES}
    rows = _of_all_data(rows, experiment)
    return Table(experiment.methods, rows, corner=CORNER, caption=caption, column_notes=notes)


def table_2_difference(compared, experiment):
    """Return our mean minus the printed one, for the methods and data sets that the paper has."""
    printed = set(printed_table(2)["method"])
    methods = tuple(name for name in experiment.methods if name in printed)
    known = compared[compared["method"].isin(methods) & compared["printed"].notna()]
    rows = {}
    for (data, tau_plus, tau_minus), cells in known.groupby(["data", "tau_plus", "tau_minus"], sort=False):
        row = {cell.method: _gap(cell) or Cell(cell.difference, note=_runs_note(cell)) for cell in cells.itertuples()}
        rows[f"{data} ({tau_plus:g}, {tau_minus:g})"] = row
    caption = f"Our mean accuracy ({experiment.in_words}) minus the one printed in the paper's Table 2."
    rows = _of_all_data(rows, experiment, methods)
    return Table(methods, rows, corner=CORNER, caption=caption, best="none")


def table_3(compared):
    """Return how often RkNN wins, ties and loses against each method, by each test, and the printed counts."""
    printed = printed_table(3).set_index("method")
    lines = []
    for method, part in compared[compared["method"] != OURS].groupby("method", sort=False):
        line = {"method": method}
        for test in TESTS:
            counts = part[test].value_counts()
            line[test] = "/".join(str(counts.get(verdict, 0)) for verdict in ("win", "tie", "loss"))
        line["compared"] = f"{part['t_test'].notna().sum()} of {len(part)}"
        for test in ("t_test", "bayes"):
            columns = [f"{test}_{verdict}" for verdict in ("win", "tie", "loss")]
            known = method in printed.index
            line[f"{test}, printed"] = (
                "/".join(str(n) for n in printed.loc[method, columns]) if known else "not printed"
            )
        lines.append(line)
    columns = ["method", *TESTS, "compared", "t_test, printed", "bayes, printed"]
    return pd.DataFrame(lines, columns=columns).rename(columns=TABLE_3_HEADS)


TABLE_3_HEADS = {
    "t_test": "paired t-test",
    "corrected": "corrected t-test",
    "bayes": "Bayes factor",
    "compared": "cells compared",
    "t_test, printed": "t-test, printed",
    "bayes, printed": "Bayes factor, printed",
}


def table_3_caption(experiment):
    """Return what Table 3 shows, in words."""
    return (
        f"Wins/ties/losses of RkNN against each method over data sets and noises; {experiment.in_words}. Paired t-test "
        "at 95 % (the paper's; on overlapping training sets it finds too many differences), the corrected resampled "
        "t-test of Nadeau and Bengio at 95 %, and the Bayes factor of Wang and Liu with a = -3/4, decided where it "
        "exceeds 1. The paper counts 60 cells, of twenty data sets."
    )


def _of_all_data(rows, experiment, columns=None):
    """Add each of the paper's data sets that was not asked for, and say once of a data set that it has no number."""
    named = {data: [row for row in rows if row.rsplit(" (", 1)[0] == data] for data in (*DATA, *experiment.data)}
    silent = {name: Cell(instead=NOT_ASKED) for name in columns or experiment.methods}
    whole = {}
    for data, of_data in named.items():
        cells = [rows[row] for row in of_data] or [silent]
        same_gap = all(row == cells[0] for row in cells) and all(cell.mean is None for cell in cells[0].values())
        whole |= {data: cells[0]} if same_gap else {row: rows[row] for row in of_data}
    return whole


def _accuracy(row):
    if gap := _gap(row):
        return gap
    notes = [NYSTROEM] if row.approximated else []
    notes += [f"tuned on {row.tuned_on:,.0f} of the rows"] if row.tuned_on == row.tuned_on and row.tuned_on else []
    notes += filter(None, [_runs_note(row)])
    mark = row.corrected if isinstance(row.corrected, str) else ""
    spread = row.std if np.isfinite(row.std) else None
    return Cell(row.mean, spread, mark=mark, note="; ".join(notes))


def _runs_note(row):
    if row.runs == row.planned:
        return ""
    return f"{row.runs} of {row.planned} runs" + (f" ({row.reason})" if row.reason else "")


def _gap(row):
    """Return the cell that says why there is no number, or None where there is one."""
    if row.status == DONE:
        return None
    return Cell(instead=row.status, note=row.reason if row.status == FAILED else "")
