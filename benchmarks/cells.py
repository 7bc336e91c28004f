"""Cells of a benchmark (data set, noise, seed), the store that makes runs resumable, and tables of what it holds."""

import argparse
import csv
import os
import sys
import time
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn import datasets
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import minmax_scale

from benchmarks.noise_problems import class_noises
from unflip import make_label_noise
from unflip.datasets import CATALOG, data_folder, load_benchmark
from unflip.datasets.files import find_file
from unflip.foundation.optional import optional

MAX_ROWS = 2000
QUICK_DATA = ("heart", "fourclass", "segment")
TABLES = {"digits": datasets.load_digits, "wine": datasets.load_wine, "iris": datasets.load_iris}
COLUMNS = ("data", "noise", "seed", "method", "measure", "value", "reason", "versions")
KEY = ["data", "noise", "seed"]
FINISHED = "finished"  # the measure of a cell's last line


@dataclass(frozen=True)
class Cell:
    """Everything that decides the labels of one measurement."""

    data: str
    noise: str
    seed: int

    @property
    def random_state(self):
        """A seed of its own, so that no two cells flip the same rows."""
        return crc32(f"{self.data} {self.noise} {self.seed}".encode())


def options(docstring):
    """Return the options that all resumable benchmarks share."""
    parser = argparse.ArgumentParser(description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=Path("benchmarks-store"), help="folder of results")
    parser.add_argument("--quick", action="store_true", help="run few cells")
    parser.add_argument("--tables", action="store_true", help="run nothing, print the tables of the store")
    parser.add_argument("--retry", action="store_true", help="run cells again in which a method failed")
    parser.add_argument("--jobs", type=int, default=2, help="cells at once")
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 0), metavar=("FIRST", "LAST"))
    parser.add_argument("--data", nargs="+", metavar="NAME", help="data sets (default: all that can be read)")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.data or () if name not in CATALOG and name not in TABLES]
    if unknown:
        parser.error(f"no data set {unknown[0]!r}; choose from {', '.join((*CATALOG, *TABLES))}")
    return chosen


def main(docstring, name, ways, work, show):
    """Run the cells of a benchmark that are not in its store, and show the tables; work(chosen) returns the cells."""
    chosen = options(docstring)
    store = Store(chosen.store, name)
    run(ways, work(chosen), store, chosen)
    table = store.table()
    show_failures(table)
    show(table)


def two_class_data(chosen):
    """Return the names of the catalog's data sets that can be read, or of those that were chosen."""
    folder = data_folder()
    readable = [name for name, dataset in CATALOG.items() if find_file(dataset, folder) is not None]
    if not readable:
        print(f"no data set in {folder} (set UNFLIP_DATA to the folder of the data sets)", file=sys.stderr)
    wanted = chosen.data or (QUICK_DATA if chosen.quick else readable)
    return [name for name in readable if name in wanted]


def table_data(chosen):
    """Return the names of scikit-learn's tables with many classes, or of those that were chosen."""
    return [name for name in TABLES if name in (chosen.data or TABLES)]


def grid(names, noises, chosen):
    first, last = chosen.seeds
    return [Cell(name, noise, seed) for seed in range(first, last + 1) for name in names for noise in noises]


@cache
def load(name, seed):
    """Return rows scaled to [-1, 1] and clean class numbers."""
    if name not in TABLES:
        return load_benchmark(name, random_state=seed)
    X, y = TABLES[name](return_X_y=True)
    return minmax_scale(X, (-1, 1)), y


def sample(cell):
    """Return at most 2,000 rows and their clean labels."""
    X, y = load(cell.data, cell.seed)
    if len(y) <= MAX_ROWS:
        return X, y
    return train_test_split(X, y, train_size=MAX_ROWS, stratify=y, random_state=cell.seed)[::2]


def halves(cell):
    """Return training rows, test rows, training labels and test labels, at most 2,000 of each."""
    X, y = load(cell.data, cell.seed)
    size = min(MAX_ROWS, len(y) // 2)
    return train_test_split(X, y, train_size=size, test_size=size, stratify=y, random_state=cell.seed)


def noise_name(tau_plus, tau_minus):
    return f"({tau_plus:g}, {tau_minus:g})"


def flipped(cell, y):
    """Return labels with the cell's noise: (tau_plus, tau_minus), or the name of a noise between many classes."""
    if cell.noise.startswith("("):
        tau_plus, tau_minus = (float(rate) for rate in cell.noise.strip("()").split(","))
        return make_label_noise(y, [tau_minus, tau_plus], random_state=cell.random_state)
    return make_label_noise(y, class_noises(y.max() + 1)[cell.noise], random_state=cell.random_state)


class Store:
    """A CSV file with one line per measured number, to which finished cells are appended."""

    def __init__(self, folder, name):
        self.path = Path(folder) / f"{name}.csv"

    def table(self):
        """Return the lines of finished cells; of a cell that ran twice, the later ones."""
        text = self._finished_text()
        if not text:
            return pd.DataFrame(columns=COLUMNS)
        lines = pd.read_csv(StringIO(text))
        finished = (lines["measure"] == FINISHED).astype(int)
        cell = [lines[key] for key in KEY]
        run_number = finished.groupby(cell).cumsum() - finished
        return lines[run_number == run_number.groupby(cell).transform("max")].reset_index(drop=True)

    def _finished_text(self):
        """Return what the file holds up to the end of the last finished cell: a killed run can leave half of one."""
        text = self.path.read_bytes().decode() if self.path.exists() else ""
        lines = text.splitlines(keepends=True)
        while lines and not (f",{FINISHED}," in lines[-1] and lines[-1].endswith("\n")):
            lines.pop()
        return "".join(lines)

    def repair(self):
        """Cut off half a cell at the end."""
        if self.path.exists():
            os.truncate(self.path, len(self._finished_text().encode()))

    def finished(self, *, with_failures=True):
        """Return the finished cells, with or without those in which a method failed."""
        table = self.table()
        done = table[table["measure"] == FINISHED]
        if not with_failures:
            done = done[done["value"] == 1]
        return {Cell(*key) for key in done[KEY].itertuples(index=False)}

    def append(self, cell, lines):
        """Write the lines of a cell, the one that says it is finished last."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        versions = ", ".join(f"{name} {version(name)}" for name in ("unflip", "cleanlab", "scikit-learn"))
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([] if file.tell() else [COLUMNS])
            writer.writerows([cell.data, cell.noise, cell.seed, *line, versions] for line in lines)


def run(ways_of, cells, store, chosen):
    """Measure the cells that are not in the store; ways_of(cell) returns {method: function without arguments}.

    The function returns {measure: value}. A failure is stored with its reason, and the other methods go on.
    """
    if chosen.tables:
        return
    optional("cleanlab", "bench", "benchmarks.cells")  # before any cell is stored as a failure
    store.repair()
    done = store.finished(with_failures=not chosen.retry)
    waiting = [cell for cell in cells if cell not in done]
    print(f"{len(waiting)} of {len(cells)} cells to run", file=sys.stderr)
    parallel = Parallel(n_jobs=chosen.jobs, return_as="generator_unordered")
    parts = parallel(delayed(_measured)(ways_of, cell) for cell in waiting)
    for number, (cell, lines) in enumerate(parts, start=1):
        store.append(cell, lines)
        print(f"{number}/{len(waiting)} {cell.data} {cell.noise} {cell.seed}", file=sys.stderr)


def _measured(ways_of, cell):
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ways = ways_of(cell)
        except Exception as error:
            ways, lines = {}, [_failure("all", error)]
        for method, way in ways.items():
            start = time.perf_counter()
            try:
                found = way()
            except Exception as error:
                lines.append(_failure(method, error))
            else:
                found |= {"seconds": time.perf_counter() - start}
                lines += [(method, measure, f"{value:.8g}", "") for measure, value in found.items()]
    succeeded = not any(measure == "failed" for _, measure, _, _ in lines)
    return cell, [*lines, ("all", FINISHED, int(succeeded), "")]


def _failure(method, error):
    return method, "failed", "", " ".join(f"{type(error).__name__}: {error}".split())[:200]


def show_failures(table):
    failed = table[table["measure"] == "failed"]
    for (method, reason), part in failed.groupby(["method", "reason"]):
        print(f"- failed in {len(part)} cells: {method}: {reason}")


def by_method(table, measure):
    """Return one row per cell and one column per method, without the cells that lack a method."""
    part = table[table["measure"] == measure]
    return part.pivot_table(index=KEY, columns="method", values="value", sort=False).dropna()


def mean_by_noise(wide, noises):
    """Return the means of each noise, in the given order, and of all cells."""
    means = wide.groupby("noise").mean()
    means = means.reindex([noise for noise in noises if noise in means.index])
    means.loc["all"] = wide.mean()
    return means.rename_axis("noise")


def markdown(table, digits=4, signed=()):
    """Return a table of numbers as Markdown; signed columns are differences."""
    lines = [f"| {table.index.name or ''} | " + " | ".join(table.columns) + " |", "|---|" + "---|" * table.shape[1]]
    for name, row in table.iterrows():
        numbers = [
            "" if pd.isna(value) else f"{value:{'+' if column in signed else ''}.{digits}f}"
            for column, value in row.items()
        ]
        lines.append(f"| {name} | " + " | ".join(numbers) + " |")
    return "\n".join(lines)


def lead_line(lead):
    """Return the share of cells with no loss, the mean lead and its standard error as parts of a row."""
    # Cells of one data set are not independent, so the standard error is over the means of data sets.
    by_data = lead.groupby("data").mean()
    error = by_data.std(ddof=1) / np.sqrt(len(by_data))
    return f"{(lead >= 0).mean():.1%} of {len(lead)} cells | {lead.mean():+.4f} | {error:.4f}"
