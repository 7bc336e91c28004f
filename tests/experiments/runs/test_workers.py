"""Workers end with their parent, and what cannot be sent to them is known before."""

import os
import subprocess
import sys
import threading

import joblib
import pytest
from joblib import delayed

from unflip import UnflipError
from unflip.experiments.runs.workers import can_be_sent, in_workers


def test_results_arrive_from_workers():
    found = set(in_workers((delayed(os.getpid)() for _ in range(20)), n_jobs=2))
    assert os.getpid() not in found
    assert set(in_workers((delayed(os.getpid)() for _ in range(3)), n_jobs=1)) == {os.getpid()}
    with joblib.parallel_config(backend="threading"):
        assert set(in_workers((delayed(os.getpid)() for _ in range(3)), n_jobs=2)) == {os.getpid()}


@pytest.mark.filterwarnings("default")  # Dask warns of what it does at shutdown
def test_jobs_run_on_a_dask_cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        found = set(in_workers((delayed(os.getpid)() for _ in range(6)), n_jobs=2))
    assert os.getpid() not in found


def test_a_worker_that_dies_is_one_sentence():
    with pytest.raises(UnflipError, match="a worker process was killed, perhaps for lack of memory; finished jobs are"):
        list(in_workers((delayed(os._exit)(3) for _ in range(4)), n_jobs=2))


def test_functions_of_scripts_can_be_sent_and_what_holds_a_lock_cannot():
    lock = threading.Lock()
    assert can_be_sent(None)
    assert can_be_sent(lambda training: training)
    assert not can_be_sent(lambda training: lock)


def test_a_process_ends_when_its_parent_is_another_one():
    program = (
        "from unflip.experiments.runs.workers import end_with_parent as end, time; end({}); time.sleep({}); print(1)"
    )
    for parent, seconds, said in ((0, 30, ""), (os.getpid(), 1, "1\n")):
        command = [sys.executable, "-c", program.format(parent, seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=25)
        assert done.stdout == said
