"""What is to be run: a job is one method on one data set at one noise, in all the splits of one trial."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256

import numpy as np

NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4))  # the paper's, as (tau_plus, tau_minus)
N_TRIALS = 10
RATES = "extremes at each k'"  # no method: what RkNN would estimate at every k' that it chooses from
N_FOLDS = 4
PROTOCOLS = {
    "paper": N_FOLDS,  # as described: ten trials of four folds, 40 runs
    "paper-as-printed": 1,  # as the printed means say: ten runs, each tested on a quarter of the rows
}


@dataclass(frozen=True, order=True)
class Job:
    """One method on one data set at one noise in one trial."""

    protocol: str
    data: str
    method: str
    tau_plus: float
    tau_minus: float
    trial: int

    @property
    def key(self):
        """The same text for the same job, to find its result by."""
        return "|".join(f"{name}={value}" for name, value in asdict(self).items())

    def splits(self, n_rows):
        """Yield the training and the test rows of each run, both ascending.

        They depend on the data set and the trial, not on method or noise, so that methods are compared in pairs.
        """
        folds = np.empty(n_rows, dtype=np.intp)
        folds[_generator("split", self.data, self.trial).permutation(n_rows)] = np.arange(n_rows) % N_FOLDS
        for fold in range(PROTOCOLS[self.protocol]):
            yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)

    def flips(self):
        """Return the generator of flips: the same for all methods, another one for each noise and trial."""
        return _generator("flips", self.data, self.tau_plus, self.tau_minus, self.trial)


def _generator(*words):
    """Return a generator seeded by what it is for, the same on every machine and in every run."""
    digest = sha256("|".join(map(str, words)).encode()).digest()
    return np.random.RandomState(int.from_bytes(digest[:4], "little"))


@dataclass(frozen=True)
class Experiment:
    """What is asked for, and so what every table has a place for.

    Parameters
    ----------
    protocol : {"paper-as-printed", "paper"}, default="paper-as-printed"
        Ten runs on a quarter of the rows each, or ten trials of four folds.
    data, methods : tuple of str
        Names.
    trials : tuple of int, default=(0, ..., 9)
        Which trials.
    """

    protocol: str = "paper-as-printed"
    data: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    trials: tuple[int, ...] = tuple(range(N_TRIALS))

    @property
    def runs(self):
        """How many accuracies each cell of a table is to be the mean of."""
        return len(self.trials) * PROTOCOLS[self.protocol]

    @property
    def in_words(self):
        """The protocol, for a caption."""
        many = len(self.trials)
        if self.protocol == "paper":
            return f"{many} trial{'s' * (many > 1)} of four-fold cross-validation, {self.runs} runs"
        return f"{many} run{'s' * (many > 1)}, each tested on a random quarter of the rows and trained on the others"

    def jobs(self, extra_methods=()):
        """Return all jobs, those of one data set together."""
        return plan(self.protocol, self.data, (*self.methods, *extra_methods), trials=self.trials)

    def of(self, results):
        """Return the rows of a table of results that belong to this experiment, whatever else was stored."""
        asked = (results["protocol"] == self.protocol) & results["trial"].isin(self.trials)
        return results[asked & results["data"].isin(self.data)]


def plan(protocol, data, methods, noises=NOISES, trials=range(N_TRIALS)):
    """Return the jobs of an experiment, those of one data set together.

    >>> len(plan("paper", ["heart", "german"], ["RkNN", "kNN"]))
    120
    """
    return [
        Job(protocol, name, method, tau_plus, tau_minus, trial)
        for name in data
        for method in methods
        for tau_plus, tau_minus in noises
        for trial in trials
    ]
