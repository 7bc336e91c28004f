"""What belongs to each target, tables and figures, written to a folder from stored results and fresh simulations."""

from __future__ import annotations

from unflip.experiments.figures import bound_figure, figure_numbers, paper_figures
from unflip.experiments.files import write_csv, write_frame, write_picture, write_table, write_text
from unflip.experiments.plan.registry import known_data, load_data
from unflip.experiments.statistics.comparison import comparison
from unflip.experiments.tables import paper_tables, rates_table
from unflip.experiments.tables.rank_report import rank_report

TABLES = ("table1", "table2", "table3", "table4")
FIGURES = ("figure1", "figure2", "figure3", "figure4", "theory")
INFLUENCES = {"figure2": "k", "figure3": "noise_k", "figure4": "size"}


class Outputs:
    """The files of one experiment.

    Parameters
    ----------
    folder : Path
        Where they are written.
    store : Store
        The results.
    experiment : Experiment
        What was asked for.
    missing : collection of str, default=()
        Data sets that are not available.
    quick : bool, default=False
        Draw figures from few repetitions.
    data_home : str, Path or None, default=None
        The folder of data files.
    """

    def __init__(self, folder, store, experiment, *, missing=(), quick=False, data_home=None):
        self.folder, self.store, self.experiment = folder, store, experiment
        self.missing, self.quick, self.data_home = missing, quick, data_home
        self._influence = None

    def write(self, target):
        """Write one of TABLES or FIGURES; return the paths."""
        if target in INFLUENCES:
            return self._write_influence(target)
        return getattr(self, f"_write_{target}")()

    def _write_table1(self):
        return write_table(paper_tables.table_1(_shapes(self.data_home)), self.folder, "table1")

    def _write_table2(self):
        compared = self._compared()
        written = write_table(paper_tables.table_2(compared, self.experiment), self.folder, "table2")
        difference = paper_tables.table_2_difference(compared, self.experiment)
        written += write_table(difference, self.folder, "table2_difference")
        written.append(write_csv(compared, self.folder, "table2_beside"))
        report, picture = rank_report(compared, self.experiment)
        written.append(write_text(self.folder / "ranks.md", report))
        return written + (write_picture(picture, self.folder, "ranks") if picture else [])

    def _write_table3(self):
        table = paper_tables.table_3(self._compared())
        return write_frame(table, self.folder, "table3", paper_tables.table_3_caption(self.experiment))

    def _write_table4(self):
        results = self.store.table()
        table = rates_table.table_4(results, self.experiment, self.missing)
        by_k = rates_table.distance_by_noise_k(rates_table.rates_of_runs(results, self.experiment, rates_table.RATES))
        summary = rates_table.summary_of_rates(results, self.experiment)
        return [
            *write_table(table, self.folder, "table4"),
            write_text(self.folder / "table4_summary.md", summary),
            write_csv(by_k, self.folder, "table4_by_k"),
        ]

    def _write_figure1(self):
        errors = paper_figures.synthetic_errors(range(3 if self.quick else 20))
        numbers = write_csv(figure_numbers.numbers_of_figure_1(errors), self.folder, "figure1")
        return [*write_picture(paper_figures.figure_1(errors), self.folder, "figure1"), numbers]

    def _write_influence(self, target):
        which = INFLUENCES[target]
        if self._influence is None:  # one simulation serves the three figures
            names = paper_figures.FOUR[:1] if self.quick else paper_figures.FOUR
            self._influence = {name: self._influence_on(name) for name in names}
        numbers = write_csv(figure_numbers.numbers_of_influence(self._influence, which), self.folder, target)
        return [*write_picture(paper_figures.figure_of_influence(self._influence, which), self.folder, target), numbers]

    def _influence_on(self, name):
        try:
            X, y = load_data(name, data_home=self.data_home)
        except (ValueError, OSError):
            return None
        return paper_figures.influence(X, y, seeds=range(2 if self.quick else 10))

    def _write_theory(self):
        options = {"sizes": bound_figure.SIZES[:4], "samples": range(4)} if self.quick else {}
        numbers = bound_figure.simulated_excess(**options)
        picture = write_picture(bound_figure.figure_of_bounds(numbers), self.folder, "theory")
        return [*picture, write_csv(numbers, self.folder, "theory")]

    def _compared(self):
        return comparison(self.store.table(), self.experiment, self.missing)


def _shapes(data_home):
    shapes = {}
    for name in known_data():
        try:
            shapes[name] = load_data(name, data_home=data_home)[0].shape
        except (ValueError, OSError):
            continue
    return shapes
