"""Why a label is suspected."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from unflip import LabelAudit, make_label_noise
from unflip.audit.explanation import sentences


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


@pytest.fixture(scope="module")
def audited(digits):
    X, _, noisy = digits
    return LabelAudit().fit(X, noisy)


def test_neighbors_of_a_row_are_its_nearest_with_their_labels_and_suspicion(digits, audited):
    X, _, noisy = digits
    row = int(audited.issues_["p_wrong"].argmax())
    reason = audited.neighbors_of(row)
    distances = np.sqrt(((X - X[row]) ** 2).sum(axis=1))
    distances[row] = np.inf
    nearest = np.lexsort((np.arange(len(X)), distances))[: audited.n_neighbors_]
    assert reason.neighbors["row"].tolist() == nearest.tolist()
    np.testing.assert_allclose(reason.neighbors["distance"], distances[nearest])
    assert reason.neighbors["label"].tolist() == noisy[nearest].tolist()
    assert reason.neighbors["p_wrong"].tolist() == audited.issues_["p_wrong"].iloc[nearest].tolist()
    assert audited.issues_["n_agree"].iloc[row] == (noisy[nearest] == noisy[row]).sum()
    assert f"of the {len(nearest)} nearest rows are labeled {reason.predicted_label}" in reason.sentence
    assert f"probability {reason.p_wrong:.2f}" in reason.sentence
    assert str(nearest[0]) in str(reason)


def test_sentences_come_in_the_order_of_the_rows(audited):
    rows = [40, 7, 1000]
    assert sentences(audited._findings, rows) == [audited.neighbors_of(row).sentence for row in rows]
    assert sentences(audited._findings, []) == []
