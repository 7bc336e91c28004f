"""What LabelAudit and find_label_issues promise."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.audit.scoring import score, score_carefully
from unflip.audit.shares import K_VALUES, choose_n_neighbors, neighbor_shares
from unflip.neighbors import ExactIndex

COLUMNS = ["is_label_issue", "label_score", "p_wrong", "given_label", "predicted_label", "n_agree", "n_neighbors"]


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X, y, make_label_noise(y, 0.1, random_state=0)


@pytest.fixture(scope="module")
def audited(digits):
    X, _, noisy = digits
    return LabelAudit().fit(X, noisy)


def blobs(n=600, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    return random.normal(size=(n, 3)) + 3 * y[:, None], y


def test_the_columns_are_cleanlabs_and_one_row_per_example_in_order(digits, audited):
    _, _, noisy = digits
    issues = audited.issues_
    assert list(issues) == COLUMNS
    assert issues["given_label"].tolist() == noisy.tolist()
    assert issues["is_label_issue"].dtype == bool
    assert issues["label_score"].between(0, 1).all()
    np.testing.assert_allclose(issues["label_score"], 1 - issues["p_wrong"])


def test_flipped_labels_come_first(digits, audited):
    _, y, noisy = digits
    assert average_precision_score(noisy != y, audited.issues_["p_wrong"]) > 0.97
    assert (noisy != y)[audited.issues_["is_label_issue"]].mean() > 0.9


def test_as_many_are_flagged_as_the_rates_expect_or_as_asked_for(digits, audited):
    X, _, noisy = digits
    expected = audited.rates_.share_wrong * len(noisy)
    assert audited.issues_["is_label_issue"].sum() == round(expected)
    top = find_label_issues(X, noisy, top=7)
    worst = np.argsort(-top["p_wrong"].to_numpy(), kind="stable")[:7]
    assert sorted(np.flatnonzero(top["is_label_issue"])) == sorted(worst)


def test_clean_labels_are_better_than_given_ones(digits, audited):
    _, y, noisy = digits
    cleaned = audited.clean_labels()
    assert cleaned.dtype == noisy.dtype
    assert (cleaned == y).mean() > 0.97 > (noisy == y).mean()
    changed = cleaned != noisy
    assert audited.issues_["is_label_issue"][changed].all()
    assert (audited.issues_["p_wrong"][changed] > 0.5).all()


def test_the_predicted_label_is_the_given_one_unless_that_is_likelier_wrong(audited):
    issues = audited.issues_
    differs = issues["predicted_label"] != issues["given_label"]
    assert (differs == (issues["p_wrong"] > 0.5)).all()
    assert differs.any()


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


@pytest.mark.parametrize("bad", [-1, 1797, 1.5, "3", True])
def test_a_row_that_is_not_there_is_refused(audited, bad):
    with pytest.raises(ValueError, match="'i' must be the number of a row, from 0 to 1796"):
        audited.neighbors_of(bad)


def test_suspects_are_the_flagged_ones_worst_first_with_reasons(audited):
    suspects = audited.suspects()
    assert len(suspects) == audited.issues_["is_label_issue"].sum()
    assert (np.diff(suspects["p_wrong"]) <= 0).all()
    assert (suspects["suggested_label"] != suspects["given_label"]).all()
    first = suspects.iloc[0]
    assert first["reason"] == audited.neighbors_of(int(first["row"])).sentence


def test_known_rates_are_used_as_they_are():
    X, y = blobs()
    noisy = make_label_noise(y, {0: 0.0, 1: 0.3}, random_state=0)
    audit = LabelAudit({0: 0.0, 1: 0.3}).fit(X, noisy)
    assert audit.rates_.rates.tolist() == pytest.approx([0, 0.3])
    assert audit.rates_.method == "given"
    np.testing.assert_allclose(audit.rates_.interval, [[0, 0], [0.3, 0.3]])
    assert (audit.issues_["p_wrong"][noisy == 1] < 1e-9).all()  # nothing is flipped into 1
    assert (audit.issues_["given_label"][audit.issues_["is_label_issue"]] == 0).all()


def test_two_classes_and_known_rates_are_judged_by_bayes_rule_alone_many_estimated_ones_carefully():
    X, y = load_digits(n_class=3, return_X_y=True)
    for labels, rates, judge in ((y % 2, "estimate", score), (y, 0.1, score), (y, "estimate", score_carefully)):
        noisy = make_label_noise(labels, 0.1, random_state=0)
        audit = LabelAudit(rates).fit(X, noisy)
        n_classes, width = len(np.unique(labels)), audit.n_neighbors_
        shares = neighbor_shares(ExactIndex().fit(X).graph(width), noisy, n_classes, width, slice(None))
        expected = judge(shares, noisy, audit.rates_.transition_matrix).p_wrong
        np.testing.assert_allclose(audit.issues_["p_wrong"], expected, atol=1e-12)


def test_labels_of_any_kind_keep_their_kind():
    X, y = blobs()
    noisy = make_label_noise(y, 0.1, random_state=0)
    numbers = find_label_issues(X, noisy)
    words = np.array(["no", "yes"])[noisy]
    kinds = (words, pd.Series(words, dtype="category"), noisy.astype(bool), noisy + 0.0, pl.Series(words.tolist()))
    for labels in kinds:
        issues = find_label_issues(X, labels)
        assert issues["p_wrong"].tolist() == numbers["p_wrong"].tolist()
        assert issues["given_label"].tolist() == list(labels)


def test_where_rows_are_many_some_of_them_choose_how_many_neighbors_to_ask():
    X, y = blobs(9000)
    noisy = make_label_noise(y, 0.2, random_state=0)
    graph = ExactIndex().fit(X).graph(200)
    by_all = choose_n_neighbors(graph, noisy, 2, K_VALUES, np.arange(9000))
    by_some = LabelAudit().fit(X, noisy).n_neighbors_
    assert abs(K_VALUES.index(by_all) - K_VALUES.index(by_some)) <= 1
    assert by_some > 50  # deeper than the rates need


def test_sparse_rows_give_the_same_answer():
    X, y = blobs()
    X[X < 1] = 0
    dense, compressed = (find_label_issues(rows, y, noise_rates=0.1) for rows in (X, sparse.csr_matrix(X)))
    pd.testing.assert_frame_equal(dense, compressed)


def test_threads_do_not_change_the_answer(digits):
    X, _, noisy = digits
    one, two = (LabelAudit(n_jobs=n_jobs).fit(X, noisy).issues_ for n_jobs in (1, 2))
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_rows_in_another_order_get_the_same_scores():
    X, y = blobs(seed=3)
    noisy = make_label_noise(y, 0.1, random_state=0)
    order = np.random.RandomState(0).permutation(len(y))
    shuffled = find_label_issues(X[order], noisy[order])["p_wrong"].to_numpy()
    np.testing.assert_allclose(shuffled, find_label_issues(X, noisy)["p_wrong"].to_numpy()[order], atol=1e-9)


def test_fifteen_copies_of_a_row_with_different_labels_are_no_trouble_and_told():
    X, y = blobs(300)
    X[:15] = X[0]
    labels = y.copy()
    labels[:15] = [0] * 7 + [1] * 8
    audit = LabelAudit().fit(X, labels)
    assert np.isfinite(audit.issues_["p_wrong"]).all()
    assert any("15 rows have the same values as a row with another label" in note for note in audit.report()["notes"])


@pytest.mark.filterwarnings("ignore")
def test_more_copies_of_a_row_than_neighbors():
    issues = find_label_issues(np.zeros((250, 2)), np.arange(250) % 2)
    assert len(issues) == 250
    assert np.isfinite(issues["p_wrong"]).all()


def test_rows_that_are_all_alike_have_no_map():
    audit = LabelAudit(0.1).fit(np.zeros((30, 2)), np.arange(30) % 2)
    assert audit.report()["map"] is None


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_a_handful_of_rows_ends_in_an_answer(n):
    audit = LabelAudit().fit(np.arange(n, dtype=float)[:, None], np.arange(n) % 2)
    assert len(audit.issues_) == n
    json.dumps(audit.report(), allow_nan=False)


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


def test_probabilities_that_are_none_are_refused():
    X, y = blobs(20)
    for bad, said in (
        (np.ones((20, 3)) / 3, r"of shape \(20, 2\), a column per class"),
        (np.ones((20, 2)), "probabilities that sum to 1"),
        (np.tile([1.5, -0.5], (20, 1)), "probabilities that sum to 1"),
    ):
        with pytest.raises(ValueError, match=said):
            LabelAudit().fit(X, y, pred_probs=bad)
    with pytest.raises(ValueError, match="rows, or None if there are pred_probs"):
        LabelAudit().fit(None, y)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"n_neighbors": 0}, "'n_neighbors' must be \"auto\" or an integer >= 1, got 0"),
        ({"top": 0}, "'top' must be an integer >= 1, got 0"),
        ({"confidence": 1}, "'confidence' must be a number between 0 and 1, got 1"),
        ({"noise_rates": "guess"}, "'noise_rates' must be \"estimate\", None, a rate"),
        ({"noise_rates": [0.1, 0.2, 0.3]}, "LabelAudit: 'noise_rates' must be"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(parameters, said):
    X, y = blobs(20)
    with pytest.raises(ValueError, match=said):
        LabelAudit(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.r_[np.ones(19), np.nan], "NaN"),
        (np.array(["a"] * 19 + [None], dtype=object), "labels without gaps, got '1 missing, the first in row 19'"),
        (np.array(["a"] * 20), "two classes or more"),
        (np.array(["a", 1] * 10, dtype=object), "labels of one kind"),
        (np.array(["a"] * 10 + ["b"] * 9), "inconsistent"),
    ],
)
def test_labels_that_cannot_be_used_are_refused_in_one_sentence(labels, said):
    X, _ = blobs(20)
    with pytest.raises(ValueError, match=said):
        LabelAudit().fit(X, labels)
