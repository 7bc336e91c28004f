"""Approximate search: the recall that is asked for, in exact order, whatever the threads and the other rows asked."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from unflip import UnflipError
from unflip.foundation.progress import reporting
from unflip.neighbors import ExactIndex, NeighborIndex, approximate
from unflip.neighbors.approximate import ApproximateIndex
from unflip.neighbors.engines.inverted_lists import ListEngine
from unflip.neighbors.index import ExtendableIndex

K = 10


def clustered(random, n=4000, d=16):
    return random.normal(size=(20, d))[random.randint(0, 20, n)] + 0.4 * random.normal(size=(n, d))


def two_far_groups(random, n=4000):
    return random.random_sample((n, 10)) + 1e3 * (np.arange(n) % 2)[:, None]


RANDOM = np.random.RandomState(0)
DATA = {
    "clustered": clustered(RANDOM),
    "uniform": RANDOM.random_sample((4000, 12)),
    "binary": RANDOM.randint(0, 2, size=(4000, 14)).astype(float),
    "copies": np.repeat(RANDOM.random_sample((400, 8)), 10, axis=0),
    "large offset": RANDOM.random_sample((4000, 8)) + 1e6,
    "mixed scales": RANDOM.random_sample((4000, 10)) * 10.0 ** np.arange(-5, 5),
    "two far groups": two_far_groups(RANDOM),
    "heavy tails": np.exp(2 * RANDOM.normal(size=(4000, 6))),
}
X = DATA["uniform"]
NEW = RANDOM.random_sample((300, 12))


@pytest.fixture
def lists(monkeypatch):
    """Search by lists where otherwise exact search would do."""
    monkeypatch.setattr(approximate, "MIN_ROWS", 0)
    monkeypatch.setattr(approximate, "FEW_COMPARED", -1)
    monkeypatch.setattr(ListEngine, "compared_exactly", lambda *_: np.inf)
    monkeypatch.setattr(ListEngine, "is_precise", lambda *_: True)
    monkeypatch.setattr("unflip.neighbors.engines.leaves.LEAF_SIZE", 32)


def recall_of(graph, exact):
    """Return the share of neighbors that are as near as the last true one."""
    return (graph.distances <= exact.distances[:, -1:]).mean()


def assert_same(graph, expected):
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.distances, expected.distances)


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("name", "asked"), [*((name, 0.99) for name in DATA), ("clustered", 0.9), ("uniform", 0.9), ("binary", 0.9)]
)
def test_the_recall_is_the_one_asked_for(name, asked):
    index = ApproximateIndex(recall=asked).fit(DATA[name])
    found = recall_of(index.graph(K), ExactIndex().fit(DATA[name]).graph(K))
    assert index.algorithm_ == "approximate"
    assert found >= asked, f"{name}: asked for a recall of {asked}, found {found:.4f} (measured {index.recall_:.4f})"
    assert index.recall_ == pytest.approx(found, abs=0.02), f"measured {index.recall_:.4f}, found {found:.4f}"


@pytest.mark.usefixtures("lists")
def test_lists_are_left_out_and_more_of_them_the_less_recall_is_asked_for():
    indexes = [ApproximateIndex(recall=recall).fit(X) for recall in (0.5, 0.9, 0.99)]
    truth = ExactIndex().fit(X).graph(K)
    recalls = [recall_of(index.graph(K), truth) for index in indexes]
    probes = [index.n_probes_ for index in indexes]
    assert sorted(set(probes)) == probes
    assert probes[-1] < indexes[-1]._lists().n_lists / 2
    assert recalls[0] < recalls[1] < recalls[2] < 1


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("metric", "name"),
    [("euclidean", "binary"), ("l2", "copies"), ("sqeuclidean", "clustered"), ("cosine", "clustered")],
)
def test_what_is_found_has_exact_distances_and_is_in_exact_order(metric, name):
    rows = DATA[name]
    index = ApproximateIndex(metric).fit(rows)
    graph = index.graph(K)
    assert graph.indices.dtype == np.int32
    assert graph.distances.dtype == np.float64
    assert recall_of(graph, ExactIndex(metric).fit(rows).graph(K)) >= 0.99
    exact = ExactIndex(metric).fit(rows)
    for row in range(0, len(rows), 97):
        some = exact.query(rows[row : row + 1], len(rows))
        distance = dict(zip(some.indices[0], some.distances[0], strict=True))
        assert graph.distances[row].tolist() == [distance[other] for other in graph.indices[row]]
    keys = list(zip(graph.distances.ravel(), graph.indices.ravel(), strict=True))
    for start in range(0, len(keys), K):
        assert keys[start : start + K] == sorted(set(keys[start : start + K]))


@pytest.mark.usefixtures("lists")
def test_copies_of_a_row_are_its_neighbors_and_it_is_never_its_own():
    graph = ApproximateIndex().fit(DATA["copies"]).graph(9)
    rows = np.arange(4000)
    assert (graph.distances == 0).all()
    assert (graph.indices // 10 == rows[:, None] // 10).all()
    assert (graph.indices != rows[:, None]).all()
    constant = ApproximateIndex().fit(np.ones((300, 3))).graph(299)
    assert [sorted({*found, row}) for row, found in enumerate(constant.indices.tolist())] == [[*range(300)]] * 300


@pytest.mark.usefixtures("lists")
def test_threads_do_not_matter():
    indexes = [ApproximateIndex(n_jobs=n_jobs).fit(X) for n_jobs in (None, 2, 3)]
    expected, expected_new = indexes[0].graph(K), indexes[0].query(NEW, K)
    for index in indexes[1:]:
        assert_same(index.graph(K), expected)
        assert_same(index.query(NEW, K), expected_new)
        assert (index.n_probes_, index.recall_) == (indexes[0].n_probes_, indexes[0].recall_)


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("name", ["uniform", "binary"])
def test_neither_the_other_rows_nor_earlier_searches_matter(name, monkeypatch):
    index = ApproximateIndex().fit(DATA[name])
    whole = index.graph(K)
    rows = np.array([7, 250, 3, 3999, 120])
    some = ApproximateIndex().fit(DATA[name])
    some.graph(3)
    assert_same(some.graph(K, rows), type(whole)(whole.indices[rows], whole.distances[rows]))
    new = NEW if name == "uniform" else DATA[name][:300] + 0.25
    expected = index.query(new, K)
    monkeypatch.setattr(approximate, "QUERIES_AT_ONCE", 37)
    assert_same(index.query(new, K), expected)
    assert_same(index.query(new[5:6], K), type(whole)(expected.indices[5:6], expected.distances[5:6]))


@pytest.mark.usefixtures("lists")
def test_new_rows_find_the_fitted_ones_near_them():
    index, exact = ApproximateIndex().fit(X), ExactIndex().fit(X)
    found = recall_of(index.query(NEW, K), exact.query(NEW, K))
    assert found >= 0.98, f"asked for a recall of .99, found {found:.4f} on rows from where the fitted ones come"
    np.testing.assert_array_equal(index.query(X[:50], 1).indices[:, 0], np.arange(50))


@pytest.mark.usefixtures("lists")
def test_new_rows_far_from_all_others_are_searched_exactly():
    new = np.vstack([NEW[:3], np.full((1, 12), 1e5), NEW[3:5], np.eye(12)[:1] * 1e30])
    graph, exact = ApproximateIndex().fit(X).query(new, K), ExactIndex().fit(X).query(new, K)
    np.testing.assert_array_equal(graph.indices[[3, 6]], exact.indices[[3, 6]])
    np.testing.assert_array_equal(graph.distances[[3, 6]], exact.distances[[3, 6]])
    assert_same(ApproximateIndex().fit(X).query(NEW[3:5], K), type(graph)(graph.indices[4:6], graph.distances[4:6]))


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, int])
def test_rows_are_kept_in_the_type_they_came_in(dtype):
    rows = (X * 100).astype(dtype)
    index = ApproximateIndex().fit(rows)
    kept = {np.float16: np.float32, int: np.float64}.get(dtype, dtype)
    assert index.points_.dtype == kept
    assert np.shares_memory(index.points_, rows) == (kept == dtype)
    found = recall_of(index.graph(K), ExactIndex().fit(rows.astype(float)).graph(K))
    assert found >= 0.99, f"asked for a recall of .99, found {found:.4f}"
    finer = NEW * 100 + 1e-9  # which float32 would round
    exact = ExactIndex().fit(rows.astype(float)).query(finer, K)
    graph = index.query(finer, K)
    np.testing.assert_array_equal(graph.distances[:, 0], exact.distances[:, 0])


@pytest.mark.usefixtures("lists")
def test_layout_does_not_matter():
    expected = ApproximateIndex().fit(X).graph(K)
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        assert_same(ApproximateIndex().fit(other).graph(K), expected)


@pytest.mark.usefixtures("lists")
def test_a_pickled_index_answers_alike_and_leaves_its_lists_behind():
    index = ApproximateIndex().fit(X)
    expected, expected_new = index.graph(K), index.query(NEW, K)
    state = pickle.dumps(index)
    assert len(state) < 1.05 * X.nbytes
    copy = pickle.loads(state)
    assert_same(copy.query(NEW, K), expected_new)
    assert_same(copy.graph(K), expected)
    assert (copy.recall_, copy.n_probes_) == (index.recall_, index.n_probes_)


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_rows_added_are_found_as_if_fitted_at_once(metric):
    grown = ApproximateIndex(metric, recall=0.95, seed=3).fit(X[:2500]).extended(X[2500:3000]).extended(X[3000:])
    at_once = ApproximateIndex(metric, recall=0.95, seed=3).fit(X)
    assert grown.n_rows == 4000
    assert_same(grown.graph(K), at_once.graph(K))
    found = recall_of(grown.graph(K), ExactIndex(metric).fit(X).graph(K))
    assert found >= 0.95, f"asked for a recall of .95, found {found:.4f}"


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("n_asked", [40, 700])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_among_searches_only_the_kept_rows(n_asked, metric):
    keep = np.random.RandomState(1).random_sample(len(X)) < 0.6
    index, exact = ApproximateIndex(metric).fit(X), ExactIndex(metric).fit(X)
    for rows in (np.flatnonzero(keep)[-n_asked:], np.flatnonzero(~keep)[-n_asked:]):
        graph, expected = index.among(rows, keep, K), exact.among(rows, keep, K)
        assert keep[graph.indices].all()
        assert (graph.indices != rows[:, None]).all()
        found = recall_of(graph, expected)
        assert found >= (1 if n_asked == 40 else 0.98), f"asked for a recall of .99, found {found:.4f}"


def test_exact_search_where_lists_would_not_pay(monkeypatch):
    monkeypatch.setattr(approximate, "MIN_ROWS", 1000)
    monkeypatch.setattr(approximate, "FEW_COMPARED", 300)
    monkeypatch.setattr("unflip.neighbors.engines.leaves.LEAF_SIZE", 32)
    monkeypatch.setattr(ListEngine, "make_lists", lambda *_: pytest.fail("lists were made"))
    random = np.random.RandomState(2)
    flat = random.random_sample((2000, 2))
    outlier = X[:1500].copy()
    outlier[0] = 1e9
    cases = {
        "few rows": (X[:900], {}),
        "few compared": (flat, {}),
        "a recall of one": (X[:1500], {"recall": 1}),
        "a row too far for float32": (outlier, {}),
        "squares that overflow": (X[:1100] * 1e200, {}),
    }
    for name, (rows, parameters) in cases.items():
        index = ApproximateIndex(**parameters).fit(rows)
        assert_same(index.graph(K), ExactIndex().fit(rows).graph(K))
        assert_same(index.query(rows[:9], K), ExactIndex().fit(rows).query(rows[:9], K))
        assert (index.algorithm_, index.recall_, index.n_probes_) == ("exact", 1.0, None), name


def test_exact_search_where_lists_would_compare_more(monkeypatch):
    monkeypatch.setattr(approximate, "MIN_ROWS", 0)
    monkeypatch.setattr(approximate, "FEW_COMPARED", 0)
    monkeypatch.setattr("unflip.neighbors.engines.leaves.LEAF_SIZE", 64)
    for columns, algorithm in ((2, "exact"), (12, "approximate")):
        index = ApproximateIndex(recall=0.95).fit(X[:, :columns])
        graph = index.graph(K)
        assert index.algorithm_ == algorithm
        assert recall_of(graph, ExactIndex().fit(X[:, :columns]).graph(K)) >= 0.95


@pytest.mark.usefixtures("lists")
def test_only_what_the_plan_needs_stays_in_memory():
    index = ApproximateIndex().fit(X)
    index.graph(K)
    assert list(index._made) == ["lists"]
    index.recall = 1
    index.graph(K + 1)
    assert index.algorithm_ == "exact"


@pytest.mark.usefixtures("lists")
def test_who_listens_hears_how_far_the_search_is_and_nothing_of_what_comes_before():
    shares = []
    with reporting(shares.append):
        ApproximateIndex(n_jobs=2).fit(X).graph(K)
    assert len(shares) > 10
    assert shares == sorted(set(shares))
    assert shares[-1] == 1


@pytest.mark.usefixtures("lists")
def test_more_neighbors_than_rows():
    index = ApproximateIndex().fit(X[:5])
    assert sorted(index.graph(9).indices[2]) == [0, 1, 3, 4]
    assert index.query(X[:2], 9).indices.shape == (2, 5)
    assert ApproximateIndex().fit(X[:1]).graph(3).indices.shape == (1, 0)
    assert index.graph(3, np.array([], int)).indices.shape == (0, 3)
    assert index.query(X[:0], 3).distances.shape == (0, 3)
    assert index.graph(0).indices.shape == (5, 0)


def test_it_keeps_the_contract():
    index = ApproximateIndex().fit(X)
    assert isinstance(index, NeighborIndex)
    assert isinstance(index, ExtendableIndex)
    assert index.n_rows == 4000


@pytest.mark.parametrize(
    ("parameters", "rows", "said"),
    [
        ({}, sparse.csr_array(np.eye(3)), "'X' must be a dense array for approximate search, got 'csr_array'."),
        ({"metric": "manhattan"}, X, "'metric' must be one of \"euclidean\", \"sqeuclidean\", \"cosine\" for"),
        ({"metric": "furlongs"}, X, "'metric' must be one of \"euclidean\", \"sqeuclidean\", \"cosine\" for"),
        ({"metric": np.dot}, X, "'metric' must be one of"),
        ({"recall": 0}, X, "'recall' must be a number above 0 and at most 1, got 0."),
        ({"recall": 1.01}, X, "'recall' must be a number above 0 and at most 1, got 1.01."),
        ({"recall": np.nan}, X, "'recall' must be a number above 0 and at most 1, got nan."),
        ({"recall": "high"}, X, "'recall' must be a number above 0 and at most 1, got 'high'."),
        ({"n_jobs": 0}, X, "'n_jobs' must be None or an integer other than 0, got 0."),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_is_refused_in_the_name_of_the_owner(parameters, rows, said):
    for owner, name in ((None, "ApproximateIndex"), ("LabelAudit", "LabelAudit"), (ExactIndex(), "ExactIndex")):
        with pytest.raises(UnflipError) as refused:
            ApproximateIndex(**parameters, owner=owner).fit(rows)
        assert str(refused.value).startswith(f"{name}: {said}")


def test_new_rows_in_a_sparse_matrix_are_refused():
    index = ApproximateIndex().fit(X)
    for search in (lambda rows: index.query(rows, 3), index.extended):
        with pytest.raises(UnflipError, match=r"^ApproximateIndex: 'X' must be a dense array for approximate search"):
            search(sparse.csr_array(NEW))
