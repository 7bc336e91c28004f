"""Jobs are the same wherever they are made, and their results outlive the process that made them."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from unflip.experiments.plan.jobs import Job, plan
from unflip.experiments.runs.store import Store

JOB = Job("paper", "heart", "RkNN", 0.1, 0.2, 3)


def test_the_splits_are_four_parts_of_all_rows_the_same_for_all_methods_and_noises():
    splits = list(JOB.splits(103))
    assert len(splits) == 4
    tests = np.concatenate([test for _, test in splits])
    assert np.sort(tests).tolist() == list(range(103))
    for train, test in splits:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(103))
        assert np.array_equal(train, np.sort(train))
        assert len(test) in (25, 26)
    other = Job("paper", "heart", "kNN", 0.4, 0.4, 3)
    for (train, _), (again, _) in zip(splits, other.splits(103), strict=True):
        assert np.array_equal(train, again)
    assert not np.array_equal(splits[0][1], next(Job("paper", "heart", "RkNN", 0.1, 0.2, 4).splits(103))[1])


def test_the_printed_protocol_has_one_run_a_trial():
    printed = Job("paper-as-printed", "heart", "RkNN", 0.1, 0.2, 3)
    assert len(list(printed.splits(100))) == 1
    np.testing.assert_array_equal(next(printed.splits(100))[1], next(JOB.splits(100))[1])


def test_flips_depend_on_the_noise_and_the_trial_alone():
    draw = JOB.flips().random_sample()
    assert draw == Job("paper", "heart", "kNN", 0.1, 0.2, 3).flips().random_sample()
    assert draw != Job("paper", "heart", "RkNN", 0.1, 0.2, 4).flips().random_sample()
    assert draw != Job("paper", "heart", "RkNN", 0.3, 0.1, 3).flips().random_sample()


def test_a_plan_keeps_the_jobs_of_a_data_set_together():
    jobs = plan("paper", ["b", "a"], ["x", "y"], trials=range(2))
    assert len(jobs) == 2 * 2 * 3 * 2
    assert [job.data for job in jobs] == ["b"] * 12 + ["a"] * 12
    assert len({job.key for job in jobs}) == len(jobs)


def test_results_are_kept_and_not_run_again(tmp_path):
    store = Store(tmp_path / "results.sqlite")
    other, third = (Job("paper", "heart", "RkNN", 0.1, 0.2, trial) for trial in (4, 5))
    store.add(JOB, [0.5, 0.75], 1.5, {"k": [5, 10]})
    store.add_failure(other, ValueError("no luck"), 0.1)
    again = Store(tmp_path / "results.sqlite")
    assert again.pending([JOB, other, third]) == [third]
    assert again.pending([JOB, other, third], retry=True) == [other, third]
    table = again.table()
    assert table.loc[table["status"] == "done", "accuracy"].tolist() == [0.5, 0.75]
    assert table.loc[table["status"] == "done", "fold"].tolist() == [0, 1]
    assert table.loc[table["status"] == "failed", "error"].tolist() == ["ValueError: no luck"]
    again.add(other, [0.25, 0.5], 1.0)
    assert again.pending([JOB, other]) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_writer_loses_nothing_that_was_kept(tmp_path):
    path = tmp_path / "results.sqlite"
    program = (
        "import sys\n"
        "from unflip.experiments.plan.jobs import Job\nfrom unflip.experiments.runs.store import Store\n"
        f"store = Store({str(path)!r})\n"
        "for trial in range(10**6):\n"
        "    store.add(Job('paper', 'heart', 'RkNN', 0.1, 0.2, trial), [0.5], 0.0)\n"
        "    print(trial, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    acknowledged = [int(process.stdout.readline()) for _ in range(5)][-1]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.05)
    trials = Store(path).table()["trial"].tolist()
    assert set(range(acknowledged + 1)) <= set(trials)
