"""The whole way from data to files: what is stored is not run again, what is missing is said."""

import threading

import joblib
import numpy as np
import pytest

from unflip.experiments.figures import bound_figure, figure_numbers, paper_figures
from unflip.experiments.outputs import FIGURES, TABLES, Outputs
from unflip.experiments.plan import registry
from unflip.experiments.plan.jobs import RATES, Experiment
from unflip.experiments.runs import running
from unflip.experiments.runs.store import Store

pytestmark = pytest.mark.usefixtures("made_up_data")
ASKED = Experiment(data=("heart", "german", "cancer"), methods=("RkNN", "kNN", "AROW"), trials=(0, 1))


def run(store, data=ASKED.data, n_jobs=1, **options):
    told = []
    asked = vars(ASKED) | {"data": data}
    missing = running.run(store, **(asked | options), n_jobs=n_jobs, progress=told.append)
    return missing, told


def test_every_job_is_run_once_and_told_of(store):
    missing, told = run(store)
    assert missing == {}
    assert told[0] == len(told) - 1 == 3 * 3 * 3 * 2
    assert set(store.table()["status"]) == {"done"}
    missing, told = run(store)
    assert told == [0]
    _, told = run(store, protocol="paper", data=("heart",), trials=(0,))  # another protocol is another job
    assert told[0] == 3 * 3


def test_a_run_that_stops_half_way_is_gone_on_with(store, monkeypatch):
    add = Store.add
    kept = []

    def stop_after_ten(self, *arguments):
        if len(kept) == 10:
            raise KeyboardInterrupt
        kept.append(arguments[0])
        add(self, *arguments)

    monkeypatch.setattr(Store, "add", stop_after_ten)
    with pytest.raises(KeyboardInterrupt):
        run(store, data=("heart",))
    monkeypatch.setattr(Store, "add", add)
    _, told = run(store, data=("heart",))
    assert told[0] == 3 * 3 * 2 - 10
    whole = Store(store.path + ".other")
    run(whole, data=("heart",))
    assert store.table()["accuracy"].tolist() == whole.table()["accuracy"].tolist()


def test_data_that_are_not_here_are_named_and_the_rest_is_run(store):
    missing, told = run(store, data=("heart", "acoustic"))
    assert missing == {"acoustic": "acoustic is not here."}
    assert told[0] == len(told) - 1
    assert set(store.table()["data"]) == {"heart"}


def test_unknown_names_are_refused(store):
    with pytest.raises(ValueError, match="'data' must be one of"):
        running.run(store, data=["hearts"])
    with pytest.raises(ValueError, match="'methods' must be one of"):
        running.run(store, methods=["magic"])
    with pytest.raises(ValueError, match="'methods' must be one of"):
        running.run(store, methods=[RATES])  # no method
    with pytest.raises(ValueError, match="'protocol' must be one of"):
        running.run(store, protocol="mine")


def test_a_backend_of_the_caller_is_used(store):
    from sklearn.dummy import DummyClassifier

    threads = set()

    def seen(training):
        threads.add(threading.get_ident())  # in another process nobody would see this
        return DummyClassifier()

    registry.add_method("seen", seen)
    try:
        with joblib.parallel_config(backend="threading"):
            run(store, data=("heart",), methods=("seen",), n_jobs=2)
    finally:
        registry.remove("seen")
    assert threads
    assert set(store.table()["status"]) == {"done"}


@pytest.fixture
def small_figures(monkeypatch):
    """Simulations of next to nothing, on one data set that is here and one that is not."""
    influence, errors = paper_figures.influence, paper_figures.synthetic_errors
    monkeypatch.setattr(paper_figures, "FOUR", ("heart", "segment"))
    monkeypatch.setattr(
        paper_figures, "influence", lambda X, y, seeds: influence(np.tile(X, (2, 1)), np.tile(y, 2), seeds=[0])
    )
    monkeypatch.setattr(paper_figures, "NEIGHBORS", (5, 50))
    monkeypatch.setattr(figure_numbers, "NEIGHBORS", (5, 50))
    monkeypatch.setattr(paper_figures, "SIZES", (50, 100))
    monkeypatch.setattr(figure_numbers, "SIZES", (50, 100))
    monkeypatch.setattr(paper_figures, "synthetic_errors", lambda seeds: errors([0, 1], n_train=100, n_test=50))
    excess = bound_figure.simulated_excess
    monkeypatch.setattr(bound_figure, "simulated_excess", lambda: excess(sizes=(100, 200), samples=[0, 1], n_test=50))


@pytest.mark.usefixtures("small_figures")
def test_every_table_and_figure_is_written_with_its_numbers_and_the_same_bytes_again(store, tmp_path):
    run(store, with_rates=True)
    once, again = tmp_path / "once", tmp_path / "again"
    for folder, targets in ((once, (*TABLES, *FIGURES)), (again, (*TABLES, "figure4"))):
        folder.mkdir()
        outputs = Outputs(folder, store, ASKED, missing=["acoustic"])
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
