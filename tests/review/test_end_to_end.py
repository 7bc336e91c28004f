"""From labels to decisions: audits by the library and by the command, reviewed and exported."""

import csv
import json
import subprocess
import sys
from contextlib import closing

import pytest
from sklearn.datasets import load_iris

from review.documents import write
from review.pages import heading, opened, press, state
from review.servers import served
from unflip import LabelAudit, make_label_noise
from unflip.review import Desk, write_export

NOISE = 0.15


def flowers():
    """The measurements, the true kinds, and the kinds with some flipped."""
    iris = load_iris(as_frame=True)
    kinds = iris.target_names[iris.target]
    return iris.data, kinds, make_label_noise(kinds, NOISE, random_state=0)


def unflip(*arguments):
    command = [sys.executable, "-m", "unflip", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_real_audit_is_reviewed_and_exported(tmp_path):
    measures, truth, labels = flowers()
    audit = LabelAudit(top=20).fit(measures, labels)
    document = audit.report(first_row=1)
    rows = [one["row"] for one in document["suspects"]]
    names = document["classes"]
    with closing(Desk(write(tmp_path / "audit", document))) as desk:
        p_audit = {one["row"]: one["p_wrong"] for one in desk.state()["suspects"]}
        assert p_audit == {one["row"]: one["p_wrong"] for one in document["suspects"]}
        for row in rows[:8]:  # decided by the true kinds
            if truth[row - 1] == labels[row - 1]:
                desk.decide(row, "keep")
            else:
                desk.decide(row, "choose", names.index(truth[row - 1]))
        desk.decide(rows[8], "skip")
        after = {one["row"]: one for one in desk.state()["suspects"]}
        write_export(desk, tmp_path / "decisions.csv")
        write_export(desk, tmp_path / "labels.json")
    lines = {int(line["row"]): line for line in read(tmp_path / "decisions.csv")}
    assert sorted(lines) == sorted(rows[:9])
    assert all(lines[row]["given_label"] == labels[row - 1] for row in rows[:9])
    assert all(lines[row]["decided_label"] == truth[row - 1] for row in rows[:8])
    assert lines[rows[8]]["decided_label"] == ""
    tasks = json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))
    assert [task["data"]["row"] for task in tasks] == rows
    for task, row in zip(tasks, rows, strict=True):
        answers = [one["result"][0]["value"]["choices"] for one in task["annotations"]]
        assert answers == ([[truth[row - 1]]] if row in rows[:8] else [])
        assert float(task["data"]["petal length (cm)"]) == measures["petal length (cm)"][row - 1]
        (prediction,) = task["predictions"]
        assert prediction["score"] == after[row]["p_wrong"]
        assert prediction["result"][0]["value"]["choices"] == [names[after[row]["suggested"]]]
    assert any(after[row]["p_wrong"] != p_audit[row] for row in rows)


@pytest.fixture
def audited(tmp_path):
    """The output folder of the command for a small CSV, and the CSV."""
    measures, _, labels = flowers()
    source = tmp_path / "flowers.csv"
    measures.assign(kind=labels).to_csv(source, index=False)
    done = unflip("audit", source, "--label", "kind", "--out", tmp_path / "audit")
    assert (done.returncode, done.stderr) == (0, "")
    return tmp_path / "audit", source


def test_the_folder_of_the_command_is_reviewed_by_keyboard(browser, audited, tmp_path):
    folder, source = audited
    issues, table = read(folder / "issues.csv"), read(source)
    first = int(issues[0]["row"])
    with served(folder) as server, opened(browser, server) as page:
        assert heading(page) == f"Row {first}"
        assert table[first - 1]["petal length (cm)"] in page.locator(".values").inner_text()
        seen = [first]
        for key in "aks":
            press(page, key)
            seen.append(int(heading(page).removeprefix("Row ")))
        assert page.locator("#count").inner_text() == f"2 of {len(issues)} decided, 1 skipped"
        kinds = {row: kind for row, (kind, _) in state(server).items() if kind}
        assert kinds == dict(zip(seen, ("accept", "keep", "skip"), strict=False))
    done = unflip("review", folder, "--export", tmp_path / "decisions.csv")
    assert (done.returncode, done.stderr) == (0, "")
    lines = {int(line["row"]): line for line in read(tmp_path / "decisions.csv")}
    assert {row: line["given_label"] for row, line in lines.items()} == {
        row: table[row - 1]["kind"] for row in seen[:3]
    }
    assert lines[first]["decided_label"] == issues[0]["suggested_label"]
    assert lines[seen[1]]["decided_label"] == table[seen[1] - 1]["kind"]


def test_another_audit_in_the_same_folder_is_refused_with_advice(audited, tmp_path):
    folder, source = audited
    with closing(Desk(folder)) as desk:
        desk.decide(desk.document.suspects[0].row, "keep")
    again = unflip("audit", source, "--label", "kind", "--out", folder)
    assert again.returncode == 0
    assert unflip("review", folder, "--export", tmp_path / "decisions.csv").returncode == 0  # the same suspects
    assert unflip("audit", source, "--label", "kind", "--out", folder, "--top", "3").returncode == 0
    refused = unflip("review", folder, "--export", tmp_path / "decisions.csv")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"unflip: {folder / 'decisions.sqlite'} holds decisions about another audit")
    assert "Move decisions.sqlite away" in refused.stderr
    assert refused.stderr.count("\n") == 1
