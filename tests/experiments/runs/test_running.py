"""Stored jobs are not run again, interrupted runs resume, and missing data sets are named."""

import threading

import joblib
import numpy as np
import pytest

from unflip import UnflipError
from unflip.experiments.plan import registry
from unflip.experiments.plan.jobs import RATE_ESTIMATES, Experiment
from unflip.experiments.runs import running
from unflip.experiments.runs.store import Store

pytestmark = pytest.mark.usefixtures("made_up_data")
EXPERIMENT = Experiment(data=("heart", "german", "cancer"), methods=("RkNN", "kNN", "AROW"), trials=(0, 1))


def run(store, data=EXPERIMENT.data, n_jobs=1, **options):
    reported = []
    options = vars(EXPERIMENT) | {"data": data} | options
    missing = running.run(store, **options, n_jobs=n_jobs, progress=reported.append)
    return missing, reported


def test_every_job_is_run_once_and_reported(store):
    missing, reported = run(store)
    assert missing == {}
    assert reported[0] == len(reported) - 1 == 3 * 3 * 3 * 2
    assert set(store.table()["status"]) == {"done"}
    missing, reported = run(store)
    assert reported == [0]
    _, reported = run(store, protocol="paper", data=("heart",), trials=(0,))  # another protocol is another job
    assert reported[0] == 3 * 3


def test_an_interrupted_run_resumes(store, monkeypatch):
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
    _, reported = run(store, data=("heart",))
    assert reported[0] == 3 * 3 * 2 - 10
    whole = Store(store.path + ".other")
    run(whole, data=("heart",))
    assert store.table()["accuracy"].tolist() == whole.table()["accuracy"].tolist()


def test_data_that_are_not_here_are_named_and_the_rest_is_run(store):
    missing, reported = run(store, data=("heart", "acoustic"))
    assert missing == {"acoustic": "acoustic is not here."}
    assert reported[0] == len(reported) - 1
    assert set(store.table()["data"]) == {"heart"}


def test_unknown_names_are_refused(store):
    with pytest.raises(UnflipError, match="'data' must be one of"):
        running.run(store, data=["hearts"])
    with pytest.raises(UnflipError, match="'methods' must be one of"):
        running.run(store, methods=["magic"])
    with pytest.raises(UnflipError, match="'methods' must be one of"):
        running.run(store, methods=[RATE_ESTIMATES])  # not a method
    with pytest.raises(UnflipError, match="'protocol' must be one of"):
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


def test_failed_jobs_are_run_again_on_request_only(store):
    job = EXPERIMENT.jobs()[0]
    store.add_failure(job, MemoryError("too large"), 1.0)
    _, reported = run(store, data=("heart",), methods=("RkNN",))
    assert reported[0] == 3 * 2 - 1
    _, reported = run(store, data=("heart",), methods=("RkNN",), retry=True)
    assert reported == [1, job]
    assert set(store.table()["status"]) == {"done"}


def test_rates_are_estimated_on_request(store):
    _, reported = run(store, data=("heart",), methods=("kNN",), trials=(0,), with_rates=True)
    assert [job.method for job in reported[1:]].count(RATE_ESTIMATES) == 3
    assert set(store.table()["method"]) == {"kNN", RATE_ESTIMATES}


@pytest.mark.parametrize("n_jobs", [0, 1.5, None, True])
def test_a_number_of_jobs_that_is_none_is_refused(store, n_jobs):
    with pytest.raises(UnflipError, match="reproduce: 'n_jobs' must be an integer other than 0"):
        running.run(store, n_jobs=n_jobs)


class Unsendable(Exception):
    def __init__(self, one, two):
        super().__init__(one)

    def __str__(self):
        raise TypeError


@pytest.fixture
def added():
    """Add data sets and methods for one test."""
    names = []

    def add(**functions):
        for name, function in functions.items():
            (registry.add_dataset if name.startswith("data") else registry.add_method)(name, function)
            names.append(name)

    yield add
    for name in names:
        registry.remove(name)


def raising(error):
    def function(*_):
        raise error

    return function


ERRORS = [KeyError("x"), ZeroDivisionError(), SystemExit(3), MemoryError(), RecursionError("deep"), Unsendable(1, 2)]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_whatever_a_method_or_data_set_raises_is_stored_and_the_run_goes_on(store, added, error):
    added(data_bad=raising(error), bad=raising(error))
    missing, reported = run(store, data=("data_bad", "heart"), methods=("bad", "kNN", "AROW"), trials=(0,))
    assert missing == {}
    assert reported[0] == len(reported) - 1 == 2 * 3 * 3
    table = store.table()
    failed = table[table["status"] == "failed"]
    assert sorted(set(zip(failed["data"], failed["method"], strict=True))) == [
        ("data_bad", "AROW"), ("data_bad", "bad"), ("data_bad", "kNN"), ("heart", "bad"),
    ]  # fmt: skip
    assert all(text.startswith(f"{type(error).__name__}: ") for text in failed["error"])
    assert len(table) - len(failed) == 2 * 3


@pytest.mark.parametrize("n_rows", [0, 1, 2, 3, 5, 9])
def test_data_of_few_rows_fail_or_are_run(store, added, n_rows):
    added(data_small=lambda: (np.arange(2.0 * n_rows).reshape(n_rows, 2), np.arange(n_rows) % 2))
    _, reported = run(store, data=("data_small", "heart"), trials=(0,), with_rates=True)
    assert reported[0] == len(reported) - 1
    table = store.table()
    assert len(table) == reported[0]
    assert set(table.loc[table["data"] == "heart", "status"]) == {"done"}


@pytest.mark.parametrize("answer", [lambda X: 0, lambda X: np.zeros((len(X), 1)), lambda X: [0], lambda X: None])
def test_predictions_of_another_shape_are_a_failure(store, added, answer):
    class Model:
        def fit(self, X, y):
            return self

        def predict(self, X):
            return answer(X)

    added(odd=lambda training: Model())
    run(store, data=("heart",), methods=("odd",), trials=(0,))
    assert store.table()["error"].str.contains("predict must return 30 labels, got an array of shape").all()


def test_a_method_that_cannot_be_sent_to_workers_is_run_here(store, added):
    from sklearn.dummy import DummyClassifier

    lock = threading.Lock()

    def locked(training):
        with lock:
            return DummyClassifier()

    added(locked=locked)
    _, reported = run(store, data=("heart",), methods=("AROW", "locked"), trials=(0,), n_jobs=2)
    assert len(reported) == 1 + 2 * 3
    assert set(store.table()["status"]) == {"done"}
