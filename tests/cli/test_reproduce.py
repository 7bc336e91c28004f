"""The command as it is run: on data and methods of a file, killed and started again, and on a terminal."""

import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib import import_module

import pytest
from click.testing import CliRunner

from unflip.cli import main
from unflip.cli.reproduction import _Progress
from unflip.experiments.plan.jobs import Job
from unflip.experiments.plan.registry import known_data, known_methods, remove

MINE = """
import time
import numpy as np
from sklearn.naive_bayes import GaussianNB
from unflip.experiments import add_dataset, add_method

def slow(training):
    time.sleep(0.1)
    return GaussianNB()

def blobs(seed):
    y = np.repeat([0, 1], 60)
    return np.random.RandomState(seed).normal(size=(120, 2)) + y[:, None], y

add_method("slow", slow)
for seed, name in enumerate(("blobs", "clouds")):
    add_dataset(name, lambda seed=seed: blobs(seed))
"""
ASKED = (
    "--data",
    "blobs",
    "--data",
    "clouds",
    "--method",
    "RkNN",
    "--method",
    "slow",
    "--method",
    "kNN",
    "--trials",
    "2",
)
N_JOBS = 2 * 3 * 3 * 2


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def command(mine, out, *options):
    table = ["reproduce", "table2", "--with", str(mine)]
    return [sys.executable, "-m", "unflip", *table, *ASKED, "--out", str(out), *options]


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


def test_all_is_made_if_no_target_is_named(in_process, monkeypatch, tmp_path):
    command_file = import_module("unflip.cli.reproduction")
    asked = []
    monkeypatch.setattr(command_file, "run", lambda store, **options: asked.append(options) or {})
    monkeypatch.setattr(command_file.Outputs, "write", lambda self, target: [target])
    done = in_process("reproduce", "--quick", "--out", tmp_path)
    assert done.output.split() == [*(f"table{i}" for i in range(1, 5)), *(f"figure{i}" for i in range(1, 5)), "theory"]
    assert asked[0]["data"] == ("heart", "cancer", "diabetes")
    assert asked[0]["trials"] == (0, 1, 2)
    assert asked[0]["with_rates"]


def test_a_terminal_shows_a_bar_that_moves_with_every_job(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with _Progress() as progress:
        progress(4)
        for trial in range(4):
            progress(Job("paper", "heart", "kNN", 0.1, 0.2, trial))
    shown = terminal.getvalue()
    for position in ("0/4", "1/4", "2/4", "3/4", "4/4"):
        assert position in shown
    assert "heart" in shown
    assert shown.endswith("\n")
