"""The paper's experiments, run: what is stored is skipped, what comes is stored at once."""

from __future__ import annotations

from itertools import groupby

from joblib import Parallel, delayed

from unflip.experiments.plan.jobs import N_TRIALS, PROTOCOLS, RATES, Experiment
from unflip.experiments.plan.registry import DATA, METHODS, added_maker, known_data, known_methods, load_data
from unflip.experiments.runs import neighbors
from unflip.experiments.runs.models import run_model_job
from unflip.foundation.checks import check_choice

QUICK_DATA, QUICK_TRIALS = ("heart", "cancer", "diabetes"), tuple(range(3))


def run(store, *, protocol="paper-as-printed", data=DATA, methods=METHODS, trials=range(N_TRIALS), with_rates=False,
        data_home=None, n_jobs=-1, retry=False, progress=None):  # fmt: skip
    """Run the jobs that have no result yet.

    Parameters
    ----------
    store : Store
        Where results are looked for and kept.
    protocol : {"paper", "paper-as-printed"}, default="paper-as-printed"
        Ten trials of four folds, or ten runs on a quarter of the rows each.
    data, methods : sequence of str
        Names of data sets and methods: the paper's, if none are given, or also added ones.
    trials : sequence of int, default=range(10)
        Which trials.
    with_rates : bool, default=False
        Whether to estimate the noise rates at every k' besides, to stand beside the paper's Table 4.
    data_home : str, Path or None, default=None
        The folder of data files.
    n_jobs : int, default=-1
        Cores. A backend that was set by ``joblib.parallel_config`` is used.
    retry : bool, default=False
        Whether to run again what failed.
    progress : callable or None, default=None
        Called with the number of jobs to do, then with each job that is done.

    Returns
    -------
    missing : dict
        Data sets that could not be loaded, {name: why}.
    """
    experiment = Experiment(protocol, tuple(data), tuple(methods), tuple(trials))
    check_names(experiment)
    extra = (RATES,) if with_rates else ()
    todo = store.pending(experiment.jobs(extra), retry=retry)
    tell = progress or (lambda _: None)
    tell(len(todo))
    missing = {}
    for name, jobs in groupby(todo, key=lambda job: job.data):
        jobs = list(jobs)
        try:
            X, y = load_data(name, data_home=data_home)
        except (ValueError, OSError) as error:
            missing[name] = str(error)
            for job in jobs:
                tell(job)
            continue
        _run_jobs_of_one_data_set(jobs, X, y, store, n_jobs, tell)
    return missing


def check_names(experiment):
    """Refuse an experiment of unknown names, before anything is run."""
    check_choice("reproduce", "protocol", experiment.protocol, PROTOCOLS)
    for parameter, names, known in (
        ("data", experiment.data, known_data()),
        ("methods", experiment.methods, known_methods()),
    ):
        for name in names:
            check_choice("reproduce", parameter, name, known)


def _run_jobs_of_one_data_set(jobs, X, y, store, n_jobs, tell):
    by_neighbors = [job for job in jobs if job.method in (*neighbors.METHODS, RATES)]
    if by_neighbors:
        neighbors.run_neighbor_jobs(by_neighbors, X, y, store, n_jobs=n_jobs, progress=tell)
    others = [job for job in jobs if job not in by_neighbors]
    calls = (delayed(_run_model_job)(job, X, y, store, added_maker(job.method)) for job in others)
    for job in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(calls):
        tell(job)


def _run_model_job(job, X, y, store, make):
    run_model_job(job, X, y, store, make)
    return job
