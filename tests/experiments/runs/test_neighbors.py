"""Runs off one graph equal a classifier fitted on each split; all methods run, and failures are kept as such."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.experiments.plan.jobs import plan
from unflip.experiments.runs import models, neighbors
from unflip.experiments.runs.store import Store

MODELS = {
    "kNN": RobustKNeighborsClassifier(noise_rates=None, selection="noisy_accuracy", random_state=0),
    "RkNN": RobustKNeighborsClassifier(
        noise_estimator="extremes", selection="noisy_accuracy", decision="algorithm_1", random_state=0
    ),
    "unflip": RobustKNeighborsClassifier(),
    "RkNN, true rates": RobustKNeighborsClassifier(noise_rates=[0.1, 0.3]),
}


@pytest.fixture
def data():
    random = np.random.RandomState(0)
    y = random.randint(0, 2, size=260)
    return np.round(random.normal(size=(260, 3)) + 1.2 * y[:, None], 1), y


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


def test_runs_off_one_graph_equal_a_fit_on_every_split(data, store):
    X, y = data
    jobs = plan("paper", ["made up"], neighbors.METHODS, noises=[(0.3, 0.1)], trials=[0, 1])
    seen = []
    neighbors.run_neighbor_jobs(jobs, X, y, store, n_jobs=2, progress=seen.append)
    assert sorted(seen) == sorted(jobs)
    table = store.table()
    assert set(table["status"]) == {"done"}
    for job in jobs:
        noisy = make_label_noise(y, [0.1, 0.3], random_state=job.flips())
        expected = [MODELS[job.method].fit(X[a], noisy[a]).score(X[b], y[b]) for a, b in job.splits(len(X))]
        found = table[(table["method"] == job.method) & (table["trial"] == job.trial)]
        assert found["accuracy"].tolist() == expected, job


def test_a_failure_is_kept_and_the_rest_goes_on(data, store, monkeypatch):
    X, y = data
    jobs = plan("paper-as-printed", ["made up"], ["kNN"], trials=[0])
    learn = neighbors.learn
    calls = []

    def fail_once(*arguments):
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("once")
        return learn(*arguments)

    monkeypatch.setattr(neighbors, "learn", fail_once)
    neighbors.run_neighbor_jobs(jobs, X, y, store)
    assert sorted(store.table()["status"]) == ["done", "done", "failed"]


@pytest.mark.parametrize("method", models.METHODS)
def test_every_comparator_runs_and_learns_something(method, data, store):
    X, y = data
    (job,) = plan("paper-as-printed", ["made up"], [method], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    row = store.table().iloc[0]
    assert row["status"] == "done", row["error"]
    assert row["accuracy"] > 0.7
    assert row["details"] == {"approximated": False}


def test_kernel_machines_of_many_rows_are_approximated_and_say_so(data, store, monkeypatch):
    X, y = data
    monkeypatch.setattr(models, "MOST_ROWS_OF_EXACT_KERNEL", 100)
    (job,) = plan("paper-as-printed", ["made up"], ["IR-KSVM"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    assert store.table().iloc[0]["details"] == {"approximated": True}


def test_parameters_of_many_rows_are_chosen_on_a_part_of_them_and_the_result_says_so(data, store, monkeypatch):
    X, y = data
    monkeypatch.setattr(models, "MOST_ROWS_OF_TUNING", 100)
    seen = []
    fit = models.GridSearchCV.fit
    monkeypatch.setattr(models.GridSearchCV, "fit", lambda self, X, y: seen.append(len(X)) or fit(self, X, y))
    (job,) = plan("paper-as-printed", ["made up"], ["AROW"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    row = store.table().iloc[0]
    assert seen == [100]
    assert row["details"] == {"approximated": False, "tuned_on": 100}
    assert row["accuracy"] > 0.7


def test_a_comparator_that_fails_is_kept_as_a_failure(data, store):
    X, _ = data
    (job,) = plan("paper-as-printed", ["made up"], ["AROW"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, np.zeros(len(X), int), store)
    row = store.table().iloc[0]
    assert row["status"] == "failed"
    assert "Error" in row["error"]
