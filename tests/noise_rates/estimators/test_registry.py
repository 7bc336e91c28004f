"""What all estimators promise, and the formulas behind each."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.neighbors.weighted import WeightedIndex
from unflip.noise.posterior import invertible, invertible_or_identity
from unflip.noise_rates import ESTIMATORS

# How far off a rate may be on separate classes; the extremes are known to be low, bounds to be high.
TOLERANCE = {
    "bayes": 0.04,
    "extremes": 0.25,
    "debiased_extremes": 0.08,
    "quantile": 0.1,
    "moments": 0.04,
    "confident": 0.06,
    "beta_binomial": 0.1,
    "reeve_kaban": 0.3,
}


def separate_classes(n_classes, n=3000, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    return random.normal(size=(n, 3)) + 20 * random.normal(size=(n_classes, 3))[y], y


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("rates", [(0.1, 0.2), (0.3, 0.1), (0.05, 0.4)])
def test_two_separate_classes(name, rates):
    X, y = separate_classes(2)
    graph = ExactIndex(n_jobs=2).fit(X).graph(60)
    matrices = [ESTIMATORS[name]().estimate(graph, make_label_noise(y, rates, random_state=seed)) for seed in range(3)]
    tau_minus, tau_plus = np.mean([[matrix[0, 1], matrix[1, 0]] for matrix in matrices], axis=0)
    assert (tau_minus, tau_plus) == pytest.approx(rates, abs=TOLERANCE[name])


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("n_classes", [3, 6])
def test_many_separate_classes(name, n_classes):
    X, y = separate_classes(n_classes, n=1500 * n_classes)
    truth = 0.65 * np.eye(n_classes) + 0.35 * np.random.RandomState(1).dirichlet(np.ones(n_classes), size=n_classes)
    labels = make_label_noise(y, truth, random_state=0)
    matrix = ESTIMATORS[name]().estimate(ExactIndex(n_jobs=2).fit(X).graph(60), labels)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert matrix.min() >= 0
    assert invertible(matrix)
    assert np.abs(np.diag(matrix) - np.diag(truth)).mean() < TOLERANCE[name]
    assert np.abs(matrix - truth).mean() < TOLERANCE[name] / 2


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_weight_is_a_number_of_copies(name, n_classes):
    random = np.random.RandomState(0)
    X, y = random.normal(size=(150, 2)), random.randint(0, n_classes, size=150)
    copies = random.randint(1, 4, size=150)
    weighted = WeightedIndex(ExactIndex().fit(X), copies).graph(60)
    repeated = ExactIndex().fit(X.repeat(copies, axis=0)).graph(60)
    by_weight = ESTIMATORS[name](12).estimate(weighted, y)
    np.testing.assert_allclose(by_weight, ESTIMATORS[name](12).estimate(repeated, y.repeat(copies)), atol=1e-6)


@pytest.mark.filterwarnings("ignore:The noise rates cannot be estimated")  # a bound over so few rows says nothing
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_classifier_takes_each_by_name_with_its_own_or_a_given_number_of_neighbors(name):
    X, y = make_sine_product(600, random_state=0)
    labels = make_label_noise(y, [0.05, 0.3], random_state=0)
    model = RobustKNeighborsClassifier(noise_estimator=name).fit(X, labels)
    assert model.noise_neighbors_ == ESTIMATORS[name]().n_neighbors
    model = RobustKNeighborsClassifier(noise_estimator=name, noise_neighbors=20).fit(X, labels)
    assert model.noise_neighbors_ == 20
    expected = ESTIMATORS[name](20).estimate(ExactIndex().fit(X).graph(20), labels)
    np.testing.assert_allclose(model.transition_matrix_, invertible_or_identity(expected))
    RobustKNeighborsClassifier(noise_estimator=name, selection="noisy_accuracy").fit(X[:200], labels[:200])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_tiny_data_are_no_harm(name):
    for n in (4, 9, 20):
        X = np.random.RandomState(n).normal(size=(n, 2))
        matrix = ESTIMATORS[name]().estimate(ExactIndex().fit(X).graph(n - 1), np.arange(n) % 2)
        assert np.isfinite(matrix).all()
        np.testing.assert_allclose(matrix.sum(axis=1), 1)
