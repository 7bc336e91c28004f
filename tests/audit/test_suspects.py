"""The table of flagged labels."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from unflip import LabelAudit, make_label_noise


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


@pytest.fixture(scope="module")
def audited(digits):
    X, _, noisy = digits
    return LabelAudit().fit(X, noisy)


def test_suspects_are_the_flagged_ones_worst_first_with_reasons(audited):
    suspects = audited.suspects()
    assert len(suspects) == audited.issues_["is_label_issue"].sum()
    assert (np.diff(suspects["p_wrong"]) <= 0).all()
    assert (suspects["suggested_label"] != suspects["given_label"]).all()
    first = suspects.iloc[0]
    assert first["reason"] == audited.neighbors_of(int(first["row"])).sentence
