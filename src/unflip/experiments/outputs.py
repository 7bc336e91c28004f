"""Tables and figures of the paper, written to a folder from stored results and fresh simulations."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from unflip.datasets import load_benchmark
from unflip.experiments import figures, paper_tables
from unflip.experiments.critical_difference import draw_critical_difference
from unflip.experiments.ranking import average_ranks, compare_with_control, friedman_test, nemenyi_critical_difference
from unflip.experiments.reproduce import DATA, METHODS

TABLES = ("table1", "table2", "table3", "table4")
FIGURES = ("figure1", "figure2", "figure3", "figure4")


def write_table(name, store, protocol, folder, data_home=None):
    """Write one of TABLES in all formats; return the paths."""
    results = store.table()
    results = results[results["protocol"] == protocol]
    if name == "table1":
        return _write_markup(paper_tables.table_1(_shapes(data_home)), folder, name)
    if name == "table4":
        return _write_markup(paper_tables.table_4(results), folder, name)
    compared = paper_tables.comparison(results)
    if name == "table3":
        return _write_frame(paper_tables.table_3(compared), folder, name)
    written = _write_markup(paper_tables.table_2(compared, DATA), folder, "table2")
    written += _write_markup(paper_tables.table_2_difference(compared, DATA), folder, "table2_difference")
    written.append(_write(folder / "table2_beside.csv", compared.round(6).to_csv(index=False, lineterminator="\n")))
    return written + _write_ranks(compared, folder)


def _write_ranks(compared, folder):
    """Write the ranks of the methods over data sets, means over noises, where there are enough of both."""
    scores = compared.pivot_table(index="data", columns="method", values="mean", aggfunc="mean")
    scores = scores[[name for name in METHODS if name in scores]].dropna()
    if len(scores) < 3 or scores.shape[1] < 3 or paper_tables.OURS not in scores:
        return []
    values, names = scores.to_numpy(), list(scores)
    ranks, test = average_ranks(values), friedman_test(values)
    p_values = {
        names[found.method]: f"{found.adjusted_p_value:.3g}"
        for found in compare_with_control(values, names.index(paper_tables.OURS))
    }
    lines = [f"Friedman's test over {len(scores)} data sets (means over noises): p = {test.p_value:.2g}.", ""]
    lines += ["| method | average rank | p against RkNN (Wilcoxon, Holm) |", "|---|---|---|"]
    lines += [f"| {name} | {rank:.2f} | {p_values.get(name, '')} |" for name, rank in zip(names, ranks, strict=True)]
    difference = nemenyi_critical_difference(len(names), len(scores))
    figure = draw_critical_difference(ranks, names=names, critical_difference=difference)
    return [_write(folder / "ranks.md", "\n".join(lines) + "\n"), *_write_figure(figure, folder, "ranks")]


def write_figure(name, folder, *, quick=False, data_home=None):
    """Write one of FIGURES as SVG and PNG; return the paths."""
    if name == "figure1":
        errors = figures.synthetic_errors(range(3 if quick else 20))
        return _write_figure(figures.figure_1(errors), folder, name)
    which = {"figure2": "k", "figure3": "noise_k", "figure4": "size"}[name]
    names = figures.FOUR[:1] if quick else figures.FOUR
    found = {
        data: figures.influence(*load_benchmark(data, data_home=data_home), seeds=range(2 if quick else 10))
        for data in names
    }
    return _write_figure(figures.figure_of_influence(found, which), folder, name)


def _shapes(data_home):
    shapes = {}
    for name in DATA:
        try:
            shapes[name] = load_benchmark(name, data_home=data_home)[0].shape
        except (ValueError, OSError):
            continue
    return shapes


def _write_markup(table, folder, name):
    forms = {".csv": table.to_csv, ".md": table.to_markdown, ".tex": table.to_latex}
    return [_write(folder / f"{name}{ending}", form()) for ending, form in forms.items()]


def _write_frame(frame: pd.DataFrame, folder, name):
    lines = ["| " + " | ".join(row) + " |" for row in [list(frame), ["---"] * frame.shape[1], *frame.values.tolist()]]
    return [
        _write(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n")),
        _write(folder / f"{name}.md", "\n".join(lines) + "\n"),
        _write(folder / f"{name}.tex", frame.to_latex(index=False, escape=True)),
    ]


def _write_figure(figure, folder, name):
    written = []
    for ending in (".svg", ".png"):
        path = folder / f"{name}{ending}"
        partial = path.with_suffix(f".part{ending}")
        figure.savefig(partial, dpi=110)
        os.replace(partial, path)
        written.append(path)
    return written


def _write(path: Path, text):
    """Write a file so that it is there whole or not at all."""
    partial = path.with_name(path.name + ".part")
    partial.write_text(text)
    os.replace(partial, path)
    return path
