"""Runs off one graph equal a classifier fitted on each split, and failures are stored."""

import numpy as np

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.experiments.plan.jobs import RATE_ESTIMATES, plan
from unflip.experiments.runs import neighbors
from unflip.neighbors import ExactIndex, SubsetIndex
from unflip.noise_rates import Extremes

MODELS = {
    "kNN": RobustKNeighborsClassifier(noise_rates=None, selection="noisy_accuracy", random_state=0),
    "RkNN": RobustKNeighborsClassifier(
        noise_estimator="extremes", selection="noisy_accuracy", decision="algorithm_1", random_state=0
    ),
    "RkNN, posterior": RobustKNeighborsClassifier(),
    "RkNN, true rates": RobustKNeighborsClassifier(noise_rates=[0.1, 0.3]),
}


def test_runs_off_one_graph_equal_a_fit_on_every_split(two_clouds, store):
    X, y = two_clouds
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


def test_a_failure_is_kept_and_the_rest_goes_on(two_clouds, store, monkeypatch):
    X, y = two_clouds
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


def test_rates_at_each_noise_k_are_those_of_the_training_rows(store):
    random = np.random.RandomState(0)
    y = random.randint(0, 2, size=200)
    X = random.normal(size=(200, 2)) + y[:, None]
    (job,) = plan("paper-as-printed", ["made up"], [RATE_ESTIMATES], noises=[(0.3, 0.1)], trials=[0])
    neighbors.run_neighbor_jobs([job], X, y, store)
    details = store.table()["details"].iloc[0]
    train, _ = next(job.splits(200))
    labels = make_label_noise(y, [0.1, 0.3], random_state=job.flips())[train]
    matrix = Extremes(25).estimate(ExactIndex().fit(X[train]).graph(25), labels)
    at = details["noise_k"][0].index(25)
    assert (details["tau_plus"][0][at], details["tau_minus"][0][at]) == (matrix[1, 0], matrix[0, 1])
    assert store.table()["accuracy"].isna().all()


def test_a_cached_index_answers_like_the_one_behind_it(two_clouds):
    X, _ = two_clouds
    index = ExactIndex().fit(X)
    subset = SubsetIndex(index.graph(50), index, np.arange(0, 260, 2))
    cached = neighbors._CachedIndex(subset)
    assert cached.n_rows == 130
    for n_neighbors in (5, 20, 10):
        np.testing.assert_array_equal(cached.graph(n_neighbors).indices, subset.graph(n_neighbors).indices)
    some = np.array([3, 1])
    np.testing.assert_array_equal(cached.graph(4, some).indices, subset.graph(4, some).indices)
    keep = np.arange(130) < 60
    np.testing.assert_array_equal(cached.among(some, keep, 4).indices, subset.among(some, keep, 4).indices)
