"""Every cell stands beside the printed one, with verdicts on RkNN, or says why it is empty."""

import numpy as np
import pytest

from experiments.made_up import EXPERIMENT, made_up_results
from unflip.experiments.plan.jobs import NOISES, Experiment, plan
from unflip.experiments.plan.registry import METHODS
from unflip.experiments.statistics.comparison import COLUMNS, comparison
from unflip.experiments.statistics.significance import bayes_factor_test, corrected_t_test, paired_t_test


def test_each_cell_stands_beside_the_printed_one(compared):
    assert len(compared) == 3 * 3 * 6
    row = compared[(compared["method"] == "RkNN") & (compared["tau_plus"] == 0.1)].iloc[0]
    assert row["mean"] == pytest.approx(0.9, abs=0.01)
    assert row["runs"] == row["planned"] == 10
    assert row["printed"] == 0.8544  # heart at (0.1, 0.2) in the paper's Table 2
    assert row["difference"] == pytest.approx(row["mean"] - 0.8544)


def test_rows_follow_the_order_of_the_experiment(compared):
    expected = [(data, *noise, method) for data in EXPERIMENT.data for noise in NOISES for method in EXPERIMENT.methods]
    assert list(compared[["data", "tau_plus", "tau_minus", "method"]].itertuples(index=False, name=None)) == expected
    assert list(compared) == list(COLUMNS)


def test_verdicts_are_on_our_method(compared):
    heart = compared[compared["data"] == "heart"]
    by_method = heart.set_index("method")
    assert set(by_method.loc["NHERD", "corrected"]) == {"win"}
    assert set(by_method.loc["IR-KSVM", "corrected"]) == {"loss"}
    assert set(by_method.loc["kNN", "corrected"]) == {"tie"}
    assert by_method.loc["RkNN", ["t_test", "corrected", "bayes"]].isna().all(axis=None)


def test_verdicts_are_those_of_the_tests_on_paired_runs(store):
    """LD-KSVM lacks trials 0 and 1, and the remaining runs are paired by trial and fold."""
    experiment = Experiment("paper", data=("heart",), methods=("LD-KSVM", "RkNN"))
    random = np.random.RandomState(4)
    scores = {name: random.normal(0.8, 0.02, size=(10, 4)).round(3) for name in experiment.methods}
    for job in plan("paper", ["heart"], experiment.methods, noises=[(0.3, 0.1)]):
        if job.method == "RkNN" or job.trial > 1:
            store.add(job, (scores[job.method][job.trial] + 0.012 * (job.method == "RkNN")).tolist(), 1.0)
    row = comparison(store.table(), experiment).set_index(["tau_plus", "method"]).loc[(0.3, "LD-KSVM")]
    ours, theirs = scores["RkNN"][2:].ravel() + 0.012, scores["LD-KSVM"][2:].ravel()
    assert row["runs"] == 32
    assert row["mean"] == pytest.approx(theirs.mean())
    assert row["std"] == pytest.approx(theirs.std(ddof=1))
    assert row["t_test"] == paired_t_test(ours, theirs).verdict == "win"
    assert row["corrected"] == corrected_t_test(ours, theirs, n_test=1, n_train=3).verdict == "tie"
    assert row["bayes"] == bayes_factor_test(ours, theirs).verdict


def test_an_empty_cell_says_why(compared):
    status = compared.set_index(["data", "method"])["status"]
    assert set(status["heart", "AROW"]) == {"failed"}
    assert set(status["cancer", "AROW"]) == {"not run"}
    assert set(status["acoustic", "AROW"]) == {"data not available"}
    reasons = compared.set_index(["data", "method"])["reason"]
    assert set(reasons["heart", "AROW"]) == {"2 failed: MemoryError: too large"}
    assert set(reasons["cancer", "AROW"]) == {""}


def test_approximations_are_kept_beside_the_mean(compared):
    heart = compared[compared["data"] == "heart"].set_index("method")
    assert heart.loc["IR-KSVM", "approximated"].all()
    assert not heart.loc["NHERD", "approximated"].any()
    assert heart.loc["LD-KSVM", "runs"].tolist() == [4, 4, 4]


def test_results_of_other_experiments_do_not_count(tmp_path):
    results = made_up_results(tmp_path)
    alone = comparison(results, Experiment("paper", data=("heart",), methods=("RkNN",), trials=(0,)))
    assert alone["mean"].tolist() == pytest.approx([0.1, np.nan, np.nan], nan_ok=True)
    assert alone["planned"].tolist() == [4, 4, 4]


def test_nothing_stored_is_a_table_of_gaps(store):
    compared = comparison(store.table(), Experiment(data=("heart",), methods=METHODS))
    assert set(compared["status"]) == {"not run"}
    assert compared["mean"].isna().all()
