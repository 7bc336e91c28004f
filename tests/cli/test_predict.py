"""``unflip predict``: labels, probabilities and nearest rows for a table of new rows."""

import io
import os
import sys

import commands
import pandas as pd
import pytest

from cli.prediction_tables import NEW, TRAIN
from cli.prediction_tables import write as write_tables
from unflip.cli import run


@pytest.fixture
def files(tmp_path):
    return write_tables(tmp_path)


def unflip(folder, *arguments):
    return commands.unflip("predict", *arguments, cwd=folder)


def test_the_command_writes_csv(files):
    done = unflip(files, "--train", "train.csv", "--label", "kind", "new.csv", "--neighbors", "2")
    assert done.returncode == 0
    assert done.stderr == "Left out: code (200 distinct texts, like an identifier).\n"
    table = pd.read_csv(io.StringIO(done.stdout))
    assert list(table) == ["row", "label", "probability", "nearest"]
    assert len(table["nearest"][0].split()) == 2
    again = unflip(files, "--train", "train.csv", "--label", "kind", "new.csv", "--neighbors", "2", "--out", "out.csv")
    assert (again.returncode, again.stdout) == (0, "")
    assert (files / "out.csv").read_text() == done.stdout
    assert sorted(os.listdir(files)) == ["new.csv", "out.csv", "train.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--label", "kid", "new.csv"], "train.csv has no column 'kid'; did you mean 'kind'?"),
        (["--label", "kind", "no.csv"], "no.csv does not exist."),
        (["--label", "kind", "less.csv"], "less.csv: Column 'x' is missing; the columns are"),
        (["--label", "kind", "bad.csv"], "bad.csv: Column 'x' held numbers before; row 2 has 'y'"),
        (["--label", "kind", "new.csv", "--neighbors", "0"], "'--neighbors'"),
        (["--label", "kind", "new.csv", "--neighbors", "201"], "'--neighbors' must be at most 200"),
        (["new.csv"], "Missing option '--label'"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_exit_code_2(arguments, words, files, monkeypatch, capsys):
    (files / "less.csv").write_text("color\nred\nblue\n")
    (files / "bad.csv").write_text("color,x\nred,1\nblue,y\n")
    monkeypatch.chdir(files)
    monkeypatch.setattr(sys, "argv", ["unflip", "predict", "--train", "train.csv", *arguments])
    with pytest.raises(SystemExit) as caught:
        run()
    assert caught.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.startswith("unflip: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("out", ["train.csv", "new.csv", "./new.csv", "link.csv", "hard.csv"])
def test_the_output_is_never_an_input(files, out):
    (files / "link.csv").symlink_to(files / "train.csv")
    (files / "hard.csv").hardlink_to(files / "new.csv")
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    done = unflip(files, "--train", "train.csv", "--label", "kind", "new.csv", "--out", out)
    assert done.returncode == 2
    assert "is the input" in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_only_its_own_output_is_replaced(files):
    (files / "thesis.csv").write_text("mine")
    command = ("--train", "train.csv", "--label", "kind", "new.csv", "--out")
    done = unflip(files, *command, "thesis.csv")
    assert (done.returncode, (files / "thesis.csv").read_text()) == (2, "mine")
    assert "thesis.csv exists and was not written by unflip predict; choose another name." in done.stderr
    assert unflip(files, *command, "out.csv").returncode == 0
    assert unflip(files, *command, "out.csv").returncode == 0


@pytest.mark.parametrize(("train_index", "new_index"), [(True, True), (True, False), (False, True)])
def test_row_numbers_without_a_name_make_no_difference(files, train_index, new_index):
    plain = unflip(files, "--train", "train.csv", "--label", "kind", "new.csv")
    TRAIN.to_csv(files / "t.csv", index=train_index)
    NEW.drop(columns="kind").to_csv(files / "n.csv", index=new_index)
    done = unflip(files, "--train", "t.csv", "--label", "kind", "n.csv")
    assert (done.returncode, done.stdout) == (0, plain.stdout)
