"""Tables 1 to 4 of the paper from stored results, each number beside the printed one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.experiments.jobs import N_FOLDS
from unflip.experiments.markup import Cell, Table
from unflip.experiments.printed import printed_table
from unflip.experiments.reproduce import METHODS
from unflip.experiments.significance import bayes_factor_test, corrected_t_test, paired_t_test

OURS = "RkNN"
CELL = ["data", "tau_plus", "tau_minus"]
TESTS = {
    "t_test": paired_t_test,
    "corrected": lambda ours, theirs: corrected_t_test(ours, theirs, n_test=1, n_train=N_FOLDS - 1),
    "bayes": bayes_factor_test,
}


def comparison(results):
    """Return one row per data set, noise and method: our mean, the printed one, and the verdicts on RkNN against it.

    Parameters
    ----------
    results : DataFrame
        Of one protocol, as Store.table gives them.
    """
    done = results[results["status"] == "done"]
    runs = done.pivot(index=[*CELL, "trial", "fold"], columns="method", values="accuracy")
    approximated = done.groupby([*CELL, "method"])["details"].agg(lambda all_: any(d.get("approximated") for d in all_))
    printed = printed_table(2).set_index([*CELL, "method"])
    rows = []
    for cell, part in runs.groupby(CELL):
        for method in [name for name in METHODS if name in part]:
            scores = part[method].dropna()
            if scores.empty:
                continue
            key = (*cell, method)
            row = dict(zip(CELL, cell, strict=True)) | {
                "method": method, "mean": scores.mean(), "std": scores.std(ddof=1), "runs": len(scores),
                "printed": printed["mean"].get(key, np.nan), "printed_std": printed["std"].get(key, np.nan),
                "approximated": bool(approximated.get(key, False)),
            }  # fmt: skip
            row["difference"] = row["mean"] - row["printed"]
            if method != OURS and OURS in part:
                pairs = part[[OURS, method]].dropna()
                if len(pairs) > 1:
                    row |= {name: test(pairs[OURS], pairs[method]).verdict for name, test in TESTS.items()}
            rows.append(row)
    return pd.DataFrame(rows)


def table_1(loaded):
    """Return the data sets: our shapes ({name: (rows, columns)}) beside the printed ones."""
    columns = ("rows", "columns", "rows, printed", "columns, printed")
    rows = {}
    for _, printed in printed_table(1).iterrows():
        n_rows, n_columns = loaded.get(printed["data"], (None, None))
        values = (n_rows, n_columns, printed["rows"], printed["columns"])
        rows[printed["data"]] = {name: Cell(value) for name, value in zip(columns, values, strict=True)}
    return Table(columns, rows, corner="data", caption="Benchmark data sets", decimals=0, best="none")


def table_2(compared, data):
    """Return our accuracies; a dot marks where RkNN is better (filled) or worse by the corrected test."""
    methods = tuple(name for name in METHODS if name in set(compared["method"]))
    rows = {}
    for name in data:
        part = compared[compared["data"] == name]
        if part.empty:
            rows[name] = {}
        for (tau_plus, tau_minus), cells in part.groupby(["tau_plus", "tau_minus"]):
            rows[f"{name} ({tau_plus:g}, {tau_minus:g})"] = {row.method: _accuracy(row) for row in cells.itertuples()}
    caption = "Clean test accuracy, mean ± standard deviation over runs"
    return Table(methods, rows, corner="data (tau_plus, tau_minus)", caption=caption)


def table_2_difference(compared, data):
    """Return our mean minus the printed one."""
    known = compared.dropna(subset=["printed"])
    methods = tuple(name for name in METHODS if name in set(known["method"]))
    rows = {}
    for name in data:
        for (tau_plus, tau_minus), cells in known[known["data"] == name].groupby(["tau_plus", "tau_minus"]):
            row = {cell.method: Cell(cell.difference) for cell in cells.itertuples()}
            rows[f"{name} ({tau_plus:g}, {tau_minus:g})"] = row
    caption = "Our mean accuracy minus the printed one"
    return Table(methods, rows, corner="data (tau_plus, tau_minus)", caption=caption, best="none")


def table_3(compared):
    """Return how often RkNN wins, ties and loses against each method, by each test, and the printed counts."""
    printed = printed_table(3).set_index("method")
    lines = []
    for method in [name for name in METHODS if name != OURS and name in set(compared["method"])]:
        part = compared[compared["method"] == method]
        line = {"method": method}
        for test in TESTS:
            counts = part[test].value_counts()
            line[test] = "/".join(str(counts.get(verdict, 0)) for verdict in ("win", "tie", "loss"))
        for test in ("t_test", "bayes"):
            columns = [f"{test}_{verdict}" for verdict in ("win", "tie", "loss")]
            line[f"{test}, printed"] = (
                "/".join(str(n) for n in printed.loc[method, columns]) if method in printed.index else ""
            )
        lines.append(line)
    return pd.DataFrame(lines)


def table_4(results):
    """Return the estimated noise rates of RkNN and of our default, beside the printed ones."""
    printed = printed_table(4).set_index(CELL)
    done = results[(results["status"] == "done") & results["method"].isin([OURS, "unflip"])]
    done = done.drop_duplicates([*CELL, "trial", "method"])
    rows = {}
    for cell, part in done.groupby(CELL):
        name = f"{cell[0]} ({cell[1]:g}, {cell[2]:g})"
        rows[name] = {}
        for method, runs in part.groupby("method"):
            for rate in ("tau_plus", "tau_minus"):
                values = np.concatenate([details[rate] for details in runs["details"]])
                rows[name][f"{rate}, {method}"] = Cell(float(values.mean()), float(values.std(ddof=1)))
        if cell in printed.index:
            for rate in ("tau_plus", "tau_minus"):
                rows[name][f"{rate}, printed"] = Cell(float(printed.loc[cell, f"{rate}_est"]))
    columns = tuple(f"{rate}, {who}" for who in (OURS, "printed", "unflip") for rate in ("tau_plus", "tau_minus"))
    caption = "Estimated noise rates, mean ± standard deviation over runs"
    return Table(columns, rows, corner="data (tau_plus, tau_minus)", caption=caption, decimals=3, best="none")


def _accuracy(row):
    note = "kernel approximated by 300 Nystroem features" if row.approximated else ""
    mark = row.corrected if isinstance(getattr(row, "corrected", None), str) else ""
    return Cell(row.mean, row.std, mark=mark, note=note)
