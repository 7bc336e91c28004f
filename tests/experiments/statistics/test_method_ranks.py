"""Methods are ranked over the data sets on which all of them have results."""

import numpy as np
import pytest

from experiments.made_up import ranked
from unflip.experiments.statistics.method_ranks import method_ranks


def test_methods_in_a_fixed_order_have_whole_ranks():
    compared, experiment = ranked()
    ranks = method_ranks(compared)
    assert ranks.enough
    assert ranks.methods == list(experiment.methods)
    assert ranks.average.tolist() == list(range(1, 11))
    assert ranks.critical_difference == pytest.approx(3.164 * np.sqrt(10 * 11 / 24), abs=0.01)  # Demsar's Table 5


def test_scores_are_means_over_noises():
    compared, _ = ranked()
    chosen = (compared["data"] == "b") & (compared["method"] == "RkNN")
    compared.loc[chosen, "mean"] = [0.7, 0.8, 0.6]
    assert method_ranks(compared).scores.loc["b", "RkNN"] == pytest.approx(0.7)


def test_data_sets_with_a_gap_are_excluded_and_named():
    compared, _ = ranked()
    compared.loc[5, "mean"] = None  # one noise of one method
    ranks = method_ranks(compared)
    assert list(ranks.scores.index) == ["b", "c", "d"]
    assert ranks.excluded == ["a"]


def test_scores_that_differ_by_rounding_tie():
    compared, experiment = ranked()
    compared.loc[compared["method"] == experiment.methods[1], "mean"] = 0.9 + 1e-9  # RkNN has 0.9
    assert method_ranks(compared).average.tolist() == [1.5, 1.5, *range(3, 11)]


def test_three_data_sets_and_three_methods_with_ours_are_enough():
    compared, experiment = ranked()
    few = compared[compared["method"].isin(experiment.methods[:3])]
    assert method_ranks(few[few["data"] != "a"]).enough
    assert not method_ranks(few[few["data"].isin(["a", "b"])]).enough
    assert not method_ranks(few[few["method"] != experiment.methods[2]]).enough
    assert not method_ranks(compared[compared["method"] != "RkNN"]).enough
