"""Tables 1 to 3 of the paper from stored results, beside the printed numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import Experiment
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.plan.registry import DATA
from unflip.experiments.statistics.comparison import CELL, DONE, FAILED, OURS, TESTS
from unflip.experiments.statistics.significance import Tally
from unflip.experiments.tables.markup import Cell, Table

NOT_REQUESTED, NOT_PRINTED = "not requested", "not printed"
CORNER = "data (tau_plus, tau_minus)"
METHOD_NOTES = {
    "unflip": "not in the paper: NoiseCorrectedClassifier() as it is",
    "RkNN, posterior": "k by log-likelihood, rates by their posterior",
    "RkNN, learned": "the same, neighbors in a space that the labels choose",
    "LD-KSVM": "kernel width chosen on clean labels, a leak, as in the paper",
    "RkNN, true rates": "given the true rates, like IR-KSVM, IR-LLog, LD-KSVM and UE-LLog; k by log-likelihood",
}
NYSTROEM = "kernel approximated by 300 Nystroem features"
TABLE_3_HEADS = {
    "t_test": "paired t-test",
    "corrected": "corrected t-test",
    "bayes": "Bayes factor",
    "compared": "cells compared",
    "t_test, printed": "t-test, printed",
    "bayes, printed": "Bayes factor, printed",
}


def table_1(shapes: Mapping[str, tuple[int, int]]) -> Table:
    """Return the shapes of the data sets beside the printed ones.

    Parameters
    ----------
    shapes : dict of str to tuple
        The numbers of rows and columns of each available data set.

    Returns
    -------
    table : Table
        One row per data set of the paper, then one per added data set.
    """
    columns = ("rows", "columns", "rows, printed", "columns, printed")
    printed = printed_table(1).set_index("data")
    names = dict.fromkeys((*printed.index, *shapes))
    rows = {name: dict(zip(columns, _shape_cells(name, shapes, printed), strict=True)) for name in names}
    caption = "Data sets: rows and columns (features) as used here, and as printed in the paper's Table 1."
    return Table(columns, rows, corner="data", caption=caption, decimals=0, best="none")


def _shape_cells(name: str, shapes: Mapping[str, tuple[int, int]], printed: pd.DataFrame) -> tuple[Cell, ...]:
    """Return the cells of rows and columns, ours and printed."""
    ours = [Cell(size) for size in shapes.get(name, (None, None))]
    if name not in printed.index:
        return (*ours, Cell(instead=NOT_PRINTED), Cell(instead=NOT_PRINTED))
    theirs = [Cell(int(printed.loc[name, size])) for size in ("rows", "columns")]
    if name == "vehicle" and ours[0].mean != theirs[0].mean:
        ours[0] = Cell(ours[0].mean, note="two of the four classes, as the printed means imply")
    return (*ours, *theirs)


def table_2(compared: pd.DataFrame, experiment: Experiment) -> Table:
    """Return our accuracies; a dot marks where RkNN is better (filled) or worse (open) by the corrected t-test.

    Parameters
    ----------
    compared : DataFrame
        As returned by `comparison`.
    experiment : Experiment
        The experiment it compares.

    Returns
    -------
    table : Table
        One row per data set and noise level, one column per method.
    """
    rows = {name: {cell.method: _accuracy(cell) for cell in cells} for name, cells in _cells_by_row(compared)}
    caption = (
        f"Accuracy on clean labels, mean ± standard deviation over runs: {experiment.description}. The training labels "
        "are flipped at the rates tau_plus (of positive labels) and tau_minus (of negative ones). The highest mean of "
        "a row is bold. A dot is the verdict on RkNN against the method of the column by the corrected resampled "
        "t-test (Nadeau and Bengio) on paired runs at 95 %: filled (•) where RkNN is better, open (◦) where it is "
        "worse; no dot where they do not differ."
    )
    notes = {name: METHOD_NOTES[name] for name in experiment.methods if name in METHOD_NOTES}
    rows = _all_data(rows, experiment, experiment.methods)
    return Table(experiment.methods, rows, corner=CORNER, caption=caption, column_notes=notes)


def table_2_difference(compared: pd.DataFrame, experiment: Experiment) -> Table:
    """Return our mean accuracies minus the printed ones.

    Parameters
    ----------
    compared : DataFrame
        As returned by `comparison`.
    experiment : Experiment
        The experiment it compares.

    Returns
    -------
    table : Table
        The paper's data sets and methods.
    """
    printed_methods = set(printed_table(2)["method"])
    methods = tuple(name for name in experiment.methods if name in printed_methods)
    printed = compared[compared["method"].isin(methods) & compared["printed"].notna()]
    rows = {
        name: {cell.method: _empty_cell(cell) or Cell(cell.difference, note=_runs_note(cell)) for cell in cells}
        for name, cells in _cells_by_row(printed)
    }
    caption = f"Our mean accuracy ({experiment.description}) minus the one printed in the paper's Table 2."
    return Table(methods, _all_data(rows, experiment, methods), corner=CORNER, caption=caption, best="none")


def table_3(compared: pd.DataFrame) -> pd.DataFrame:
    """Return the wins, ties and losses of RkNN against each method by each test, and the printed ones.

    Parameters
    ----------
    compared : DataFrame
        As returned by `comparison`.

    Returns
    -------
    table : DataFrame
        One row per method; all cells are text.
    """
    printed = printed_table(3).set_index("method")
    rows = []
    for method, cells in compared[compared["method"] != OURS].groupby("method", sort=False):
        row = {"method": method} | {test: str(Tally.of(cells[test])) for test in TESTS}
        row["compared"] = f"{cells['t_test'].notna().sum()} of {len(cells)}"
        for test in ("t_test", "bayes"):
            columns = [f"{test}_{verdict}" for verdict in ("win", "tie", "loss")]
            tally = str(Tally(*printed.loc[method, columns])) if method in printed.index else NOT_PRINTED
            row[f"{test}, printed"] = tally
        rows.append(row)
    return pd.DataFrame(rows, columns=["method", *TABLE_3_HEADS]).rename(columns=TABLE_3_HEADS)


def table_3_caption(experiment: Experiment) -> str:
    """Return the caption of Table 3.

    Parameters
    ----------
    experiment : Experiment
        The experiment, for the description of its protocol.

    Returns
    -------
    caption : str
        Names the three tests.
    """
    return (
        f"Wins/ties/losses of RkNN against each method over data sets and noise levels; {experiment.description}. "
        "Paired t-test at 95 % (the paper's; on overlapping training sets it finds too many differences), corrected "
        "resampled t-test of Nadeau and Bengio at 95 %, and Bayes factor of Wang and Liu with a = -3/4, decided where "
        "it exceeds 1. The paper counts 60 cells, on twenty data sets."
    )


def row_name(data: str, tau_plus: float, tau_minus: float) -> str:
    """Return the name of a table row.

    Parameters
    ----------
    data : str
        Name of the data set.
    tau_plus : float
        Flip rate of positive labels.
    tau_minus : float
        Flip rate of negative labels.

    Returns
    -------
    name : str
        In the form of CORNER.

    Examples
    --------
    >>> row_name("heart", 0.1, 0.2)
    'heart (0.1, 0.2)'
    """
    return f"{data} ({tau_plus:g}, {tau_minus:g})"


def _cells_by_row(compared: pd.DataFrame) -> Iterator[tuple[str, list[Any]]]:
    for cell, rows in compared.groupby(CELL, sort=False):
        yield row_name(*cell), list(rows.itertuples())


def _all_data(
    rows: dict[str, dict[str, Cell]], experiment: Experiment, columns: tuple[str, ...]
) -> dict[str, dict[str, Cell]]:
    """Add the paper's data sets that were not requested, and merge the rows of data sets without any number."""
    not_requested = {name: Cell(instead=NOT_REQUESTED) for name in columns}
    complete: dict[str, dict[str, Cell]] = {}
    for data in dict.fromkeys((*DATA, *experiment.data)):
        of_data = {name: cells for name, cells in rows.items() if name.rsplit(" (", 1)[0] == data}
        first, *others = of_data.values() or [not_requested]
        empty = all(cell.mean is None for cell in first.values())
        complete |= {data: first} if empty and all(cells == first for cells in others) else of_data
    return complete


def _accuracy(row: Any) -> Cell:
    if empty := _empty_cell(row):
        return empty
    notes = [NYSTROEM] if row.approximated else []
    notes += [f"tuned on {row.tuned_on:,.0f} of the rows"] if row.tuned_on and not np.isnan(row.tuned_on) else []
    notes += filter(None, [_runs_note(row)])
    mark = row.corrected if isinstance(row.corrected, str) else ""
    spread = row.std if np.isfinite(row.std) else None
    return Cell(row.mean, spread, mark=mark, note="; ".join(notes))


def _runs_note(row: Any) -> str:
    if row.runs == row.planned:
        return ""
    return f"{row.runs} of {row.planned} runs" + (f" ({row.reason})" if row.reason else "")


def _empty_cell(row: Any) -> Cell | None:
    """Return the cell that says why there is no number, or None if there is one."""
    if row.status == DONE:
        return None
    return Cell(instead=row.status, note=row.reason if row.status == FAILED else "")
