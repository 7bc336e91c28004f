"""From inputs to findings."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.audit.inputs import check_inputs
from unflip.audit.scoring import rows_to_choose_by, score, score_carefully
from unflip.audit.shares import K_VALUES, choose_n_neighbors, neighbor_shares
from unflip.neighbors import ExactIndex


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


def blobs(n=600, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    return random.normal(size=(n, 3)) + 3 * y[:, None], y


def test_two_classes_and_known_rates_are_judged_by_bayes_rule_alone_many_estimated_ones_carefully():
    X, y = load_digits(n_class=3, return_X_y=True)
    for labels, rates, judge in ((y % 2, "estimate", score), (y, 0.1, score), (y, "estimate", score_carefully)):
        noisy = make_label_noise(labels, 0.1, random_state=0)
        audit = LabelAudit(rates).fit(X, noisy)
        n_classes, width = len(np.unique(labels)), audit.n_neighbors_
        shares = neighbor_shares(ExactIndex().fit(X).graph(width), noisy, n_classes, width, slice(None))
        expected = judge(shares, noisy, audit.rates_.transition_matrix).p_wrong
        np.testing.assert_allclose(audit.issues_["p_wrong"], expected, atol=1e-12)


def test_where_rows_are_many_some_of_them_choose_how_many_neighbors_to_ask():
    X, y = blobs(9000)
    noisy = make_label_noise(y, 0.2, random_state=0)
    graph = ExactIndex().fit(X).graph(200)
    by_all = choose_n_neighbors(graph, noisy, 2, K_VALUES, np.arange(9000))
    by_some = LabelAudit().fit(X, noisy).n_neighbors_
    assert abs(K_VALUES.index(by_all) - K_VALUES.index(by_some)) <= 1
    assert by_some > 50  # deeper than the rates need


def test_probabilities_of_a_model_can_stand_alone(digits):
    _, y, noisy = digits
    random = np.random.RandomState(0)
    guessed = np.where(random.random_sample(len(y)) < 0.05, random.randint(0, 10, len(y)), y)
    audit = LabelAudit(random_state=0).fit(None, noisy, pred_probs=0.02 + 0.8 * np.eye(10)[guessed])
    assert audit.n_neighbors_ == 0
    assert audit.rates_.method == "confident"
    low, high = audit.rates_.interval.T
    assert (low < audit.rates_.rates).all()
    assert (audit.rates_.rates < high).all()
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.6
    assert audit.report()["map"] is None
    assert "According to the model" in audit.suspects()["reason"].iloc[0]
    with pytest.raises(ValueError, match="rows, not None"):
        audit.neighbors_of(0)


def test_probabilities_of_a_good_model_join_the_neighbors_and_help():
    X, y = blobs(400, seed=1)
    X = X + np.random.RandomState(5).normal(size=X.shape) * 2  # the rows say little
    noisy = make_label_noise(y, 0.15, random_state=0)
    alone = find_label_issues(X, noisy)["p_wrong"]
    together = find_label_issues(X, noisy, pred_probs=0.1 + 0.8 * np.eye(2)[y])["p_wrong"]
    assert average_precision_score(noisy != y, together) > average_precision_score(noisy != y, alone) + 0.1


def test_the_order_of_many_rows_does_not_move_the_choice_of_k():
    random = np.random.RandomState(0)
    X = random.normal(size=(9000, 3))
    y = (X[:, 0] + random.normal(size=9000) > 0).astype(int)
    chosen = set()
    for seed in range(3):
        order = np.random.RandomState(seed).permutation(9000)
        audit = LabelAudit().fit(X[order], y[order])
        chosen.add((audit.n_neighbors_, audit.issues_["p_wrong"].to_numpy()[np.argsort(order)].round(9).tobytes()))
    assert len(chosen) == 1


def test_the_same_rows_choose_k_in_any_order(monkeypatch):
    monkeypatch.setattr("unflip.audit.scoring.ROWS_TO_CHOOSE_BY", 50)
    random = np.random.RandomState(0)
    X, y, order = random.normal(size=(500, 3)), random.randint(0, 2, 500), random.permutation(500)
    in_order = rows_to_choose_by(check_inputs(LabelAudit(), X, y, None))
    shuffled = rows_to_choose_by(check_inputs(LabelAudit(), X[order], y[order], None))
    assert sorted(order[shuffled].tolist()) == in_order.tolist()
    assert in_order.tolist() != list(range(50))
