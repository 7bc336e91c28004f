"""The paper's tables from results that are made up, where every cell is known."""

import numpy as np
import pytest

from unflip.experiments.jobs import plan
from unflip.experiments.paper_tables import comparison, table_1, table_2, table_2_difference, table_3, table_4
from unflip.experiments.printed import printed_table
from unflip.experiments.reproduce import DATA, METHODS
from unflip.experiments.store import Store


@pytest.fixture
def results(tmp_path):
    """RkNN is .9, NHERD far below, kNN the same up to chance, IR-KSVM approximated and above."""
    store = Store(tmp_path / "results.sqlite")
    random = np.random.RandomState(0)
    level = {"RkNN": 0.9, "NHERD": 0.7, "kNN": 0.9, "IR-KSVM": 0.97}
    for job in plan("paper-as-printed", ["heart"], level):
        details = {"approximated": job.method == "IR-KSVM"}
        if job.method == "RkNN":
            details = {"tau_plus": [job.tau_plus - 0.05], "tau_minus": [job.tau_minus]}
        store.add(job, [level[job.method] + 0.01 * random.normal()], 1.0, details)
    return store.table()


def test_each_cell_stands_beside_the_printed_one(results):
    compared = comparison(results)
    assert len(compared) == 3 * 4
    row = compared[(compared["method"] == "RkNN") & (compared["tau_plus"] == 0.1)].iloc[0]
    assert row["mean"] == pytest.approx(0.9, abs=0.01)
    assert row["runs"] == 10
    assert row["printed"] == 0.8544  # heart at (0.1, 0.2) in the paper's Table 2
    assert row["difference"] == pytest.approx(row["mean"] - 0.8544)


def test_verdicts_are_on_our_method(results):
    compared = comparison(results).set_index("method")
    assert set(compared.loc["NHERD", "corrected"]) == {"win"}
    assert set(compared.loc["IR-KSVM", "corrected"]) == {"loss"}
    assert set(compared.loc["kNN", "corrected"]) == {"tie"}
    counts = table_3(comparison(results)).set_index("method")
    assert counts.loc["NHERD", "t_test"] == "3/0/0"
    assert counts.loc["IR-KSVM", "bayes"] == "0/0/3"
    assert counts.loc["NHERD", "t_test, printed"] == "53/7/0"


def test_data_that_are_not_there_have_a_row_that_says_so(results):
    text = table_2(comparison(results), DATA).to_markdown()
    (line,) = [line for line in text.splitlines() if line.startswith("| acoustic")]
    assert "data not available" in line
    assert "300 Nystroem features" in text


def test_differences_are_ours_minus_the_printed(results):
    table = table_2_difference(comparison(results), DATA)
    cell = table.rows["heart (0.1, 0.2)"]["RkNN"]
    assert cell.mean == pytest.approx(0.9 - 0.8544, abs=0.01)


def test_noise_rates_beside_the_printed(results):
    table = table_4(results)
    row = table.rows["heart (0.1, 0.2)"]
    assert row["tau_plus, RkNN"].mean == pytest.approx(0.05)
    assert row["tau_plus, printed"].mean == 0.05
    assert row["tau_minus, printed"].mean == 0.143


def test_shapes_beside_the_printed():
    table = table_1({"heart": (270, 13)})
    assert table.rows["heart"]["rows"].mean == table.rows["heart"]["rows, printed"].mean == 270
    assert table.rows["acoustic"]["rows"].mean is None


def test_the_printed_tables_are_whole():
    assert len(printed_table(1)) == 20
    assert len(printed_table(2)) == 20 * 3 * 8
    assert len(printed_table(4)) == 20 * 3
    assert set(printed_table(2)["method"]) <= set(METHODS)
    wins = printed_table(3).set_index("method")["t_test_win"]
    assert wins["IR-KSVM"] == 35
