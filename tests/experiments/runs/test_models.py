"""Comparators run and learn, and approximations and failures are stored with their results."""

import numpy as np
import pytest

from unflip.experiments.plan.jobs import plan
from unflip.experiments.runs import models


@pytest.mark.parametrize("method", models.METHODS)
def test_every_comparator_runs_and_learns_something(method, two_clouds, store):
    X, y = two_clouds
    (job,) = plan("paper-as-printed", ["made up"], [method], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    row = store.table().iloc[0]
    assert row["status"] == "done", row["error"]
    assert row["accuracy"] > 0.7
    assert row["details"] == {"approximated": False}


def test_kernel_machines_of_many_rows_are_approximated_and_say_so(two_clouds, store, monkeypatch):
    X, y = two_clouds
    monkeypatch.setattr(models, "MAX_EXACT_KERNEL_ROWS", 100)
    (job,) = plan("paper-as-printed", ["made up"], ["IR-KSVM"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    assert store.table().iloc[0]["details"] == {"approximated": True}


def test_parameters_of_many_rows_are_chosen_on_a_part_of_them_and_the_result_says_so(two_clouds, store, monkeypatch):
    X, y = two_clouds
    monkeypatch.setattr(models, "MAX_TUNING_ROWS", 100)
    seen = []
    fit = models.GridSearchCV.fit
    monkeypatch.setattr(models.GridSearchCV, "fit", lambda self, X, y: seen.append(len(X)) or fit(self, X, y))
    (job,) = plan("paper-as-printed", ["made up"], ["AROW"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, y, store)
    row = store.table().iloc[0]
    assert seen == [100]
    assert row["details"] == {"approximated": False, "tuned_on": 100}
    assert row["accuracy"] > 0.7


def test_a_comparator_that_fails_is_kept_as_a_failure(two_clouds, store):
    X, _ = two_clouds
    (job,) = plan("paper-as-printed", ["made up"], ["AROW"], noises=[(0.1, 0.2)], trials=[0])
    models.run_model_job(job, X, np.zeros(len(X), int), store)
    row = store.table().iloc[0]
    assert row["status"] == "failed"
    assert "Error" in row["error"]


def test_the_kernel_width_is_chosen_on_clean_labels_of_a_subsample(two_clouds, monkeypatch):
    X, y = two_clouds
    monkeypatch.setattr(models, "MAX_GAMMA_ROWS", 50)
    seen = []
    fit = models.GridSearchCV.fit
    monkeypatch.setattr(models.GridSearchCV, "fit", lambda self, X, y: seen.append((X, y)) or fit(self, X, y))
    training = models.Training(X, 1 - y, y, [0.2, 0.1])
    model = models.METHODS["LD-KSVM"](training)
    rows = training.subsample(50)
    assert len(set(rows)) == 50
    assert [part.tolist() for part in seen[0]] == [X[rows].tolist(), y[rows].tolist()]
    assert model.gamma in models.GAMMAS


def test_a_made_estimator_is_trained_on_noisy_and_scored_on_clean_labels(two_clouds, store):
    X, y = two_clouds
    seen = []

    class Oracle:
        def fit(self, X, y):
            seen.append(y)
            return self

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    (job,) = plan("paper", ["made up"], ["oracle"], noises=[(0.3, 0.1)], trials=[0])
    models.run_model_job(job, X, y, store, make=lambda training: Oracle())
    expected = [np.mean(y[test] == 0) for _, test in job.splits(len(X))]
    assert store.table()["accuracy"].tolist() == expected
    observed = models.make_label_noise(y, [0.1, 0.3], random_state=job.flips())
    for labels, (train, _) in zip(seen, job.splits(len(X)), strict=True):
        np.testing.assert_array_equal(labels, observed[train])
