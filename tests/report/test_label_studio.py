"""Suspects as tasks for Label Studio."""

import json

from hypothesis import given
from hypothesis import strategies as st

from report.documents import harmful, realistic
from unflip.report import label_studio_tasks, write_label_studio
from unflip.report.label_studio import unique_names

SMALL = {
    "unflip": "0.1.0",
    "classes": [False, True],
    "columns": ["age", "row"],
    "rows": {"3": ["41", "x"]},
    "suspects": [{"row": 3, "suggested": 1, "p_wrong": 0.9}, {"row": 5, "suggested": 0, "p_wrong": 0.8}],
}


def choice(name):
    return [{"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": [name]}}]


def test_a_task_holds_the_row_its_values_and_the_suggestion():
    first, second = label_studio_tasks(SMALL)
    assert first == {
        "data": {"row": 3, "age": "41", "row (2)": "x"},
        "annotations": [],
        "predictions": [{"model_version": "unflip 0.1.0", "score": 0.9, "result": choice("True")}],
    }
    assert second["data"] == {"row": 5}


def test_other_scores_and_decisions_may_be_given():
    (task,) = label_studio_tasks(SMALL, [{"row": 5, "suggested": 1, "p_wrong": 0.25}], {5: 0, 3: 1})
    assert task["data"]["row"] == 5
    assert task["annotations"] == [{"result": choice("False")}]
    assert task["predictions"][0]["score"] == 0.25
    assert task["predictions"][0]["result"] == choice("True")
    assert [len(task["annotations"]) for task in label_studio_tasks(SMALL, decided={5: 0})] == [0, 1]
    assert label_studio_tasks(SMALL, []) == []


def test_the_file_holds_the_tasks(tmp_path):
    for document in (realistic(300), harmful()):
        write_label_studio(document, tmp_path / "tasks.json")
        found = json.loads((tmp_path / "tasks.json").read_text(encoding="utf-8"))
        assert [task["data"]["row"] for task in found] == [one["row"] for one in document["suspects"]]


def test_a_lone_surrogate_becomes_a_question_mark(tmp_path):
    write_label_studio(SMALL | {"classes": ["a\ud800", "b\ud800"]}, tmp_path / "tasks.json")
    assert '"b?"' in (tmp_path / "tasks.json").read_text(encoding="utf-8")


def test_a_numbered_name_may_already_exist():
    assert unique_names(["a", "a (2)", "a", "a"]) == ["a", "a (2)", "a (3)", "a (4)"]


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "a (2) (2)", "b"]), max_size=12))
def test_names_are_unique_and_first_occurrences_unchanged(names):
    found = unique_names(names)
    assert len(set(found)) == len(found) == len(names)
    assert all(new.startswith(old) for old, new in zip(names, found, strict=True))
    assert found[:1] == names[:1]
