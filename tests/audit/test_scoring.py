"""From inputs to findings."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.naive_bayes import GaussianNB

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.audit.inputs import check_inputs
from unflip.audit.scoring import Question, find, likeliest_other
from unflip.noise_rates.judgement import judge
from unflip.noise_rates.known_noise import KnownNoise
from unflip.opinions import Blend, RawNeighbors
from unflip.opinions.rowwise import RowwiseProbabilities
from unflip.opinions.shares import counted_shares


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


def blobs(n=600, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    return random.normal(size=(n, 3)) + 3 * y[:, None], y


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("known", [True, False])
def test_neighbors_alone_are_judged_by_the_noise_that_is_known_or_found(n_classes, known):
    X, y = load_digits(n_class=3, return_X_y=True)
    noisy = make_label_noise(y % n_classes, 0.1, random_state=0)
    audit = LabelAudit(model=None, noise_rates=0.1 if known else "estimate").fit(X, noisy)
    shares = Blend([RawNeighbors()]).fit(X, noisy, n_classes).probabilities_
    expected = KnownNoise(audit.rates_.transition_matrix) if known else judge(shares, noisy)
    np.testing.assert_allclose(audit.issues_["p_wrong"], expected.p_wrong(shares, noisy), atol=1e-12)
    assert audit.weights_ == {"neighbors": 1.0}


def test_where_rows_are_many_some_of_them_choose_how_many_neighbors_to_ask():
    X, y = blobs(9000)
    noisy = make_label_noise(y, 0.2, random_state=0)
    assert LabelAudit(model=None).fit(X, noisy).n_neighbors_ > 50  # deeper than the rates need


def test_probabilities_of_a_model_can_stand_alone(digits):
    _, y, noisy = digits
    random = np.random.RandomState(0)
    guessed = np.where(random.random_sample(len(y)) < 0.05, random.randint(0, 10, len(y)), y)
    audit = LabelAudit(top=200).fit(None, noisy, pred_probs=0.02 + 0.8 * np.eye(10)[guessed])
    assert audit.n_neighbors_ == 0
    low, high = audit.rates_.interval.T
    assert (low <= audit.rates_.rates).all()
    assert (audit.rates_.rates <= high).all()
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.6
    assert audit.report()["map"] is None
    assert "According to the model" in audit.suspects()["reason"].iloc[0]
    with pytest.raises(ValueError, match="rows, not None"):
        audit.neighbors_of(0)


def test_probabilities_of_a_good_model_join_the_others_and_help():
    X, y = blobs(400, seed=1)
    X = X + np.random.RandomState(5).normal(size=X.shape) * 2  # the rows say little
    noisy = make_label_noise(y, 0.15, random_state=0)
    alone = find_label_issues(X, noisy)["p_wrong"]
    together = find_label_issues(X, noisy, pred_probs=0.1 + 0.8 * np.eye(2)[y])["p_wrong"]
    assert average_precision_score(noisy != y, together) > average_precision_score(noisy != y, alone) + 0.1


def test_a_classifier_is_cross_fitted_and_speaks_beside_the_neighbors():
    X, y = blobs(300)
    noisy = make_label_noise(y, 0.1, random_state=0)
    audit = LabelAudit(LogisticRegression()).fit(X, noisy)
    assert set(audit.weights_) == {"neighbors", "LogisticRegression"}
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.9


def test_the_order_of_many_rows_does_not_matter():
    random = np.random.RandomState(0)
    X = random.normal(size=(9000, 3))
    y = (X[:, 0] + random.normal(size=9000) > 0).astype(int)
    chosen = set()
    for seed in range(3):
        order = np.random.RandomState(seed).permutation(9000)
        audit = LabelAudit(model=None).fit(X[order], y[order])
        chosen.add((audit.n_neighbors_, audit.issues_["p_wrong"].to_numpy()[np.argsort(order)].round(9).tobytes()))
    assert len(chosen) == 1


def test_suggestions_are_labels_that_are_observed_nearby_and_progress_is_told():
    X, y = load_digits(n_class=4, return_X_y=True)
    noisy, told = make_label_noise(y, 0.2, random_state=0), []
    inputs = check_inputs(LabelAudit(), X, noisy, None)
    findings = find(inputs, Question(), told.append)
    assert told == ["neighbors", "learned neighbors", "trees", "linear model", "kernel machine"]
    assert set(findings.weights) == set(told)
    assert len(findings.importances) == 64
    for row in findings.suspects(20):
        assert findings.votes(row)[findings.alternative[row]] > 0


def test_the_likeliest_other_class_by_hand():
    probabilities = np.array([[0.5, 0.2, 0.3], [0.5, 0.2, 0.3]])
    assert likeliest_other(probabilities, np.array([0, 2])).tolist() == [2, 0]


def many_classes(n_classes=40, n_rows=2000):
    random = np.random.RandomState(0)
    true = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_classes, 8))[true] + 0.5 * random.normal(size=(n_rows, 8))
    return X, true, make_label_noise(true, 0.1, random_state=0)


@pytest.mark.parametrize(
    "options", [{"model": None}, {}, {"model": None, "noise_rates": 0.1}, {"model": GaussianNB()}],
    ids=["neighbors", "blend of a sample", "known rates", "classifier"],
)  # fmt: skip
def test_an_audit_that_keeps_nothing_of_rows_times_classes_finds_the_same(options, monkeypatch):
    X, _, noisy = many_classes()
    monkeypatch.setattr("unflip.opinions.sampled.MAX_ROWS", 900)
    # Other sums would break ties between rows of equal shares in another way.
    monkeypatch.setattr("unflip.opinions.neighbors.neighbor_shares", counted_shares)
    expected = LabelAudit(**options).fit(X, noisy)
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 40 * 2000 - 1)
    monkeypatch.setattr("unflip.opinions.rowwise.VALUES_AT_ONCE", 40 * 300)
    made = []
    monkeypatch.setattr(RowwiseProbabilities, "to_array", lambda self: made.append(self))
    found = LabelAudit(**options).fit(X, noisy)
    assert made == []
    assert found.weights_ == pytest.approx(expected.weights_, rel=1e-9)
    pd.testing.assert_frame_equal(found.issues_, expected.issues_, rtol=1e-9)
    np.testing.assert_allclose(found.rates_.transition_matrix, expected.rates_.transition_matrix, rtol=1e-9)
    np.testing.assert_array_equal(found.clean_labels(), expected.clean_labels())


def test_opinions_that_too_many_classes_leave_out_are_named(monkeypatch):
    X, true, noisy = many_classes()
    monkeypatch.setattr("unflip.opinions.sampled.MAX_COUNTS", 40 * 19)
    audit = LabelAudit().fit(X, noisy)
    assert audit.weights_ == {
        "neighbors": 1, "learned neighbors": 0, "trees": 0, "linear model": 0, "kernel machine": 0
    }  # fmt: skip
    assert audit._findings.notes_on_opinions() == [
        "With 40 classes, the learned neighbors, trees, linear model and kernel machine were not asked."
    ]
    assert audit._findings.importances is None
    assert average_precision_score(noisy != true, audit.issues_["p_wrong"]) > 0.9
