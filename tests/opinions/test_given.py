"""Probabilities that a user brings."""

import numpy as np
import pytest

from unflip import UnflipError
from unflip.opinions import GivenProbabilities


def test_they_are_taken_as_they_are_but_for_zeros():
    opinion = GivenProbabilities([[0.3, 0.7], [1, 0]]).fit(None, np.array([0, 1]), 2)
    np.testing.assert_allclose(opinion.probabilities_, [[0.3, 0.7], [1 / 1.0001, 1e-4 / 1.0001]])


def test_reports_call_it_as_they_are_told():
    assert GivenProbabilities([[1.0]]).name == "pred_probs"
    assert GivenProbabilities([[1.0]], name="a forest").name == "a forest"


def test_the_users_array_is_left_alone():
    given = np.array([[0.0, 1.0]])
    GivenProbabilities(given).fit(None, np.array([0]), 2)
    assert given.tolist() == [[0, 1]]


def test_nothing_is_said_of_new_rows():
    opinion = GivenProbabilities(np.full((2, 2), 0.5)).fit(None, np.array([0, 1]), 2)
    with pytest.raises(UnflipError, match="for the training rows only"):
        opinion.predict(np.zeros((1, 3)))


def test_those_too_many_to_copy_are_kept_off_zero_when_they_are_asked_for(monkeypatch):
    given = np.array([[0.3, 0.7], [1, 0], [0.5, 0.5]])
    kept = GivenProbabilities(given).fit(None, np.array([0, 1, 1]), 2).probabilities_
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 5)
    found = GivenProbabilities(given).fit(None, np.array([0, 1, 1]), 2).probabilities_
    assert found.shape == (3, 2)
    np.testing.assert_array_equal(found[1:], kept[1:])
