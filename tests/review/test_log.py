"""The log of decisions: appended to, replayed, and whole after every accident."""

import json
import sqlite3
from contextlib import closing
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.documents import document, small, suspect, three_classes, write
from review.servers import served
from unflip.review.desk import Desk
from unflip.review.log import Entry, replay
from unflip.review.refusals import BadRequest, Conflict


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "audit", small())


@pytest.fixture
def desk(folder):
    with closing(Desk(folder)) as desk:
        yield desk


def lines(folder):
    with closing(sqlite3.connect(folder / "decisions.sqlite")) as connection:
        return connection.execute("SELECT row, given, decided, kind FROM decisions ORDER BY id").fetchall()


def kinds(desk):
    return {row: entry.kind for row, entry in desk.decisions().items()}


def test_each_decision_and_each_undo_is_a_line(folder, desk):
    desk.decide(3, "accept", 1)
    desk.decide(5, "keep")
    desk.decide(7, "skip")
    desk.undo(desk.state()["newest"]["id"])
    assert lines(folder) == [
        (3, '"a"', '"b"', "accept"),
        (5, '"a"', '"a"', "keep"),
        (7, '"b"', None, "skip"),
        (7, '"b"', None, "undo"),
    ]
    assert kinds(desk) == {3: "accept", 5: "keep"}


def test_undo_brings_back_the_decision_before(desk):
    desk.decide(3, "accept", 1)
    desk.decide(5, "keep")
    desk.decide(3, "keep")
    desk.undo(desk.state()["newest"]["id"])
    assert kinds(desk) == {3: "accept", 5: "keep"}
    assert desk.state()["newest"]["row"] == 5


def test_a_decision_is_undone_once(desk):
    desk.decide(3, "keep")
    newest = desk.state()["newest"]["id"]
    desk.undo(newest)
    with pytest.raises(Conflict, match="already taken back or replaced"):
        desk.undo(newest)
    assert kinds(desk) == {}


def test_lines_can_be_neither_changed_nor_removed(folder, desk):
    desk.decide(3, "keep")
    with closing(sqlite3.connect(folder / "decisions.sqlite")) as connection:
        for attempt in ("UPDATE decisions SET kind = 'skip'", "DELETE FROM decisions"):
            with pytest.raises(sqlite3.IntegrityError, match="only appended"):
                connection.execute(attempt)


def test_the_log_is_written_ahead_and_to_the_disk(desk):
    connection = desk.log._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["keep", "accept", "undo"])), max_size=30))
def test_replaying_is_undoing_step_by_step(steps):
    entries = [Entry(i, row, '"a"', None, kind, "") for i, (row, kind) in enumerate(steps)]
    expected: dict = {}
    for entry in entries:
        mine = expected.setdefault(entry.row, [])
        expected[entry.row] = mine[:-1] if entry.kind == "undo" else [*mine, entry]
    assert replay(entries) == {row: mine[-1] for row, mine in expected.items() if mine}


@pytest.mark.parametrize(
    ("row", "kind", "chosen", "words"),
    [
        (4, "keep", None, "Row 4 is not a suspect"),
        ("3", "keep", None, 'Row "3" is not a suspect'),
        (True, "keep", None, "Row true is not a suspect"),
        (3, "erase", None, 'got "erase"'),
        (3, "undo", None, 'got "undo"'),
        (3, None, None, "got null"),
        (3, "accept", None, "from 0 to 1, got null"),
        (3, "choose", 2, "from 0 to 1, got 2"),
        (3, "choose", -1, "from 0 to 1, got -1"),
        (3, "accept", 0, "that is keep"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_leaves_no_line(folder, desk, row, kind, chosen, words):
    with pytest.raises(BadRequest) as refused:
        desk.decide(row, kind, chosen)
    assert words in str(refused.value)
    assert lines(folder) == []


def test_a_log_goes_on_with_an_audit_of_the_same_suspects(folder):
    with closing(Desk(folder)) as desk:
        desk.decide(3, "accept", 1)
    # Classes numbered otherwise: the log holds their names, so that b stays b.
    turned = {
        "classes": ["b", "a"],
        "suspects": [
            one | {"given": 1 - one["given"], "suggested": 1 - one["suggested"]} for one in small()["suspects"]
        ],
    }
    write(folder, small() | turned)
    with closing(Desk(folder)) as desk:
        state = {one["row"]: one for one in desk.state()["suspects"]}
        assert (state[3]["kind"], state[3]["decided"]) == ("accept", 0)


@pytest.mark.parametrize("other", [three_classes(), document([suspect(3, 1, 0, 0.9, [(5, 0)])])])
def test_a_log_of_other_suspects_is_refused_once_it_has_decisions(folder, other):
    Desk(folder).close()
    write(folder, other)
    Desk(folder).close()
    write(folder, small())
    with closing(Desk(folder)) as desk:
        desk.decide(3, "keep")
    write(folder, other)
    with pytest.raises(ValueError, match=r"decisions\.sqlite holds decisions about another audit"):
        Desk(folder)
    write(folder, small())
    with closing(Desk(folder)) as desk:
        assert kinds(desk) == {3: "keep"}


def test_what_the_refusal_of_other_suspects_advises_works_even_after_a_crash(folder, tmp_path):
    with served(folder) as server, server.client() as client:
        client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        server.end("kill")
    assert (folder / "decisions.sqlite-wal").exists()
    write(folder, three_classes())
    with pytest.raises(ValueError, match=r"Move decisions\.sqlite away to review these") as refused:
        Desk(folder)
    assert "put the old audit.json back; 'unflip audit --out' with a folder for each audit" in str(refused.value)
    assert sorted(path.name for path in folder.iterdir()) == ["audit.json", "decisions.sqlite"]
    old = write(tmp_path / "old", small())
    (folder / "decisions.sqlite").rename(old / "decisions.sqlite")
    with closing(Desk(folder)) as desk, closing(Desk(old)) as before:
        assert (kinds(desk), kinds(before)) == ({}, {3: "keep"})


def test_a_file_that_is_no_log_is_refused(folder):
    (folder / "decisions.sqlite").write_text("something else, and long enough to be looked at" * 100)
    with pytest.raises(ValueError, match="cannot be used as the log of decisions: file is not a database"):
        Desk(folder)


def test_two_desks_and_many_threads_lose_nothing(folder):
    with closing(Desk(folder)) as one, closing(Desk(folder)) as other:
        threads = [
            Thread(target=lambda desk=desk: [desk.decide(3, "keep") for _ in range(10)]) for desk in (one, other) * 2
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(lines(folder)) == 40
        assert one.state() == other.state()


def test_a_killed_server_loses_nothing_that_it_acknowledged(folder):
    acknowledged = []
    with served(folder) as server, server.client() as client:
        for row, kind in ((3, "keep"), (5, "skip"), (7, "keep"), (9, "skip"), (3, "skip")):
            assert client.post("/api/decisions", json={"row": row, "kind": kind}).status_code == 200
            acknowledged.append((row, kind))
        server.end("kill")
        assert server.process.returncode == -9
    assert [(row, kind) for row, _, _, kind in lines(folder)] == acknowledged
    with served(folder) as server, server.client() as client:
        state = client.get("/api/state").json()
        assert {one["row"]: one["kind"] for one in state["suspects"]} == {3: "skip", 5: "skip", 7: "keep", 9: "skip"}
        assert json.dumps(state["newest"]["row"]) == "3"


def test_what_cannot_be_saved_is_not_acknowledged(folder):
    with (
        served(folder) as server,
        server.client() as client,
        closing(sqlite3.connect(folder / "decisions.sqlite")) as other,
    ):
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON decisions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        other.commit()
        answer = client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        assert (answer.status_code, answer.json()) == (
            503,
            {"error": "The decision could not be saved: the disk is full."},
        )
        assert client.get("/api/state").json()["newest"] is None
