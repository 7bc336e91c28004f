"""The command as it is run: on data and methods of a file, killed and started again, and on a terminal."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
from click.testing import CliRunner
from commands import unflip

from cli.added_methods import ASKED, command, write
from unflip.cli import main
from unflip.experiments.plan.registry import known_data, known_methods, remove

N_JOBS = 2 * 3 * 3 * 2


@pytest.fixture
def mine(tmp_path):
    return write(tmp_path)


def n_stored(out):
    path = out / "results.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM results").fetchone()[0]
        except sqlite3.OperationalError:  # not yet a table
            return 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_run_killed_in_the_middle_and_started_again_makes_the_same_bytes(mine, tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(mine, killed, "--jobs", "2"), start_new_session=True, **quiet)
    while n_stored(killed) < 16:  # all neighbors of the first data set, and some of what workers run
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)  # with its workers
    process.wait()
    assert not list(killed.glob("table*"))
    assert 16 <= n_stored(killed) < N_JOBS
    for out in (killed, undisturbed):
        done = subprocess.run(command(mine, out, "--jobs", "1"), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")  # and no bar where there is no terminal
        assert n_stored(out) == N_JOBS
    names = sorted(path.name for path in undisturbed.iterdir() if path.suffix in (".md", ".csv", ".tex", ".svg"))
    assert len(names) >= 8
    for name in names:
        assert (killed / name).read_bytes() == (undisturbed / name).read_bytes(), name
    table = (undisturbed / "table2.md").read_text()
    assert "| blobs (0.1, 0.2) |" in table
    assert "| slow |" in table


@pytest.fixture
def in_process():
    """The command without a process of its own; what it adds is taken out again."""

    def call(*arguments):
        return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)

    yield call
    for name in ("slow", "blobs", "clouds"):
        if name in (*known_methods(), *known_data()):
            remove(name)


def test_nothing_is_run_if_only_what_is_stored_is_asked_for(in_process, mine, tmp_path):
    done = in_process(
        "reproduce", "table2", "--stored", "--with", mine, *ASKED, "--data", "blobs", "--out", tmp_path / "out"
    )
    assert n_stored(tmp_path / "out") == 0
    assert "| blobs | not run | not run | not run |" in (tmp_path / "out" / "table2.md").read_text()
    assert "table2.md" in done.output


def test_a_name_that_was_not_added_is_refused_before_anything_is_made(in_process, tmp_path):
    with pytest.raises(ValueError, match="reproduce: 'data' must be one of"):
        in_process("reproduce", "table2", "--data", "blobs", "--out", tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def processes_of(group):
    """Return the processes of a group that are alive, by their command lines."""
    found = {}
    for folder in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            if os.getpgid(int(folder)) == group:
                with open(f"/proc/{folder}/cmdline", "rb") as file:
                    words = file.read().replace(b"\0", b" ").decode()
                if words:  # a zombie has none
                    found[int(folder)] = words
    return found


@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc")
def test_a_killed_command_leaves_no_worker_behind(mine, tmp_path):
    mine.write_text(mine.read_text().replace("time.sleep(0.1)", "time.sleep(120)"))
    out = tmp_path / "out"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(mine, out, "--jobs", "2"), start_new_session=True, **quiet)
    try:
        # The command, two workers and the process that tracks their files; then the workers have begun to sleep.
        while len(processes_of(process.pid)) < 4:
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(2)
        process.kill()
        process.wait()
        end = time.monotonic() + 10
        while processes_of(process.pid) and time.monotonic() < end:
            time.sleep(0.1)
        assert processes_of(process.pid) == {}
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"not a database at all, but long enough" * 100, "file is not a database; move it away to start a new one"),
        (b"SQLite format 3\0" + bytes(5000), "results.sqlite cannot be used as the store of results"),
    ],
)
def test_a_damaged_store_is_one_line(tmp_path, content, words):
    (tmp_path / "results.sqlite").write_bytes(content)
    done = unflip("reproduce", "table2", "--stored", "--data", "heart", "--out", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"unflip: {tmp_path / 'results.sqlite'} ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "results.sqlite").read_bytes() == content


def test_a_full_disk_is_one_line(mine, tmp_path, monkeypatch):
    class Full(sqlite3.Connection):
        def execute(self, statement, *given):
            if statement.startswith("INSERT"):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(statement, *given)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **options: connect(*given, **options, factory=Full))
    try:
        done = unflip("reproduce", "table2", "--with", mine, *ASKED, "--out", tmp_path / "out", "--jobs", 1)
    finally:
        for name in ("slow", "blobs", "clouds"):
            remove(name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "the disk is full; free some space and run the same command again, which resumes" in done.stderr


def test_a_file_that_exits_is_named(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import sys; sys.exit('enough')")
    done = unflip("reproduce", "table1", "--with", path, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (2, f"unflip: {path} failed: SystemExit: enough.\n")


def test_no_jobs_are_refused(tmp_path):
    done = unflip("reproduce", "table2", "--data", "heart", "--jobs", 0, "--out", tmp_path)
    assert done.returncode == 2
    assert "'n_jobs' must be an integer other than 0, got 0" in done.stderr
