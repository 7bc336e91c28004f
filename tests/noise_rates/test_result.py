"""The rates as a value: printed, plotted, and made by one factory."""

import json
import subprocess
import sys

import numpy as np
import pytest

from unflip import NoiseRates, estimate_noise_rates, make_label_noise
from unflip.neighbors import ExactIndex
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import ESTIMATORS, Bayes
from unflip.noise_rates.result import make_noise_rates


def problem(n_classes=2, n=800, distance=4.0, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 2)) + distance * np.column_stack([np.cos(2 * np.pi * y / n_classes), y % 2])
    return X, y


X, Y = problem()


NOISY = make_label_noise(np.array(["ham", "spam"])[Y], {"ham": 0.05, "spam": 0.3}, random_state=0)


def test_it_prints_a_line_for_each_class_and_every_note():
    text = str(estimate_noise_rates(X, NOISY, noise_estimator="bayes"))
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
    assert set(again) == {*NoiseRates.__dataclass_fields__, "share_wrong", "share_interval"} - {"wrong"}
    assert (again["share_wrong"], *again["share_interval"]) == found.wrong
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


def test_a_rate_drawn_to_the_others_stays_within_its_interval():
    outside = 0
    for seed in range(6):
        rows, y = problem(5, n=600, distance=3.0, seed=seed)
        labels = make_label_noise(y, [0, 0.1, 0.2, 0.3, 0.4], random_state=seed)
        found = estimate_noise_rates(rows, labels, noise_estimator="bayes", confidence=0.3)
        assert (found.interval[:, 0] <= found.rates).all()
        assert (found.rates <= found.interval[:, 1]).all()
        graph = ExactIndex().fit(rows).graph(50)
        own = np.array(Bayes.intervals(Bayes().estimate_with_posteriors(graph, labels)[1], 0.3))
        outside += ((found.rates < own[:, 0]) | (found.rates > own[:, 1])).sum()
    assert outside > 0  # without widening there would be some


def made(notes=(), wrong=None):
    noise = NoiseModel.of([0.1, 0.3], ["ham", "spam"])
    intervals, labels = np.array([[0.05, 0.2], [0.25, 0.35]]), np.array([0] * 600 + [1] * 400)
    return make_noise_rates(noise, labels, intervals, noise_estimator="x", confidence=0.9, notes=notes, wrong=wrong)


def test_the_share_is_that_of_the_rates_unless_an_estimator_says_its_own():
    # 600 = 900 / 1000 of 500 + 300 / 1000 of 500: half of the true labels are ham.
    assert made().class_prior == pytest.approx([0.5, 0.5])
    assert made().share_wrong == pytest.approx(0.2)
    assert made().share_interval == pytest.approx((0.15, 0.275))
    own = made(wrong=(0.18, 0.1, 0.2))
    assert (own.share_wrong, own.share_interval) == (0.18, (0.1, 0.2))


def test_the_headline_is_a_number_where_the_data_determine_it_and_else_a_range():
    wrong = (0.18, 0.021, 0.2)
    assert made(wrong=wrong).headline == "About 18% (2.1% to 20%) of 1,000 labels are wrong."
    assert made(["Nobody knows."], wrong).headline == "Between 2.1% and 20% of 1,000 labels are wrong."
    assert str(made(["Nobody knows."], wrong)).startswith("Between 2.1% and 20%")
    assert str(made(["Nobody knows."], wrong)).endswith("Note: Nobody knows.")


@pytest.mark.parametrize("method", ESTIMATORS)
def test_rates_that_cannot_be_undone_leave_the_prior_as_observed(method):
    rows = np.random.RandomState(0).normal(size=(8, 2))
    found = estimate_noise_rates(rows, np.arange(8) % 2, noise_estimator=method, random_state=0)
    assert np.isfinite(found.class_prior).all()
    assert found.class_prior.sum() == pytest.approx(1)
    assert not found.identifiable
