"""What an audit found, read in several ways."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

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


def test_the_table_counts_neighbors_of_the_own_label_in_blocks(audited, monkeypatch):
    monkeypatch.setattr("unflip.audit.findings.ROWS_AT_ONCE", 100)
    findings = audited._findings
    table = findings.table()
    pd.testing.assert_frame_equal(table, audited.issues_)
    for row in (0, 99, 100, 1796):
        assert table["n_agree"][row] == findings.votes(row)[findings.labels[row]]
        assert table["n_neighbors"][row] == len(findings.neighbors(row))


def test_notes_say_who_learned_from_a_sample_and_who_was_left_out(audited):
    assert audited._findings.notes_on_opinions() == []
    learned = {"neighbors": 1797, "trees": 500, "linear model": 500, "kernel machine": 90, "learned neighbors": 0}
    assert replace(audited._findings, n_learned_from=learned).notes_on_opinions() == [
        "The kernel machine learned from a sample of 90 of the 1,797 rows.",
        "The trees and linear model learned from a sample of 500 of the 1,797 rows.",
        "With 10 classes, the learned neighbors were not asked.",
    ]


def test_an_audit_of_many_rows_says_so_and_explains_by_neighbors_among_all(digits, monkeypatch):
    X, y, noisy = digits
    monkeypatch.setattr("unflip.opinions.sampled.MAX_ROWS", 600)
    audit = LabelAudit().fit(X, noisy)
    assert set(audit._findings.n_learned_from.values()) == {600, 1797}
    assert len(audit._findings.notes_on_opinions()) == 1
    assert audit._findings.graph.indices.shape[0] == 1797
    assert audit._findings.graph.indices.max() > 1700
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.95
    order = np.random.RandomState(0).permutation(1797)
    other = LabelAudit().fit(X[order], noisy[order])
    difference = np.abs(other.issues_["p_wrong"] - audit.issues_["p_wrong"].to_numpy()[order])
    assert difference.mean() < 0.001  # ties of neighbors go to the smaller row number
