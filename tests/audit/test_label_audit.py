"""What LabelAudit and find_label_issues promise."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, UnflipError, find_label_issues, make_label_noise


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


def test_flipped_labels_come_first(digits, audited):
    _, y, noisy = digits
    assert average_precision_score(noisy != y, audited.issues_["p_wrong"]) > 0.97
    assert (noisy != y)[audited.issues_["is_label_issue"]].mean() > 0.9


def test_labels_are_flagged_that_are_more_likely_wrong_than_right_or_as_many_as_asked_for(digits, audited):
    X, _, noisy = digits
    assert (audited.issues_["is_label_issue"] == (audited.issues_["p_wrong"] > 0.5)).all()
    assert 100 < audited.issues_["is_label_issue"].sum() < 250
    top = find_label_issues(X, noisy, top=7)
    worst = np.argsort(-top["p_wrong"].to_numpy(), kind="stable")[:7]
    few = LabelAudit(top=7).fit(X, noisy)
    assert set(np.flatnonzero(few.clean_labels(0.01) != noisy)) == set(worst)  # nothing is changed that is not listed
    assert sorted(np.flatnonzero(top["is_label_issue"])) == sorted(worst)


def test_clean_labels_are_better_than_given_ones(digits, audited):
    _, y, noisy = digits
    cleaned = audited.clean_labels()
    assert cleaned.dtype == noisy.dtype
    accuracies = [(audited.clean_labels(confidence) == y).mean() for confidence in (0.99, 0.9, 0.5, 0.01)]
    assert sorted(accuracies) == accuracies
    assert accuracies[-1] > 0.95
    assert accuracies[1] > (noisy == y).mean() + 0.02
    changed = cleaned != noisy
    assert (cleaned == y)[changed].mean() > 0.97
    assert audited.issues_["is_label_issue"][changed].all()
    assert (audited.issues_["p_wrong"][changed] > 0.5).all()


@pytest.mark.parametrize("bad", [-1, 1797, 1.5, "3", True])
def test_a_row_that_is_not_there_is_refused(audited, bad):
    with pytest.raises(ValueError, match="'i' must be the number of a row, from 0 to 1796"):
        audited.neighbors_of(bad)


def test_known_rates_are_used_as_they_are():
    X, y = blobs()
    noisy = make_label_noise(y, {0: 0.0, 1: 0.3}, random_state=0)
    audit = LabelAudit(noise_rates={0: 0.0, 1: 0.3}).fit(X, noisy)
    assert audit.rates_.rates.tolist() == pytest.approx([0, 0.3])
    assert audit.rates_.method == "given"
    np.testing.assert_allclose(audit.rates_.interval, [[0, 0], [0.3, 0.3]])
    assert (audit.issues_["p_wrong"][noisy == 1] < 1e-9).all()  # nothing is flipped into 1
    assert (audit.issues_["given_label"][audit.issues_["is_label_issue"]] == 0).all()


def test_sparse_rows_give_the_same_answer():
    X, y = blobs()
    X[X < 1] = 0
    for model, tolerance in ((None, 1e-12), ("auto", 0.05)):  # linear models do not center sparse columns
        dense, thin = (find_label_issues(rows, y, model=model, noise_rates=0.1) for rows in (X, sparse.csr_matrix(X)))
        np.testing.assert_allclose(dense["p_wrong"], thin["p_wrong"], atol=tolerance)


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


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_a_handful_of_rows_ends_in_an_answer(n):
    audit = LabelAudit().fit(np.arange(n, dtype=float)[:, None], np.arange(n) % 2)
    assert len(audit.issues_) == n
    json.dumps(audit.report(), allow_nan=False)


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


def test_it_shows_itself_in_a_notebook_and_writes_files(audited, tmp_path):
    assert "<iframe srcdoc=" in audited._repr_html_()
    assert "LabelAudit(top=3)" in LabelAudit(top=3)._repr_html_()
    audited.write_html(tmp_path / "report.html", title="<digits>")
    assert "&lt;digits&gt;" in (tmp_path / "report.html").read_text()
    audited.to_label_studio(tmp_path / "tasks.json")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert len(tasks) == audited.issues_["is_label_issue"].sum()
    choice = tasks[0]["predictions"][0]["result"][0]["value"]["choices"]
    assert choice == [str(audited.suspects()["suggested_label"][0])]


@pytest.mark.parametrize("encoder", [3, "scaler", object()])
def test_an_encoder_that_cannot_encode_is_refused(encoder):
    with pytest.raises(UnflipError, match="'encoder' must be None or a transformer with fit and transform"):
        LabelAudit(encoder=encoder).fit(np.eye(4), [0, 0, 1, 1])
