"""The decision log: append-only, replayed, and complete after every crash."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from threading import Thread
from time import perf_counter

import numpy as np
import pytest
from fuzzing import cases, one_of
from hypothesis import given
from hypothesis import strategies as st

from review.documents import document, small, suspect, three_classes, write
from review.servers import served
from unflip import UnflipError
from unflip.review.desk import Desk
from unflip.review.errors import Conflict, NotSaved
from unflip.review.log import Entry, Log, replay


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


def test_each_decision_and_each_undo_is_an_entry(folder, desk):
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


def test_undo_restores_the_previous_decision(desk):
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
    with pytest.raises(Conflict, match="already undone or replaced"):
        desk.undo(newest)
    assert kinds(desk) == {}


def test_entries_can_be_neither_changed_nor_removed(folder, desk):
    desk.decide(3, "keep")
    with closing(sqlite3.connect(folder / "decisions.sqlite")) as connection:
        for attempt in ("UPDATE decisions SET kind = 'skip'", "DELETE FROM decisions"):
            with pytest.raises(sqlite3.IntegrityError, match="only appended"):
                connection.execute(attempt)


def test_the_log_is_synced_to_disk_before_a_commit_returns(desk):
    connection = desk.log._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # in this file, not in one beside it
    assert connection.execute("PRAGMA synchronous").fetchone() == (3,)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["keep", "accept", "undo"])), max_size=30))
def test_replaying_is_undoing_step_by_step(steps):
    entries = [Entry(i, row, '"a"', None, kind, "") for i, (row, kind) in enumerate(steps)]
    expected: dict = {}
    for entry in entries:
        mine = expected.setdefault(entry.row, [])
        expected[entry.row] = mine[:-1] if entry.kind == "undo" else [*mine, entry]
    assert replay(entries) == {row: mine[-1] for row, mine in expected.items() if mine}


def test_a_log_continues_with_an_audit_of_the_same_suspects(folder):
    with closing(Desk(folder)) as desk:
        desk.decide(3, "accept", 1)
    # Classes are numbered differently; the log holds their names, so b stays b.
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


def test_the_advice_for_another_audit_works_even_after_a_crash(folder, tmp_path):
    with served(folder) as server, server.client() as client:
        client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        server.end("kill")
    write(folder, three_classes())
    with pytest.raises(ValueError, match=r"Move decisions\.sqlite away to review these") as refused:
        Desk(folder)
    assert "or restore the old audit.json; 'unflip audit --out' with a new folder for each audit" in str(refused.value)
    assert sorted(path.name for path in folder.iterdir()) == ["audit.json", "decisions.sqlite"]
    old = write(tmp_path / "old", small())
    (folder / "decisions.sqlite").rename(old / "decisions.sqlite")
    with closing(Desk(folder)) as desk, closing(Desk(old)) as before:
        assert (kinds(desk), kinds(before)) == ({}, {3: "keep"})


def test_a_file_that_is_not_a_log_is_refused(folder):
    (folder / "decisions.sqlite").write_text("something else, and long enough to be looked at" * 100)
    with pytest.raises(ValueError, match="cannot be used as the decision log: file is not a database; move it away"):
        Desk(folder)


def test_the_database_of_another_program_is_refused_unchanged(folder):
    path = folder / "decisions.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(UnflipError, match="it is a database of another program, or was changed by one; move it away"):
        Desk(folder)
    assert path.read_bytes() == before
    assert sorted(file.name for file in folder.iterdir()) == ["audit.json", "decisions.sqlite"]


@pytest.mark.parametrize("message", ["attempt to write a readonly database", "unable to open database file"])
def test_a_log_that_may_not_be_written_is_not_to_be_moved_away(folder, monkeypatch, message):
    def fails(*_):
        raise sqlite3.OperationalError(message)

    monkeypatch.setattr(Log, "_admit", fails)
    with pytest.raises(UnflipError, match=f"decision log: {message}; make it and its folder writable"):
        Desk(folder)


@pytest.mark.parametrize("ending", ["", "-journal"])
def test_the_log_is_not_written_through_a_link(folder, tmp_path, ending):
    (folder / f"decisions.sqlite{ending}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnflipError, match="is a link, and decisions are not written through links; remove it"):
        Desk(folder)
    assert not (tmp_path / "elsewhere").exists()


def test_a_log_of_an_earlier_version_is_read_and_kept_in_one_file(folder):
    with closing(Desk(folder)) as desk:
        desk.decide(3, "keep")
    with closing(sqlite3.connect(folder / "decisions.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    with closing(Desk(folder)) as desk:
        desk.decide(5, "keep")
        assert sorted(file.name for file in folder.iterdir()) == ["audit.json", "decisions.sqlite"]
        assert kinds(desk) == {3: "keep", 5: "keep"}


@pytest.mark.parametrize(
    "entry",
    [
        (4, '"a"', '"b"', "accept"),  # not a suspect
        ("x", '"a"', '"b"', "accept"),
        (3, '"b"', '"a"', "accept"),  # not its given label
        (3, '"a"', '"c"', "accept"),  # not a class
        (3, '"a"', "{", "accept"),
        (3, '"a"', None, "accept"),
        (3, '"a"', '"a"', "undo"),
        (3, "{", '"b"', "accept"),
        (3, b"\xff", '"b"', "accept"),
    ],
)
def test_entries_that_no_review_wrote_are_refused(folder, entry):
    with closing(Desk(folder)) as desk, closing(sqlite3.connect(folder / "decisions.sqlite")) as other:
        desk.decide(5, "keep")
        with other:
            other.execute(
                "INSERT INTO decisions (row, given, decided, kind, made, audit) "
                "SELECT ?, ?, ?, ?, '', sha256 FROM audits",
                entry,
            )
        assert kinds(desk) == {5: "keep"}  # what is known is still shown
        with pytest.raises(UnflipError, match="was changed by another program: entry 2 does not fit the audit"):
            desk.decide(7, "keep")
    with pytest.raises(UnflipError, match="was changed by another program: entry 2 does not fit the audit; restore"):
        Desk(folder)


def delete(path):
    path.unlink()


def replace(path):
    shutil.copy(path, path.with_suffix(".copy"))
    os.replace(path.with_suffix(".copy"), path)


def protect(path):
    path.chmod(0o444)


@pytest.mark.parametrize(
    ("attack", "words"),
    [(delete, "deleted or replaced"), (replace, "deleted or replaced"), (protect, "read-only; make it writable")],
)
def test_a_decision_that_would_not_be_in_the_file_is_refused(folder, desk, attack, words):
    path = folder / "decisions.sqlite"
    desk.decide(3, "keep")
    attack(path)
    for decide in (lambda: desk.decide(5, "keep"), lambda: desk.undo(1)):
        with pytest.raises(NotSaved, match=r"^The decision could not be saved in .*decisions\.sqlite: .*" + words):
            decide()
    assert kinds(desk) == {3: "keep"}
    assert path.exists() == (attack is not delete)
    if attack is replace:
        assert lines(folder) == [(3, '"a"', '"a"', "keep")]


def test_a_file_that_is_put_back_is_used_again(folder, desk):
    path = folder / "decisions.sqlite"
    path.rename(folder / "away")
    with pytest.raises(NotSaved):
        desk.decide(3, "keep")
    (folder / "away").rename(path)
    desk.decide(3, "keep")
    assert len(lines(folder)) == 1


def test_a_file_that_goes_away_during_the_commit_is_noticed(folder, desk, monkeypatch):
    insert = Log._insert
    monkeypatch.setattr(
        Log, "_insert", lambda *arguments: (insert(*arguments), (folder / "decisions.sqlite").unlink())[0]
    )
    with pytest.raises(NotSaved, match="deleted or replaced"):
        desk.decide(3, "keep")
    assert kinds(desk) == {}


def test_an_entry_that_the_file_drops_is_not_acknowledged(folder, desk):
    with closing(sqlite3.connect(folder / "decisions.sqlite")) as other, other:
        other.execute("CREATE TRIGGER deaf BEFORE INSERT ON decisions BEGIN SELECT RAISE(IGNORE); END")
    with pytest.raises(NotSaved, match="something in the file drops new entries"):
        desk.decide(3, "keep")
    assert kinds(desk) == {}
    with pytest.raises(UnflipError, match="database of another program, or was changed by one"):
        Desk(folder)


def refusal_of(decide):
    with pytest.raises(NotSaved) as refused:
        decide()
    return str(refused.value)


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_file_refuses_decisions_soon_and_reading_does_not_wait(folder, desk, lock):
    desk.decide(3, "keep")
    with closing(sqlite3.connect(folder / "decisions.sqlite", isolation_level=None)) as other:
        other.execute(lock)
        refused = []
        writer = Thread(target=lambda: refused.append(refusal_of(lambda: desk.decide(5, "keep"))))
        writer.start()
        start = perf_counter()
        while writer.is_alive():
            before = perf_counter()
            assert kinds(desk) == {3: "keep"}
            assert perf_counter() - before < 0.5
        writer.join()
        assert perf_counter() - start < 3
        assert "another program has locked it; close that program and try again" in refused[0]
        other.execute("COMMIT")
    desk.decide(5, "keep")
    assert kinds(desk) == {3: "keep", 5: "keep"}


def test_mutated_logs_are_refused_in_one_sentence_or_read(folder, tmp_path):
    with closing(Desk(folder)) as desk:
        for row in (3, 5, 7, 9) * 10:
            desk.decide(row, "keep")
    intact = (folder / "decisions.sqlite").read_bytes()
    refusals = {}
    for seed in cases(150):
        (folder / "decisions.sqlite").write_bytes(mutated(intact, np.random.RandomState(seed)))
        try:
            with closing(Desk(folder)) as desk:
                desk.state()
                desk.decide(3, "skip")
                desk.undo(desk.state()["newest"]["id"])
        except UnflipError as error:
            refusals[seed] = str(error)
        for path in folder.glob("decisions.sqlite*"):
            path.unlink()
    assert [seed for seed, text in refusals.items() if "decisions.sqlite" not in text or "\n" in text] == []
    assert refusals


def mutated(content, random):
    """Return a file that was cut, or of which some bytes were changed."""
    if random.randint(4) == 0:
        return content[: random.randint(len(content))]
    changed = bytearray(content)
    for _ in range(random.randint(1, 9)):
        start = random.randint(len(changed)) if random.randint(2) else random.randint(200)
        length = min(len(changed) - start, random.randint(1, one_of(random, 3, 300)))
        changed[start : start + length] = random.bytes(length) if random.randint(2) else bytes(length)
    return bytes(changed)


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
