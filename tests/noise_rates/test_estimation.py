"""estimate_noise_rates and the NoiseRates it returns, as users meet them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from unflip import NoiseRates, RobustKNeighborsClassifier, estimate_noise_rates, make_label_noise
from unflip.neighbors.shards import ArrayShards, ParquetShards
from unflip.noise_rates import ESTIMATORS, NoisePrior
from unflip.noise_rates.judgement import judge
from unflip.opinions import Blend
from unflip.opinions.blend import default_opinions
from unflip.tables import TableEncoder


def problem(n_classes=2, n=800, distance=4.0, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 2)) + distance * np.column_stack([np.cos(2 * np.pi * y / n_classes), y % 2])
    return X, y


X, Y = problem()
NOISY = make_label_noise(np.array(["ham", "spam"])[Y], {"ham": 0.05, "spam": 0.3}, random_state=0)


def test_the_result_says_what_was_asked_and_found():
    found = estimate_noise_rates(X, NOISY, noise_estimator="bayes")
    assert isinstance(found, NoiseRates)
    assert found.classes.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(found.rates, [0.05, 0.3], atol=0.05)
    np.testing.assert_allclose(found.rates, 1 - np.diag(found.transition_matrix))
    assert found.interval.shape == (2, 2)
    assert (found.interval[:, 0] <= found.rates).all()
    assert (found.rates <= found.interval[:, 1]).all()
    assert found.class_prior == pytest.approx([0.5, 0.5], abs=0.05)
    assert found.share_wrong == pytest.approx(np.mean(np.array(["ham", "spam"])[Y] != NOISY), abs=0.03)
    assert (found.method, found.identifiable, found.notes) == ("bayes", True, ())
    assert set(found.alternatives) == set(ESTIMATORS) - {"bayes", "reeve_kaban"}


def test_auto_judges_what_the_blend_says():
    found = estimate_noise_rates(X, NOISY, noise_prior=0.2, confidence=0.8, random_state=3)
    _, labels = np.unique(NOISY, return_inverse=True)
    blend = Blend(default_opinions(seed=3)).fit(X, labels, 2)
    judgement = judge(blend.probabilities_, labels, NoisePrior.of("owner", 0.2))
    np.testing.assert_allclose(found.transition_matrix, judgement.transition_matrix)
    assert found.wrong == pytest.approx(judgement.share_wrong(0.8))
    assert (found.method, found.confidence) == ("auto", 0.8)
    assert set(found.alternatives) == set(ESTIMATORS) - {"reeve_kaban"}


@pytest.mark.parametrize("model", [None, LogisticRegression()])
def test_neighbors_alone_or_a_classifier_beside_them_can_be_asked(model):
    rows, y = make_classification(600, 4, n_redundant=0, class_sep=2, flip_y=0, random_state=0)
    labels = make_label_noise(y, 0.1, random_state=0)
    found = estimate_noise_rates(rows, labels, model=model)
    assert found.share_wrong == pytest.approx(np.mean(labels != y), abs=0.06)
    low, high = found.share_interval
    assert low <= np.mean(labels != y) <= high
    np.testing.assert_array_equal(found.rates, estimate_noise_rates(rows, labels, model=model, n_jobs=1).rates)


def test_the_classifier_estimates_the_same_from_neighbors():
    found = estimate_noise_rates(X, NOISY, noise_estimator="bayes")
    model = RobustKNeighborsClassifier(noise_neighbors=50).fit(X, NOISY)
    np.testing.assert_allclose(model.transition_matrix_, found.transition_matrix)


@pytest.mark.parametrize("given", [sparse.csr_array(X), X.tolist()])
def test_rows_of_any_kind(given):
    for changes in ({"model": None}, {"noise_estimator": "bayes"}):
        found = estimate_noise_rates(given, NOISY, **changes)
        np.testing.assert_allclose(found.rates, estimate_noise_rates(X, NOISY, **changes).rates)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_columns_of_a_table_are_encoded(frame):
    columns = {"a": X[:, 0], "b": X[:, 1], "c": np.where(np.arange(len(X)) % 3, "x", "y")}
    encoded = TableEncoder().fit_transform(pd.DataFrame(columns))
    found = estimate_noise_rates(frame(columns), NOISY, model=None)
    np.testing.assert_allclose(found.rates, estimate_noise_rates(encoded, NOISY, model=None).rates)


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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"noise_estimator": "magic"}, "'noise_estimator' must be one of"),
        ({"confidence": 1}, "'confidence' must be a number between 0 and 1, got 1"),
        ({"n_neighbors": 0}, "'n_neighbors' must be"),
        ({"n_jobs": 0}, "'n_jobs' must be"),
        ({"model": "forest"}, "'model' must be"),
        ({"noise_prior": 0.7}, "'noise_prior' must be"),
        ({"y": np.zeros(800)}, "'y' must be labels of two classes or more"),
        ({"y": NOISY[:5]}, "inconsistent numbers of samples"),
        ({"y": np.random.RandomState(0).random_sample(800)}, "Unknown label type"),
    ],
)
def test_bad_input_is_refused(changes, words):
    arguments = {"X": X, "y": NOISY} | changes
    with pytest.raises(ValueError, match=words):
        estimate_noise_rates(arguments.pop("X"), arguments.pop("y"), **arguments)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_tiny_data(n_classes):
    random = np.random.RandomState(0)
    for n, model in ((n_classes, "auto"), *((n, None) for n in range(n_classes, 16, 3)), (15, "auto")):
        found = estimate_noise_rates(random.normal(size=(n, 2)), np.arange(n) % n_classes, model=model)
        assert ((found.rates >= 0) & (found.rates < 1)).all()
        assert (found.interval[:, 0] <= found.interval[:, 1]).all()


@pytest.mark.speed
@pytest.mark.parametrize(("noise_estimator", "seconds"), [("bayes", 5), ("auto", 30)])
def test_twenty_thousand_rows_take_seconds(noise_estimator, seconds):
    from time import perf_counter

    rows, y = problem(n=20_000)
    labels = make_label_noise(y, [0.1, 0.3], random_state=0)
    estimate_noise_rates(rows[:500], labels[:500], noise_estimator=noise_estimator)
    start = perf_counter()
    estimate_noise_rates(rows, labels, noise_estimator=noise_estimator)
    assert perf_counter() - start < seconds


def test_the_former_name_of_the_estimator_still_works_and_warns():
    with pytest.warns(FutureWarning, match="'method' is called 'noise_estimator' now"):
        found = estimate_noise_rates(X, NOISY, method="extremes", random_state=0)
    expected = estimate_noise_rates(X, NOISY, noise_estimator="extremes", random_state=0)
    assert found.method == found.noise_estimator == "extremes"
    assert found.rates.tolist() == expected.rates.tolist()


def test_rows_in_files_give_the_rates_of_rows_in_memory(tmp_path):
    random = np.random.RandomState(0)
    table = pd.DataFrame(random.normal(size=(300, 3)), columns=list("abc"))
    labels = np.where((table["a"] > 0) ^ (random.random_sample(300) < 0.1), "yes", "no")
    for number, part in enumerate(np.array_split(np.arange(300), 2)):
        table.assign(y=labels).iloc[part].to_parquet(tmp_path / f"{number}.parquet", index=False)
    files = ParquetShards(tmp_path / "*.parquet", "y")
    for chosen in ({"model": None}, {"noise_estimator": "bayes"}):
        there, here = estimate_noise_rates(files, **chosen), estimate_noise_rates(table, labels, **chosen)
        np.testing.assert_array_equal(there.transition_matrix, here.transition_matrix)
    X = table.to_numpy().astype(np.float32)
    arrays = estimate_noise_rates(ArrayShards([X[:100], X[100:]]), labels, model=None)
    np.testing.assert_array_equal(
        arrays.transition_matrix, estimate_noise_rates(X.astype(float), labels, model=None).transition_matrix
    )
    with pytest.raises(ValueError, match="estimate_noise_rates: 'y' must be labels, or None for shards"):
        estimate_noise_rates(ArrayShards(X))


def test_too_many_classes_to_count_at_once_leave_out_the_other_estimators(monkeypatch):
    rows, y = problem(4, 400)
    labels = make_label_noise(y, 0.1, random_state=0)
    expected = estimate_noise_rates(rows, labels, model=None)
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 1599)
    found = estimate_noise_rates(rows, labels, model=None)
    assert expected.alternatives
    assert found.alternatives == {}
    np.testing.assert_allclose(found.rates, expected.rates, atol=0.01)  # rounding decides between equal shares
