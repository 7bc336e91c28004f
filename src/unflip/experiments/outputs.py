"""The files of each target: tables from stored results, figures from new simulations."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from unflip.experiments.figures import bound_figure, figure_numbers, paper_figures
from unflip.experiments.figures.critical_difference import draw_critical_difference
from unflip.experiments.files import write_csv, write_frame, write_picture, write_table, write_text
from unflip.experiments.plan.jobs import RATE_ESTIMATES, Experiment
from unflip.experiments.plan.registry import DATA, known_data, load_data
from unflip.experiments.runs.store import Store
from unflip.experiments.statistics.comparison import comparison
from unflip.experiments.statistics.method_ranks import method_ranks
from unflip.experiments.tables import paper_tables, rates_table
from unflip.experiments.tables.rank_report import rank_report

if TYPE_CHECKING:
    from unflip.experiments.figures.paper_figures import Influence

TABLES = ("table1", "table2", "table3", "table4")
FIGURES = ("figure1", "figure2", "figure3", "figure4", "theory")
INFLUENCES = {"figure2": "k", "figure3": "noise_k", "figure4": "size"}


class Outputs:
    """The output files of one experiment.

    Parameters
    ----------
    folder : Path
        Where to write.
    store : Store
        The results.
    experiment : Experiment
        The scope of the tables.
    missing : collection of str, default=()
        Data sets that are not available.
    quick : bool, default=False
        Whether to draw figures from few repetitions.
    data_home : str, Path or None, default=None
        Folder of data files.
    """

    def __init__(
        self,
        folder: Path,
        store: Store,
        experiment: Experiment,
        *,
        missing: Collection[str] = (),
        quick: bool = False,
        data_home: str | PathLike[str] | None = None,
    ):
        self.folder, self.store, self.experiment = folder, store, experiment
        self.missing, self.quick, self.data_home = missing, quick, data_home
        self._influence: dict[str, Influence | None] | None = None

    def write(self, target: str) -> list[Path]:
        """Write the files of a target.

        Parameters
        ----------
        target : str
            One of TABLES or FIGURES.

        Returns
        -------
        paths : list of Path
            The files.
        """
        if target in INFLUENCES:
            return self._write_influence(target)
        return getattr(self, f"_write_{target}")()

    def _write_table1(self) -> list[Path]:
        shapes = {name: data[0].shape for name in known_data() if (data := self._load(name)) is not None}
        return write_table(paper_tables.table_1(shapes), self.folder, "table1")

    def _write_table2(self) -> list[Path]:
        compared = self._compared()
        difference = paper_tables.table_2_difference(compared, self.experiment)
        return [
            *write_table(paper_tables.table_2(compared, self.experiment), self.folder, "table2"),
            *write_table(difference, self.folder, "table2_difference"),
            write_csv(compared, self.folder, "table2_beside"),
            *self._write_ranks(compared),
        ]

    def _write_ranks(self, compared: pd.DataFrame) -> list[Path]:
        ranks = method_ranks(compared)
        report = write_text(self.folder / "ranks.md", rank_report(ranks, self.experiment))
        if not ranks.enough:
            return [report]
        figure = draw_critical_difference(
            ranks.average, names=ranks.methods, critical_difference=ranks.critical_difference
        )
        return [report, *write_picture(figure, self.folder, "ranks")]

    def _write_table3(self) -> list[Path]:
        table = paper_tables.table_3(self._compared())
        return write_frame(table, self.folder, "table3", paper_tables.table_3_caption(self.experiment))

    def _write_table4(self) -> list[Path]:
        results = self.store.table()
        table = rates_table.table_4(results, self.experiment, self.missing)
        estimates = rates_table.rates_of_runs(results, self.experiment, RATE_ESTIMATES)
        summary = rates_table.summary_of_rates(results, self.experiment)
        return [
            *write_table(table, self.folder, "table4"),
            write_text(self.folder / "table4_summary.md", summary),
            write_csv(rates_table.distance_by_noise_k(estimates), self.folder, "table4_by_k"),
        ]

    def _write_figure1(self) -> list[Path]:
        errors = paper_figures.synthetic_errors(range(3 if self.quick else 20))
        numbers = write_csv(figure_numbers.numbers_of_figure_1(errors), self.folder, "figure1")
        return [*write_picture(paper_figures.figure_1(errors), self.folder, "figure1"), numbers]

    def _write_influence(self, target: str) -> list[Path]:
        which = INFLUENCES[target]
        if self._influence is None:  # one simulation serves all three figures
            names = paper_figures.INFLUENCE_DATA[:1] if self.quick else paper_figures.INFLUENCE_DATA
            self._influence = {name: self._influence_on(name) for name in names}
        numbers = write_csv(figure_numbers.numbers_of_influence(self._influence, which), self.folder, target)
        return [*write_picture(paper_figures.figure_of_influence(self._influence, which), self.folder, target), numbers]

    def _influence_on(self, name: str) -> Influence | None:
        data = self._load(name)
        return None if data is None else paper_figures.influence(*data, seeds=range(2 if self.quick else 10))

    def _write_theory(self) -> list[Path]:
        options: dict[str, Any] = {"sizes": bound_figure.SIZES[:4], "samples": range(4)} if self.quick else {}
        numbers = bound_figure.simulated_excess(**options)
        picture = write_picture(bound_figure.figure_of_bounds(numbers), self.folder, "theory")
        return [*picture, write_csv(numbers, self.folder, "theory")]

    def _compared(self) -> pd.DataFrame:
        return comparison(self.store.table(), self.experiment, self.missing)

    def _load(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the rows and classes of a data set, or None if it is not available."""
        try:
            return load_data(name, data_home=self.data_home)
        except (ValueError, OSError):
            return None
        except (Exception, SystemExit):  # whatever a function of the user raises
            if name in DATA:
                raise
            return None
