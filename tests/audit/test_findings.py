"""What an audit found, read in several ways."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from unflip import LabelAudit, make_label_noise

COLUMNS = ["is_label_issue", "label_score", "p_wrong", "given_label", "predicted_label", "n_agree", "n_neighbors"]


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


@pytest.fixture(scope="module")
def audited(digits):
    X, _, noisy = digits
    return LabelAudit().fit(X, noisy)


def test_the_columns_are_cleanlabs_and_one_row_per_example_in_order(digits, audited):
    _, _, noisy = digits
    issues = audited.issues_
    assert list(issues) == COLUMNS
    assert issues["given_label"].tolist() == noisy.tolist()
    assert issues["is_label_issue"].dtype == bool
    assert issues["label_score"].between(0, 1).all()
    np.testing.assert_allclose(issues["label_score"], 1 - issues["p_wrong"])


def test_the_predicted_label_is_the_given_one_unless_that_is_likelier_wrong(audited):
    issues = audited.issues_
    differs = issues["predicted_label"] != issues["given_label"]
    assert (differs == (issues["p_wrong"] > 0.5)).all()
    assert differs.any()
