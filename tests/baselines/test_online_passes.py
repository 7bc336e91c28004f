"""The compiled passes against plain loops over their formulas, and their behavior in floating point."""

import numpy as np
import pytest
from scipy import sparse

from baselines.online_models import SIGNS, X, both, every_form, learned, one_pass, plain_loop
from unflip.baselines import AROWClassifier
from unflip.baselines.online_passes import DROP, EXACT, FULL, PROJECT, Rows, online_pass


@every_form
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "layout", [np.array, np.asfortranarray, sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix]
)
def test_each_form_is_the_plain_loop_over_its_formula(model, fit_intercept, layout):
    model = one_pass(model, fit_intercept=fit_intercept)
    weights, covariance, moved = plain_loop(model, X, SIGNS)
    assert 20 < moved < 112  # rows inside and outside of the margin
    model.fit(layout(X), SIGNS)
    np.testing.assert_allclose(model.coef_[0], weights[:5], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(model.intercept_, weights[5:] if fit_intercept else [0], rtol=1e-10, atol=1e-13)
    expected = covariance if model.covariance == "full" else np.diag(covariance)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-10, atol=1e-13)


@every_form
def test_duplicate_and_unsorted_sparse_entries_are_summed(model):
    halves = sparse.csr_matrix(
        (np.array([0.5, 2.0, 0.5, 3.0, -1.0]), np.array([1, 0, 1, 2, 0]), np.array([0, 3, 5])), shape=(2, 3)
    )
    before = halves.copy()
    summed = one_pass(model).fit(np.array([[2.0, 1.0, 0.0], [-1.0, 0.0, 3.0]]), [0, 1])
    np.testing.assert_allclose(learned(one_pass(model).fit(halves, [0, 1])), learned(summed), rtol=1e-12)
    np.testing.assert_array_equal(halves.indices, before.indices)


@both
def test_a_full_covariance_stays_symmetric_and_positive(kind):
    covariance = kind(0.01 if kind is AROWClassifier else 100.0, epochs=50, random_state=0).fit(X, SIGNS).covariance_
    np.testing.assert_array_equal(covariance, covariance.T)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12


@every_form
def test_steps_of_almost_any_size_stay_bounded(model):
    """With almost no regularization a row is learned at once, and rounding must not blow up the weights."""
    size = {"r": 1e-20} if isinstance(model, AROWClassifier) else {"C": 1e9}
    model = one_pass(model, fit_intercept=False, **size)
    x = X[X != 0][:, None]
    for start in range(100):
        model.fit(np.roll(x, -start)[:20], np.arange(20) % 2)
        assert abs(model.coef_[0, 0]) <= 1.001 / np.abs(x).min()
        assert model.covariance_.min() > -1e-15 if model.covariance == "full" else model.covariance_.min() >= 0


def one_row(form, covariance, *, herding, r=1.0, x=(1.0, 2.0)):
    """Return weights and covariance after one positive row, and whether they are finite."""
    rows, weights = Rows.of(np.array([x])), np.zeros(2)
    covariance = np.array(covariance, dtype=float)
    finite = online_pass(rows, np.ones(1), np.arange(1), weights, covariance, r, form=form, herding=herding)
    return weights, covariance, finite


@pytest.mark.parametrize("herding", [False, True])
@pytest.mark.parametrize(
    ("form", "covariance"), [(FULL, np.eye(2)), (PROJECT, [1, 1]), (DROP, [1, 1]), (EXACT, [1, 1])]
)
def test_all_forms_move_the_weights_alike(form, covariance, herding):
    # x' Sigma x = 5, r = 1: the step is x / 6
    weights, _, finite = one_row(form, covariance, herding=herding)
    np.testing.assert_allclose(weights, [1 / 6, 1 / 3])
    assert finite


@pytest.mark.parametrize(
    ("form", "herding", "variances"),
    [
        (PROJECT, False, [1 / 2, 1 / 5]),  # 1 + x^2 / r
        (PROJECT, True, [1 / 8, 1 / 29]),  # 1 + (5 + 2) x^2
        (DROP, False, [5 / 6, 1 / 3]),  # 1 - x^2 / 6
        (DROP, True, [29 / 36, 8 / 36]),  # 1 - 7 / 36 x^2
        (EXACT, True, [1 / 4, 1 / 25]),  # (1 + x^2)^2
    ],
)
def test_variances_by_hand(form, herding, variances):
    np.testing.assert_allclose(one_row(form, [1, 1], herding=herding)[1], variances)


@pytest.mark.parametrize(("form", "covariance"), [(FULL, np.eye(2)), (PROJECT, [1, 1])])
def test_a_pass_tells_whether_all_numbers_stayed_finite(form, covariance):
    assert one_row(form, covariance, herding=False, x=(1e150, 0.0))[2]
    assert not one_row(form, covariance, herding=False, x=(1e200, 0.0))[2]


def test_a_pass_follows_the_given_order():
    rows, signs, order = Rows.of(X), SIGNS.astype(float), np.array([7, 3, 3, 90])
    states = [(np.zeros(5), np.eye(5)) for _ in range(2)]
    online_pass(rows, signs, order, *states[0], 1.0, form=FULL, herding=False)
    for row in order:
        online_pass(rows, signs, np.array([row]), *states[1], 1.0, form=FULL, herding=False)
    for one, other in zip(*states, strict=True):
        np.testing.assert_array_equal(one, other)


def test_dense_rows_share_their_columns_and_csr_rows_are_taken_as_they_are():
    dense = Rows.of(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert dense.values.tolist() == [1, 2, 3, 4]
    assert (dense.columns.tolist(), dense.starts.tolist(), dense.column_starts.tolist()) == (
        [0, 1],
        [0, 2, 4],
        [0, 0, 0],
    )
    matrix = sparse.csr_matrix(np.array([[0.0, 2.0], [3.0, 4.0]]))
    compressed = Rows.of(matrix)
    assert compressed.values is matrix.data
    assert (compressed.columns.tolist(), compressed.starts.tolist()) == ([1, 0, 1], [0, 1, 3])
    assert compressed.column_starts is compressed.starts
    assert dense.n_columns == compressed.n_columns == 2
