"""Results outlive the process that stored them, and are found again by their jobs."""

import json
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pytest
from fuzzing import cases, one_of

from unflip import UnflipError
from unflip.experiments.plan.jobs import Job
from unflip.experiments.runs import store as store_file
from unflip.experiments.runs.store import MAX_REASON, Store, reason

JOB = Job("paper", "heart", "RkNN", 0.1, 0.2, 3)


def test_results_are_kept_and_not_run_again(tmp_path):
    store = Store(tmp_path / "results.sqlite")
    other, third = (Job("paper", "heart", "RkNN", 0.1, 0.2, trial) for trial in (4, 5))
    store.add(JOB, [0.5, 0.75], 1.5, {"k": [5, 10]})
    store.add_failure(other, ValueError("no luck"), 0.1)
    again = Store(tmp_path / "results.sqlite")
    assert again.pending([JOB, other, third]) == [third]
    assert again.pending([JOB, other, third], retry=True) == [other, third]
    table = again.table()
    assert table.loc[table["status"] == "done", "accuracy"].tolist() == [0.5, 0.75]
    assert table.loc[table["status"] == "done", "fold"].tolist() == [0, 1]
    assert table.loc[table["status"] == "failed", "error"].tolist() == ["ValueError: no luck"]
    again.add(other, [0.25, 0.5], 1.0)
    assert again.pending([JOB, other]) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_writer_loses_nothing_that_was_kept(tmp_path):
    path = tmp_path / "results.sqlite"
    program = (
        "import sys\n"
        "from unflip.experiments.plan.jobs import Job\nfrom unflip.experiments.runs.store import Store\n"
        f"store = Store({str(path)!r})\n"
        "for trial in range(10**6):\n"
        "    store.add(Job('paper', 'heart', 'RkNN', 0.1, 0.2, trial), [0.5], 0.0)\n"
        "    print(trial, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    acknowledged = [int(process.stdout.readline()) for _ in range(5)][-1]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.05)
    trials = Store(path).table()["trial"].tolist()
    assert set(range(acknowledged + 1)) <= set(trials)


def test_the_schema_never_changes(store):
    """Stores of earlier versions are read."""
    with closing(sqlite3.connect(store.path)) as connection:
        columns = [(name, kind) for _, name, kind, *_ in connection.execute("PRAGMA table_info(results)")]
    assert columns == [
        ("key", "TEXT"), ("protocol", "TEXT"), ("data", "TEXT"), ("method", "TEXT"), ("tau_plus", "REAL"),
        ("tau_minus", "REAL"), ("trial", "INTEGER"), ("status", "TEXT"), ("accuracies", "TEXT"), ("details", "TEXT"),
        ("seconds", "REAL"), ("error", "TEXT"), ("machine", "TEXT"), ("versions", "TEXT"), ("finished", "TEXT"),
    ]  # fmt: skip


def test_each_result_has_its_machine_and_versions(store):
    store.add(JOB, [0.5], 1.5)
    with closing(sqlite3.connect(store.path)) as connection:
        ((key, machine, versions, finished),) = connection.execute(
            "SELECT key, machine, versions, finished FROM results"
        ).fetchall()
    assert key == JOB.key
    assert machine == platform.platform()
    assert json.loads(versions).keys() == {"python", "unflip", "numpy", "scipy", "scikit-learn", "numba"}
    assert finished.endswith("+00:00")


def test_an_empty_store_is_an_empty_table(store):
    table = store.table()
    assert len(table) == 0
    assert {"data", "method", "trial", "fold", "accuracy", "details"} <= set(table)


def test_a_file_that_is_not_a_store_is_refused_unchanged(tmp_path):
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"something else, and long enough to be looked at" * 100)
    with pytest.raises(
        UnflipError, match=r"results\.sqlite cannot be used as the store .*not a database; move it away"
    ):
        Store(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(UnflipError, match="it is a database of another program; move it away to start a new one"):
        Store(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


def test_a_store_is_not_written_through_a_link(tmp_path):
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnflipError, match="is a link, and results are not written through links"):
        Store(tmp_path / "link.sqlite")
    assert not (tmp_path / "elsewhere").exists()


def test_a_store_deleted_meanwhile_is_not_silently_made_anew(store):
    os.unlink(store.path)
    for use in (lambda: store.add(JOB, [0.5], 1.0), store.table, lambda: store.pending([JOB])):
        with pytest.raises(UnflipError, match=r"results\.sqlite cannot be written: it, or its folder, was deleted"):
            use()
    assert not os.path.exists(store.path)
    sqlite3.connect(store.path).close()
    with pytest.raises(UnflipError, match=r"it was replaced while the command ran"):
        store.table()


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("database or disk is full", "the disk is full; free some space and run the same command again, which resumes"),
        ("attempt to write a readonly database", "it is read-only"),
        ("disk I/O error", "the disk failed"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_sentence(store, monkeypatch, message, words):
    class Full(sqlite3.Connection):
        def execute(self, *_):
            raise sqlite3.OperationalError(message)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **options: connect(*given, **options, factory=Full))
    with pytest.raises(OSError, match=r"results\.sqlite cannot be written: " + words):
        store.add(JOB, [0.5], 1.0)


def test_a_disk_that_is_really_full_is_said_so(store):
    with closing(sqlite3.connect(store.path)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]

    def fill():
        with store._connected() as connection:
            connection.execute(f"PRAGMA max_page_count={pages}")
            connection.execute("INSERT INTO results (key, status, error) VALUES ('x', 'failed', ?)", ("x" * 100_000,))

    with pytest.raises(UnflipError, match="the disk is full"):
        fill()


def test_a_locked_store_is_said_so(store, monkeypatch):
    monkeypatch.setattr(store_file, "SECONDS_TO_WAIT", 0.1)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnflipError, match="another program has locked it; close that program"):
            store.add(JOB, [0.5], 1.0)


@pytest.mark.parametrize(
    "change",
    [
        "accuracies = '{'", "accuracies = '[]'", "accuracies = '{}'", "accuracies = '[\"x\"]'", "accuracies = 7",
        "details = '[]'", "details = x'ff'", "status = 'odd'", "trial = 'x'", "tau_plus = NULL", "data = NULL",
        "seconds = 'x'", "error = x'ff'", "method = x'ff'", "accuracies = '" + "[" * 100_000 + "'",
    ],
)  # fmt: skip
def test_results_that_no_run_wrote_are_refused(store, change):
    store.add(JOB, [0.5], 1.5)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute(f"UPDATE results SET {change}")
    with pytest.raises(
        UnflipError, match=r"results\.sqlite (was changed by another program|cannot be used)"
    ) as refused:
        store.table()
    assert len(str(refused.value)) < 600


class Silent(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no luck"), "ValueError: no luck"),
        (ValueError("two\nlines\x1b[31m\x00"), "ValueError: two lines [31m"),
        (ValueError("a\ud800b"), "ValueError: a b"),
        (Silent(), "Silent: an error without a message"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_reasons_are_one_line_of_plain_text(store, error, text):
    assert reason(error) == text
    store.add_failure(JOB, error, 0.0)
    assert store.table()["error"].tolist() == [text]
    assert len(reason(ValueError("x" * 100_000))) == MAX_REASON


def test_mutated_stores_are_refused_in_one_sentence_or_read(tmp_path):
    path = tmp_path / "results.sqlite"
    store = Store(path)
    jobs = [Job("paper", "heart", "RkNN", 0.1, 0.2, trial) for trial in range(30)]
    for job in jobs:
        store.add(job, [0.5, 0.75], 1.5, {"k": [5, 10]})
    intact = path.read_bytes()
    refusals = {}
    for seed in cases(100):
        path.write_bytes(mutated(intact, np.random.RandomState(seed)))
        try:
            store = Store(path)
            store.pending(jobs, retry=True)
            store.add(jobs[0], [0.5], 1.0)
            store.table()
        except UnflipError as error:
            refusals[seed] = str(error)
        for file in tmp_path.iterdir():
            file.unlink()
    assert [seed for seed, text in refusals.items() if "results.sqlite" not in text or "\n" in text] == []
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
