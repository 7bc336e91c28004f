"""Jobs: each runs one method on one data set at one noise level, over all splits of one trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256

import numpy as np
import pandas as pd

NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4))  # the paper's, as (tau_plus, tau_minus)
N_TRIALS = 10
RATE_ESTIMATES = "extremes at each k'"  # not a method: RkNN's rate estimates at every candidate k'
N_FOLDS = 4
PROTOCOLS = {
    "paper": N_FOLDS,  # as described: ten trials of four folds, 40 runs
    "paper-as-printed": 1,  # as the printed means imply: ten runs, each tested on a quarter of the rows
}


@dataclass(frozen=True, order=True)
class Job:
    """One method on one data set at one noise level in one trial.

    Parameters
    ----------
    protocol : {"paper-as-printed", "paper"}
        How many folds a trial has, see PROTOCOLS.
    data : str
        Name of the data set.
    method : str
        Name of the method, or RATE_ESTIMATES.
    tau_plus : float
        Flip rate of positive labels.
    tau_minus : float
        Flip rate of negative labels.
    trial : int
        Number of the trial, from 0.
    """

    protocol: str
    data: str
    method: str
    tau_plus: float
    tau_minus: float
    trial: int

    @property
    def key(self) -> str:
        """The key of this job in the store."""
        return "|".join(f"{name}={value}" for name, value in asdict(self).items())

    def splits(self, n_rows: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training and test rows of each run, both ascending.

        They depend only on the data set and the trial, so that methods are compared in pairs.

        Parameters
        ----------
        n_rows : int
            Number of rows of the data set.

        Yields
        ------
        train : ndarray of int
            Training rows.
        test : ndarray of int
            Test rows.
        """
        folds = np.empty(n_rows, dtype=np.intp)
        folds[_generator("split", self.data, self.trial).permutation(n_rows)] = np.arange(n_rows) % N_FOLDS
        for fold in range(PROTOCOLS[self.protocol]):
            yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)

    def flips(self) -> np.random.RandomState:
        """Return the generator of label flips: shared by all methods, different for each noise level and trial.

        Returns
        -------
        generator : RandomState
            Freshly seeded.
        """
        return _generator("flips", self.data, self.tau_plus, self.tau_minus, self.trial)


def _generator(*words: object) -> np.random.RandomState:
    """Return a generator seeded by its purpose, the same on every machine."""
    digest = sha256("|".join(map(str, words)).encode()).digest()
    return np.random.RandomState(int.from_bytes(digest[:4], "little"))


@dataclass(frozen=True)
class Experiment:
    """The scope of an experiment; its tables have a cell for everything in it.

    Parameters
    ----------
    protocol : {"paper-as-printed", "paper"}, default="paper-as-printed"
        Ten runs, each tested on a quarter of the rows, or ten trials of four folds.
    data : tuple of str, default=()
        Names of data sets.
    methods : tuple of str, default=()
        Names of methods.
    trials : tuple of int, default=(0, ..., 9)
        Numbers of the trials.
    """

    protocol: str = "paper-as-printed"
    data: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    trials: tuple[int, ...] = tuple(range(N_TRIALS))

    @property
    def runs(self) -> int:
        """Number of runs that each cell of a table averages."""
        return len(self.trials) * PROTOCOLS[self.protocol]

    @property
    def description(self) -> str:
        """The protocol in words, for captions."""
        n_trials = len(self.trials)
        plural = "s" if n_trials > 1 else ""
        if self.protocol == "paper":
            return f"{n_trials} trial{plural} of four-fold cross-validation, {self.runs} runs"
        return f"{n_trials} run{plural}, each tested on a random quarter of the rows and trained on the others"

    def jobs(self, extra_methods: Iterable[str] = ()) -> list[Job]:
        """Return all jobs, grouped by data set.

        Parameters
        ----------
        extra_methods : iterable of str, default=()
            Methods to run in addition, such as RATE_ESTIMATES.

        Returns
        -------
        jobs : list of Job
            In the order of `plan`.
        """
        return plan(self.protocol, self.data, (*self.methods, *extra_methods), trials=self.trials)

    def of(self, results: pd.DataFrame) -> pd.DataFrame:
        """Select the results that belong to this experiment.

        Parameters
        ----------
        results : DataFrame
            As returned by `Store.table`; may hold other protocols, trials and data sets.

        Returns
        -------
        selected : DataFrame
            The rows of this protocol, these trials and these data sets.
        """
        selected = (results["protocol"] == self.protocol) & results["trial"].isin(self.trials)
        return results[selected & results["data"].isin(self.data)]


def plan(
    protocol: str,
    data: Iterable[str],
    methods: Iterable[str],
    noises: Iterable[tuple[float, float]] = NOISES,
    trials: Iterable[int] = range(N_TRIALS),
) -> list[Job]:
    """Return the jobs of an experiment, grouped by data set.

    Parameters
    ----------
    protocol : {"paper-as-printed", "paper"}
        See PROTOCOLS.
    data : iterable of str
        Names of data sets.
    methods : iterable of str
        Names of methods.
    noises : iterable of tuple, default=NOISES
        Pairs (tau_plus, tau_minus).
    trials : iterable of int, default=range(10)
        Numbers of the trials.

    Returns
    -------
    jobs : list of Job
        Every combination.

    Examples
    --------
    >>> len(plan("paper", ["heart", "german"], ["RkNN", "kNN"]))
    120
    """
    methods, noises, trials = tuple(methods), tuple(noises), tuple(trials)
    return [
        Job(protocol, name, method, tau_plus, tau_minus, trial)
        for name in data
        for method in methods
        for tau_plus, tau_minus in noises
        for trial in trials
    ]
