"""Added methods and data sets are treated like the paper's, in worker processes too."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from unflip import UnflipError, make_label_noise
from unflip.experiments import add_dataset, add_method, comparison, run, table_2
from unflip.experiments.plan.jobs import RATE_ESTIMATES, Experiment, Job
from unflip.experiments.plan.registry import (
    DATA,
    METHODS,
    added_maker,
    known_data,
    known_methods,
    load_data,
    remove,
)
from unflip.experiments.statistics.method_ranks import method_ranks
from unflip.experiments.tables.rank_report import rank_report

EXPERIMENT = Experiment(data=("blobs", "clouds", "rings"), methods=("RkNN", "kNN", "bayes"), trials=(0, 1))


def blobs(seed=0):
    random = np.random.RandomState(seed)
    y = np.repeat(["no", "yes"], 60)
    return 7 * random.normal(size=(120, 2)) + 20 * (y == "yes")[:, None], y


@pytest.fixture
def added():
    add_method("bayes", lambda training: GaussianNB(priors=[0.5, 0.5]))  # a lambda cannot be imported by a worker
    for seed, name in enumerate(EXPERIMENT.data):
        add_dataset(name, lambda seed=seed: blobs(seed))
    yield
    for name in ("bayes", *EXPERIMENT.data):
        remove(name)


@pytest.mark.usefixtures("added")
def test_what_is_added_is_run_compared_and_ranked_in_worker_processes(store):
    assert run(store, **vars(EXPERIMENT), n_jobs=2) == {}
    compared = comparison(store.table(), EXPERIMENT)
    assert len(compared) == 3 * 3 * 3
    assert set(compared["status"]) == {"done"}
    assert compared["printed"].isna().all()
    assert compared[compared["method"] == "bayes"]["corrected"].notna().all()
    ranks = method_ranks(compared)
    assert ranks.enough
    assert "| bayes |" in rank_report(ranks, EXPERIMENT)
    table = table_2(compared, EXPERIMENT)
    assert table.columns == ("RkNN", "kNN", "bayes")
    assert list(table.rows)[:21] == [*DATA, "blobs (0.1, 0.2)"]


@pytest.mark.usefixtures("added")
def test_an_added_method_is_fitted_on_flipped_labels_of_scaled_rows(store):
    one = Experiment(data=("blobs",), methods=("bayes",), trials=(0,))
    run(store, **vars(one), n_jobs=1)
    X, y = load_data("blobs")
    assert (X.min(), X.max()) == (-1, 1)
    assert y.tolist() == [0] * 60 + [1] * 60
    job = Job("paper-as-printed", "blobs", "bayes", 0.3, 0.1, 0)
    (train, test), *_ = job.splits(120)
    noisy = make_label_noise(y, [0.1, 0.3], random_state=job.flips())
    expected = GaussianNB(priors=[0.5, 0.5]).fit(X[train], noisy[train]).score(X[test], y[test])
    found = store.table()
    assert found.loc[found["tau_plus"] == 0.3, "accuracy"].tolist() == [expected]


@pytest.mark.usefixtures("added")
def test_names_that_are_taken_are_refused():
    for name in ("RkNN", "heart", "bayes", "blobs", "", 3):
        with pytest.raises(UnflipError, match="'name' must be a string not yet used by a method or data set"):
            add_method(name, GaussianNB)
        with pytest.raises(UnflipError, match="'name' must be a string not yet used by a method or data set"):
            add_dataset(name, blobs)
    with pytest.raises(UnflipError, match="'make' must be a function"):
        add_method("new", GaussianNB())
    with pytest.raises(UnflipError, match="'name' must be one of"):
        remove("RkNN")


def test_nothing_stays_added():
    assert known_methods() == METHODS
    assert known_data() == DATA


@pytest.mark.parametrize(
    ("loaded", "words"),
    [
        (lambda: (np.zeros((3, 1)), [0, 1, 2]), "'y' must be of two classes"),
        (lambda: (np.zeros((3, 1)), [0, 1]), "'X' must be finite, with 2 rows"),
        (lambda: ([[0.0], [np.nan]], [0, 1]), "'X' must be finite"),
    ],
)
def test_data_that_cannot_be_used_are_named_and_the_rest_is_run(store, loaded, words):
    add_dataset("odd", loaded)
    add_dataset("blobs", blobs)
    try:
        missing = run(store, data=("odd", "blobs"), methods=("kNN",), trials=(0,), n_jobs=1)
    finally:
        remove("odd")
        remove("blobs")
    assert missing == {}
    table = store.table()
    assert set(table.loc[table["status"] == "done", "data"]) == {"blobs"}
    failed = table[table["status"] == "failed"]
    assert set(failed["data"]) == {"odd"}
    assert words in failed["error"].iloc[0]


def test_a_method_that_fails_is_a_cell_that_says_why(store):
    def broken(training):
        raise RuntimeError("no such thing")

    add_method("broken", broken)
    add_dataset("blobs", blobs)
    try:
        experiment = Experiment(data=("blobs",), methods=("RkNN", "broken"), trials=(0,))
        run(store, **vars(experiment), n_jobs=1)
        text = table_2(comparison(store.table(), experiment), experiment).to_markdown()
    finally:
        remove("broken")
        remove("blobs")
    (line,) = [line for line in text.splitlines() if line.startswith("| blobs (0.1, 0.2)")]
    assert line.endswith("failed<sup>1</sup> |")
    assert "<sup>1</sup> 1 failed: RuntimeError: no such thing" in text


def test_the_rate_estimates_are_no_free_name():
    with pytest.raises(UnflipError, match="'name' must be"):
        add_method(RATE_ESTIMATES, GaussianNB)


def test_a_maker_is_known_for_added_methods_only():
    add_method("bayes", GaussianNB)
    try:
        assert added_maker("bayes") is GaussianNB
        assert added_maker("RkNN") is None
    finally:
        remove("bayes")
