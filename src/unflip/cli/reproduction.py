"""What ``unflip reproduce`` runs and writes, and the lines it prints."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pandas as pd

from unflip.datasets.catalog import CATALOG
from unflip.datasets.files import data_folder, find_file
from unflip.experiments.outputs import FIGURES, TABLES, Outputs
from unflip.experiments.plan.jobs import N_TRIALS, Experiment
from unflip.experiments.plan.registry import DATA, known_data, known_methods
from unflip.experiments.runs.running import QUICK_DATA, QUICK_TRIALS, check_names, run
from unflip.experiments.runs.store import Store, reason
from unflip.foundation.errors import UnflipError

FROM_RUNS = ("table2", "table3", "table4")


def reproduce(
    target: str,
    *,
    quick: bool,
    protocol: str,
    data: tuple[str, ...],
    methods: tuple[str, ...],
    added: tuple[str, ...],
    trials: int | None,
    out: str,
    data_home: str | None,
    n_jobs: int,
    retry: bool,
    stored: bool,
) -> Iterator[str]:
    """Run what is missing and write what was asked for; yield lines to print."""
    for path in added:
        _run_file(path)
    targets = (*TABLES, *FIGURES) if target == "all" else (target,)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    asked = _asked(quick, protocol, data, methods, trials)
    check_names(asked)
    store = Store(folder / "results.sqlite")
    missing = dict.fromkeys(_not_here(asked, data_home), "")
    if not stored and any(name in FROM_RUNS for name in targets):
        options: dict[str, Any] = {"data_home": data_home, "n_jobs": n_jobs, "retry": retry}
        with _Progress() as progress:
            missing = run(store, **vars(asked), **options, with_rates="table4" in targets, progress=progress)
        yield from (f"{name}: data not available. {why}" for name, why in missing.items())
        yield from _failures(asked.of(store.table()))
    outputs = Outputs(folder, store, asked, missing=missing, quick=quick, data_home=data_home)
    for name in targets:
        yield from map(str, outputs.write(name))


def _run_file(path: str) -> None:
    try:
        runpy.run_path(path)
    except (Exception, SystemExit) as error:
        raise UnflipError(f"{path} failed: {reason(error).rstrip('.')}.") from error


def _asked(
    quick: bool, protocol: str, data: tuple[str, ...], methods: tuple[str, ...], trials: int | None
) -> Experiment:
    """Return the experiment: what was named, or everything with what was added, or little of it to be quick."""
    added_data = tuple(name for name in known_data() if name not in DATA)
    data = tuple(dict.fromkeys(data)) or ((*QUICK_DATA, *added_data) if quick else known_data())
    few = QUICK_TRIALS if quick else tuple(range(N_TRIALS))
    methods = tuple(dict.fromkeys(methods)) or known_methods()
    return Experiment(protocol, data, methods, tuple(range(trials)) if trials else few)


def _not_here(asked: Experiment, data_home: str | None) -> list[str]:
    folder = data_folder(data_home)
    return [name for name in asked.data if name in CATALOG and find_file(CATALOG[name], folder) is None]


def _failures(results: pd.DataFrame) -> Iterator[str]:
    failed = results[results["status"] == "failed"]
    if len(failed):
        yield f"{len(failed)} jobs failed; --retry runs them again. The first: {failed['error'].iloc[0]}"


class _Progress:
    """A bar with the time left, on a terminal only; it is told the number of jobs, then each one that is done."""

    def __init__(self) -> None:
        self.bar: Any = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.render_finish()

    def __call__(self, told: Any) -> None:
        if isinstance(told, int):
            shown = sys.stderr.isatty() and told > 0
            self.bar = click.progressbar(length=told, label="jobs", show_pos=True, file=sys.stderr) if shown else None
            if self.bar is not None:
                self.bar.render_progress()
        elif self.bar is not None:
            self.bar.label = told.data
            self.bar.update(1)
