"""The audit of a table that is spread over files."""

import json

import numpy as np
import pandas as pd
import pytest

from unflip import LabelAudit, make_label_noise
from unflip.audit.shard_files import audit_shards
from unflip.tables import TableEncoder

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def table():
    random = np.random.RandomState(0)
    size = random.normal(size=900)
    truth = np.where(size > 0, "large", "small")
    return pd.DataFrame({
        "id": np.arange(900) + 10_000,
        "size": size,
        "color": random.choice(["red", "blue"], 900),
        "label": make_label_noise(truth, 0.08, random_state=0),
    })  # fmt: skip


@pytest.fixture
def files(tmp_path, table):
    for name, rows in (("b", slice(200, 500)), ("a", slice(0, 200)), ("c", slice(500, 900))):
        table.iloc[rows].to_parquet(tmp_path / f"{name}.parquet", index=False)
    return tmp_path / "*.parquet"


@pytest.mark.parametrize("model", [None, "auto"])
def test_files_are_audited_like_one_table(files, table, tmp_path, model):
    found = audit_shards(files, "label", model=model, out=tmp_path / "audit")
    whole = LabelAudit(model, encoder=TableEncoder()).fit(table.drop(columns="label"), table["label"])
    np.testing.assert_array_equal(found.audit.issues_["p_wrong"], whole.issues_["p_wrong"])
    assert found.audit.rates_.share_wrong == whole.rates_.share_wrong
    assert "id" in found.document["left_out"]
    assert [path.name for path in found.files] == ["report.html", "issues.csv", "cleaned", "audit.json"]


def test_issues_name_the_file_and_the_row_in_it_and_cleaned_files_are_whole(files, table, tmp_path):
    found = audit_shards(files, "label", model=None, out=tmp_path / "audit")
    issues = pd.read_csv(found.issues)
    assert len(issues) == found.document["n_issues"] > 20
    for _, issue in issues.iterrows():
        source = pd.read_parquet(files.parent / issue["file"]).iloc[issue["row_in_file"] - 1]
        assert source["id"] == issue["id"] == table["id"].iloc[issue["row"] - 1]
        assert source["label"] == issue["given_label"]
    cleaned = pd.concat([pd.read_parquet(found.cleaned / f"{name}.parquet") for name in "abc"], ignore_index=True)
    assert cleaned.columns.tolist() == ["id", "size", "color", "label", "label_given"]
    assert cleaned["label_given"].tolist() == table["label"].tolist()
    assert cleaned["label"].tolist() == found.audit.clean_labels().tolist()
    document = json.loads(found.document_file.read_text())
    assert [(file["name"], file["first_row"]) for file in document["files"]] == [
        ("a.parquet", 1), ("b.parquet", 201), ("c.parquet", 501)
    ]  # fmt: skip
    shown = document["rows"][str(issues["row"].iloc[0])]
    assert document["columns"] == ["id", "size", "color"]
    assert shown[0] == str(issues["id"].iloc[0])


def test_a_second_audit_replaces_the_first(files, tmp_path):
    first = audit_shards(files, "label", model=None, out=tmp_path / "audit", memory_budget="8GB")
    again = audit_shards(files, "label", model=None, out=tmp_path / "audit", top=3)
    assert first.document["n_issues"] > again.document["n_issues"] == 3
    assert len(list((tmp_path / "audit" / "cleaned").iterdir())) == 3


def test_nothing_is_written_where_something_else_is_or_if_a_file_is_bad(files, tmp_path):
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "cleaned").mkdir()
    with pytest.raises(ValueError, match="was not written by unflip audit"):
        audit_shards(files, "label", model=None, out=tmp_path / "audit")
    (files.parent / "d.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"d\.parquet cannot be read"):
        audit_shards(files, "label", model=None, out=tmp_path / "other")
    assert not (tmp_path / "other").exists()
