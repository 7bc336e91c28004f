"""Running an experiment: stored jobs are skipped, and new results are stored at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from os import PathLike
from typing import Any

import numpy as np
from joblib import delayed

from unflip.experiments.plan.jobs import N_TRIALS, PROTOCOLS, RATE_ESTIMATES, Experiment, Job
from unflip.experiments.plan.registry import DATA, METHODS, added_maker, known_data, known_methods, load_data
from unflip.experiments.runs import neighbors
from unflip.experiments.runs.models import run_model_job
from unflip.experiments.runs.store import Store
from unflip.experiments.runs.workers import can_be_sent, in_workers
from unflip.foundation.checks import check_choice, is_integer
from unflip.foundation.errors import refusal

QUICK_DATA, QUICK_TRIALS = ("heart", "cancer", "diabetes"), tuple(range(3))


def run(
    store: Store,
    *,
    protocol: str = "paper-as-printed",
    data: Iterable[str] = DATA,
    methods: Iterable[str] = METHODS,
    trials: Iterable[int] = range(N_TRIALS),
    with_rates: bool = False,
    data_home: str | PathLike[str] | None = None,
    n_jobs: int = -1,
    retry: bool = False,
    progress: Callable[[Any], object] | None = None,
) -> dict[str, str]:
    """Run the jobs that have no result yet.

    Parameters
    ----------
    store : Store
        Holds earlier results and receives new ones.
    protocol : {"paper-as-printed", "paper"}, default="paper-as-printed"
        Ten runs, each tested on a quarter of the rows, or ten trials of four folds.
    data : iterable of str, default=DATA
        Names of data sets: the paper's, or added ones. If an added one cannot be loaded, its jobs fail.
    methods : iterable of str, default=METHODS
        Names of methods: the paper's, or added ones.
    trials : iterable of int, default=range(10)
        Numbers of the trials.
    with_rates : bool, default=False
        Whether to also estimate the noise rates at every k', for comparison with the paper's Table 4.
    data_home : str, Path or None, default=None
        Folder of data files.
    n_jobs : int, default=-1
        Number of cores. A backend set by ``joblib.parallel_config`` is respected.
    retry : bool, default=False
        Whether to run failed jobs again.
    progress : callable or None, default=None
        Called with the number of jobs to run, then with each finished job.

    Returns
    -------
    missing : dict of str to str
        The paper's data sets that could not be loaded, and why.
    """
    experiment = Experiment(protocol, tuple(data), tuple(methods), tuple(trials))
    check_names(experiment)
    if not is_integer(n_jobs) or n_jobs == 0:
        raise refusal("reproduce", "n_jobs", "an integer other than 0", n_jobs)
    extra = (RATE_ESTIMATES,) if with_rates else ()
    pending = store.pending(experiment.jobs(extra), retry=retry)
    report = progress or (lambda _: None)
    report(len(pending))
    missing = {}
    for name, group in groupby(pending, key=lambda job: job.data):
        jobs = list(group)
        try:
            X, y = load_data(name, data_home=data_home)
        except (Exception, SystemExit) as error:  # whatever a function of the user raises is a result
            if name not in DATA:
                store.add_failures(jobs, error)
            elif isinstance(error, ValueError | OSError):
                missing[name] = str(error)
            else:
                raise
            for job in jobs:
                report(job)
        else:
            _run_jobs_of_one_data_set(jobs, X, y, store, n_jobs, report)
    return missing


def check_names(experiment: Experiment) -> None:
    """Refuse an experiment with an unknown protocol, data set or method.

    Parameters
    ----------
    experiment : Experiment
        The experiment to check before anything runs.
    """
    check_choice("reproduce", "protocol", experiment.protocol, PROTOCOLS)
    for name in experiment.data:
        check_choice("reproduce", "data", name, known_data())
    for name in experiment.methods:
        check_choice("reproduce", "methods", name, known_methods())


def _run_jobs_of_one_data_set(
    jobs: list[Job], X: np.ndarray, y: np.ndarray, store: Store, n_jobs: int, report: Callable[[Any], object]
) -> None:
    neighbor_jobs = [job for job in jobs if job.method in (*neighbors.METHODS, RATE_ESTIMATES)]
    if neighbor_jobs:
        neighbors.run_neighbor_jobs(neighbor_jobs, X, y, store, n_jobs=n_jobs, progress=report)
    model_jobs = [job for job in jobs if job not in neighbor_jobs]
    kept_here = {method for method in {job.method for job in model_jobs} if not can_be_sent(added_maker(method))}
    calls = [(job, X, y, store, added_maker(job.method)) for job in model_jobs]
    sent = (delayed(_run_model_job)(*call) for call in calls if call[0].method not in kept_here)
    for job in in_workers(sent, n_jobs=n_jobs):
        report(job)
    for call in calls:
        if call[0].method in kept_here:
            report(_run_model_job(*call))


def _run_model_job(job: Job, X: np.ndarray, y: np.ndarray, store: Store, make: Callable[[Any], Any] | None) -> Job:
    run_model_job(job, X, y, store, make)
    return job
