"""The command ``unflip reproduce``: the paper's tables and figures, from raw data."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from unflip.experiments.outputs import FIGURES, TABLES, write_figure, write_table
from unflip.experiments.reproduce import DATA, METHODS, QUICK, run
from unflip.experiments.store import Store


def reproduce(target, *, quick, protocol, data, methods, trials, out, data_home, n_jobs, retry):
    """Run what is missing and write what was asked for; yield lines to print."""
    targets = (*TABLES, *FIGURES) if target == "all" else (target,)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / "results.sqlite")
    if any(name in ("table2", "table3", "table4") for name in targets):
        chosen = {"data": tuple(data) or DATA, "methods": tuple(methods) or METHODS, "trials": range(trials)}
        if quick:
            chosen |= {name: value for name, value in QUICK.items() if name != "data" or not data}
        missing = run(
            store, protocol=protocol, data_home=data_home, n_jobs=n_jobs, retry=retry, progress=_Progress(), **chosen
        )
        yield from (f"{name}: data not available. {why}" for name, why in missing.items())
        failed = store.table().query("status == 'failed'")
        if len(failed):
            yield f"{len(failed)} jobs failed; --retry runs them again. The first: {failed['error'].iloc[0]}"
    for name in targets:
        if name in TABLES:
            written = write_table(name, store, protocol, folder, data_home)
        else:
            written = write_figure(name, folder, quick=quick, data_home=data_home)
        yield from map(str, written)


class _Progress:
    """A bar with the time left, on a terminal only; it is told the number of jobs, then each one that is done."""

    def __init__(self):
        self.bar = None

    def __call__(self, told):
        if isinstance(told, int):
            shown = sys.stderr.isatty() and told > 0
            self.bar = click.progressbar(length=told, label="jobs", file=sys.stderr) if shown else None
        elif self.bar is not None:
            self.bar.update(1)
