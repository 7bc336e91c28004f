"""Audits of tables of any library, and what an audit writes."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.metrics import average_precision_score

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.tables import TableEncoder


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


def test_tables_of_mixed_columns_are_encoded_and_pandas_polars_and_arrow_agree():
    table, y = mixed()
    noisy = make_label_noise(y, 0.1, random_state=0)
    audit = LabelAudit().fit(table, noisy)
    assert audit.issues_.index.tolist() == table.index.tolist()
    assert audit.feature_names_in_.tolist() == list(table)
    assert list(audit.report()["left_out"]) == ["id"]
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.9
    polars_frame = pl.from_pandas(table)
    for other in (polars_frame, polars_frame.to_arrow()):
        assert find_label_issues(other, noisy)["p_wrong"].tolist() == audit.issues_["p_wrong"].tolist()


def test_an_encoder_names_columns_to_drop_and_is_left_as_it_was():
    table, y = mixed()
    encoder = TableEncoder(drop=["color"])
    audit = LabelAudit(encoder=encoder).fit(table, y)
    assert audit.report()["left_out"]["color"] == "dropped, as requested"
    assert not hasattr(encoder, "used")
    assert clone(audit).encoder.drop == ["color"]


def test_a_table_is_shown_by_its_own_values_and_arrays_of_few_columns_by_theirs():
    table, y = mixed()
    document = LabelAudit(0.1).fit(table, y).report()
    assert document["columns"] == ["id", "size", "color", "since"]
    row = document["suspects"][0]["row"]
    assert document["rows"][str(row)][0] == f"c{row}"
    assert LabelAudit(0.1).fit(table[["size"]].fillna(0).to_numpy(), y).report()["columns"] == ["x0"]


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
