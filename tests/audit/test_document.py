"""The document agrees with the findings."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.audit.document import make_document


def blobs(n=600, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    return random.normal(size=(n, 3)) + 3 * y[:, None], y


@pytest.fixture(scope="module")
def audited():
    X, y = load_digits(return_X_y=True)
    return LabelAudit().fit(X, make_label_noise(y, 0.1, random_state=0))


def mixed(n=400, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    table = pd.DataFrame(
        {
            "id": [f"c{i}" for i in range(n)],
            "size": random.normal(10 + 4 * y, 1),
            "color": np.array(["red", "blue", "green"])[(y + (random.random_sample(n) < 0.2)) % 3],
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(400 * y + random.randint(0, 300, n), unit="D"),
        },
        index=np.arange(n) + 1000,
    )
    table.loc[table.index[::10], "size"] = np.nan
    table.loc[table.index[3::10], "color"] = None
    return table, y


def test_a_table_is_shown_by_its_own_values_and_arrays_of_few_columns_by_theirs():
    table, y = mixed()
    document = LabelAudit(noise_rates=0.1, top=5).fit(table, y).report()
    assert document["columns"] == ["id", "size", "color", "since"]
    row = document["suspects"][0]["row"]
    assert document["rows"][str(row)][0] == f"c{row}"
    assert LabelAudit(noise_rates=0.1).fit(table[["size"]].fillna(0).to_numpy(), y).report()["columns"] == ["x0"]


def test_the_document_is_json_and_agrees_with_the_issues(audited):
    document = json.loads(json.dumps(audited.report(title="digits", label="digit"), allow_nan=False))
    flagged = audited.issues_["is_label_issue"]
    assert document["format"] == "unflip-audit/1"
    assert (document["title"], document["label"]) == ("digits", "digit")
    assert document["n_issues"] == flagged.sum() == np.sum(document["flagged"])
    assert np.sum(document["histogram"]["counts"]) == document["n_rows"] == len(flagged)
    assert [one["row"] for one in document["suspects"]] == audited.suspects()["row"].tolist()
    first = document["suspects"][0]
    nearest = audited.neighbors_of(first["row"]).neighbors["row"].tolist()
    assert [near["row"] for near in first["neighbors"]] == nearest[:10]
    assert [row for row, _ in first["votes"]] == nearest
    assert sorted(document["map"]["rows"]) == list(range(1797))
    assert document["columns"] == []  # 64 numbers without names tell a person nothing


def test_the_document_counts_rows_from_where_it_is_asked_to():
    X, y = load_iris(return_X_y=True)
    audit = LabelAudit().fit(X, make_label_noise(y, 0.1, random_state=0))
    zero, one = audit.report(), audit.report(first_row=1)
    assert [s["row"] + 1 for s in zero["suspects"]] == [s["row"] for s in one["suspects"]]
    assert [[row + 1, c] for row, c in zero["suspects"][0]["votes"]] == one["suspects"][0]["votes"]
    assert {str(int(row) + 1): texts for row, texts in zero["rows"].items()} == one["rows"]
    assert [row + 1 for row in zero["map"]["rows"]] == one["map"]["rows"]


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
    audit = LabelAudit(noise_rates=0.1).fit(np.zeros((30, 2)), np.arange(30) % 2)
    assert audit.report()["map"] is None


def test_control_characters_of_title_and_cells_are_escaped():
    table = pd.DataFrame({"text": ["a\0b", "c\x1b[1m"] * 20, "x": np.arange(40) % 7})
    document = LabelAudit(top=3).fit(table, list("ab") * 20).report(title="t\n.csv")
    assert document["title"] == "t\\n.csv"
    assert {texts[0] for texts in document["rows"].values()} <= {"a\\x00b", "c\\x1b[1m"}


def test_numbers_of_any_size_make_no_infinity():
    X = np.random.RandomState(0).normal(size=(40, 3)) * 1e200
    document = LabelAudit(top=3).fit(X, list("ab") * 20).report()
    json.dumps(document, allow_nan=False)


def test_it_says_who_judged_which_columns_matter_and_what_cleaning_changes():
    table, y = mixed()
    audit = LabelAudit().fit(table, y)
    document = audit.report()
    assert sum(document["opinions"].values()) == pytest.approx(1, abs=0.01)
    shares = dict(document["importances"])
    assert set(shares) <= {"size", "color", "since"}
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    cleaning = document["cleaning"]
    assert cleaning["n_changed"] == int((audit.clean_labels() != y).sum())
    assert cleaning["expected_before"] == pytest.approx(1 - audit.issues_["p_wrong"].mean(), abs=1e-3)
    assert cleaning["expected_after"] >= cleaning["expected_before"]
    assert LabelAudit(model=None).fit(table, y).report()["importances"] == []


def test_reasons_that_are_known_are_not_put_into_words_again(audited):
    findings = audited._findings
    reasons = [f"why {number}" for number in range(findings.flagged.sum())]
    document = make_document(findings, title="digits", label="digit", reasons=reasons)
    assert [suspect["sentence"] for suspect in document["suspects"]] == reasons
