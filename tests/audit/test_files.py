"""The call that audits a file and writes what it found."""

import inspect
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from unflip import UnflipError, audit_table, make_label_noise
from unflip.audit import explanation


@pytest.fixture
def table(tmp_path):
    frame = load_iris(as_frame=True).frame
    frame["kind"] = make_label_noise(np.array(["a", "b", "c"])[frame.pop("target")], 0.1, random_state=0)
    frame.to_csv(tmp_path / "iris.csv", index=False)
    return tmp_path / "iris.csv"


def test_four_files_agree_with_the_audit_that_is_returned(table, tmp_path):
    found = audit_table(table, "kind", out=tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(path.name for path in found.files)
    cleaned, issues = pd.read_csv(found.cleaned), pd.read_csv(found.issues)
    assert cleaned["kind"].tolist() == found.audit.clean_labels().tolist()
    assert cleaned["kind_given"].tolist() == pd.read_csv(table)["kind"].tolist()
    assert issues["row"].tolist() == (found.audit.suspects()["row"] + 1).tolist()
    assert json.loads(found.document_file.read_text()) == json.loads(json.dumps(found.document))
    assert "iris.csv" in found.report.read_text()


def test_the_folder_is_named_after_the_file_and_stages_are_told(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stages = []
    found = audit_table("iris.csv", "kind", progress=stages.append)
    assert found.report.parent.name == "iris.csv-audit"
    assert stages == [
        "Reading the file.",
        "Asking the neighbors about 150 rows.",
        "Asking the learned neighbors about 150 rows.",
        "Asking the trees about 150 rows.",
        "Asking the linear model about 150 rows.",
        "Asking the kernel machine about 150 rows.",
        "Writing the report.",
    ]


def test_a_progress_with_a_share_is_told_how_much_of_a_stage_is_done(table, tmp_path):
    told = []

    def progress(stage, share=None):
        told.append((stage, share))

    audit_table(table, "kind", model=None, out=tmp_path / "out", progress=progress)
    shares = {stage: [share for one, share in told if one == stage] for stage, _ in told}
    assert list(shares) == ["Reading the file.", "Asking the neighbors about 150 rows.", "Writing the report."]
    for stage, found in shares.items():
        assert found[0] is None, stage
        assert found[1:] == sorted(found[1:]), stage
    assert shares["Reading the file."][-1] == shares["Writing the report."][-1] == 1


def test_a_progress_without_a_signature_is_told_no_share(table, tmp_path):
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(str)
    assert audit_table(table, "kind", model=None, out=tmp_path / "out", progress=str).report.exists()


def test_each_reason_is_put_into_words_once(table, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(explanation, "sentence_about", lambda *_: said.append(1) or f"reason {len(said)}")
    found = audit_table(table, "kind", model=None, out=tmp_path / "out", top=7)
    assert len(said) == 7
    reasons = [f"reason {number}" for number in range(1, 8)]
    assert pd.read_csv(found.issues)["reason"].tolist() == reasons
    assert [suspect["sentence"] for suspect in found.document["suspects"]] == reasons


def test_the_document_is_the_report_of_the_audit(table, tmp_path):
    found = audit_table(table, "kind", model=None, out=tmp_path / "out")
    assert found.document == found.audit.report(title="iris.csv", label="kind", first_row=1)


def test_a_column_of_the_name_of_the_given_labels_is_not_overwritten(table, tmp_path):
    frame = pd.read_csv(table)
    frame["kind_given"] = "mine"
    frame.to_csv(table, index=False)
    cleaned = pd.read_csv(audit_table(table, "kind", out=tmp_path / "out").cleaned)
    assert set(cleaned["kind_given"]) == {"mine"}
    assert cleaned["kind_given_"].tolist() == frame["kind"].tolist()


def test_an_embedding_has_no_columns_to_drop(tmp_path):
    np.savez(tmp_path / "e.npz", X=np.eye(4), y=np.array([0, 0, 1, 1]))
    with pytest.raises(UnflipError, match="is an embedding: it has no columns to keep or drop"):
        audit_table(tmp_path / "e.npz", "y", drop=["x"])


@pytest.mark.parametrize("name", ["issues.csv", "cleaned.csv"])
def test_an_input_is_never_written_over(table, tmp_path, name):
    folder = tmp_path / "mine"
    folder.mkdir()
    source = table.rename(folder / name)
    before = source.read_bytes()
    (tmp_path / "link.csv").symlink_to(source)
    for given in (source, tmp_path / "link.csv"):
        with pytest.raises(UnflipError, match=rf"{name} is the input .*, which is never written over"):
            audit_table(given, "kind", out=folder)
    assert source.read_bytes() == before
    assert [path.name for path in folder.iterdir()] == [name]


def test_the_file_of_labels_is_an_input_too(tmp_path):
    np.save(tmp_path / "e.npy", np.random.RandomState(0).normal(size=(20, 2)))
    (tmp_path / "issues.csv").write_text("kind\n" + "a\nb\n" * 10)
    with pytest.raises(UnflipError, match="which is never written over"):
        audit_table(tmp_path / "e.npy", "kind", labels_path=tmp_path / "issues.csv", out=tmp_path)


def test_files_of_somebody_else_are_kept_and_those_of_an_earlier_audit_replaced(table, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "report.html").write_text("mine")
    with pytest.raises(UnflipError, match=r"report\.html was not written by unflip audit; choose another folder"):
        audit_table(table, "kind", out=out)
    assert (out / "report.html").read_text() == "mine"
    (out / "report.html").unlink()
    (out / "notes.txt").write_text("mine")
    audit_table(table, "kind", out=out, top=3)
    (out / "decisions.sqlite").write_text("decided")
    found = audit_table(table, "kind", out=out, top=5)
    assert len(pd.read_csv(found.issues)) == 5
    assert (out / "decisions.sqlite").read_text() == "decided"
    assert len(list(out.iterdir())) == 6


@pytest.mark.parametrize("existing", [False, True])
def test_four_files_appear_together_or_not_at_all(table, tmp_path, monkeypatch, existing):
    out = tmp_path / "out"
    before = {}
    if existing:
        before = {path.name: path.read_bytes() for path in audit_table(table, "kind", out=out).files}
    monkeypatch.setattr("unflip.audit.files.json.dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        audit_table(table, "kind", out=out, top=3)
    assert {path.name: path.read_bytes() for path in out.glob("*")} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == (["iris.csv", "out"] if existing else ["iris.csv"])


def test_a_table_that_changes_meanwhile_is_copied_as_it_was_read(table, tmp_path):
    before = pd.read_csv(table)

    def sort(stage):
        if stage.startswith("Asking"):
            before.sort_values("kind").to_csv(table, index=False)

    found = audit_table(table, "kind", out=tmp_path / "out", progress=sort)
    cleaned = pd.read_csv(found.cleaned)
    assert cleaned["kind_given"].tolist() == before["kind"].tolist()
    pd.testing.assert_frame_equal(cleaned[list(before)[:-1]], before[list(before)[:-1]])


def test_tables_of_different_names_have_different_folders(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = table.read_bytes()
    for name in ("s.2024.csv", "s.2025.csv", "s.txt"):
        (tmp_path / name).write_bytes(content)
        assert audit_table(name, "kind").report.parent.name == f"{name}-audit"


@pytest.mark.parametrize("index", [None, "shuffled", "names", "repeated"])
def test_a_first_column_without_a_name_is_left_out_and_kept(tmp_path, index):
    frame = load_iris(as_frame=True).frame
    frame["kind"] = make_label_noise(np.array(["a", "b", "c"])[frame.pop("target")], 0.1, random_state=0)
    frame.index = {
        None: frame.index, "shuffled": np.random.RandomState(0).permutation(1000)[:150],
        "names": [f"flower {i}" for i in range(150)], "repeated": np.tile(np.arange(75), 2),
    }[index]  # fmt: skip
    frame.to_csv(tmp_path / "with.csv")
    frame.to_csv(tmp_path / "without.csv", index=False)
    first, second = (audit_table(tmp_path / f"{name}.csv", "kind", out=tmp_path / name) for name in ("with", "without"))
    assert list(first.document["left_out"]) == ["Unnamed: 0"]
    assert first.audit.issues_["p_wrong"].tolist() == second.audit.issues_["p_wrong"].tolist()
    lines = first.cleaned.read_text().splitlines()
    assert lines[0] == "," + second.cleaned.read_text().splitlines()[0]
    assert [line.split(",")[0] for line in lines[1:]] == [str(value) for value in frame.index]
    assert len(pd.read_csv(first.issues)) == first.document["n_issues"]


def test_numbers_too_large_for_distances_make_no_infinity_in_the_document(tmp_path):
    random = np.random.RandomState(0)
    frame = pd.DataFrame({"x": random.normal(size=40), "y": random.normal(size=40) * 1e300, "kind": list("ab") * 20})
    frame.loc[3, "x"] = 1e308
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = audit_table(tmp_path / "t.csv", "kind", out=tmp_path / "out")
    json.loads(found.document_file.read_text(), parse_constant=pytest.fail)


def test_no_character_that_html_does_not_allow_reaches_the_report(tmp_path):
    labels = ["a\0\x1b[1m", "b\x08"] * 20
    pd.DataFrame({"x\0": np.arange(40) % 7, "text": ["\0", "\x7f"] * 20, "kind": labels}).to_parquet(
        tmp_path / "t.parquet"
    )
    found = audit_table(tmp_path / "t.parquet", "kind", out=tmp_path / "out", top=5)
    assert not set("\0\x08\x1b\x7f") & set(found.report.read_text())
