"""The whole way from data to tables: what is stored is not run again, what is missing is said."""

import numpy as np
import pytest

from unflip.datasets import DatasetMissing
from unflip.experiments import outputs, reproduce
from unflip.experiments.store import Store

DATA = ("heart", "german", "cancer")


@pytest.fixture(autouse=True)
def made_up_data(monkeypatch):
    """Small data under the names of three data sets; all others are not here."""

    def load(name, **_):
        if name not in DATA:
            raise DatasetMissing(f"{name} is not here.")
        random = np.random.RandomState(len(name))
        y = random.randint(0, 2, size=120)
        return random.normal(size=(120, 3)) + 1.5 * y[:, None], y

    monkeypatch.setattr(reproduce, "load_benchmark", load)
    monkeypatch.setattr(outputs, "load_benchmark", load)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


def run(store, data=DATA, **options):
    told = []
    missing = reproduce.run(
        store, data=data, methods=("RkNN", "kNN", "AROW"), trials=range(2), n_jobs=1, progress=told.append, **options
    )
    return missing, told


def test_every_job_is_run_once_and_told_of(store):
    missing, told = run(store)
    assert missing == {}
    assert told[0] == len(told) - 1 == 3 * 3 * 3 * 2
    assert set(store.table()["status"]) == {"done"}
    missing, told = run(store)
    assert told == [0]
    _, told = run(store, protocol="paper")  # another protocol is another job
    assert told[0] == 3 * 3 * 3 * 2


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
        run(store)
    monkeypatch.setattr(Store, "add", add)
    _, told = run(store)
    assert told[0] == 3 * 3 * 3 * 2 - 10
    whole = Store(store.path + ".other")
    run(whole)
    assert store.table()["accuracy"].tolist() == whole.table()["accuracy"].tolist()


def test_data_that_are_not_here_are_named_and_the_rest_is_run(store):
    missing, told = run(store, data=("heart", "acoustic"))
    assert missing == {"acoustic": "acoustic is not here."}
    assert told[0] == len(told) - 1
    assert set(store.table()["data"]) == {"heart"}


def test_unknown_names_are_refused(store):
    with pytest.raises(ValueError, match="'data' must be one of"):
        reproduce.run(store, data=["hearts"])
    with pytest.raises(ValueError, match="'methods' must be one of"):
        reproduce.run(store, methods=["magic"])


def test_tables_are_written_in_every_form(store, tmp_path):
    run(store)
    for name in outputs.TABLES:
        for path in outputs.write_table(name, store, "paper-as-printed", tmp_path):
            assert path.stat().st_size > 0
    assert "data not available" in (tmp_path / "table2.md").read_text()
    assert (tmp_path / "ranks.svg").read_text().startswith("<?xml")
    assert "Friedman" in (tmp_path / "ranks.md").read_text()
    assert not list(tmp_path.glob("*.part*"))
