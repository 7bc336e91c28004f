"""The command as a person meets it."""

import subprocess
import sys
import time

import pytest


def unflip(*arguments):
    return subprocess.run([sys.executable, "-m", "unflip", *arguments], capture_output=True, text=True, check=False)


def test_the_demo_shows_rates_and_accuracies_within_ten_seconds():
    start = time.perf_counter()
    done = unflip("demo")
    seconds = time.perf_counter() - start
    assert done.returncode == 0
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("tumors", "digits", "checkerboard"))]
    assert len(lines) == 9
    for line in lines:
        *_, plain, estimated, known = line.split()
        if "0.05 0.40" in line:  # where the rates differ most, correction helps on all three
            assert float(estimated) > float(plain) + 0.02
            assert float(known) > float(plain) + 0.02
    assert seconds < 10 * 2  # twice the promise: tests share the machine


def test_another_seed_flips_other_labels():
    assert unflip("demo", "--seed", "1").stdout != unflip("demo").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "No such command 'nothing'"),
        (["demo", "--seed", "x"], "'--seed'"),
        (["demo", "--seed", "-1"], "'--seed'"),
        (["demo", "--sed"], "No such option"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments, words):
    done = unflip(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.startswith("unflip: ")
    assert done.stderr.count("\n") == 1


def test_help_and_version():
    assert "demo" in unflip("--help").stdout
    assert unflip("--version").stdout.startswith("unflip, version ")
