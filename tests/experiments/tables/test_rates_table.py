"""Table 4 and its distance from the printed one, from made-up estimates and from real ones."""

import numpy as np
import pandas as pd
import pytest

from unflip.experiments.plan.jobs import RATE_ESTIMATES, Experiment, plan
from unflip.experiments.plan.printed import printed_table
from unflip.experiments.runs.neighbors import run_neighbor_jobs
from unflip.experiments.runs.store import Store
from unflip.experiments.tables.rates_table import (
    beside_printed,
    distance_by_noise_k,
    rates_of_runs,
    summary_of_rates,
    table_4,
)

EXPERIMENT = Experiment(data=("heart", "cancer", "acoustic"), methods=("RkNN", "RkNN, posterior"), trials=(0, 1))
PRINTED = printed_table(4).set_index(["data", "tau_plus", "tau_minus"])


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """RkNN chooses k' = 30 and estimates .02 too much; at k' = 25 the rates are the printed ones, at 50 off by .1."""
    store = Store(tmp_path_factory.mktemp("made up") / "results.sqlite")
    for job in plan("paper-as-printed", ["heart"], ["RkNN", RATE_ESTIMATES], trials=[0, 1]):
        plus, minus = PRINTED.loc[("heart", job.tau_plus, job.tau_minus)]
        if job.method == RATE_ESTIMATES:
            rates = {"noise_k": [[25, 50]], "tau_plus": [[plus, plus + 0.1]], "tau_minus": [[minus, minus + 0.1]]}
            store.add(job, [None], 1.0, rates)
        elif (job.tau_plus, job.trial) != (0.4, 1):
            wobble = 0.01 if job.trial else -0.01
            rates = {"noise_k": [30], "tau_plus": [plus + 0.02 + wobble], "tau_minus": [minus + 0.02]}
            store.add(job, [0.8], 1.0, rates)
    return store.table()


def test_noise_rates_stand_beside_the_printed(results):
    table = table_4(results, EXPERIMENT, missing=["acoustic"])
    row = table.rows["heart (0.1, 0.2)"]
    assert row["tau_plus, RkNN"].mean == pytest.approx(0.05 + 0.02)
    assert row["tau_plus, RkNN"].spread == pytest.approx(0.01 * np.sqrt(2))
    assert row["tau_plus, printed"].mean == 0.05
    assert row["tau_minus, printed"].mean == 0.143
    assert table.rows["heart (0.4, 0.4)"]["tau_plus, RkNN"].note == "1 of 2 runs"
    assert len(table.rows) == 20 * 3


def test_gaps_say_why(results):
    rows = table_4(results, EXPERIMENT, missing=["acoustic"]).rows
    assert rows["heart (0.1, 0.2)"]["tau_plus, RkNN, posterior"].instead == "not run"
    assert rows["acoustic (0.1, 0.2)"]["tau_plus, RkNN"].instead == "data not available"
    assert rows["german (0.1, 0.2)"]["tau_plus, RkNN"].instead == "not requested"


def test_a_failure_is_said_before_missing_data(results):
    failed = (
        results[results["method"] == "RkNN"].head(1).assign(data="acoustic", status="failed", method="RkNN, posterior")
    )
    rows = table_4(pd.concat([results, failed]), EXPERIMENT, missing=["acoustic"]).rows
    assert rows["acoustic (0.1, 0.2)"]["tau_plus, RkNN, posterior"].instead == "failed"
    assert rows["acoustic (0.3, 0.1)"]["tau_plus, RkNN, posterior"].instead == "data not available"


def test_added_data_have_rows_without_printed_rates(results):
    mine = Experiment(data=("mine",), methods=("RkNN",))
    row = table_4(results, mine).rows["mine (0.1, 0.2)"]
    assert row["tau_plus, printed"].instead == "not printed"
    assert "RkNN, posterior" not in table_4(results, mine).caption


def test_the_distance_is_the_mean_over_cells_and_both_rates(results):
    chosen = rates_of_runs(results, EXPERIMENT, "RkNN")
    assert beside_printed(chosen).loc[("heart", 0.1, 0.2), "distance"] == pytest.approx(0.02)
    by_k = distance_by_noise_k(rates_of_runs(results, EXPERIMENT, RATE_ESTIMATES)).set_index("noise_k")
    assert by_k["distance"].to_dict() == pytest.approx({25: 0, 50: 0.1})
    assert by_k["cells"].tolist() == [3, 3]


def test_the_summary_names_the_nearest_noise_k_and_the_runs_near_it(results):
    text = summary_of_rates(results, EXPERIMENT)
    assert "A fixed k' of 25 comes closest" in text
    assert "| the same, only runs with k' within 10 of 25 | 3 | 0.0183 |" in text  # (.02 + .02 + .015) / 3
    assert "Nothing to compare" in summary_of_rates(results, Experiment(data=("german",), methods=("RkNN",)))


def test_the_printed_rates_are_those_of_about_25_neighbors(benchmark_data, store):
    """On a data set with almost no Bayes error, where the estimates depend on k' alone."""
    from unflip.datasets import load_benchmark

    experiment = Experiment(data=("segment",), methods=("RkNN",), trials=(0, 1, 2))
    run_neighbor_jobs(
        experiment.jobs([RATE_ESTIMATES])[9:], *load_benchmark("segment", data_home=benchmark_data), store
    )
    by_k = distance_by_noise_k(rates_of_runs(store.table(), experiment, RATE_ESTIMATES)).set_index("noise_k")[
        "distance"
    ]
    assert by_k.idxmin() in (20, 25, 30)
    assert by_k.min() < 0.02
    assert by_k[100] > 0.1
