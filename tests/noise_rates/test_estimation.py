"""estimate_noise_rates and the NoiseRates it returns, as users meet them."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from unflip import NoiseRates, RobustKNeighborsClassifier, estimate_noise_rates, make_label_noise
from unflip.neighbors import ExactIndex
from unflip.noise_rates import ESTIMATORS, Bayes


def problem(n_classes=2, n=800, distance=4.0, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 2)) + distance * np.column_stack([np.cos(2 * np.pi * y / n_classes), y % 2])
    return X, y


X, Y = problem()
NOISY = make_label_noise(np.array(["ham", "spam"])[Y], {"ham": 0.05, "spam": 0.3}, random_state=0)


def test_the_result_says_what_was_asked_and_found():
    found = estimate_noise_rates(X, NOISY)
    assert isinstance(found, NoiseRates)
    assert found.classes.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(found.rates, [0.05, 0.3], atol=0.05)
    np.testing.assert_allclose(found.rates, 1 - np.diag(found.transition_matrix))
    assert found.interval.shape == (2, 2)
    assert (found.interval[:, 0] <= found.rates).all()
    assert (found.rates <= found.interval[:, 1]).all()
    assert found.class_prior == pytest.approx([0.5, 0.5], abs=0.05)
    assert found.share_wrong == pytest.approx(np.mean(np.array(["ham", "spam"])[Y] != NOISY), abs=0.03)
    assert (found.method, found.identifiable, found.notes) == ("auto", True, ())
    assert set(found.alternatives) == set(ESTIMATORS) - {"bayes"}


def test_the_classifier_estimates_the_same():
    found = estimate_noise_rates(X, NOISY)
    model = RobustKNeighborsClassifier(noise_neighbors=50).fit(X, NOISY)
    np.testing.assert_allclose(model.transition_matrix_, found.transition_matrix)


@pytest.mark.parametrize(
    "given", [pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame(X, schema=["a", "b"]), sparse.csr_array(X), X.tolist()]
)
def test_rows_of_any_kind(given):
    found = estimate_noise_rates(given, NOISY)
    np.testing.assert_allclose(found.rates, estimate_noise_rates(X, NOISY).rates)


@pytest.mark.parametrize(
    ("method", "n_classes"), [*((name, 2) for name in ESTIMATORS), ("bayes", 4), ("extremes", 4), ("confident", 4)]
)
def test_every_method_has_an_interval_that_holds_its_estimate(method, n_classes):
    rows, y = problem(n_classes, n=400)
    labels = make_label_noise(y, 0.2, random_state=0)
    found = estimate_noise_rates(rows, labels, noise_estimator=method, random_state=0)
    assert found.method == method
    assert method not in found.alternatives
    assert (found.interval[:, 0] <= found.rates).all()
    assert (found.rates <= found.interval[:, 1]).all()
    again = estimate_noise_rates(rows, labels, noise_estimator=method, random_state=0)
    np.testing.assert_array_equal(found.interval, again.interval)


def test_it_says_when_the_rates_cannot_be_told():
    rows, y = problem(distance=0.3)
    found = estimate_noise_rates(rows, make_label_noise(y, 0.2, random_state=0))
    assert not found.identifiable
    assert any("is pure nowhere" in note for note in found.notes)
    rows, y = problem(n=4000)
    found = estimate_noise_rates(rows, make_label_noise(y, 0.42, random_state=0))
    assert any("little can be learned" in note for note in found.notes)


def test_it_prints_a_line_for_each_class_and_every_note():
    text = str(estimate_noise_rates(X, NOISY))
    assert text.startswith("About ")
    assert len([line for line in text.split("\n") if line.startswith("  ")]) == 3
    rows, y = problem(3)
    text = str(estimate_noise_rates(rows, make_label_noise(y, 0.2, random_state=0)))
    assert "mostly to" in text
    rows, y = problem(distance=0.3)
    assert "Note: " in str(estimate_noise_rates(rows, y))


def test_the_dict_is_json_and_holds_everything():
    found = estimate_noise_rates(X, NOISY)
    again = json.loads(json.dumps(found.to_dict()))
    assert set(again) == {*NoiseRates.__dataclass_fields__, "share_wrong"}
    assert again["rates"] == found.rates.tolist()


def test_the_plot_shows_the_classes_the_interval_and_the_others():
    import matplotlib

    matplotlib.use("Agg")
    found = estimate_noise_rates(X, NOISY)
    axes = found.plot()
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["ham", "spam"]
    labels = axes.get_legend_handles_labels()[1]
    assert labels == [*found.alternatives, "auto, 90% interval"]
    assert found.plot(ax=axes) is axes
    matplotlib.pyplot.close("all")


def test_without_matplotlib_plotting_says_what_to_install():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import numpy as np; from unflip import estimate_noise_rates\n"
        "estimate_noise_rates(np.arange(40.0)[:, None], np.arange(40) // 20).plot()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = done.stderr.strip().split("\n")[-1]
    assert last.endswith(
        "NoiseRates.plot needs 'matplotlib', which is not installed. Install it with: pip install 'unflip[plot]'"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"noise_estimator": "magic"}, "'noise_estimator' must be one of"),
        ({"confidence": 1}, "'confidence' must be a number between 0 and 1, got 1"),
        ({"n_neighbors": 0}, "'n_neighbors' must be"),
        ({"y": np.zeros(800)}, "'y' must be labels of two classes or more"),
        ({"y": NOISY[:5]}, "inconsistent numbers of samples"),
        ({"y": np.random.RandomState(0).random_sample(800)}, "Unknown label type"),
    ],
)
def test_bad_input_is_refused(changes, words):
    arguments = {"X": X, "y": NOISY} | changes
    with pytest.raises(ValueError, match=words):
        estimate_noise_rates(arguments.pop("X"), arguments.pop("y"), **arguments)


def test_other_methods_have_intervals_of_their_own_scatter():
    believed = estimate_noise_rates(X, NOISY)
    drawn = estimate_noise_rates(X, NOISY, noise_estimator="extremes", random_state=0)
    np.testing.assert_allclose(drawn.interval.mean(axis=1), drawn.rates, atol=0.05)  # about their own estimate
    assert not np.allclose(drawn.interval, believed.interval)


def test_a_rate_drawn_to_the_others_stays_within_its_interval():
    outside = 0
    for seed in range(6):
        rows, y = problem(5, n=600, distance=3.0, seed=seed)
        labels = make_label_noise(y, [0, 0.1, 0.2, 0.3, 0.4], random_state=seed)
        found = estimate_noise_rates(rows, labels, confidence=0.3)
        assert (found.interval[:, 0] <= found.rates).all()
        assert (found.rates <= found.interval[:, 1]).all()
        graph = ExactIndex().fit(rows).graph(50)
        own = np.array(Bayes.intervals(Bayes().estimate_with_posteriors(graph, labels)[1], 0.3))
        outside += ((found.rates < own[:, 0]) | (found.rates > own[:, 1])).sum()
    assert outside > 0  # without widening there would be some


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_tiny_data(n_classes):
    random = np.random.RandomState(0)
    for n in range(n_classes, 16):
        found = estimate_noise_rates(random.normal(size=(n, 2)), np.arange(n) % n_classes)
        assert ((found.rates >= 0) & (found.rates < 1)).all()
        assert (found.interval[:, 0] <= found.interval[:, 1]).all()


@pytest.mark.parametrize("method", ESTIMATORS)
def test_rates_that_cannot_be_undone_leave_the_prior_as_observed(method):
    rows = np.random.RandomState(0).normal(size=(8, 2))
    found = estimate_noise_rates(rows, np.arange(8) % 2, noise_estimator=method, random_state=0)
    assert np.isfinite(found.class_prior).all()
    assert found.class_prior.sum() == pytest.approx(1)
    assert not found.identifiable


@pytest.mark.speed
def test_twenty_thousand_rows_take_a_second_or_two():
    from time import perf_counter

    rows, y = problem(n=20_000)
    labels = make_label_noise(y, [0.1, 0.3], random_state=0)
    estimate_noise_rates(rows, labels)
    start = perf_counter()
    estimate_noise_rates(rows, labels)
    assert perf_counter() - start < 5
