"""The numbers behind the figures are those that are drawn, with the exact and the stated limits."""

import numpy as np
import pytest

from unflip.experiments.figures import paper_figures
from unflip.experiments.figures.figure_numbers import numbers_of_figure_1, numbers_of_influence, stated_limits
from unflip.experiments.plan.jobs import NOISES
from unflip.theory import SineProduct


def test_the_numbers_of_figure_1_hold_both_limits():
    by_method = {
        ("kNN", *noise): np.full((2, 8), 0.4) for noise in (*paper_figures.ASYMMETRIC, *paper_figures.SYMMETRIC)
    }
    by_method |= {("RkNN", *noise): np.full((2, 8), 0.4) for noise in paper_figures.ASYMMETRIC}
    by_method |= {("1-NN", *noise): np.full((2, 5), 0.4) for noise in paper_figures.SYMMETRIC}
    numbers = numbers_of_figure_1(paper_figures.SyntheticErrors(by_method, 0.3))
    assert len(numbers) == 2 * 8 + 4 * 8 + 4 * 5 + 2 * 8
    by_panel = numbers.drop_duplicates("panel").set_index("panel")
    limits = by_panel[["limit", "limit_in_paper_low", "limit_in_paper_high"]].to_numpy()
    assert limits[0] == pytest.approx((0.30530, 0.29736, 0.29736 + 0.12554), abs=1e-5)  # kNN at (.1, .2)
    assert limits[1] == pytest.approx([0.29736] * 3, abs=1e-5)  # kNN at (.1, .1)
    assert limits[2] == pytest.approx((0.4, 0.1 + 0.8 * 0.29736, 0.1 + 1.6 * 0.29736), abs=1e-5)  # 1-NN at (.1, .1)
    assert limits[3] == pytest.approx([0.29736] * 3, abs=1e-5)  # RkNN
    assert set(numbers["best_rule_on_test_rows"]) == {0.3}
    assert numbers["best_possible"].unique() == pytest.approx([0.29736], abs=1e-5)


def test_means_and_deviations_are_over_seeds():
    by_method = {
        (method, *noise): np.array([[0.2] * n, [0.4] * n])
        for _, method, noises in paper_figures.PANELS
        for noise in noises
        for n in [5 if method == "1-NN" else 8]
    }
    numbers = numbers_of_figure_1(paper_figures.SyntheticErrors(by_method, 0.3))
    assert numbers["error"].to_numpy() == pytest.approx(0.3)
    assert numbers["std"].to_numpy() == pytest.approx(0.1)
    assert set(numbers["seeds"]) == {2}
    single = numbers[numbers["method"] == "1-NN"]
    assert single["at"].tolist() == list(paper_figures.SIZES) * 4
    assert set(single["varied"]) == {"training rows"}


@pytest.mark.parametrize("tau", [0.1, 0.2, 0.3, 0.4])
def test_the_stated_limits_enclose_the_exact_ones(tau):
    for method, rates in (("kNN", (tau, 0.2)), ("RkNN", (tau, 0.2)), ("1-NN", (tau, tau))):
        low, high = stated_limits(method, *rates)
        assert low - 1e-9 <= paper_figures.exact_limit(method, *rates) <= high + 1e-9
    assert stated_limits("kNN", tau, tau) == pytest.approx((SineProduct.bayes_error, SineProduct.bayes_error))


@pytest.mark.parametrize(("which", "n_points"), [("k", 20), ("noise_k", 20), ("size", 10)])
def test_influence_has_a_row_for_every_point(which, n_points):
    random = np.random.RandomState(0)
    accuracies = {which: {noise: random.random_sample((3, n_points)) for noise in NOISES}}
    numbers = numbers_of_influence({"made up": accuracies, "not here": None}, which)
    assert len(numbers) == 3 * n_points
    assert set(numbers["data"]) == {"made up"}
    at = numbers["at"].unique()[5]
    assert at == (0.6 if which == "size" else 30)
    row = numbers[(numbers["tau_plus"] == 0.3) & (numbers["at"] == at)].iloc[0]
    assert row["accuracy"] == accuracies[which][0.3, 0.1][:, 5].mean()
    assert row["std"] == accuracies[which][0.3, 0.1][:, 5].std()
    assert row["splits"] == 3
