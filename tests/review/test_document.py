"""What can be reviewed, and what is refused in one sentence."""

import json

import pytest

from review.documents import TWO_BY_TWO, document, hostile, many, small, suspect, three_classes, write
from unflip.review.document import read_document


@pytest.mark.parametrize("make", [small, three_classes, hostile, many, lambda: document([])])
def test_documents_of_the_contract_are_read(tmp_path, make):
    content = make()
    found = read_document(write(tmp_path, content))
    assert [one.row for one in found.suspects] == [one["row"] for one in content["suspects"]]
    assert found.names == [str(value) for value in content["classes"]]


def broken(**changes):
    content = small()
    content["suspects"][0].update(changes)
    return content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "is not an audit of the format 'unflip-audit/1', got 'list'"),
        ({"format": "unflip-audit/2"}, "got 'unflip-audit/2'"),
        ({"format": "unflip-audit/1"}, "'classes' is missing"),
        (document([], classes=[["a"], "b"]), "'classes' must be a list of texts, numbers or booleans"),
        (document([], matrix=[[1.0]]), "'transition_matrix' must have the shape (2, 2), got (1, 1)"),
        (document([], matrix=[[float("nan"), 1.0], [0.0, 1.0]]), "'transition_matrix' must hold probabilities"),
        (document([], matrix=[[1.5, -0.5], [0.0, 1.0]]), "'transition_matrix' must hold probabilities"),
        (document([], rates={}), "'transition_matrix' is missing"),
        (document([], rates={"transition_matrix": TWO_BY_TWO}), "'class_prior' is missing"),
        (
            document([], rates={"transition_matrix": TWO_BY_TWO, "class_prior": [1]}),
            "'class_prior' must have the shape",
        ),
        (broken(given=2), "'given' of row 3 must be a class number from 0 to 1, got 2"),
        (broken(suggested=-1), "'suggested' of row 3 must be a class number"),
        (broken(suggested=True), "'suggested' of row 3 must be a class number"),
        (broken(p_wrong=1.5), "'p_wrong' of row 3 must be a probability, got 1.5"),
        (broken(p_wrong=float("nan")), "'p_wrong' of row 3 must be a probability, got nan"),
        (broken(votes=[[1, 7]]), "a vote of row 3 must be a class number"),
        (broken(votes=[1]), "is not a usable audit"),
        (broken(row=5), "a row is listed twice"),
        (broken(row=-1), "a suspect's row must be an integer >= 0, got -1"),
    ],
)
def test_what_is_no_audit_is_refused_in_one_sentence(tmp_path, content, words):
    with pytest.raises(ValueError, match=r"audit\.json") as refused:
        read_document(write(tmp_path, content))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_broken_json_is_refused(tmp_path, content):
    (tmp_path / "audit.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"audit\.json is not readable as JSON"):
        read_document(tmp_path)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere is not a folder\."):
        read_document(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"holds no audit\.json"):
        read_document(tmp_path)


def test_the_fingerprint_says_which_labels_are_suspect_and_nothing_else(tmp_path):
    def fingerprint(content):
        return read_document(write(tmp_path, content)).fingerprint

    same = small() | {
        "title": "other.csv",
        "suspects": [one | {"p_wrong": 0.5} for one in reversed(small()["suspects"])],
    }
    assert fingerprint(small()) == fingerprint(same)
    assert fingerprint(small()) != fingerprint(broken(given=1))
    assert fingerprint(small()) != fingerprint(broken(row=4))
    assert fingerprint(small()) != fingerprint(small() | {"classes": ["a", "c"]})
    numbers, texts = (document([suspect(1, 0, 1, 0.9, [(2, 1)])], classes=names) for names in ([0, 1], ["0", "1"]))
    assert fingerprint(numbers) != fingerprint(texts)


def test_distances_that_json_cannot_carry_are_left_out(tmp_path):
    content = small()
    content["suspects"][0]["neighbors"][0]["distance"] = float("inf")
    found = read_document(write(tmp_path, content))
    assert found.suspects[0].neighbors[0]["distance"] is None
    json.dumps(found.suspects[0].neighbors, allow_nan=False)
