"""The command as a person meets it."""

import json
import re
import subprocess
import sys
import time

import pytest
from sklearn.datasets import load_breast_cancer

from unflip import make_label_noise


def unflip(*arguments, cwd=None):
    command = [sys.executable, "-m", "unflip", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_the_demo_shows_rates_accuracies_and_found_flips_within_ten_seconds(tmp_path):
    start = time.perf_counter()
    done = unflip("demo", cwd=tmp_path)
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
    listed, flipped = map(int, re.search(r"(\d+) labels are flagged; (\d+) of them were flipped", done.stdout).groups())
    assert flipped > 0.7 * listed > 20
    assert {path.name for path in (tmp_path / "unflip-demo").iterdir()} == {
        "tumors.csv", "report.html", "issues.csv", "cleaned.csv", "audit.json",
    }  # fmt: skip
    assert seconds < 10 * 2  # twice the promise: tests share the machine


def test_another_seed_flips_other_labels(tmp_path):
    assert unflip("demo", "--seed", "1", cwd=tmp_path).stdout != unflip("demo", cwd=tmp_path).stdout


@pytest.fixture
def flipped_table(tmp_path):
    """A CSV file of tumors, a tenth of one class and three tenths of the other relabeled."""
    table = load_breast_cancer(as_frame=True).frame.rename(columns={"target": "tumor"})
    names = table["tumor"].map({0: "malignant", 1: "benign"})
    table["tumor"] = make_label_noise(names, {"malignant": 0.1, "benign": 0.3}, random_state=0)
    table.insert(0, "patient", [f"patient {i}" for i in range(len(table))])
    table.to_csv(tmp_path / "tumors.csv", index=False)
    return tmp_path / "tumors.csv"


def test_rates_of_a_table(flipped_table):
    done = unflip("rates", str(flipped_table), "--label", "tumor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("About 2")
    assert "Left out: patient (569 different texts, as identifiers have)." in done.stdout
    found = json.loads(unflip("rates", str(flipped_table), "--label", "tumor", "--json").stdout)
    assert dict(zip(found["classes"], found["rates"], strict=True)) == pytest.approx(
        {"benign": 0.3, "malignant": 0.1}, abs=0.05
    )
    assert list(found["left_out"]) == ["patient"]
    refused = unflip("rates", str(flipped_table), "--label", "tumour")
    assert refused.returncode == 2
    assert refused.stderr == f"unflip: {flipped_table} has no column 'tumour'; did you mean 'tumor'?\n"


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


def test_help_and_version():
    assert "demo" in unflip("--help").stdout
    assert unflip("--version").stdout.startswith("unflip, version ")
