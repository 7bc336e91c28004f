"""Transition matrices of many classes: pure ones are found, and rows stay distributions."""

import numpy as np
import pytest

from unflip import make_label_noise
from unflip.noise.transition import NoiseModel
from unflip.noise_rates import NoisePrior
from unflip.noise_rates import many_rates as module
from unflip.noise_rates.many_rates import likely_matrices
from unflip.noise_rates.noise_prior import RATES
from unflip.opinions.rowwise import RowwiseProbabilities

UNIFORM = NoiseModel.of(0.2, np.arange(4)).transition_matrix
UNEQUAL = NoiseModel.of([0.1, 0.1, 0.3, 0.2], np.arange(4)).transition_matrix
TO_THE_NEXT = 0.8 * np.eye(4) + 0.2 * np.roll(np.eye(4), 1, axis=1)


def pure_classes(T, n=3000, seed=0, spread=0.5):
    """Return shares that scatter about the rows of T, and labels drawn from them."""
    random = np.random.RandomState(seed)
    truth = random.randint(0, len(T), n)
    shares = T[truth] * np.exp(spread * random.normal(size=(n, len(T))))
    return shares / shares.sum(axis=1, keepdims=True), make_label_noise(truth, T, random_state=seed)


@pytest.mark.parametrize("T", [UNIFORM, TO_THE_NEXT, np.eye(4)], ids=["uniform", "to the next", "none"])
def test_the_matrix_of_pure_classes_is_found(T):
    shares, labels = pure_classes(T)
    matrices = likely_matrices(np.maximum(shares, 1e-4), labels, NoisePrior())
    assert matrices.shape == (2 * module.N_LEVELS, 4, 4)
    np.testing.assert_allclose(matrices.sum(axis=2), 1)
    assert matrices.min() >= 0
    np.testing.assert_allclose(matrices.mean(axis=0), T, atol=0.08)
    if T is TO_THE_NEXT:
        others = matrices.mean(axis=0) * (1 - np.eye(4))
        assert others.argmax(axis=1).tolist() == [1, 2, 3, 0]


def test_half_of_the_matrices_give_all_classes_one_rate_and_both_halves_rise():
    matrices = likely_matrices(*pure_classes(UNEQUAL), NoisePrior())
    rates = 1 - np.diagonal(matrices, axis1=1, axis2=2)
    same, own = rates[: module.N_LEVELS], rates[module.N_LEVELS :]
    np.testing.assert_allclose(same, np.repeat(same[:, :1], 4, axis=1))
    assert (np.diff(same, axis=0) >= 0).all()
    assert (np.diff(own, axis=0) >= 0).all()
    assert own[:, 2].mean() > own[:, 0].mean() + 0.05  # rates of .3 and .1, drawn to each other


def test_a_class_of_few_rows_has_the_rates_of_all():
    shares, labels = pure_classes(UNIFORM, 800)
    few = np.flatnonzero(shares.argmax(axis=1) == 2)[module.MIN_ROWS - 1 :]
    shares, labels = np.delete(shares, few, axis=0), np.delete(labels, few)
    rates = 1 - np.diagonal(likely_matrices(shares, labels, NoisePrior()), axis1=1, axis2=2)
    np.testing.assert_allclose(rates[module.N_LEVELS :, 2], rates[: module.N_LEVELS, 2])
    assert not np.allclose(rates[module.N_LEVELS :, 0], rates[: module.N_LEVELS, 0])


def test_flips_are_counted_by_how_surely_a_row_belongs_to_its_class():
    weights, labels = np.array([1.0, 0.5, 0.5, 1.0, 0.0, 0.25]), np.array([1, 2, 1, 0, 2, 0])
    found = module._flips(weights, np.array([0, 0, 0, 0, 0, 1]), labels, 3)
    # Class 0 seems likeliest: 1.5 labels of class 1, .5 of class 2, and a third of a label of each to begin with.
    np.testing.assert_allclose(found[0], np.array([0, 1.5 + 1 / 3, 0.5 + 1 / 3]) / (2 + 2 / 3))
    np.testing.assert_allclose(found[1], np.array([0.25 + 1 / 3, 0, 1 / 3]) / (0.25 + 2 / 3))
    np.testing.assert_allclose(found[2], [0.5, 0.5, 0])


def test_rates_are_mostly_near_those_of_all():
    nearby = module._nearby()
    np.testing.assert_allclose(nearby.sum(axis=1), 1)
    assert nearby.argmax(axis=1).tolist() == list(range(len(RATES)))


def test_tiny_data_and_a_class_without_labels_are_no_harm():
    for n in (1, 3, 12):
        shares = np.random.RandomState(n).dirichlet(np.ones(5), n)
        matrices = likely_matrices(shares, np.arange(n) % 3, NoisePrior())
        assert matrices.shape[1:] == (5, 5)
        np.testing.assert_allclose(matrices.sum(axis=2), 1)
        assert matrices.min() >= 0


def test_many_classes_are_asked_about_their_rates_together(monkeypatch):
    shares, labels = pure_classes(UNEQUAL)
    shares = np.column_stack([shares, np.full((3000, 2), 1e-4)])  # two classes that hardly anyone has
    expected = likely_matrices(shares, labels, NoisePrior())
    monkeypatch.setattr(module, "MANY_CLASSES", 3)
    found = likely_matrices(shares, labels, NoisePrior())
    np.testing.assert_allclose(found[: module.N_LEVELS], expected[: module.N_LEVELS])
    np.testing.assert_allclose(found, expected, atol=0.02)
    assert not np.array_equal(found, expected)


def test_probabilities_made_row_by_row_give_the_same_matrices():
    shares, labels = pure_classes(UNEQUAL, 500)
    rowwise = RowwiseProbabilities(shares.shape, lambda rows: shares[rows])
    expected = likely_matrices(shares, labels, NoisePrior())
    np.testing.assert_array_equal(likely_matrices(rowwise, labels, NoisePrior()), expected)
