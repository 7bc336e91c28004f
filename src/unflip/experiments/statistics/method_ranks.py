"""The ranks of an experiment's methods over the data sets on which all of them have results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from unflip.experiments.statistics.comparison import OURS
from unflip.experiments.statistics.ranking import average_ranks, nemenyi_critical_difference

MIN_TO_RANK = 3  # data sets and methods; fewer ranks say nothing
DECIMALS = 6  # accuracies that agree to this many decimals tie


@dataclass(frozen=True, eq=False)
class MethodRanks:
    """Mean accuracies over the noise levels, and the methods' ranks by them.

    Parameters
    ----------
    scores : DataFrame
        Mean accuracies, data sets by methods.
    excluded : list of str
        Data sets on which some method lacks a result.
    """

    scores: pd.DataFrame
    excluded: list[str]

    @property
    def enough(self) -> bool:
        """Whether there are enough data sets and methods, RkNN among them, to rank."""
        return min(self.scores.shape) >= MIN_TO_RANK and OURS in self.scores

    @property
    def methods(self) -> list[str]:
        """Names of the methods, in the order of the columns."""
        return list(self.scores)

    @property
    def values(self) -> np.ndarray:
        """The scores, rounded to DECIMALS."""
        return self.scores.to_numpy().round(DECIMALS)

    @property
    def average(self) -> np.ndarray:
        """The average rank of each method."""
        return average_ranks(self.values)

    @property
    def critical_difference(self) -> float:
        """Nemenyi's critical difference at 95 %."""
        n_data, n_methods = self.scores.shape
        return nemenyi_critical_difference(n_methods, n_data)


def method_ranks(compared: pd.DataFrame) -> MethodRanks:
    """Average each method's accuracy over the noise levels, on every data set where all methods have results.

    Parameters
    ----------
    compared : DataFrame
        As returned by `comparison`.

    Returns
    -------
    ranks : MethodRanks
        Check `enough` before ranking.
    """
    methods = list(dict.fromkeys(compared["method"]))
    data = list(dict.fromkeys(compared["data"]))
    means = compared.groupby(["data", "method"])["mean"].agg(lambda noises: noises.mean(skipna=False))
    scores = means.unstack().reindex(index=data, columns=methods).dropna()
    return MethodRanks(scores, [name for name in data if name not in scores.index])
