"""AROW: one step by hand, ridge regression as a special case, and scikit-learn's checks."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from baselines.online_models import SIGNS, X
from unflip.baselines import AROWClassifier


@parametrize_with_checks([AROWClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("r", [20.0, 300.0])
def test_arow_that_every_row_moves_is_ridge_regression(r):
    rows = np.column_stack([0.3 * X, np.ones(len(X))])
    model = AROWClassifier(r, covariance="full", epochs=1, random_state=0).fit(0.3 * X, SIGNS)
    ridge = np.linalg.solve(r * np.eye(6) + rows.T @ rows, rows.T @ SIGNS)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), ridge, rtol=1e-9)
    np.testing.assert_allclose(model.covariance_, np.linalg.inv(np.eye(6) + rows.T @ rows / r), rtol=1e-9, atol=1e-12)


def test_one_step_by_hand():
    # x = (1, 2), v = 5, r = 1: beta = 1/6, so the weights are (1, 2) / 6 and Sigma = I - x x' / 6.
    model = AROWClassifier(covariance="full", fit_intercept=False).partial_fit([[1, 2]], [1], classes=[0, 1])
    np.testing.assert_allclose(model.coef_, [[1 / 6, 1 / 3]])
    np.testing.assert_allclose(model.covariance_, [[5 / 6, -1 / 3], [-1 / 3, 1 / 3]])
    model.partial_fit([[4, 4]], [1])  # margin 2: nothing moves
    np.testing.assert_allclose(model.coef_, [[1 / 6, 1 / 3]])


@pytest.mark.parametrize("r", [0.1, 1.0, 10.0])
def test_the_first_step_shrinks_with_r(r):
    model = AROWClassifier(r, fit_intercept=False).partial_fit(X[:1], [1], classes=[0, 1])
    np.testing.assert_allclose(model.coef_[0], X[0] / (X[0] @ X[0] + r))
