"""Corrupted and clean posteriors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unflip.noise.posterior import (
    SMALLEST_SINGULAR_VALUE,
    clean_posterior,
    corrupted_posterior,
    decision_threshold,
    invertible,
    invertible_or_identity,
    project_to_simplex,
)
from unflip.noise.transition import NoiseModel


def transition_matrices(n_classes):
    """Matrices whose diagonal dominates."""
    row = st.lists(st.floats(0, 1), min_size=n_classes, max_size=n_classes).filter(lambda values: sum(values) > 0.1)
    return st.lists(row, min_size=n_classes, max_size=n_classes).map(
        lambda rows: 0.4 * np.array([np.array(r) / sum(r) for r in rows]) + 0.6 * np.eye(n_classes)
    )


def simplex(n_classes):
    numbers = st.lists(st.floats(0, 1), min_size=n_classes, max_size=n_classes).filter(lambda values: sum(values) > 0.1)
    return numbers.map(lambda values: np.array([values]) / sum(values))


def test_threshold_by_hand():
    # tau_plus = 0.3, tau_minus = 0.1: (1 + 0.1 - 0.3) / 2
    assert decision_threshold(tau_plus=0.3, tau_minus=0.1) == pytest.approx(0.4)


@given(matrix=transition_matrices(3), posterior=simplex(3))
def test_corruption_is_undone(matrix, posterior):
    np.testing.assert_allclose(clean_posterior(corrupted_posterior(posterior, matrix), matrix), posterior, atol=1e-9)


@given(rates=st.tuples(st.floats(0, 0.49), st.floats(0, 0.49)), share=st.floats(0, 1))
def test_the_threshold_is_where_the_clean_posterior_crosses_one_half(rates, share):
    model = NoiseModel.of(rates, [0, 1])
    positive = clean_posterior([[1 - share, share]], model.transition_matrix)[0, 1]
    if abs(share - model.threshold) > 1e-9:
        assert (positive > 0.5) == (share > model.threshold)


@given(point=st.lists(st.floats(-3, 3), min_size=4, max_size=4), other=simplex(4))
def test_the_projection_is_the_nearest_point_of_the_simplex(point, other):
    projected = project_to_simplex(np.array([point]))
    assert projected.min() >= 0
    assert projected.sum() == pytest.approx(1)
    assert np.linalg.norm(projected - point) <= np.linalg.norm(other - point) + 1e-9


@pytest.mark.parametrize("matrix", [[[0.5, 0.5], [0.5, 0.5]], [[0.3, 0.7], [0.6, 0.4]]])
def test_a_matrix_that_cannot_be_undone_corrects_nothing(matrix):
    np.testing.assert_array_equal(invertible_or_identity(np.array(matrix)), np.eye(2))


def singular_values_say(matrix):
    return bool(np.linalg.svd(matrix, compute_uv=False)[-1] >= SMALLEST_SINGULAR_VALUE)


@given(seed=st.integers(0, 10**6), n_classes=st.integers(3, 12), diagonal=st.floats(0, 1))
def test_what_can_be_undone_is_what_singular_values_say(seed, n_classes, diagonal):
    random = np.random.RandomState(seed)
    matrix = diagonal * np.eye(n_classes) + (1 - diagonal) * random.dirichlet(np.full(n_classes, 0.2), n_classes)
    assert invertible(matrix) == singular_values_say(matrix)


def test_a_diagonal_that_barely_outweighs_its_row_is_no_proof():
    matrix = np.array([[0.5 + 1e-7, 0.5 - 1e-7, 0], [0.5 - 1e-7, 0.5 + 1e-7, 0], [0, 0, 1]])
    assert not invertible(matrix)
    assert not singular_values_say(matrix)
