"""Opinions of neighbors: the shares of the definition, of as many neighbors as make the labels likeliest."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import pairwise_distances

from opinions.test_shares import slow_shares
from unflip import UnflipError
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex, ForestSpace
from unflip.neighbors.shards import ArrayShards, ShardedIndex
from unflip.opinions import LearnedNeighbors, RawNeighbors
from unflip.opinions import neighbors as module
from unflip.opinions.contract import log_likelihood
from unflip.opinions.neighbors import graph_of_many, rows_to_choose_by
from unflip.opinions.rowwise import RowwiseProbabilities
from unflip.opinions.shares import K_VALUES

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(80, 2))
LABELS = (X[:, 0] + RANDOM.normal(size=80) > 0).astype(int)
NEW = RANDOM.normal(size=(9, 2))


def with_new_row(row):
    """Return the slow shares of a new row: the last of all rows, whose label nobody sees."""
    return slow_shares(np.vstack([X, row]), np.append(LABELS, 0), 2, 10)[-1]


def test_old_and_new_rows_get_the_shares_of_their_neighbors():
    opinion = RawNeighbors(10).fit(X, LABELS, 2)
    np.testing.assert_allclose(opinion.probabilities_, slow_shares(X, LABELS, 2, 10))
    np.testing.assert_allclose(opinion.predict(NEW), [with_new_row(row) for row in NEW])


def test_the_number_of_neighbors_is_the_likeliest():
    opinion = RawNeighbors().fit(X, LABELS, 2)
    likelihoods = {k: log_likelihood(slow_shares(X, LABELS, 2, k), LABELS) for k in K_VALUES if k < 80}
    assert opinion.n_neighbors_ == max(likelihoods, key=likelihoods.get)
    np.testing.assert_allclose(opinion.probabilities_, slow_shares(X, LABELS, 2, opinion.n_neighbors_))


@pytest.mark.parametrize("opinion", [RawNeighbors(15), LearnedNeighbors(15, space=ForestSpace(10))])
def test_the_graph_is_deep_enough_for_noise_rates(opinion):
    assert opinion.fit(X, LABELS, 2).graph_.indices.shape == (80, module.MIN_GRAPH_NEIGHBORS)
    assert opinion.n_neighbors_ == 15
    assert opinion.set_params(n_neighbors=70).fit(X, LABELS, 2).graph_.n_neighbors == 70
    chosen = opinion.set_params(n_neighbors="auto").fit(X, (X[:, 0] > 0).astype(int), 2)
    assert chosen.n_neighbors_ < chosen.graph_.n_neighbors == module.MIN_GRAPH_NEIGHBORS


@pytest.mark.parametrize("kind", [RawNeighbors, LearnedNeighbors])
def test_more_neighbors_than_there_are_means_all_others(kind):
    some = kind(500).fit(X[:12], LABELS[:12], 2)
    assert (some.n_neighbors_, some.graph_.n_neighbors) == (11, 11)
    assert some.predict(NEW).shape == (9, 2)


def test_the_own_label_changes_nothing_of_a_row_and_something_of_its_neighbors():
    before = RawNeighbors(10).fit(X, LABELS, 2).probabilities_
    flipped = LABELS.copy()
    flipped[7] = 1 - flipped[7]
    after = RawNeighbors(10).fit(X, flipped, 2).probabilities_
    assert after[7].tolist() == before[7].tolist()
    assert (after != before).any()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_distances_and_sparse_rows_give_the_same(kind):
    expected = RawNeighbors(10).fit(X, LABELS, 2)
    opinion = RawNeighbors(10).fit(kind(X), LABELS, 2)
    np.testing.assert_array_equal(opinion.probabilities_, expected.probabilities_)
    given = RawNeighbors(10, metric="precomputed").fit(pairwise_distances(X), LABELS, 2)
    np.testing.assert_array_equal(given.probabilities_, expected.probabilities_)
    np.testing.assert_array_equal(given.predict(pairwise_distances(NEW, X)), expected.predict(NEW))


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_some_of_many_rows_choose_for_all(metric, monkeypatch):
    monkeypatch.setattr(module, "ROWS_TO_CHOOSE_BY", 19)
    rows = pairwise_distances(X) if metric == "precomputed" else X
    opinion = RawNeighbors(metric=metric).fit(rows, LABELS, 2)
    some = rows_to_choose_by(rows, LABELS, metric == "precomputed")
    assert len(set(some.tolist())) == 19
    own = {k: slow_shares(X, LABELS, 2, k)[some] for k in K_VALUES if k < 80}
    assert opinion.n_neighbors_ == max(own, key=lambda k: log_likelihood(own[k], LABELS[some]))
    np.testing.assert_allclose(opinion.probabilities_, slow_shares(X, LABELS, 2, opinion.n_neighbors_))


def test_the_rows_that_choose_are_the_same_in_any_order(monkeypatch):
    monkeypatch.setattr(module, "ROWS_TO_CHOOSE_BY", 20)
    order = RANDOM.permutation(80)
    chosen, others = rows_to_choose_by(X, LABELS), rows_to_choose_by(X[order], LABELS[order])
    assert set(order[others].tolist()) == set(chosen.tolist())


def test_blocks_of_rows_do_not_matter(monkeypatch):
    expected = RawNeighbors(10).fit(X, LABELS, 2)
    monkeypatch.setattr("unflip.opinions.shares.ROWS_AT_ONCE", 7)
    opinion = RawNeighbors(10).fit(X, LABELS, 2)
    np.testing.assert_allclose(opinion.probabilities_, expected.probabilities_, rtol=1e-12)
    np.testing.assert_allclose(opinion.predict(NEW), expected.predict(NEW), rtol=1e-12)


def test_the_learned_space_ignores_columns_that_say_nothing():
    random = np.random.RandomState(1)
    labels = random.randint(0, 2, 300)
    rows = np.column_stack([labels + 0.3 * random.normal(size=300), 5 * random.normal(size=(300, 10))])
    raw, learned = (kind().fit(rows, labels, 2) for kind in (RawNeighbors, LearnedNeighbors))
    assert log_likelihood(learned.probabilities_, labels) > log_likelihood(raw.probabilities_, labels) + 0.3
    assert np.mean(learned.predict(rows).argmax(axis=1) == labels) > 0.9


def test_the_space_and_the_seed_are_those_that_were_given():
    opinion = LearnedNeighbors(space=ForestSpace(7, parts=2), seed=3).fit(X, LABELS, 2)
    assert opinion.index_.grown_.leaves.shape == (80, 14)
    again, other = clone(opinion).fit(X, LABELS, 2), clone(opinion).set_params(seed=4).fit(X, LABELS, 2)
    np.testing.assert_array_equal(again.probabilities_, opinion.probabilities_)
    assert (other.probabilities_ != opinion.probabilities_).any()


def test_refusals_name_the_owner():
    with pytest.raises(UnflipError, match=r"^me: 'metric' must be"):
        RawNeighbors(metric="furlongs", owner="me").fit(X, LABELS, 2)
    with pytest.raises(UnflipError, match=r"^RawNeighbors: 'metric' must be"):
        RawNeighbors(metric="furlongs").fit(X, LABELS, 2)
    with pytest.raises(UnflipError, match=r"^me: 'metric\.parts' must be"):
        LearnedNeighbors(space=ForestSpace(parts=1), owner="me").fit(X, LABELS, 2)


@pytest.mark.parametrize("opinion", [RawNeighbors(10), LearnedNeighbors(10, space=ForestSpace(10))])
def test_shares_of_too_many_classes_are_made_when_they_are_asked_for(opinion, monkeypatch):
    kept = clone(opinion).fit(X, LABELS, 2)
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 159)
    found = clone(opinion).fit(X, LABELS, 2)
    assert isinstance(found.probabilities_, RowwiseProbabilities)
    np.testing.assert_allclose(found.probabilities_.to_array(), kept.probabilities_, rtol=1e-12)
    np.testing.assert_allclose(found.probabilities_[np.array([3, 1])], kept.probabilities_[[3, 1]], rtol=1e-12)
    np.testing.assert_allclose(found.predict(NEW), kept.predict(NEW), rtol=1e-12)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.probabilities_[:9], found.probabilities_[:9])


def test_a_large_graph_is_made_in_parts_and_keeps_single_distances(monkeypatch):
    X = np.random.RandomState(0).normal(size=(500, 3))
    index = ExactIndex().fit(X)
    expected, told = index.graph(9), []
    assert graph_of_many(index, 9).distances.dtype == np.float64
    monkeypatch.setattr(module, "MOST_DOUBLE", 100)
    monkeypatch.setattr(module, "ROWS_OF_A_PART", 120)
    with reporting(told.append):
        graph = graph_of_many(index, 9)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.distances, expected.distances.astype(np.float32))
    assert told[-1] == 1
    sharded = ShardedIndex().fit(ArrayShards([X[:200], X[200:]]))
    np.testing.assert_array_equal(graph_of_many(sharded, 9).distances, expected.distances)
