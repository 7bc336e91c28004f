"""Rows in the precision in which they came."""

import numpy as np
import pytest

from unflip import RobustKNeighborsClassifier
from unflip.foundation.floats import at_least_single


def test_only_half_precision_is_changed():
    single, double, text = np.ones(2, np.float32), np.ones(2), ["a"]
    assert at_least_single(single) is single
    assert at_least_single(double) is double
    assert at_least_single(text) is text
    assert at_least_single(np.ones(2, np.float16)).dtype == np.float32


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_classifier_keeps_single_precision_and_predicts_as_with_double(dtype):
    random = np.random.RandomState(0)
    X = random.normal(size=(400, 6)).astype(dtype)
    y = (X[:, 0] > 0).astype(int)
    single = RobustKNeighborsClassifier().fit(X, y)
    double = RobustKNeighborsClassifier().fit(X.astype(float), y)
    assert single._rows.bare_index.points_.dtype == np.float32
    queries = random.normal(size=(50, 6))
    for asked in (queries.astype(dtype), queries):
        ours, theirs = single.kneighbors(asked, 9), double.kneighbors(asked.astype(float), 9)
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_array_equal(ours[1], theirs[1])
