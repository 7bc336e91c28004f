"""Inverted lists: every row in one of them, exact when all are probed, and never short of neighbors."""

import numpy as np
import pytest

from neighbors.data import awkward_data, brute_force
from unflip.neighbors.engines import inverted_lists
from unflip.neighbors.engines.inverted_lists import Boxes, ListEngine, improve, in_lists, pack

DATA = awkward_data()


def fitted(X):
    return ListEngine().fit(np.ascontiguousarray(X)).make_lists()


@pytest.fixture
def small_lists(monkeypatch):
    monkeypatch.setattr("unflip.neighbors.engines.leaves.LEAF_SIZE", 32)


@pytest.mark.usefixtures("small_lists")
@pytest.mark.parametrize("name", DATA)
def test_probing_all_lists_gives_the_brute_force_answer(name):
    X = DATA[name]
    engine = fitted(X)
    squared, rows, compared = engine.search(20, engine.n_lists)
    expected_squared, expected = brute_force(X, X, 20, exclude=np.arange(len(X)))
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(squared, expected_squared)
    assert compared == len(X) ** 2
    new = np.random.RandomState(1).permutation(X.ravel()).reshape(X.shape)[:100]
    squared, rows, _ = engine.search_new(new, 7, engine.n_lists)
    expected_squared, expected = brute_force(X, new, 7)
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(squared, expected_squared)


@pytest.mark.usefixtures("small_lists")
def test_float32_rows_are_the_float64_numbers_that_they_are():
    X = DATA["binary, scaled"].astype(np.float32)
    squared, rows, _ = fitted(X).search(9, 1000)
    expected_squared, expected = brute_force(X.astype(float), X.astype(float), 9, exclude=np.arange(len(X)))
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(squared, expected_squared)


@pytest.mark.usefixtures("small_lists")
@pytest.mark.parametrize("name", ["uniform", "few distinct rows", "constant", "many columns"])
def test_every_row_is_in_one_list_beside_its_float32_copy(name):
    engine = fitted(DATA[name])
    lists = engine.lists
    assert sorted(lists.rows) == list(range(len(DATA[name])))
    for at in range(engine.n_lists):
        members = lists.rows[lists.starts[at] : lists.starts[at + 1]]
        assert list(members) == sorted(np.flatnonzero(engine.own == at))
    copies, _ = engine.screen.copy(DATA[name])
    np.testing.assert_array_equal(lists.copies, copies[lists.rows])


@pytest.mark.usefixtures("small_lists")
def test_steps_bring_rows_nearer_to_the_centers_of_their_lists():
    engine = ListEngine().fit(DATA["uniform"])
    copies, own, centers = engine.screen.points, engine.own, engine.centers
    before = ((copies - centers[own]) ** 2).sum()
    improve(copies, own, centers)
    after = ((copies - centers[own]) ** 2).sum()
    assert after < 0.95 * before
    for at in np.unique(own):
        np.testing.assert_allclose(centers[at], copies[own == at].mean(axis=0), atol=1e-5)


def test_a_step_by_hand(monkeypatch):
    monkeypatch.setattr(inverted_lists, "STEPS", 1)
    copies = np.array([[0.0], [1.0], [9.0], [5.0]], np.float32)
    own, centers = np.array([0, 0, 0, 1], np.int32), np.array([[0.0], [10.0]], np.float32)
    improve(copies, own, centers)
    assert own.tolist() == [0, 0, 1, 1]  # the last is as near to the other center, and stays
    assert centers.tolist() == [[0.5], [7.0]]


def test_the_probed_lists_are_those_with_the_nearest_centers():
    random = np.random.RandomState(0)
    copies, centers = random.normal(size=(50, 6)).astype(np.float32), random.normal(size=(40, 6)).astype(np.float32)
    others = random.permutation(40)[:30].astype(np.int32)
    distances = ((copies[:, None] - centers[others]) ** 2).sum(axis=2)
    for n_probes in (1, 7, 30, 99):
        wanted = inverted_lists._probed(copies, centers, others, n_probes)
        assert (wanted == (distances.argsort(axis=1).argsort(axis=1) < n_probes)).all()


@pytest.mark.usefixtures("small_lists")
def test_the_answer_is_the_best_of_the_lists_that_are_probed(monkeypatch):
    monkeypatch.setattr(inverted_lists, "SPREAD", 2)
    monkeypatch.setattr(inverted_lists, "MORE_LISTS", 4)
    X = DATA["uniform"]
    engine = fitted(X)
    _, rows, compared = engine.search(5, 3)
    n_compared = 0
    for row in range(0, len(X), 7):
        copies = engine.screen.copy(X[row : row + 1])[0]
        near = engine.center_engine.search(engine.centers[[engine.own[row]]].astype(float), 3 * 2 + 4)[1][0]
        probed = near[inverted_lists._probed(copies, engine.centers, near, 3)[0]]
        candidates = np.flatnonzero(np.isin(engine.own, probed))
        n_compared += len(candidates)
        candidates = candidates[candidates != row]
        _, expected = brute_force(X[candidates], X[row : row + 1], 5)
        np.testing.assert_array_equal(rows[row], candidates[expected[0]])
    assert engine.n_lists > 10  # so that some were not even looked at
    some, _, compared_by_some = engine.search(5, 3, np.arange(0, len(X), 7))
    assert compared_by_some == n_compared < compared
    np.testing.assert_array_equal(some, engine.search(5, 3)[0][::7])


@pytest.mark.usefixtures("small_lists")
@pytest.mark.parametrize("k", [1, 100, 899])
def test_no_row_runs_short_of_neighbors_however_few_lists_are_probed(k):
    X = DATA["uniform"]
    _, rows, _ = fitted(X).search(k, 1)
    for row, found in enumerate(rows):
        assert len(set(found)) == k
        assert row not in found
        assert found.min() >= 0


@pytest.mark.usefixtures("small_lists")
def test_lists_added_for_rows_that_run_short_do_not_change_what_others_find(monkeypatch):
    monkeypatch.setattr(inverted_lists, "SPREAD", 1)
    monkeypatch.setattr(inverted_lists, "MORE_LISTS", 0)
    engine = fitted(DATA["uniform"])
    whole = engine.search(280, 10)[1]
    held = engine.sizes[engine.center_engine.search(engine.centers.astype(float), 10)[1]].sum(axis=1)
    assert held.min() <= 280 < held.max()
    for row in range(0, 900, 60):
        np.testing.assert_array_equal(engine.search(280, 10, np.array([row]))[1][0], whole[row])


def test_an_empty_list_is_passed_over():
    X = np.random.RandomState(0).normal(size=(600, 3))
    engine = ListEngine().fit(X)
    engine.centers = np.vstack([engine.centers, engine.centers[:1] + 100])
    engine.make_lists()
    assert engine.sizes[-1] == 0
    _, expected = brute_force(X, X, 4, exclude=np.arange(600))
    np.testing.assert_array_equal(engine.search(4, engine.n_lists)[1], expected)


def test_packed_rows_by_hand():
    ordered = np.arange(36, dtype=np.float32).reshape(18, 2)
    packed, tile_starts = pack(ordered, np.array([0, 17, 17, 18]))
    assert tile_starts.tolist() == [0, 2, 2, 3]
    np.testing.assert_array_equal(packed[0], ordered[:16].T)
    assert packed[1, :, 0].tolist() == [32, 33]
    assert packed[2, :, 0].tolist() == [34, 35]
    assert np.isinf(packed[1:, :, 1:]).all()


def test_rows_in_lists_by_hand():
    copies = np.array([[0.0], [1.0], [2.0], [3.0]], np.float32)
    lists = in_lists(copies, np.array([2, 0, 2, 0], np.int32), 3)
    assert lists.rows.tolist() == [1, 3, 0, 2]
    assert lists.starts.tolist() == [0, 2, 2, 4]
    assert lists.copies.ravel().tolist() == [1, 3, 0, 2]


def test_rows_that_exact_search_would_compare_by_hand():
    boxes = Boxes(np.array([[0.0, 0.0], [3.0, 0.0]]), np.array([[1.0, 1.0], [4.0, 1.0]]), np.array([10, 20]))
    row = np.array([1.5, 0.5])  # 0.5 from the first box, 1.5 from the second
    assert [boxes.rows_within(row, squared) for squared in (0.2, 0.25, 2.2, 2.25)] == [0, 10, 10, 30]


def test_float32_is_imprecise_where_one_row_is_far_from_neighbors_that_are_near():
    X = np.random.RandomState(0).normal(size=(600, 3))
    squared = brute_force(X, X, 5, exclude=np.arange(600))[0][:, -1]
    assert ListEngine().fit(X).is_precise(squared)
    X[7] = 1e9
    assert not ListEngine().fit(X).is_precise(squared)


def test_reach_is_counted_from_the_middle_of_the_rows():
    engine = ListEngine().fit(np.random.RandomState(0).random_sample((600, 2)) + 1000)
    near = engine.within_reach(np.array([[1000.5, 1000.5], [0.0, 1000.5], [1e300, -1e308]]))
    assert near.tolist() == [True, False, False]
