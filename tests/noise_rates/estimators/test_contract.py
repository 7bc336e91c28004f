"""What an estimator can be asked, and how its answer becomes a usable matrix."""

import numpy as np
import pytest

from unflip import UnflipError
from unflip.neighbors import ExactIndex
from unflip.noise_rates import ESTIMATORS
from unflip.noise_rates.estimators.contract import (
    NOT_ESTIMABLE,
    RateEstimator,
    TunableEstimator,
    correctable,
    estimated_matrix,
)

GRAPH = ExactIndex().fit(np.arange(6.0)[:, None]).graph(2)


class Constant:
    def __init__(self, answer):
        self.answer = answer

    def estimate(self, graph, labels):
        return self.answer


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_named_estimator_keeps_the_contract_and_shows_its_parameters(name):
    estimator = ESTIMATORS[name]()
    assert isinstance(estimator, RateEstimator)
    assert isinstance(estimator, TunableEstimator) == (name == "extremes")
    assert estimator.get_params()["n_neighbors"] == estimator.n_neighbors
    assert repr(ESTIMATORS[name](n_neighbors=7)) == f"{ESTIMATORS[name].__name__}(n_neighbors=7)"


def test_an_answer_is_a_matrix_or_has_one_and_absent_classes_keep_an_identity_row():
    T = np.array([[0.9, 0.1], [0.2, 0.8]])

    class Answer:
        transition_matrix = T

    for answer in (T, T.tolist(), Answer()):
        found = estimated_matrix(Constant(answer), GRAPH, np.zeros(6, int), 3)
        np.testing.assert_array_equal(found, [[0.9, 0.1, 0], [0.2, 0.8, 0], [0, 0, 1]])


def test_a_matrix_that_cannot_be_inverted_corrects_nothing_and_it_is_said():
    fine = np.array([[0.9, 0.1], [0.2, 0.8]])
    assert correctable(fine) is fine
    with pytest.warns(UserWarning, match=NOT_ESTIMABLE) as caught:
        np.testing.assert_array_equal(correctable(np.full((2, 2), 0.5), stacklevel=1), np.eye(2))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "answer",
    [np.nan, None, "x", [1, 2], np.eye(3), np.full((2, 2), np.nan), [[0.5, 0.6], [0, 1]], [[1.5, -0.5], [0, 1]]],
)
def test_an_answer_that_is_no_transition_matrix_is_refused_by_the_estimators_name(answer):
    with pytest.raises(UnflipError, match=r"^Constant: 'estimate\(\)' must be a matrix T\[true, observed\]"):
        estimated_matrix(Constant(answer), GRAPH, np.zeros(6, int), 2)
