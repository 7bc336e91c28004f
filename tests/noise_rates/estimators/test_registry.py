"""What all estimators promise, and the formulas behind each."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.datasets import make_sine_product
from unflip.neighbors import ExactIndex
from unflip.neighbors.weighted import WeightedIndex
from unflip.noise.posterior import invertible
from unflip.noise_rates import ESTIMATORS, Confident, DebiasedExtremes, Moments
from unflip.noise_rates.estimators.beta_binomial import fit_ends
from unflip.noise_rates.estimators.confident import confident_joint, transition_matrix
from unflip.noise_rates.estimators.debiased_extremes import unbiased_rate
from unflip.noise_rates.estimators.moments import consensus, rates_from_moments
from unflip.noise_rates.neighborhoods import Neighborhoods, matrix_from_rates

# How far off a rate may be on separate classes; the extremes are known to be low.
TOLERANCE = {
    "bayes": 0.04,
    "extremes": 0.25,
    "debiased_extremes": 0.08,
    "quantile": 0.1,
    "moments": 0.04,
    "confident": 0.06,
    "beta_binomial": 0.1,
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


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_classifier_takes_each_by_name_with_its_own_or_a_given_number_of_neighbors(name):
    X, y = make_sine_product(600, random_state=0)
    labels = make_label_noise(y, [0.05, 0.3], random_state=0)
    model = RobustKNeighborsClassifier(noise_estimator=name).fit(X, labels)
    assert model.noise_neighbors_ == ESTIMATORS[name]().n_neighbors
    model = RobustKNeighborsClassifier(noise_estimator=name, noise_neighbors=20).fit(X, labels)
    assert model.noise_neighbors_ == 20
    expected = ESTIMATORS[name](20).estimate(ExactIndex().fit(X).graph(20), labels)
    np.testing.assert_allclose(model.transition_matrix_, expected)
    RobustKNeighborsClassifier(noise_estimator=name, selection="noisy_accuracy").fit(X[:200], labels[:200])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_tiny_data_are_no_harm(name):
    for n in (4, 9, 20):
        X = np.random.RandomState(n).normal(size=(n, 2))
        matrix = ESTIMATORS[name]().estimate(ExactIndex().fit(X).graph(n - 1), np.arange(n) % 2)
        assert np.isfinite(matrix).all()
        np.testing.assert_allclose(matrix.sum(axis=1), 1)


def test_the_debiased_minimum_has_the_right_median():
    """Minima of 40 binomial counts of 51 with p = .25, put through the correction, scatter around .25."""
    random = np.random.RandomState(0)
    minima = random.binomial(51, 0.25, size=(2000, 40)).min(axis=1)
    estimates = [unbiased_rate(count, 51, 40) for count in minima]
    assert np.median(estimates) == pytest.approx(0.25, abs=0.02)
    assert np.median(minima / 51) < 0.15  # what the plain minimum says


def test_rates_that_leave_nothing_to_learn_from_are_shrunk():
    X = np.random.RandomState(0).normal(size=(200, 2))
    matrix = DebiasedExtremes(20).estimate(ExactIndex().fit(X).graph(20), np.arange(200) % 2)
    assert np.trace(matrix) > 1


def test_moments_of_a_mixture_give_its_rates_back():
    for tau_minus, tau_plus, prior in ((0.1, 0.3, 0.5), (0.0, 0.2, 0.2), (0.4, 0.1, 0.7)):
        moments = (prior * (1 - tau_plus) ** r + (1 - prior) * tau_minus**r for r in (1, 2, 3))
        assert rates_from_moments(*moments) == pytest.approx((tau_minus, tau_plus), abs=1e-9)


def test_consensus_counts_triples_without_repetition():
    # One neighborhood with labels 0, 0, 1: of ordered pairs and triples without repetition.
    first, second, third = consensus(Neighborhoods(np.array([[2, 1]]), np.ones(1)))
    np.testing.assert_allclose(first, [2 / 3, 1 / 3])
    np.testing.assert_allclose(second, [[1 / 3, 1 / 3], [1 / 3, 0]])
    assert third[0, 0, 1] == pytest.approx(1 / 3)
    assert third[0, 0, 0] == 0
    assert third.sum() == pytest.approx(1)


def test_fitted_moments_agree_with_the_closed_form():
    from unflip.noise_rates.estimators import moments

    tau_minus, tau_plus, prior = 0.1, 0.3, np.array([0.6, 0.4])
    truth = np.array([[1 - tau_minus, tau_minus], [tau_plus, 1 - tau_plus]])
    orders = (
        prior @ truth,
        np.einsum("k,ki,kj->ij", prior, truth, truth),
        np.einsum("k,ki,kj,kl->ijl", prior, truth, truth, truth),
    )
    np.testing.assert_allclose(moments._fit(*orders), truth, atol=0.01)


def test_confident_counts_by_hand():
    first = np.array([0.9, 0.9, 0.6, 0.2, 0.3, 0.9])
    labels = np.array([0, 0, 0, 1, 1, 1])
    # Thresholds: class 0 (.9 + .9 + .6) / 3 = .8, class 1 (.8 + .7 + .1) / 3 = .533. The third row reaches neither, the
    # last one belongs to 0 though it is labeled 1.
    joint = confident_joint(np.column_stack([first, 1 - first]), labels, np.ones(6))
    assert joint.tolist() == [[2, 0], [1, 2]]
    # Scaled to three labels each: (3, 0) and (1, 2). Of the four that are truly 0, one is observed as 1.
    np.testing.assert_allclose(transition_matrix(joint, np.array([3.0, 3.0])), [[3 / 4, 1 / 4], [0, 1]])


def test_confident_learning_leaves_absent_classes_alone():
    joint = confident_joint(np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]]), np.array([0, 1]), np.ones(2))
    matrix = transition_matrix(joint, np.array([1.0, 1.0, 0.0]))
    np.testing.assert_array_equal(matrix, np.eye(3))


def test_the_ends_of_a_simulated_distribution_are_found():
    random = np.random.RandomState(0)
    for tau_minus, tau_plus in ((0.1, 0.3), (0.2, 0.05)):
        share = tau_minus + (1 - tau_minus - tau_plus) * random.beta(0.5, 0.5, size=20_000)
        found = fit_ends(np.bincount(random.binomial(31, share), minlength=32))
        assert found == pytest.approx((tau_minus, tau_plus), abs=0.04)


def test_flips_go_where_the_purest_neighborhoods_say():
    counts = np.array([[8, 2, 0]] * 50 + [[0, 9, 1]] * 50 + [[1, 1, 8]] * 50)
    matrix = matrix_from_rates([0.2, 0.1, 0.3], Neighborhoods(counts, np.ones(150)))
    np.testing.assert_allclose(matrix, [[0.8, 0.2, 0], [0, 0.9, 0.1], [0.15, 0.15, 0.7]])


def test_moments_come_out_high_and_extremes_low_where_classes_overlap():
    X, y = make_sine_product(6000, random_state=0)
    labels = make_label_noise(y, [0.2, 0.2], random_state=0)
    graph = ExactIndex(n_jobs=2).fit(X).graph(60)
    low = ESTIMATORS["extremes"]().estimate(graph, labels)
    for high in (Moments(), Confident()):
        matrix = high.estimate(graph, labels)
        assert low[0, 1] < 0.2 < matrix[0, 1]
        assert low[1, 0] < 0.2 < matrix[1, 0]
