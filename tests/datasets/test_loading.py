"""Two classes and features in [-1, 1], as the paper uses its data sets."""

from dataclasses import replace

import numpy as np
import pytest

from unflip.datasets import CATALOG, fetch, load_benchmark, load_raw
from unflip.datasets.loading import split_at_median, split_classes

HERE = [name for name in CATALOG if name != "acoustic"]
HALVED = ["segment", "landsat", "usps", "pendigits", "letter", "shuttle"]


@pytest.mark.parametrize("name", HERE)
def test_features_lie_in_the_unit_box_and_labels_are_0_and_1(benchmark_data, name):
    X, y = load_benchmark(name, data_home=benchmark_data)
    raw, _ = load_raw(name, data_home=benchmark_data)
    assert len(X) == len(y) == (435 if name == "vehicle" else len(raw))
    assert X.min() >= -1
    assert X.max() <= 1
    varied = np.ptp(X, axis=0) > 0
    assert (X[:, ~varied] == -1).all()
    np.testing.assert_allclose(X[:, varied].max(axis=0), 1, atol=1e-12)
    np.testing.assert_allclose(X[:, varied].min(axis=0), -1, atol=1e-12)
    assert np.unique(y).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("name", "ones"),
    [("heart", 120), ("ionosphere", 225), ("cancer", 239), ("diabetes", 500), ("german", 300), ("magic04", 6688)],
)
def test_which_of_two_classes_is_1(benchmark_data, name, ones):
    assert load_benchmark(name, data_home=benchmark_data)[1].sum() == ones


def test_housing_is_split_above_the_median_price(benchmark_data):
    _, prices = load_raw("housing", data_home=benchmark_data)
    _, y, groups = load_benchmark("housing", data_home=benchmark_data, return_classes=True)
    np.testing.assert_array_equal(y, prices > 21.2)
    assert groups == {0: ("<= 21.2",), 1: ("> 21.2",)}


def test_vehicle_has_the_two_classes_of_the_papers_results_or_all_four(benchmark_data):
    X, y, groups = load_benchmark("vehicle", data_home=benchmark_data, return_classes=True)
    assert X.shape == (435, 18)
    assert y.sum() == 217
    assert groups == {0: ("bus",), 1: ("saab",)}
    X, y, groups = load_benchmark("vehicle", data_home=benchmark_data, classes="all", return_classes=True)
    assert X.shape == (846, 18)
    assert [len(group) for group in groups.values()] == [2, 2]


@pytest.mark.parametrize("name", HALVED)
def test_the_labels_behind_0_and_1_are_returned(benchmark_data, name):
    _, labels = load_raw(name, data_home=benchmark_data)
    _, y, groups = load_benchmark(name, data_home=benchmark_data, random_state=5, return_classes=True)
    np.testing.assert_array_equal(y == 1, np.isin(labels, groups[1]))
    np.testing.assert_array_equal(y == 0, np.isin(labels, groups[0]))


@pytest.mark.parametrize("n_classes", [3, 4, 6, 7, 10, 26])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_halves_are_equal_and_seeded(n_classes, seed):
    classes = np.random.RandomState(seed).randint(n_classes, size=500)
    y, groups = split_classes(classes, seed)
    assert len(groups[1]) == n_classes // 2
    assert sorted(groups[0] + groups[1]) == list(range(n_classes))
    np.testing.assert_array_equal(y, np.isin(classes, groups[1]))
    again, same = split_classes(classes, seed)
    assert same == groups
    np.testing.assert_array_equal(again, y)


def test_seeds_differ_and_every_class_is_1_half_the_time():
    ones = [split_classes(np.arange(6), seed)[1][1] for seed in range(300)]
    shares = np.bincount(np.concatenate(ones)) / 300
    np.testing.assert_allclose(shares, 0.5, atol=0.12)
    assert len(set(ones)) == 20  # all ways to choose 3 of 6


def test_the_last_of_two_classes_is_1_unless_the_catalog_names_one():
    labels = np.array(["no", "yes", "no"])
    assert split_classes(labels, None)[0].tolist() == [0, 1, 0]
    y, groups = split_classes(labels, None, positive_class="no")
    assert y.tolist() == [1, 0, 1]
    assert groups == {0: ("yes",), 1: ("no",)}


def test_the_median_itself_is_0():
    y, groups = split_at_median(np.array([1.0, 2.0, 2.0, 3.0, 4.0]))
    assert y.tolist() == [0, 0, 0, 1, 1]
    assert groups == {0: ("<= 2",), 1: ("> 2",)}


def test_the_global_generator_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002  the state under test
    split_classes(np.arange(6), None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_made_up_data_set_by_hand(tiny, monkeypatch):
    fetch("tiny", data_home=tiny.folder)
    monkeypatch.setenv("UNFLIP_DATA", str(tiny.folder))
    X, y, groups = load_benchmark("tiny", return_classes=True)
    np.testing.assert_allclose(X[:, 0], [-1, -1 / 3, 1 / 3, 1])
    assert y.tolist() == [1, 0, 0, 1]
    assert groups == {0: ("no",), 1: ("yes",)}
    monkeypatch.setitem(CATALOG, "tiny", replace(CATALOG["tiny"], positive_class="no"))
    assert load_benchmark("tiny")[1].tolist() == [0, 1, 1, 0]


def test_classes_are_the_papers_or_all():
    with pytest.raises(ValueError, match='\'classes\' must be one of "paper", "all", got 2'):
        load_benchmark("heart", classes=2)
