"""The decisions exported as CSV and as Label Studio tasks."""

import csv
import io
import json
from contextlib import closing

import pytest

from review.documents import document, hostile, small, suspect, write
from unflip import UnflipError
from unflip.review.desk import Desk
from unflip.review.export import as_csv, as_label_studio, check_export, checked_ending, escape_formula, write_export


@pytest.fixture
def desk(tmp_path):
    with closing(Desk(write(tmp_path / "audit", small()))) as desk:
        desk.decide(7, "skip")
        desk.decide(5, "keep")
        desk.decide(3, "accept", 1)
        yield desk


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_table_has_a_line_for_each_current_decision(desk):
    desk.decide(9, "keep")
    desk.undo(desk.state()["newest"]["id"])
    found = read(as_csv(desk))
    assert [tuple(line.values())[:4] for line in found] == [
        ("3", "a", "b", "accept"), ("5", "a", "a", "keep"), ("7", "b", "", "skip"),
    ]  # fmt: skip
    assert all(line["time"].endswith("+00:00") for line in found)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+2", "'=1+2"), ("+cmd", "'+cmd"), ("-x", "'-x"), ("@sum", "'@sum"), ("\t=1", "'\t=1"), ("-1+1", "'-1+1"),
        ("", ""), ("a=1", "a=1"), (-1, -1), (-0.5, -0.5), (True, True), ("-1", "-1"), ("+1.5e3", "+1.5e3"),
    ],
)  # fmt: skip
def test_formulas_are_escaped_and_numbers_are_not(value, cell):
    assert escape_formula(value) == cell


def test_hostile_names_reach_the_table_as_text(tmp_path):
    with closing(Desk(write(tmp_path, hostile()))) as desk:
        desk.decide(1, "keep")
        assert read(as_csv(desk))[0]["given_label"] == "'=cmd|' /C calc'!A0"


def test_number_classes_stay_numbers(tmp_path):
    content = document([suspect(1, 0, 1, 0.9, [(2, 1)])], classes=[-1, 1])
    with closing(Desk(write(tmp_path, content))) as desk:
        desk.decide(1, "keep")
        assert as_csv(desk).splitlines()[1].startswith("1,-1,-1,keep,")


def test_tasks_for_label_studio(desk):
    tasks = json.loads(as_label_studio(desk))
    assert [task["data"]["row"] for task in tasks] == [3, 5, 7, 9]
    assert tasks[0]["data"] == {"row": 3, "age": "3", "city": "Oslo"}
    answers = [[one["result"][0]["value"]["choices"] for one in task["annotations"]] for task in tasks]
    assert answers == [[["b"]], [["a"]], [], []]
    prediction = tasks[1]["predictions"][0]
    assert prediction["model_version"] == "unflip 0.1.0"
    assert prediction["score"] == desk.state()["suspects"][1]["p_wrong"] != 0.8
    assert prediction["result"] == [
        {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": ["b"]}}
    ]


def test_columns_of_the_same_name_all_reach_the_task(tmp_path):
    with closing(Desk(write(tmp_path, hostile()))) as desk:
        assert list(json.loads(as_label_studio(desk))[0]["data"]) == [
            "row",
            hostile()["title"],
            "row (2)",
            "row (3)",
            "",
        ]


def test_the_ending_selects_the_format(desk, tmp_path):
    write_export(desk, tmp_path / "labels.JSON")
    write_export(desk, str(tmp_path / "decisions.csv"))
    assert len(json.loads((tmp_path / "labels.JSON").read_text(encoding="utf-8"))) == 4
    assert (tmp_path / "decisions.csv").read_text(encoding="utf-8") == as_csv(desk)
    for name in ("decisions.xlsx", "decisions"):
        with pytest.raises(UnflipError, match=r"must end in \.csv"):
            write_export(desk, str(tmp_path / name))


def test_other_endings_are_refused():
    assert checked_ending("a/b.CSV") == ".csv"
    with pytest.raises(
        UnflipError, match=r"'--export' must end in \.csv \(table\) or \.json \(Label Studio\), got 'x.txt'"
    ):
        checked_ending("x.txt")


def test_a_lone_surrogate_becomes_a_question_mark(tmp_path):
    content = document([suspect(1, 0, 1, 0.9, [(2, 1)])], classes=["a\ud800", "b"])
    with closing(Desk(write(tmp_path, content))) as desk:
        desk.decide(1, "keep")
        for name, words in (("labels.json", '"a?"'), ("decisions.csv", "1,a?,a?,keep,")):
            write_export(desk, tmp_path / name)
            assert words in (tmp_path / name).read_text(encoding="utf-8")


def test_an_earlier_export_may_be_replaced(desk, tmp_path):
    for name in ("labels.json", "decisions.csv"):
        check_export(tmp_path / name)
        write_export(desk, tmp_path / name)
        check_export(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("audit.json", json.dumps(small())),
        ("other.json", "[1]"),
        ("other.json", json.dumps([{"data": {}, "predictions": [], "annotations": [], "id": 7}])),
        ("other.json", json.dumps([{"data": {}, "predictions": [{"model_version": "mine"}], "annotations": []}])),
        ("other.json", json.dumps([{"data": {}, "predictions": 3, "annotations": []}])),
        ("other.json", "[" * 100_000),
        ("other.csv", "x,y\n1,2\n"),
        ("other.csv", "row,given_label,decided_label,decision,time,comment\n"),
        ("other.csv", "\xff\xfe"),
    ],
)
def test_what_is_not_an_earlier_export_is_not_replaced(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="latin-1")
    with pytest.raises(UnflipError, match=r"exists and is not an earlier export of decisions; choose another name\."):
        check_export(tmp_path / name)


def test_an_export_is_not_written_through_a_link(desk, tmp_path):
    write_export(desk, tmp_path / "decisions.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "decisions.csv")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "nothing.csv")
    for name in ("link.csv", "dangling.csv"):
        with pytest.raises(UnflipError, match="is a link, and exports are not written through links"):
            check_export(tmp_path / name)
