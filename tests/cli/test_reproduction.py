"""What the command runs, writes and shows."""

import io
import sys
from importlib import import_module

import pytest
from click.testing import CliRunner

from cli.added_methods import write
from unflip.cli import main
from unflip.cli.reproduction import _Progress
from unflip.experiments.plan.jobs import Job
from unflip.experiments.plan.registry import known_data, known_methods, remove


@pytest.fixture
def mine(tmp_path):
    return write(tmp_path)


@pytest.fixture
def in_process():
    """The command without a process of its own; what it adds is taken out again."""

    def call(*arguments):
        return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)

    yield call
    for name in ("slow", "blobs", "clouds"):
        if name in (*known_methods(), *known_data()):
            remove(name)


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
