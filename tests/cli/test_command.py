"""The command as a person meets it."""

import errno
import subprocess
import sys

import pytest
from commands import unflip

from unflip import UnflipError
from unflip.cli import run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["demo", "--seed", "x"], "'--seed'"),
        (["demo", "--seed", "-1"], "'--seed'"),
        (["demo", "--sed"], "No such option"),
        (["rates", "nowhere.csv", "--label", "x"], "nowhere.csv does not exist"),
        (["rates", "nowhere.csv"], "Missing option '--label'"),
        (["reproduce", "table9"], "'table9' is not one of"),
        (["reproduce", "table1", "--out", "/dev/null/folder"], "Not a directory"),
        (["reproduce", "table2", "--quick", "--method", "magic", "--out", "/dev/null"], "File exists"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments, words):
    done = unflip(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.startswith("unflip: ")
    assert done.stderr.count("\n") == 1


def test_python_m_unflip_is_the_command():
    done = subprocess.run([sys.executable, "-m", "unflip", "rates"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "unflip: Missing argument 'TABLE'.\n"


def test_help_and_version():
    assert "demo" in unflip("--help").stdout
    assert unflip("--version").stdout.startswith("unflip, version ")


def fails_with(monkeypatch, capsys, error, *arguments):
    """Return the exit code and what is said if a command raises an error."""

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(sys.modules["unflip.cli.datasets"], "listing", fail)
    monkeypatch.setattr(sys, "argv", ["unflip", *arguments, "datasets", "list"])
    with pytest.raises(SystemExit) as ended:
        run()
    return ended.value.code, capsys.readouterr().err


def test_a_refusal_is_one_line_and_2_and_a_bug_is_one_line_and_70(monkeypatch, capsys):
    assert fails_with(monkeypatch, capsys, UnflipError("No such thing.")) == (2, "unflip: No such thing.\n")
    full = OSError(errno.ENOSPC, "No space left on device", "report.html")
    assert fails_with(monkeypatch, capsys, full) == (2, "unflip: report.html: No space left on device.\n")
    code, said = fails_with(monkeypatch, capsys, ValueError("a library's own"))
    assert code == 70
    assert (
        said
        == "unflip: internal error, please report it: ValueError: a library's own ('unflip --debug' shows where).\n"
    )


def test_the_traceback_of_a_bug_is_shown_if_asked_for(monkeypatch, capsys):
    code, said = fails_with(monkeypatch, capsys, KeyError("x"), "--debug")
    assert code == 70
    assert said.startswith("Traceback")
    assert said.endswith("unflip: internal error, please report it: KeyError: 'x' ('unflip --debug' shows where).\n")


def test_an_interrupt_ends_with_130(monkeypatch, capsys):
    assert fails_with(monkeypatch, capsys, KeyboardInterrupt()) == (130, "\n")
