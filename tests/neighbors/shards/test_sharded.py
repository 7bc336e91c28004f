"""The index of rows in shards gives the answers of one index of all rows, wherever it runs."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from neighbors.sharding import assert_same, problems
from unflip.foundation.memory import resident_bytes
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex
from unflip.neighbors.shards import ArrayShards, ShardedIndex, is_sharded, sharded

PROBLEMS = problems()


@pytest.mark.parametrize("n_shards", [1, 3, 8, 200])
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_question_has_the_same_answer_whatever_the_shards(monkeypatch, name, n_shards):
    monkeypatch.setattr(sharded, "MOST_ROWS", 333)
    X, random = PROBLEMS[name], np.random.RandomState(1)
    index = ShardedIndex(n_jobs=2).fit(ArrayShards(np.array_split(X, n_shards)))
    whole = ExactIndex().fit(X)
    assert index.n_rows == len(X)
    assert_same(index.graph(20), whole.graph(20))
    rows, queries = random.permutation(len(X))[:60], random.random_sample((40, X.shape[1]))
    assert_same(index.graph(12, rows), whole.graph(12, rows))
    assert_same(index.query(queries, 12), whole.query(queries, 12))
    for inside in (True, False):
        keep = random.random_sample(len(X)) < 0.3
        keep[rows] = inside
        assert_same(index.among(rows, keep, 12), whole.among(rows, keep, 12))


@pytest.mark.parametrize("metric", ["cosine", "manhattan", "chebyshev"])
def test_every_metric_of_rows_is_searched(metric):
    X = PROBLEMS["continuous"][:300]
    assert_same(
        ShardedIndex(metric).fit(ArrayShards(np.array_split(X, 3))).graph(7), ExactIndex(metric).fit(X).graph(7)
    )


def test_metrics_that_read_all_rows_need_their_parameters():
    shards = ArrayShards(PROBLEMS["continuous"][:50])
    with pytest.raises(ValueError, match='a dict for the metric "seuclidean", whose parameters are not read off'):
        ShardedIndex("seuclidean").fit(shards)
    assert ShardedIndex("seuclidean", {"V": np.ones(5)}).fit(shards).graph(3).n_neighbors == 3


def test_sparse_shards_are_searched_without_filling_them(monkeypatch):
    monkeypatch.setattr("unflip.neighbors.exact.DENSE_VALUES", 10)
    X = sparse.random(300, 40, density=0.1, format="csr", random_state=0)
    shards = ArrayShards([X[:100], X[100:]])
    assert_same(ShardedIndex("cosine").fit(shards).graph(9), ExactIndex("cosine").fit(X).graph(9))


def test_within_a_budget_shards_are_cut_and_the_graph_is_kept_in_files(monkeypatch, tmp_path):
    X = PROBLEMS["wide"]
    budget = (resident_bytes() or 0) + 2**26
    monkeypatch.setattr(sharded, "SHARE_OF_ANSWERS", 1e-4)
    monkeypatch.setattr(sharded, "BYTES_PER_VALUE", 10**4)
    index = ShardedIndex(folder=tmp_path).fit(ArrayShards(X, memory_budget=budget))
    assert len(index._shards(30)) > 2
    graph = index.graph(30)
    assert isinstance(graph.indices, np.memmap)
    assert_same(graph, ExactIndex().fit(X).graph(30))


def test_a_budget_that_is_used_up_already_is_refused():
    index = ShardedIndex().fit(ArrayShards(PROBLEMS["wide"], memory_budget=1000))
    with pytest.raises(ValueError, match=r"'memory_budget' must be at least .* MB: this process holds"):
        index.graph(3)


def test_nobody_is_found_among_no_rows_and_progress_is_told():
    told = []
    index = ShardedIndex().fit(ArrayShards(np.array_split(PROBLEMS["ties"], 3)))
    assert index.graph(0).indices.shape == (1500, 0)
    with reporting(told.append):
        index.graph(2)
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_copy_by_pickle_gives_the_same_answers():
    index = ShardedIndex().fit(ArrayShards(np.array_split(PROBLEMS["ties"], 3)))
    assert_same(pickle.loads(pickle.dumps(index)).graph(9), index.graph(9))


def test_what_is_sharded():
    assert is_sharded(ArrayShards(np.ones((2, 2))))
    assert not is_sharded(np.ones((2, 2)))
