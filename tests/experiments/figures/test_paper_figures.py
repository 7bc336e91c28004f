"""The simulations behind the figures agree with a classifier fitted anew, and the figures can be drawn."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product
from unflip.experiments.figures import figure_numbers, paper_figures
from unflip.theory import SineProduct


def test_errors_as_k_grows_are_those_of_fitted_classifiers(monkeypatch):
    monkeypatch.setattr(paper_figures, "NEIGHBORS", (5, 50))
    monkeypatch.setattr(paper_figures, "SIZES", (100, 300))
    errors = paper_figures.synthetic_errors(range(2), n_train=300, n_test=200)
    X, y = make_sine_product(500, random_state=0)
    labels = make_label_noise(y[:300], [0.2, 0.1], random_state=1)
    for column, k in enumerate((5, 50)):
        for method, rates in (("kNN", None), ("RkNN", "estimate")):
            model = RobustKNeighborsClassifier(k, noise_rates=rates, noise_estimator="extremes", noise_neighbors=50)
            error = 1 - model.fit(X[:300], labels).score(X[300:], y[300:])
            assert errors[method, 0.1, 0.2][1, column] == pytest.approx(error)
    single = RobustKNeighborsClassifier(1, noise_rates=None).fit(X[:100], labels[:100])
    assert errors["1-NN", 0.1, 0.2][1, 0] == pytest.approx(1 - single.score(X[300:], y[300:]))
    assert len(paper_figures.figure_1(errors).axes) == 4
    best = (SineProduct.eta(X[300:]) >= 0.5) != y[300:]
    assert errors["best rule"] == best.mean()


def test_influence_is_that_of_fitted_classifiers():
    random = np.random.RandomState(0)
    y = random.randint(0, 2, size=400)
    X = random.normal(size=(400, 2)) + 1.5 * y[:, None]
    found = paper_figures.influence(X, y, seeds=[3])
    order = np.random.RandomState(3).permutation(400)
    test, train = np.sort(order[:100]), np.sort(order[100:])
    labels = make_label_noise(y[train], [0.1, 0.3], random_state=1003)
    for k, noise_k, value in (
        (20, 50, found["k"][0.3, 0.1][0, 3]),
        (50, 30, found["noise_k"][0.3, 0.1][0, 5]),
        (50, 50, found["size"][0.3, 0.1][0, 9]),
    ):
        model = RobustKNeighborsClassifier(k, noise_neighbors=noise_k, noise_estimator="extremes")
        assert model.fit(X[train], labels).score(X[test], y[test]) == value
    for which in ("k", "noise_k", "size"):
        assert len(paper_figures.figure_of_influence({"made up": found, "not here": None}, which).axes) == 2
    numbers = figure_numbers.numbers_of_influence({"made up": found, "not here": None}, "noise_k")
    row = numbers[(numbers["tau_plus"] == 0.3) & (numbers["at"] == 30)].iloc[0]
    assert row["accuracy"] == found["noise_k"][0.3, 0.1][0, 5]


def test_the_numbers_of_figure_1_hold_both_limits():
    errors = {("kNN", *noise): np.full((2, 8), 0.4) for noise in (*paper_figures.ASYMMETRIC, *paper_figures.SYMMETRIC)}
    errors |= {("RkNN", *noise): np.full((2, 8), 0.4) for noise in paper_figures.ASYMMETRIC}
    errors |= {("1-NN", *noise): np.full((2, 5), 0.4) for noise in paper_figures.SYMMETRIC} | {"best rule": 0.3}
    numbers = figure_numbers.numbers_of_figure_1(errors)
    assert len(numbers) == 2 * 8 + 4 * 8 + 4 * 5 + 2 * 8
    by_panel = numbers.drop_duplicates("panel").set_index("panel")
    limits = by_panel[["limit", "limit_in_paper_low", "limit_in_paper_high"]].to_numpy()
    assert limits[0] == pytest.approx((0.30530, 0.29736, 0.29736 + 0.12554), abs=1e-5)  # kNN at (.1, .2)
    assert limits[1] == pytest.approx([0.29736] * 3, abs=1e-5)  # kNN at (.1, .1)
    assert limits[2] == pytest.approx((0.4, 0.1 + 0.8 * 0.29736, 0.1 + 1.6 * 0.29736), abs=1e-5)  # 1-NN at (.1, .1)
    assert limits[3] == pytest.approx([0.29736] * 3, abs=1e-5)  # RkNN
