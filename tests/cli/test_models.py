"""The classifiers that --model names."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unflip.cli.models import NAMES, model_named


@pytest.mark.parametrize("name", NAMES[2:])
def test_each_name_is_a_classifier_that_gives_the_same_answer_every_time(name):
    X, y = load_iris(return_X_y=True)
    first, second = (model_named(name).fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert (first.argmax(axis=1) == y).mean() > 0.9


def test_the_blend_and_the_neighbors_need_no_classifier():
    assert model_named("auto") == "auto"
    assert model_named("neighbors") is None
