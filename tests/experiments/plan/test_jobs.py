"""Jobs are the same wherever they are made, and a plan has every combination."""

import numpy as np
import pandas as pd
import pytest

from unflip.experiments.plan.jobs import NOISES, RATE_ESTIMATES, Experiment, Job, plan

JOB = Job("paper", "heart", "RkNN", 0.1, 0.2, 3)


def test_the_key_of_a_job_never_changes():
    """Stored results are found by it."""
    assert JOB.key == "protocol=paper|data=heart|method=RkNN|tau_plus=0.1|tau_minus=0.2|trial=3"
    assert RATE_ESTIMATES == "extremes at each k'"


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


def test_splits_and_flips_are_the_same_on_every_machine():
    assert next(JOB.splits(20))[1].tolist() == [6, 7, 11, 13, 14]
    assert JOB.flips().randint(1000, size=3).tolist() == [8, 573, 434]


def test_a_plan_keeps_the_jobs_of_a_data_set_together():
    jobs = plan("paper", ["b", "a"], ["x", "y"], trials=range(2))
    assert len(jobs) == 2 * 2 * 3 * 2
    assert [job.data for job in jobs] == ["b"] * 12 + ["a"] * 12
    assert len({job.key for job in jobs}) == len(jobs)


def test_a_plan_may_be_made_of_generators():
    jobs = plan("paper", iter(["a", "b"]), iter(["x"]), iter(NOISES), iter([0, 1]))
    assert jobs == plan("paper", ["a", "b"], ["x"], NOISES, [0, 1])


def test_the_jobs_of_an_experiment_include_extra_methods():
    experiment = Experiment(data=("heart",), methods=("kNN",), trials=(0,))
    assert [job.method for job in experiment.jobs([RATE_ESTIMATES])] == ["kNN"] * 3 + [RATE_ESTIMATES] * 3
    assert experiment.jobs() == plan("paper-as-printed", ["heart"], ["kNN"], trials=[0])


@pytest.mark.parametrize(
    ("protocol", "trials", "runs", "words"),
    [
        ("paper", 10, 40, "10 trials of four-fold cross-validation, 40 runs"),
        ("paper", 1, 4, "1 trial of four-fold cross-validation, 4 runs"),
        ("paper-as-printed", 10, 10, "10 runs, each tested on a random quarter of the rows"),
        ("paper-as-printed", 1, 1, "1 run, each tested on a random quarter of the rows"),
    ],
)
def test_an_experiment_counts_its_runs_and_describes_them(protocol, trials, runs, words):
    experiment = Experiment(protocol, trials=tuple(range(trials)))
    assert experiment.runs == runs
    assert experiment.description.startswith(words)


def test_an_experiment_selects_its_own_results():
    rows = [("paper", "heart", 0), ("paper", "heart", 1), ("paper", "german", 0), ("paper-as-printed", "heart", 0)]
    results = pd.DataFrame(rows, columns=["protocol", "data", "trial"])
    assert Experiment("paper", data=("heart",), trials=(0, 2)).of(results).index.tolist() == [0]
    assert Experiment("paper", data=("heart", "german")).of(results).index.tolist() == [0, 1, 2]
