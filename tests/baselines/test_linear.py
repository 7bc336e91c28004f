"""Logistic models: log odds and probabilities from the coefficients."""

import numpy as np
import pytest
from numpydoc.validate import validate
from scipy import sparse
from test_public_names import NOT_ASKED

from unflip.baselines import ImportanceReweightedLogisticRegression, UnbiasedLogisticRegression
from unflip.baselines.linear import LogisticModel
from unflip.foundation.errors import UnflipError

BOTH = pytest.mark.parametrize("make", [ImportanceReweightedLogisticRegression, UnbiasedLogisticRegression])


class Given(LogisticModel):
    """Learns the same coefficients from all rows."""

    def _learn(self, X, labels, graph):
        self.coef_, self.intercept_ = np.array([[2.0, -1.0]]), np.array([0.5])


X = np.array([[0.0, 0.5], [1.0, 0.5], [0.0, 2.5], [500.0, 0.0]])


def fitted():
    return Given(None).fit(X, ["no", "no", "yes", "yes"])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_log_odds_by_hand(form):
    # 2 a - b + 0.5
    np.testing.assert_allclose(fitted().decision_function(form(X)), [0, 2, -2, 1000.5])
    assert fitted().predict(form(X)).tolist() == ["no", "yes", "no", "yes"]


def test_probabilities_by_hand():
    second = np.array([0.5, 1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2)), 1])
    np.testing.assert_allclose(fitted().predict_proba(X), np.column_stack([1 - second, second]), atol=1e-15)


def test_log_probabilities_do_not_underflow():
    model = fitted()
    np.testing.assert_allclose(model.predict_log_proba(X)[:3], np.log(model.predict_proba(X)[:3]))
    np.testing.assert_allclose(model.predict_log_proba(X)[3], [-1000.5, 0])


@BOTH
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"C": -1}, "a finite number > 0, got -1"),
        ({"tol": 0}, "a finite number > 0, got 0"),
        ({"max_iter": 0}, "an integer >= 1, got 0"),
    ],
)
def test_bad_parameters(make, parameters, sentence):
    with pytest.raises(UnflipError, match=f"^{make.__name__}: '{next(iter(parameters))}' must be {sentence}"):
        make(**parameters).fit(X, [0, 0, 1, 1])


@BOTH
@pytest.mark.parametrize("method", ["predict_proba", "predict_log_proba"])
def test_docstrings_are_complete(make, method):
    problems = validate(f"unflip.baselines.{make.__name__}.{method}")["errors"]
    assert [problem for problem in problems if problem[0] not in NOT_ASKED] == []
