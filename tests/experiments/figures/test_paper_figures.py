"""The simulations behind the figures agree with freshly fitted classifiers, and the figures show their numbers."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product
from unflip.experiments.figures import paper_figures
from unflip.theory import SineProduct


def test_errors_as_k_grows_are_those_of_fitted_classifiers(monkeypatch):
    monkeypatch.setattr(paper_figures, "SYNTHETIC_K_VALUES", (5, 50))
    monkeypatch.setattr(paper_figures, "SIZES", (100, 300))
    errors = paper_figures.synthetic_errors(range(2), n_train=300, n_test=200)
    X, y = make_sine_product(500, random_state=0)
    labels = make_label_noise(y[:300], [0.2, 0.1], random_state=1)
    for column, k in enumerate((5, 50)):
        for method, rates in (("kNN", None), ("RkNN", "estimate")):
            model = RobustKNeighborsClassifier(k, noise_rates=rates, noise_estimator="extremes", noise_neighbors=50)
            error = 1 - model.fit(X[:300], labels).score(X[300:], y[300:])
            assert errors.by_method[method, 0.1, 0.2][1, column] == pytest.approx(error)
    single = RobustKNeighborsClassifier(1, noise_rates=None).fit(X[:100], labels[:100])
    assert errors.by_method["1-NN", 0.1, 0.2][1, 0] == pytest.approx(1 - single.score(X[300:], y[300:]))
    assert len(paper_figures.figure_1(errors).axes) == 4
    best = (SineProduct.eta(X[300:]) >= 0.5) != y[300:]
    assert errors.bayes_rule == best.mean()


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


def test_the_smallest_tenth_uses_a_quarter_of_its_rows_as_neighbors():
    random = np.random.RandomState(0)
    y = random.randint(0, 2, size=240)
    X = random.normal(size=(240, 2)) + 1.5 * y[:, None]
    found = paper_figures.influence(X, y, seeds=[3])
    order = np.random.RandomState(3).permutation(240)
    test, train = np.sort(order[:60]), np.sort(order[60:])
    labels = make_label_noise(y[train], [0.1, 0.3], random_state=1003)
    kept = np.sort(np.random.RandomState(3).permutation(180)[:18])
    model = RobustKNeighborsClassifier(4, noise_neighbors=4, noise_estimator="extremes")  # 18 // 4
    model.fit(X[train[kept]], labels[kept])
    assert model.score(X[test], y[test]) == found["size"][0.3, 0.1][0, 0]


@pytest.mark.parametrize(
    ("method", "limit"),
    [("RkNN", SineProduct.bayes_error), ("kNN", 0.30530), ("1-NN", SineProduct.one_nn_limit(0.1, 0.2))],
)
def test_exact_limits(method, limit):
    assert paper_figures.exact_limit(method, 0.1, 0.2) == pytest.approx(limit, abs=1e-5)


def test_figure_1_draws_means_with_exact_limits():
    errors = paper_figures.SyntheticErrors(
        {
            (method, *noise): np.tile([0.3, 0.5], (n, 1)).T
            for _, method, noises in paper_figures.PANELS
            for noise in noises
            for n in [5 if method == "1-NN" else 8]
        },
        0.31,
    )
    panel = paper_figures.figure_1(errors).axes[2]  # 1-NN, symmetric noise
    assert panel.get_title() == "(c) 1-NN, symmetric noise"
    curve = panel.containers[0].lines[0]
    assert curve.get_xdata().tolist() == list(paper_figures.SIZES)
    assert curve.get_ydata() == pytest.approx([0.4] * 5)
    levels = [line.get_ydata()[0] for line in panel.lines if line.get_linestyle() == ":" and len(line.get_ydata())]
    assert levels == pytest.approx([SineProduct.one_nn_limit(tau, tau) for tau in (0.1, 0.2, 0.3, 0.4)])
    labels = [text.get_text() for text in panel.get_legend().get_texts()]
    assert labels[:4] == ["(0.1, 0.1)", "(0.2, 0.2)", "(0.3, 0.3)", "(0.4, 0.4)"]  # before the lines without rates


def test_a_panel_without_data_says_so():
    figure = paper_figures.figure_of_influence({"not here": None}, "k")
    assert [text.get_text() for text in figure.axes[0].texts] == ["data not available"]
