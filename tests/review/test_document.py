"""Usable audits are read, and others are refused in one sentence."""

import json
from contextlib import closing

import numpy as np
import pytest
from fuzzing import cases, one_of

from review.documents import TWO_BY_TWO, document, hostile, many, small, suspect, three_classes, write
from unflip import LabelAudit, UnflipError, make_label_noise
from unflip.review.desk import Desk
from unflip.review.document import class_key, read_document
from unflip.review.export import as_csv, as_label_studio


@pytest.mark.parametrize("make", [small, three_classes, hostile, many, lambda: document([])])
def test_audit_documents_are_read(tmp_path, make):
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
        (document([], matrix=[[1.0]]), "'transition_matrix' must hold 2 probabilities, got 1"),
        (document([], matrix=[[float("nan"), 1.0], [0.0, 1.0]]), "'transition_matrix' must be a probability, got nan"),
        (document([], matrix=[[1.5, -0.5], [0.0, 1.0]]), "'transition_matrix' must be a probability, got 1.5"),
        (document([], rates={}), "'transition_matrix' is missing"),
        (document([], rates={"transition_matrix": TWO_BY_TWO}), "'class_prior' is missing"),
        (
            document([], rates={"transition_matrix": TWO_BY_TWO, "class_prior": [1]}),
            "'class_prior' must hold 2 probabilities, got 1",
        ),
        (broken(given=2), "'given' of row 3 must be a class number from 0 to 1, got 2"),
        (broken(suggested=-1), "'suggested' of row 3 must be a class number"),
        (broken(suggested=True), "'suggested' of row 3 must be a class number"),
        (broken(p_wrong=1.5), "'p_wrong' of row 3 must be a probability, got 1.5"),
        (broken(p_wrong=float("nan")), "'p_wrong' of row 3 must be a probability, got nan"),
        (
            broken(votes=[[1, 7]]),
            "'votes' of row 3 must be pairs of a row >= 0 and a class number from 0 to 1, got [1, 7]",
        ),
        (broken(votes=[1]), "'votes' of row 3 must be pairs"),
        (
            broken(votes=[[[2], 1]]),
            "'votes' of row 3 must be pairs of a row >= 0 and a class number from 0 to 1, got [a",
        ),
        (broken(votes={}), "'votes' of row 3 must be a list, got a JSON object"),
        (broken(sentence=[]), "'sentence' of row 3 must be text, got a list"),
        (broken(neighbors=7), "'neighbors' of row 3 must be a list, got 7"),
        (
            broken(neighbors=[{"row": "x", "label": 0}]),
            "the row of a neighbor of row 3 must be an integer >= 0, got 'x'",
        ),
        (broken(row=2**53), "a suspect's row must be an integer >= 0, got 9007199254740992"),
        (broken(p_wrong=10**400), "'p_wrong' of row 3 must be a probability, got 1000"),
        (document([], matrix=[[10**400, 0], [0, 1]]), "'transition_matrix' must be a probability, got 1000"),
        (document([], matrix=[[1, 0]]), "'transition_matrix' must have 2 rows, got 1"),
        (document([], rates=[1]), "'rates' must be a JSON object, got a list"),
        (document([], classes=["a", "a"]), "'classes' must differ from each other"),
        (document([], rows=[1]), "'rows' must be a JSON object, got a list"),
        (document([], rows={"1": "abc"}), "the values of row '1' must be a list, got 'abc'"),
        (document([], n_issues="many"), "'n_issues' must be an integer >= 0, got 'many'"),
        (document([1]), "'suspects' must be a JSON object, got 1"),
        (document([], format=["x" * 1000]), "is not an audit of the format 'unflip-audit/1', got a list"),
        (broken(row=5), "a row is listed twice"),
        (broken(row=-1), "a suspect's row must be an integer >= 0, got -1"),
    ],
)
def test_unusable_audits_are_refused_in_one_sentence(tmp_path, content, words):
    with pytest.raises(UnflipError, match=r"audit\.json") as refused:
        read_document(write(tmp_path, content))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_broken_json_is_refused(tmp_path, content):
    (tmp_path / "audit.json").write_bytes(content)
    with pytest.raises(UnflipError, match=r"audit\.json is not readable as JSON"):
        read_document(tmp_path)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(UnflipError, match=r"nowhere is not a folder\."):
        read_document(tmp_path / "nowhere")
    with pytest.raises(UnflipError, match=r"holds no audit\.json"):
        read_document(tmp_path)


def test_the_fingerprint_depends_on_classes_suspects_and_given_labels_only(tmp_path):
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


@pytest.mark.parametrize("distance", [float("inf"), float("nan"), 10**400, "far", True])
def test_distances_that_are_no_finite_numbers_are_dropped(tmp_path, distance):
    content = small()
    content["suspects"][0]["neighbors"][0]["distance"] = distance
    found = read_document(write(tmp_path, content))
    assert found.suspects[0].neighbors[0]["distance"] is None
    json.dumps(found.suspects[0].neighbors, allow_nan=False)


def test_keys_of_classes_tell_types_apart_and_are_stable():
    assert [class_key(value) for value in (1, "1", True, 1.5, "ü")] == ["1", '"1"', "true", "1.5", '"\\u00fc"']


def test_values_of_unknown_rows_are_empty(tmp_path):
    found = read_document(write(tmp_path, small()))
    assert found.values(3) == ["3", "Oslo"]
    assert found.values(99) == []


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    def forbidden(path):
        raise PermissionError(13, "Permission denied")

    write(tmp_path, small())
    monkeypatch.setattr("pathlib.Path.read_bytes", forbidden)
    with pytest.raises(UnflipError, match=r"audit\.json cannot be read: Permission denied\."):
        read_document(tmp_path)


@pytest.fixture(scope="module")
def real():
    """The document of an audit of two overlapping clouds with flipped labels."""
    random = np.random.RandomState(0)
    y = np.repeat(["no", "yes"], 60)
    X = np.round(random.normal(size=(120, 2)) + 2 * (y == "yes")[:, None], 2)
    return json.dumps(LabelAudit().fit(X, make_label_noise(y, 0.1, random_state=0)).report(first_row=1))


def test_mutated_documents_are_refused_in_one_sentence_or_can_be_reviewed(real, tmp_path):
    refusals = {}
    for seed in cases(600):
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "audit.json").write_bytes(mutated(real, np.random.RandomState(seed)))
        try:
            review_everything(folder)
        except UnflipError as error:
            refusals[seed] = str(error)
    odd = [seed for seed, text in refusals.items() if "audit.json" not in text or "\n" in text or len(text) > 500]
    assert odd == []
    assert 0 < len(refusals) < len(cases(600))


def review_everything(folder):
    with closing(Desk(folder)) as desk:
        for one in desk.document.suspects[:3]:
            json.dumps(desk.detail(one.row), allow_nan=False)
            desk.decide(one.row, "keep")
        json.dumps([desk.overview(), desk.state()], allow_nan=False)
        as_csv(desk)
        as_label_studio(desk)


ODD = (
    None, True, False, 0, -1, 1, 2**53, 2**63, 10**30, 10**400, 0.5, 1.5, -0.0, 1e308, float("nan"), float("inf"), "",
    "x", "0", "\u0000", "\ud800", "\n\r", "x" * 100_000, [], [[]], [0], [1, 2, 3], {}, {"row": 1}, [None], [[0, 0]],
)  # fmt: skip


def mutated(text, random):
    """Return the bytes of a document of which parts were deleted, replaced, repeated or cut off."""
    if random.randint(4) == 0:
        return damaged(text.encode(), random)
    document = json.loads(text)
    for _ in range(random.randint(1, 4)):
        place, key = random_place(document, random)
        change = random.randint(4)
        if change == 0:
            del place[key]
        elif change == 1 and isinstance(place, list):
            place.insert(key, place[key])
        elif change == 2:
            place[key] = nested(random.randint(1, 900))
        else:
            place[key] = one_of(random, *ODD)
        if not document:
            break
    return json.dumps(document).encode()


def random_place(document, random):
    """Return a list or dict inside the document, and one of its keys."""
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = keys[random.randint(len(keys))]
        inside = place[key]
        if not isinstance(inside, dict | list) or not inside or random.randint(3) == 0:
            return place, key
        place = inside


def nested(depth):
    made = []
    for _ in range(depth):
        made = [made]
    return made


def damaged(content, random):
    where = random.randint(len(content))
    kind = one_of(random, "cut", "bytes", "deep", "twice", "number", "bom")
    return {
        "cut": content[:where],
        "bytes": content[:where] + random.bytes(3) + content[where + random.randint(4) :],
        "deep": content[:where] + b"[" * random.randint(1, 100_000) + content[where:],
        "twice": content + content,
        "number": content.replace(b"0.", b"9" * random.randint(1, 6000) + b".", 1),
        "bom": b"\xef\xbb\xbf" + content,
    }[kind]
