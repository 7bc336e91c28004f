"""Random tables of hostile names and cells go through the commands: an answer or a sentence, and no cell is lost."""

import csv
import json
import sys

import numpy as np
import pandas as pd
import pytest
from commands import unflip
from fuzzing import cases, one_of

from unflip.tables import read_source

NAMES = (
    "",
    "x",
    "Unnamed: 0",
    "row",
    "p_wrong",
    "a,b",
    "a;b;c",
    'q"q',
    "two\nlines",
    "é",
    " ",
    "kind_given",
    "reason",
    "\x1b[1m",
)
TEXTS = ("red", "blue", "x\ry", "\r", "p\r\nq", 'say "hi"', "a,b", "a;b", "a\tb", "NA", "", " ", "007", "1e5", "=1+1",
         "\x1b[31m", "\x0b", "\u2028", "\u202e", "<script>", "x" * 300, "-0.0", "inf", "true")  # fmt: skip


def column(random, n_rows, group):
    kind = one_of(random, "number", "whole", "text", "hostile", "index", "date", "gap", "huge", "label")
    if kind in ("number", "gap", "huge"):
        numbers = random.normal(size=n_rows) + 2 * group
        if kind == "huge":
            numbers[random.randint(n_rows)] = one_of(random, 1e20, -3.4e38, 1e300, 1e-300)
        texts = [f"{number:.6g}" for number in numbers]
        if kind == "gap":
            texts = ["" if random.random_sample() < 0.2 else text for text in texts]
        return texts
    if kind == "whole":
        return [str(number) for number in random.randint(0, 9, n_rows)]
    if kind == "index":
        return [str(number) for number in range(n_rows)]
    if kind == "date":
        return [f"2024-{month:02}-11" for month in random.randint(1, 13, n_rows)]
    if kind == "label":
        return ["u" if one else one_of(random, "v", "v", "") for one in group]
    return [one_of(random, *(TEXTS if kind == "hostile" else TEXTS[:2])) for _ in range(n_rows)]


def random_table(random):
    """Return a header and rows of texts; the label is called kind."""
    n_rows, n_columns = random.randint(8, 60), random.randint(1, 6)
    group = random.randint(0, 2, n_rows)
    classes = one_of(
        random, ("a", "b"), ("0", "1"), ("x\ry", "b"), ("\x1b[31mred", "<b>"), ("1.0", "2"), ("true", "false")
    )
    header = [*random.permutation(NAMES)[:n_columns], "kind"]
    columns = [column(random, n_rows, group) for _ in header[:-1]]
    columns.append([classes[one] if random.random_sample() < 0.9 else classes[1 - one] for one in group])
    order = random.permutation(len(header))
    return [header[i] for i in order], [[columns[i][row] for i in order] for row in range(n_rows)]


def write(path, header, rows, separator):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL).writerows([header, *rows])


def read(path, separator):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=separator))


def check_said(done, code=(0, 2)):
    assert done.returncode in code, done.stderr
    if done.returncode == 2:
        assert done.stderr.count("\n") == 1
        assert len(done.stderr) < 420
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x00" not in done.stdout + done.stderr


def without(place, cells):
    return cells[:place] + cells[place + 1 :]


def test_an_audit_writes_every_cell_as_it_was_or_says_why_not(tmp_path):
    for seed in cases(12):
        random = np.random.RandomState(seed)
        name, separator = one_of(random, ("t.csv", ","), ("t.tsv", "\t"))
        header, rows = random_table(random)
        folder = tmp_path / str(seed)
        folder.mkdir()
        write(folder / name, header, rows, separator)
        done = unflip("audit", name, "--label", "kind", cwd=folder)
        check_said(done)
        out = folder / f"{name}-audit"
        if done.returncode == 2:
            assert not out.exists(), done.stderr
            continue
        place = header.index("kind")
        cleaned, issues = read(out / "cleaned.csv", separator), read(out / "issues.csv", ",")
        assert len(cleaned) == len(rows) + 1
        for before, after in zip([header, *rows], cleaned, strict=True):
            assert without(place, without(place, after)) == without(place, before), seed
        assert [cells[place + 1] for cells in cleaned[1:]] == [cells[place] for cells in rows]
        for cells in issues[1:]:
            assert cells[-len(header) + 1 :] == without(place, rows[int(cells[0]) - 1]), seed
        json.loads((out / "audit.json").read_text(), parse_constant=pytest.fail)
        assert "\x1b" not in (out / "report.html").read_text()


def test_rates_and_predictions_are_given_or_refused(tmp_path):
    for seed in cases(6):
        random = np.random.RandomState(seed)
        header, rows = random_table(random)
        write(tmp_path / "t.csv", header, rows, ",")
        write(tmp_path / "new.csv", header, rows[:5], ",")
        done = unflip("rates", "t.csv", "--label", "kind", cwd=tmp_path)
        assert done.returncode in (0, 2), done.stderr
        done = unflip("predict", "new.csv", "--train", "t.csv", "--label", "kind", "--out", "out.csv", cwd=tmp_path)
        check_said(done)
        if done.returncode == 0:
            assert len(pd.read_csv(tmp_path / "out.csv")) == 5


def test_a_table_is_parsed_as_pandas_parses_it_and_its_rows_are_the_cells_written(tmp_path):
    for seed in cases(60):
        random = np.random.RandomState(seed)
        header, rows = random_table(random)
        write(tmp_path / "t.csv", header, rows, ",")
        source = read_source(tmp_path / "t.csv")
        assert source.header == header
        assert list(source.rows()) == rows
        assert len(source.table) == len(rows)


@pytest.mark.skipif(sys.platform == "win32", reason="names with control characters")
def test_a_name_with_control_characters_reaches_neither_terminal_nor_report(tmp_path):
    name = "t\x1b[31m\n.csv"
    header, rows = ["x", "kind"], [[str(i % 7), "ab"[i % 2]] for i in range(20)]
    write(tmp_path / name, header, rows, ",")
    done = unflip("audit", name, "--label", "kind", cwd=tmp_path)
    check_said(done, code=(0,))
    assert "\x1b" not in (tmp_path / f"{name}-audit" / "report.html").read_text()
