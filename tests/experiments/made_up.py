"""Made-up results, in which the right answer of every cell is known."""

import numpy as np
import pandas as pd

from unflip.experiments.plan.jobs import NOISES, Experiment, plan
from unflip.experiments.runs.store import Store

EXPERIMENT = Experiment(
    data=("heart", "cancer", "acoustic"), methods=("RkNN", "NHERD", "kNN", "IR-KSVM", "LD-KSVM", "AROW")
)
LEVELS = {"RkNN": 0.9, "NHERD": 0.7, "kNN": 0.9, "IR-KSVM": 0.97, "LD-KSVM": 0.9}


def made_up_results(folder):
    """RkNN is .9, NHERD far below, kNN the same up to chance, IR-KSVM approximated and above.

    LD-KSVM has 4 of 10 runs, AROW failed, and the store also holds another data set and another protocol.
    """
    store = Store(folder / "results.sqlite")
    random = np.random.RandomState(0)
    for job in plan("paper-as-printed", ["heart"], LEVELS):
        if job.method != "LD-KSVM" or job.trial < 4:
            accuracy = LEVELS[job.method] + 0.01 * random.normal()
            store.add(job, [accuracy], 1.0, {"approximated": job.method == "IR-KSVM"})
    for job in plan("paper-as-printed", ["heart"], ["AROW"], trials=[0, 1]):
        store.add_failure(job, MemoryError("too large"), 1.0)
    store.add(plan("paper", ["heart"], ["RkNN"], trials=[0])[0], [0.1] * 4, 1.0)
    store.add(plan("paper-as-printed", ["german"], ["RkNN"], trials=[0])[0], [0.1], 1.0)
    return store.table()


def ranked(n_data=4):
    """A comparison in which RkNN is best everywhere and nine methods follow in a fixed order."""
    methods = ("RkNN", *(f"method number {i}" for i in range(9)))
    experiment = Experiment(data=tuple("abcdefghijkl"[:n_data]), methods=methods)
    rows = [
        (data, *noise, method, 0.9 - place * (50 + at) / 2500)
        for at, data in enumerate(experiment.data)
        for noise in NOISES
        for place, method in enumerate(methods)
    ]
    return pd.DataFrame(rows, columns=["data", "tau_plus", "tau_minus", "method", "mean"]), experiment
