"""The paper's experiments, run: what is stored is skipped, what comes is stored at once."""

from __future__ import annotations

from itertools import groupby

from joblib import Parallel, delayed

from unflip.datasets import load_benchmark
from unflip.experiments import model_runs, neighbor_runs
from unflip.experiments.jobs import plan
from unflip.experiments.printed import printed_table
from unflip.validation import check_choice

METHODS = ("RkNN", "unflip", "IR-KSVM", "IR-LLog", "LD-KSVM", "UE-LLog", "AROW", "NHERD", "kNN", "RkNN, true rates")
DATA = tuple(printed_table(1)["data"])
QUICK = {"data": ("heart", "cancer", "diabetes"), "trials": range(3)}


def run(store, *, protocol="paper-as-printed", data=DATA, methods=METHODS, trials=range(10), data_home=None,
        n_jobs=-1, retry=False, progress=None):  # fmt: skip
    """Run the jobs that have no result yet.

    Parameters
    ----------
    store : Store
        Where results are looked for and kept.
    protocol : {"paper", "paper-as-printed"}, default="paper-as-printed"
        Ten trials of four folds, or ten runs on a quarter of the rows each.
    data, methods : sequence of str
        Names of data sets and methods.
    trials : sequence of int, default=range(10)
        Which trials.
    data_home : str, Path or None, default=None
        The folder of data files.
    n_jobs : int, default=-1
        Cores.
    retry : bool, default=False
        Whether to run again what failed.
    progress : callable or None, default=None
        Called with the number of jobs to do, then with each job that is done.

    Returns
    -------
    missing : dict
        Data sets that could not be loaded, {name: why}.
    """
    for parameter, names, known in (("data", data, DATA), ("methods", methods, METHODS)):
        for name in names:
            check_choice("reproduce", parameter, name, known)
    todo = store.pending(plan(protocol, data, methods, trials=trials), retry=retry)
    tell = progress or (lambda _: None)
    tell(len(todo))
    missing = {}
    for name, jobs in groupby(todo, key=lambda job: job.data):
        jobs = list(jobs)
        try:
            X, y = load_benchmark(name, data_home=data_home)
        except (ValueError, OSError) as error:
            missing[name] = str(error)
            for job in jobs:
                tell(job)
            continue
        by_neighbors = [job for job in jobs if job.method in neighbor_runs.METHODS]
        if by_neighbors:
            neighbor_runs.run_neighbor_jobs(by_neighbors, X, y, store, n_jobs=n_jobs, progress=tell)
        others = [job for job in jobs if job.method in model_runs.METHODS]
        calls = (delayed(_run_model_job)(job, X, y, store) for job in others)
        for job in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(calls):
            tell(job)
    return missing


def _run_model_job(job, X, y, store):
    model_runs.run_model_job(job, X, y, store)
    return job
