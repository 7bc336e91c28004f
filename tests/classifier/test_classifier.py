import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product, sine_product_posterior

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(120, 3))
Y = (X[:, 0] > 0).astype(int)


def test_without_noise_it_is_plain_nearest_neighbors():
    ours = RobustKNeighborsClassifier(7, noise_rates=None).fit(X, Y)
    theirs = KNeighborsClassifier(7).fit(X, Y)
    queries = RANDOM.normal(size=(50, 3))
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries))
    by_distance = RobustKNeighborsClassifier(7, noise_rates=None, weights="distance").fit(X, Y)
    expected = KNeighborsClassifier(7, weights="distance").fit(X, Y).predict_proba(np.vstack([queries, X]))
    np.testing.assert_allclose(by_distance.predict_proba(np.vstack([queries, X])), expected)


def test_known_rates_move_the_threshold():
    model = RobustKNeighborsClassifier(10, noise_rates={0: 0.3, 1: 0.1}).fit(X, Y)
    assert model.threshold_ == pytest.approx(0.6)
    assert model.noise_rates_.tolist() == [0.3, 0.1]
    np.testing.assert_allclose(model.transition_matrix_, [[0.7, 0.3], [0.1, 0.9]])
    shares = model.predict_noisy_proba(X)[:, 1]
    np.testing.assert_array_equal(model.predict(X), shares >= 0.6 - 1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], np.clip((shares - 0.3) / 0.6, 0, 1), atol=1e-9)


def test_many_classes_are_corrected():
    pixels, digits = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(pixels, digits, random_state=0)
    matrix = 0.45 * np.eye(10) + 0.05 + 0.05 * np.eye(10)[[1, 2, 3, 4, 5, 6, 7, 8, 9, 0]]
    noisy = make_label_noise(y_train, matrix, random_state=0)
    model = RobustKNeighborsClassifier(20, noise_rates=matrix).fit(X_train, noisy)
    np.testing.assert_allclose(model.transition_matrix_, matrix)
    np.testing.assert_allclose(model.class_prior_, 0.1, atol=0.05)
    assert model.score(X_test, y_test) > 0.95
    assert not hasattr(model, "threshold_")


def test_on_the_papers_distribution_it_nears_the_bayes_error_and_beats_plain_neighbors():
    """n = 8,000, tau_plus = .1, tau_minus = .3, k = 51, true rates: Bayes error .2974, excess at such a k .016."""
    robust, plain = [], []
    for seed in range(5):
        X_train, y_train = make_sine_product(8000, random_state=seed)
        noisy = make_label_noise(y_train, {1: 0.1, 0: 0.3}, random_state=seed)
        X_test, _ = make_sine_product(8000, random_state=1000 + seed)
        eta = sine_product_posterior(X_test)
        for rates, errors in (({1: 0.1, 0: 0.3}, robust), (None, plain)):
            model = RobustKNeighborsClassifier(51, noise_rates=rates, n_jobs=2).fit(X_train, noisy)
            errors.append(np.mean(np.where(model.predict(X_test) == 1, 1 - eta, eta)))
    assert abs(np.mean(robust) - (0.5 - 2 / np.pi**2) - 0.016) < 0.01
    assert np.mean(plain) - np.mean(robust) > 0.02


@pytest.mark.parametrize("algorithm", ["auto", "exact", NearestNeighbors(), NearestNeighbors(algorithm="ball_tree")])
def test_any_search_gives_the_same(algorithm):
    model = RobustKNeighborsClassifier(algorithm=algorithm).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X + 0.1), RobustKNeighborsClassifier().fit(X, Y).predict(X + 0.1))


def test_sparse_rows_give_what_dense_ones_do():
    rows = X * (RANDOM.random_sample(X.shape) < 0.6)
    dense, filled = (RobustKNeighborsClassifier().fit(form(rows), Y) for form in (np.array, sparse.csr_matrix))
    np.testing.assert_array_equal(dense.predict_proba(rows), filled.predict_proba(sparse.csr_array(rows)))


def test_labels_of_any_type():
    for names in (["no", "yes"], [False, True], [3.0, 5.0], [-1, 1]):
        y = np.array(names)[Y]
        model = RobustKNeighborsClassifier().fit(X, y)
        assert model.predict(X).dtype == y.dtype
        assert model.score(X, y) > 0.9


def test_fewer_rows_than_k_are_all_used_and_it_says_so():
    y = np.array([0, 0, 1, 0, 0, 0, 1, 1])
    with pytest.warns(UserWarning, match="'n_neighbors' is 50, but only 8 rows were fitted; all are used"):
        model = RobustKNeighborsClassifier(50, noise_rates=None).fit(X[:8], y)
    assert model.n_neighbors_ == 8
    assert model.predict_noisy_proba(X)[:, 1] == pytest.approx(3 / 8)
    with pytest.warns(UserWarning, match="rows were fitted|cannot be estimated") as caught:
        model = RobustKNeighborsClassifier(3, noise_neighbors=50, noise_estimator="extremes").fit(X[:8], y)
    messages = " ".join(str(warning.message) for warning in caught)
    assert "'noise_neighbors' is 50, but only 8 rows were fitted" in messages
    assert "noise rates cannot be estimated" in messages
    assert model.noise_rates_.tolist() == [0, 0]


def test_one_row():
    model = RobustKNeighborsClassifier().fit([[1.0, 2.0]], ["a"])
    assert model.predict([[5.0, 5.0]]).tolist() == ["a"]


def test_a_stored_graph_gives_no_more_neighbors_than_it_has():
    stored = sparse.csr_array(([1.0, 1.0, 2.0, 3.0], ([0, 1, 2, 2], [1, 0, 0, 1])), shape=(3, 3))
    model = RobustKNeighborsClassifier(1, metric="precomputed", noise_rates=None).fit(stored, [0, 1, 1])
    assert model.kneighbors(n_neighbors=1, return_distance=False).tolist() == [[1], [0], [0]]
    for method in (model.kneighbors, model.kneighbors_graph):
        with pytest.raises(ValueError, match="'n_neighbors' must be at most 1, the number of neighbors stored"):
            method(n_neighbors=2)


@pytest.mark.parametrize("criterion", ["noisy_accuracy", "balanced_accuracy", "corrected_accuracy"])
def test_weights_work_with_every_criterion(criterion):
    model = RobustKNeighborsClassifier(selection=criterion).fit(X, Y, sample_weight=RANDOM.random_sample(120) + 0.5)
    assert model.score(X, Y) > 0.9


def test_neighbors_of_the_fitted_rows_leave_themselves_out():
    model = RobustKNeighborsClassifier(4).fit(X, Y)
    distances, indices = model.kneighbors()
    expected = NearestNeighbors(n_neighbors=4).fit(X).kneighbors()
    np.testing.assert_array_equal(indices, expected[1])
    np.testing.assert_allclose(distances, expected[0])
    graph = model.kneighbors_graph(mode="distance")
    np.testing.assert_allclose(
        graph.toarray(), NearestNeighbors(n_neighbors=4).fit(X).kneighbors_graph(mode="distance").toarray()
    )
    with pytest.raises(ValueError, match="'n_neighbors' must be at most 119"):
        model.kneighbors(n_neighbors=120)


def test_a_pickled_model_predicts_alike():
    model = RobustKNeighborsClassifier().fit(X, Y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_fitting_again_forgets_the_threshold():
    model = RobustKNeighborsClassifier(5).fit(X, Y)
    model.fit(X, np.arange(120) % 3)
    assert not hasattr(model, "threshold_")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_neighbors": 0}, "'n_neighbors' must be \"auto\" or an integer >= 1, got 0."),
        ({"n_neighbors": 2.5}, "'n_neighbors' must be \"auto\" or an integer >= 1, got 2.5."),
        ({"noise_neighbors": "all"}, "'noise_neighbors' must be \"auto\" or an integer >= 1, got 'all'."),
        ({"selection": "best"}, "'selection' must be one of"),
        ({"decision": "vote"}, "'decision' must be one of"),
        ({"weights": "gauss"}, "'weights' must be one of"),
        ({"algorithm": "hnsw"}, '"auto", "exact", "approximate", or an object with kneighbors(), got \'hnsw\'.'),
        ({"algorithm": "approximate", "executor": "joblib"}, "for rows in shards or an executor, got 'approximate'."),
        ({"algorithm": "approximate", "metric": "learned"}, "for a learned metric, got 'approximate'."),
        ({"noise_estimator": "magic"}, "'noise_estimator' must be one of"),
        ({"noise_rates": "many"}, "'noise_rates' must be \"estimate\""),
        ({"noise_rates": [0.5, 0.5]}, "'noise_rates' must be two rates whose sum is below 1"),
        ({"noise_rates": {"x": 0.1}}, "'noise_rates' must be {class: rate} of the classes [0, 1], got 'x'."),
        ({"executor": "dask"}, "'executor' must be None, \"joblib\", a dask.distributed Client or the address"),
        ({"metric": "nearly"}, "'metric' must be a function, a ForestSpace, or one of learned"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(parameters, words):
    with pytest.raises(ValueError, match="must be") as caught:
        RobustKNeighborsClassifier(**parameters).fit(X, Y)
    assert words in str(caught.value)


def test_algorithm_1_is_for_two_classes():
    with pytest.raises(ValueError, match="'decision' must be \"threshold\" for more than two classes"):
        RobustKNeighborsClassifier(decision="algorithm_1").fit(X, np.arange(120) % 3)


def test_predicting_before_fitting():
    for method in ("predict", "predict_proba", "decision_function", "kneighbors", "explain"):
        with pytest.raises(NotFittedError):
            getattr(clone(RobustKNeighborsClassifier()), method)(X)
