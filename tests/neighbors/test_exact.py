"""Every engine gives the brute-force answer, bit for bit."""

import joblib
import numpy as np
import pytest
from scipy import sparse

from neighbors.data import awkward_data, brute_force
from unflip.neighbors import ExactIndex
from unflip.neighbors import exact as index_module

DATA = awkward_data()
ENGINES = ("plain", "leaf by squares", "leaf by products")


@pytest.fixture
def make_index(monkeypatch):
    """Return a function that makes an index with one engine, for all leaves but the few it starts with."""

    def make(engine, **parameters):
        if engine != "plain":
            by_products = engine == "leaf by products"
            monkeypatch.setattr("unflip.neighbors.engines.leaf.PROBED_LEAVES", 1)
            monkeypatch.setattr("unflip.neighbors.engines.leaf.PRODUCT_SHARE", -1 if by_products else 2)
            monkeypatch.setattr("unflip.neighbors.engines.leaf.PRODUCT_PRECISION", np.inf)
            monkeypatch.setattr("unflip.neighbors.engines.leaves.LEAF_SIZE", 64)
        return ExactIndex(engine=engine.split()[0], **parameters)

    return make


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("k", [1, 10, 100])
def test_every_engine_gives_the_brute_force_answer(name, engine, k, make_index):
    X = DATA[name]
    index = make_index(engine, n_jobs=2).fit(X)
    squared, rows = brute_force(X, X, k, exclude=np.arange(len(X)))
    graph = index.graph(k)
    np.testing.assert_array_equal(graph.indices, rows)
    np.testing.assert_array_equal(graph.distances, np.sqrt(squared))


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_neighbors_of_new_rows(name, engine, make_index):
    X = DATA[name]
    random = np.random.RandomState(1)
    queries = np.vstack([X[:50], random.permutation(X.ravel()).reshape(X.shape)[:150]])
    squared, rows = brute_force(X, queries, 7)
    graph = make_index(engine).fit(X).query(queries, 7)
    np.testing.assert_array_equal(graph.indices, rows)
    np.testing.assert_array_equal(graph.distances, np.sqrt(squared))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("n_rows", [2, 3, 5, 17, 257])
@pytest.mark.parametrize("n_columns", [1, 9, 33])
def test_all_sizes_down_to_two_rows(engine, n_rows, n_columns, make_index):
    X = np.random.RandomState(n_rows).normal(size=(n_rows, n_columns))
    k = min(n_rows - 1, 20)
    _, rows = brute_force(X, X, k, exclude=np.arange(n_rows))
    np.testing.assert_array_equal(make_index(engine).fit(X).graph(1000).indices[:, :k], rows)


@pytest.mark.parametrize("engine", ENGINES)
def test_threads_layout_and_dtype_do_not_matter(engine, make_index):
    X = np.random.RandomState(0).randint(0, 4, size=(700, 6)).astype(np.float32)
    expected = make_index(engine).fit(X.astype(float)).graph(15)
    for other in (X, np.asfortranarray(X), X.astype(int), X[::-1][::-1], sparse.csr_array(X)):
        graph = make_index(engine, n_jobs=2).fit(other).graph(15)
        np.testing.assert_array_equal(graph.indices, expected.indices)
        np.testing.assert_array_equal(graph.distances, expected.distances)


@pytest.mark.parametrize("engine", ENGINES)
def test_twenty_identical_rows_are_each_others_neighbors_never_their_own(engine, make_index):
    graph = make_index(engine).fit(np.ones((20, 3))).graph(19)
    for row in range(20):
        assert graph.indices[row].tolist() == [other for other in range(20) if other != row]


def test_block_sizes_do_not_matter(make_index, monkeypatch):
    X = DATA["whole numbers"]
    expected = ExactIndex().fit(X).graph(30).indices
    monkeypatch.setattr("unflip.neighbors.engines.plain.PAIRS_PER_BLOCK", 1000)
    np.testing.assert_array_equal(ExactIndex(engine="plain").fit(X).graph(30).indices, expected)
    monkeypatch.setattr("unflip.neighbors.engines.sparse.QUERIES_PER_BLOCK", 13)
    monkeypatch.setattr(index_module, "DENSE_VALUES", 0)
    np.testing.assert_array_equal(ExactIndex().fit(sparse.csr_array(X)).graph(30).indices, expected)


@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_parts_searched_by_joblib_give_the_same_answer(backend, engine):
    X = DATA["whole numbers"]
    expected = ExactIndex().fit(X)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        index = ExactIndex(engine=engine, executor="joblib").fit(X)
        for graph, other in (
            (index.graph(20), expected.graph(20)),
            (index.query(X[:30], 5), expected.query(X[:30], 5)),
        ):
            np.testing.assert_array_equal(graph.indices, other.indices)
            np.testing.assert_array_equal(graph.distances, other.distances)


def test_small_problems_compile_nothing():
    index = ExactIndex().fit(np.random.RandomState(0).random_sample((1000, 10)))
    index.graph(50)
    assert list(index._fitted) == ["plain"]


@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_rows_whose_squared_distance_overflows_are_infinitely_far_and_ordered_by_number(engine):
    graph = ExactIndex(engine=engine).fit(np.array([[1e300], [0.0], [-1e300], [1.0]])).graph(3)
    assert graph.indices.tolist() == [[1, 2, 3], [3, 0, 2], [0, 1, 3], [1, 0, 2]]
    assert graph.distances[0].tolist() == [np.inf] * 3


def test_among_searches_only_the_kept_rows():
    X = DATA["uniform"]
    keep = np.random.RandomState(0).random_sample(len(X)) < 0.6
    kept = np.flatnonzero(keep)
    index = ExactIndex().fit(X)
    for rows in (kept[:40], np.flatnonzero(~keep)[:40]):
        found = index.among(rows, keep, 12)
        exclude = np.searchsorted(kept, rows) if keep[rows[0]] else None
        _, expected = brute_force(X[kept], X[rows], 12, exclude)
        np.testing.assert_array_equal(found.indices, kept[expected])


def test_a_pickled_index_answers_alike_and_leaves_its_engines_behind(monkeypatch):
    import pickle

    monkeypatch.setattr(index_module, "PLAIN_WORK", 0)
    index = ExactIndex().fit(DATA["uniform"])
    expected = index.graph(5).indices
    copy = pickle.loads(pickle.dumps(index))
    assert copy._fitted == {}
    np.testing.assert_array_equal(copy.graph(5).indices, expected)


def test_which_engine_answers_depends_on_sizes_alone(monkeypatch):
    monkeypatch.setattr(index_module, "PLAIN_WORK", 900 * 900 * 13)
    small, large = ExactIndex().fit(DATA["uniform"]), ExactIndex().fit(np.vstack([DATA["uniform"], np.ones((1, 5))]))
    for _ in range(2):  # nor on what was asked before
        for index, engine in ((small, "plain"), (large, "leaf")):
            index.graph(3)
            index.query(DATA["uniform"][:2], 3)
            assert list(index._fitted) == [engine]
    assert small._choice(np.ones((10_000, 5))) == "leaf"


@pytest.mark.parametrize("engine", ["plain", "leaf"])
def test_the_neighbors_of_some_rows_are_theirs_in_the_graph_of_all(engine):
    X = np.random.RandomState(0).randint(0, 4, size=(300, 3)).astype(float)  # copies and ties
    index = ExactIndex(engine=engine).fit(X)
    rows = np.array([7, 250, 3, 120])
    some, whole = index.graph(9, rows), index.graph(9)
    np.testing.assert_array_equal(some.indices, whole.indices[rows])
    np.testing.assert_array_equal(some.distances, whole.distances[rows])
