"""What fit learns from few rows, from one class, and by somebody else's estimator."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.classifier import learning
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.noise_rates import Extremes
from unflip.noise_rates.estimators.bayes import Bayes

RANDOM = np.random.RandomState(0)


X = RANDOM.normal(size=(120, 3))


Y = (X[:, 0] > 0).astype(int)


@pytest.mark.filterwarnings("ignore:The noise rates cannot be estimated")
@pytest.mark.parametrize("criterion", ["log_likelihood", "noisy_accuracy", "balanced_accuracy", "corrected_accuracy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_tiny_data(criterion, n_classes):
    for n in range(n_classes, 14):
        model = RobustKNeighborsClassifier(selection=criterion).fit(X[:n], np.arange(n) % n_classes)
        assert 1 <= model.n_neighbors_ <= n
        assert model.predict_proba(X).shape == (120, n_classes)


@pytest.mark.parametrize("criterion", ["log_likelihood", "noisy_accuracy", "balanced_accuracy", "corrected_accuracy"])
def test_one_class_is_predicted_and_a_class_of_one_row_is_no_harm(criterion):
    model = RobustKNeighborsClassifier(selection=criterion).fit(X, np.full(120, "only"))
    assert set(model.predict(X)) == {"only"}
    assert model.predict_proba(X).tolist() == [[1.0]] * 120
    y = Y + 1
    y[0] = 0
    model = RobustKNeighborsClassifier(selection=criterion).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(X, y) > 0.8
    two = np.zeros(120, int)
    two[5] = 1
    RobustKNeighborsClassifier(selection=criterion).fit(X, two).predict(X)


def test_an_estimator_of_ones_own():
    class Half:
        def estimate(self, graph, labels):
            assert len(graph) == len(labels)
            assert graph.indices.max() < len(labels)
            return np.array([[0.9, 0.1], [0.2, 0.8]])

    for criterion in ("auto", "noisy_accuracy"):
        model = RobustKNeighborsClassifier(noise_estimator=Half(), selection=criterion).fit(X, Y)
        assert model.noise_rates_.tolist() == [0.1, 0.2]
        assert model.noise_neighbors_ is None


def test_an_estimator_given_as_an_object_keeps_its_own_number_of_neighbors():
    rows, y = make_sine_product(600, random_state=0)
    labels = make_label_noise(y, [0.05, 0.3], random_state=0)
    model = RobustKNeighborsClassifier(10, noise_estimator=Extremes(80)).fit(rows, labels)
    assert model.noise_neighbors_ == 80
    by_name = RobustKNeighborsClassifier(10, noise_estimator="extremes", noise_neighbors=80).fit(rows, labels)
    np.testing.assert_array_equal(model.transition_matrix_, by_name.transition_matrix_)


def test_where_the_graph_of_all_rows_is_too_large_some_rows_tell_k_and_the_rates(monkeypatch):
    rows, y = make_sine_product(3000, random_state=0)
    noisy = make_label_noise(y, {0: 0.1, 1: 0.3}, random_state=0)
    whole = RobustKNeighborsClassifier().fit(rows, noisy)
    monkeypatch.setattr(learning, "LARGEST_GRAPH", 10**6)
    monkeypatch.setattr(learning, "SAMPLE_ROWS", 1000)
    for estimator in ("bayes", "confident", "beta_binomial", "moments", "quantile", "debiased_extremes", "extremes"):
        some = RobustKNeighborsClassifier(noise_estimator=estimator).fit(rows, noisy)
        assert some.n_learned_from_ == 1000
    some = RobustKNeighborsClassifier().fit(rows, noisy)
    assert whole.n_learned_from_ == 3000
    assert some.noise_rates_ == pytest.approx(whole.noise_rates_, abs=0.06)
    assert some.n_neighbors_ == pytest.approx(whole.n_neighbors_, rel=0.7)
    sample = np.sort(np.random.RandomState(0).choice(3000, 1000, replace=False))
    by_hand = ExactIndex().fit(rows).graph(50, sample)
    order = np.r_[sample, np.setdiff1d(np.arange(3000), sample)]
    expected = Bayes(50).estimate(by_hand.renumbered(order), noisy[order])
    np.testing.assert_array_equal(some.transition_matrix_, expected)
