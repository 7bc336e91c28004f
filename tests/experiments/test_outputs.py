"""Every table and figure is written with its numbers, from stored results and small simulations."""

import numpy as np
import pytest

from unflip.experiments.figures import bound_figure, paper_figures
from unflip.experiments.outputs import FIGURES, TABLES, Outputs
from unflip.experiments.plan.jobs import Experiment
from unflip.experiments.plan.registry import add_dataset, remove
from unflip.experiments.runs import running

pytestmark = pytest.mark.usefixtures("made_up_data")
EXPERIMENT = Experiment(data=("heart", "german", "cancer"), methods=("RkNN", "kNN", "AROW"), trials=(0, 1))


@pytest.fixture
def small_figures(monkeypatch):
    """Tiny simulations, on one data set that is available and one that is not."""
    influence, errors = paper_figures.influence, paper_figures.synthetic_errors
    monkeypatch.setattr(paper_figures, "INFLUENCE_DATA", ("heart", "segment"))
    monkeypatch.setattr(
        paper_figures, "influence", lambda X, y, seeds: influence(np.tile(X, (2, 1)), np.tile(y, 2), seeds=[0])
    )
    monkeypatch.setattr(paper_figures, "SYNTHETIC_K_VALUES", (5, 50))
    monkeypatch.setattr(paper_figures, "SIZES", (50, 100))
    monkeypatch.setattr(paper_figures, "synthetic_errors", lambda seeds: errors([0, 1], n_train=100, n_test=50))
    excess = bound_figure.simulated_excess
    monkeypatch.setattr(bound_figure, "simulated_excess", lambda: excess(sizes=(100, 200), samples=[0, 1], n_test=50))


@pytest.mark.usefixtures("small_figures")
def test_every_table_and_figure_is_written_with_its_numbers_and_the_same_bytes_again(store, tmp_path):
    running.run(store, **vars(EXPERIMENT), with_rates=True, n_jobs=1)
    once, again = tmp_path / "once", tmp_path / "again"
    for folder, targets in ((once, (*TABLES, *FIGURES)), (again, (*TABLES, "figure4"))):
        folder.mkdir()
        outputs = Outputs(folder, store, EXPERIMENT, missing=["acoustic"])
        for name in targets:
            endings = {path.suffix for path in outputs.write(name)}
            assert endings >= ({".csv", ".md", ".tex"} if name in TABLES else {".svg", ".png", ".csv"})
    assert not list(once.glob("*.part*"))
    names = {path.name for path in again.iterdir()}
    assert names > {"ranks.svg", "ranks.png", "ranks.md", "figure4.svg", "figure4.png", "table4_summary.md"}
    for name in names:
        assert (once / name).read_bytes() == (again / name).read_bytes(), name
    assert "<!-- data not available -->" in (once / "figure2.svg").read_text()
    assert "<!-- heart -->" in (once / "figure4.svg").read_text()


def test_too_few_data_sets_are_reported_but_not_drawn(store, tmp_path):
    few = Experiment(data=("heart", "german"), methods=("RkNN", "kNN"), trials=(0,))
    running.run(store, **vars(few), n_jobs=1)
    names = {path.name for path in Outputs(tmp_path, store, few).write("table2")}
    assert "ranks.md" in names
    assert not names & {"ranks.svg", "ranks.png"}


def test_methods_that_the_paper_lacks_still_have_all_tables(store, tmp_path):
    ours = Experiment(data=("heart",), methods=("unflip",), trials=(0,))
    running.run(store, **vars(ours), n_jobs=1)
    outputs = Outputs(tmp_path, store, ours)
    for target in ("table2", "table3", "table4"):
        assert all(path.exists() for path in outputs.write(target))
    assert "| heart (0.1, 0.2) | **0." in (tmp_path / "table2.md").read_text()


def test_quick_figures_use_few_seeds_and_one_data_set(monkeypatch, store, tmp_path):
    seen = []
    monkeypatch.setattr(paper_figures, "synthetic_errors", lambda seeds: seen.append(len(seeds)) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Outputs(tmp_path, store, EXPERIMENT, quick=True).write("figure1")
    with pytest.raises(ZeroDivisionError):
        Outputs(tmp_path, store, EXPERIMENT).write("figure1")
    assert seen == [3, 20]
    monkeypatch.setattr(paper_figures, "INFLUENCE_DATA", ("heart", "german"))
    monkeypatch.setattr(paper_figures, "influence", lambda X, y, seeds: seen.append(len(seeds)) or None)
    Outputs(tmp_path, store, EXPERIMENT, quick=True).write("figure2")
    assert seen == [3, 20, 2]
    Outputs(tmp_path, store, EXPERIMENT).write("figure2")
    assert seen == [3, 20, 2, 10, 10]


def test_table_1_has_the_shapes_of_the_data_that_are_available(store, tmp_path):
    Outputs(tmp_path, store, EXPERIMENT).write("table1")
    lines = (tmp_path / "table1.md").read_text().splitlines()
    assert "| heart | 120 | 3 | 270 | 13 |" in lines
    assert any(line.startswith("| acoustic | data not available | data not available | ") for line in lines)


def test_data_that_are_refused_are_not_available(store, tmp_path):
    add_dataset("odd", lambda: (np.zeros((3, 1)), [0, 1, 2]))
    try:
        Outputs(tmp_path, store, EXPERIMENT).write("table1")
    finally:
        remove("odd")
    assert "| odd |" not in (tmp_path / "table1.md").read_text()
