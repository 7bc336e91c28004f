"""Searches in this process, on joblib's workers and on a Dask cluster: the same bits everywhere."""

import os
import signal
import threading

import numpy as np
import pandas as pd
import pytest

from neighbors.sharding import assert_same, digest
from unflip import RobustKNeighborsClassifier
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex
from unflip.neighbors.shards import ArrayShards, ParquetShards, ShardedIndex
from unflip.neighbors.shards.executors import InThisProcess, OnDask, OnJoblib, check_executor, is_cluster, make_executor

distributed = pytest.importorskip("distributed")

# Dask's own code warns of what it does at shutdown.
pytestmark = pytest.mark.filterwarnings("default")


def rows_of(name):
    random = np.random.RandomState(0)
    return random.normal(size=(4000, 8)) if name == "continuous" else random.randint(0, 2, (4000, 8)).astype(float)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("shards")
    for name in ("continuous", "ties"):
        for n_shards in (1, 3, 8):
            for number, part in enumerate(np.array_split(rows_of(name), n_shards)):
                np.save(place / f"{name}-{n_shards}-{number}.npy", part)
    return place


@pytest.fixture(scope="module", params=[2, 4])
def client(request):
    with (
        distributed.LocalCluster(n_workers=request.param, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


@pytest.mark.parametrize("n_shards", [1, 3, 8])
@pytest.mark.parametrize("name", ["continuous", "ties"])
def test_a_cluster_gives_the_bits_of_one_process(client, folder, name, n_shards):
    shards = ArrayShards(folder / f"{name}-{n_shards}-*.npy")
    told = []
    with reporting(told.append):
        found = ShardedIndex(executor=client).fit(shards).graph(30)
    assert digest(found) == digest(ExactIndex().fit(rows_of(name)).graph(30))
    assert told[-1] == 1


def test_a_worker_that_is_killed_does_not_change_the_answer(folder):
    X = rows_of("ties")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        index = ShardedIndex(executor=client).fit(ArrayShards(folder / "ties-8-*.npy"))
        victim = next(iter(client.run(os.getpid).values()))
        killed = threading.Event()

        def kill(share):
            if share > 0 and not killed.is_set():
                killed.set()
                os.kill(victim, signal.SIGKILL)

        with reporting(kill):
            found = index.graph(30)
        assert digest(found) == digest(ExactIndex().fit(X).graph(30))
        assert killed.is_set()


def test_rows_in_memory_are_sent_to_a_cluster_and_a_classifier_learns_there(client):
    X = rows_of("continuous")[:1200]
    y = (X[:, 0] > 0).astype(int)
    there = RobustKNeighborsClassifier(executor=client).fit(X, y)
    here = RobustKNeighborsClassifier().fit(X, y)
    assert there.noise_rates_.tolist() == here.noise_rates_.tolist()
    assert there.predict_proba(X[:50]).tolist() == here.predict_proba(X[:50]).tolist()


def test_a_cluster_is_found_by_its_address(client, folder):
    shards = ArrayShards(folder / "ties-3-*.npy")
    index = ShardedIndex(executor=client.scheduler_info()["address"]).fit(shards)
    try:
        assert_same(index.graph(5), ShardedIndex().fit(shards).graph(5))
    finally:
        index._where.close()


def test_an_address_where_nobody_answers_is_refused(monkeypatch):
    monkeypatch.setattr("unflip.neighbors.shards.executors.CONNECT_SECONDS", 0.2)
    with pytest.raises(ValueError, match="'executor' must be the address of a Dask scheduler that answers"):
        ShardedIndex(executor="tcp://127.0.0.1:9").fit(ArrayShards(np.ones((3, 1))))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_joblib_gives_the_same_bits(folder, n_jobs, metric):
    index = ShardedIndex(metric, n_jobs=n_jobs, executor="joblib").fit(ArrayShards(folder / "ties-3-*.npy"))
    whole = ExactIndex(metric).fit(rows_of("ties"))
    assert_same(index.graph(9), whole.graph(9))
    keep = np.arange(4000) % 3 == 0
    rows = np.array([3, 9, 333])
    assert_same(index.among(rows, keep, 9), whole.among(rows, keep, 9))


def test_a_worker_does_not_mistake_one_search_for_another(tmp_path):
    X = rows_of("continuous")[:400]
    pd.DataFrame(X, columns=list("abcdefgh")).to_parquet(tmp_path / "rows.parquet", index=False)
    for columns in (["a", "b"], ["c", "d"]):  # the same file, read in two ways
        shards = ParquetShards(tmp_path / "rows.parquet", columns=columns)
        found = ShardedIndex(n_jobs=1, executor="joblib").fit(shards).graph(5)
        assert_same(found, ExactIndex().fit(shards[:]).graph(5))


def test_executors_are_told_apart():
    assert isinstance(make_executor(None, None), InThisProcess)
    assert isinstance(make_executor("joblib", 2), OnJoblib)
    assert isinstance(make_executor(object(), None), OnDask)
    assert is_cluster("tcp://localhost:8786")
    assert not is_cluster("joblib")
    for wrong in ("dask", 5, object()):
        with pytest.raises(ValueError, match="me: 'executor' must be None, \"joblib\", a dask"):
            check_executor("me", wrong)
