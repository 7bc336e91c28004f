"""One table in three forms: the same numbers, text that cannot break out of its cell, and files that read back."""

import csv
import html
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unflip import UnflipError
from unflip.experiments.statistics.comparison import NOT_AVAILABLE
from unflip.experiments.tables.markup import CSV_COLUMNS, Cell, Table

TABLE = Table(
    ("ours", "theirs", "slow"),
    {
        "heart": {
            "ours": Cell(0.8312, 0.0204),
            "theirs": Cell(0.7999, 0.03, mark="win", note="seven runs"),
            "slow": Cell(note="out of time"),
        },
        "german": {"ours": Cell(0.71, 0.01), "theirs": Cell(0.74, mark="loss", note="seven runs")},
    },
    corner="data set",
    caption="Accuracy",
    decimals=3,
)
NASTY = st.text(alphabet="ab |\\`*_{}[]()<>#+-!~$&^%\"',;\n\r=é", max_size=12)


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_has_a_line_for_each_cell():
    assert read(TABLE.to_csv()) == [
        list(CSV_COLUMNS),
        ["heart", "ours", "0.831", "0.020", "yes", "", ""],
        ["heart", "theirs", "0.800", "0.030", "", "win", "seven runs"],
        ["heart", "slow", "", "", "", "", "data not available: out of time"],
        ["german", "ours", "0.710", "0.010", "", "", ""],
        ["german", "theirs", "0.740", "", "yes", "loss", "seven runs"],
        ["german", "slow", "", "", "", "", "data not available"],
    ]


def test_csv_reads_back_as_numbers():
    table = pd.read_csv(io.StringIO(TABLE.to_csv()))
    wide = table.pivot(index="row", columns="column", values="mean")
    assert wide.loc["german", "theirs"] == pytest.approx(0.74)
    assert wide.loc["heart", "ours"] == pytest.approx(0.831)
    assert np.isnan(wide.loc["heart", "slow"])


def test_markdown():
    assert TABLE.to_markdown().splitlines() == [
        "Accuracy",
        "",
        "| data set | ours | theirs | slow |",
        "| :--- | ---: | ---: | ---: |",
        "| heart | **0.831** ± 0.020 | 0.800 ± 0.030 •<sup>1</sup> | data not available<sup>2</sup> |",
        "| german | 0.710 ± 0.010 | **0.740** ◦<sup>1</sup> | data not available |",
        "",
        "<sup>1</sup> seven runs",
        "",
        "<sup>2</sup> out of time",
    ]


def test_latex():
    assert TABLE.to_latex().splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Accuracy}",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"data set & ours & theirs & slow \\",
        r"\midrule",
        r"heart & $\mathbf{0.831} \pm 0.020$ & $0.800 \pm 0.030\,\bullet^{1}$ & data not available$^{2}$ \\",
        r"german & $0.710 \pm 0.010$ & $\mathbf{0.740}\,\circ^{1}$ & data not available \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par{\footnotesize $^{1}$ seven runs}",
        r"\par{\footnotesize $^{2}$ out of time}",
        r"\end{table}",
    ]


@pytest.mark.parametrize(
    ("best", "means", "expected"),
    [
        ("highest", {"a": 0.9, "b": 0.8}, {"a"}),
        ("lowest", {"a": 0.9, "b": 0.8}, {"b"}),
        ("none", {"a": 0.9, "b": 0.8}, set()),
        ("highest", {"a": 0.90001, "b": 0.90002}, {"a", "b"}),  # both print as 0.900
        ("highest", {"a": 9.5, "b": 10.5}, {"b"}),
        ("lowest", {"a": -2.0, "b": -10.0}, {"b"}),
        ("highest", {"a": -0.00001, "b": 0.00001}, {"a", "b"}),
        ("highest", {"a": None, "b": 0.1}, {"b"}),
        ("highest", {"a": None, "b": None}, set()),
    ],
)
def test_the_best_of_a_row(best, means, expected):
    table = Table(("a", "b"), {"row": {name: Cell(mean) for name, mean in means.items()}}, best=best, decimals=3)
    assert {line[1] for line in read(table.to_csv())[1:] if line[4] == "yes"} == expected
    assert table.to_markdown().count("**") == 2 * len(expected)
    assert table.to_latex().count(r"\mathbf") == len(expected)


def test_no_minus_before_zero_and_a_minus_sign_in_latex():
    table = Table(("a",), {"x": {"a": Cell(-0.00001)}, "y": {"a": Cell(-1.5)}}, decimals=2)
    assert [line[2] for line in read(table.to_csv())[1:]] == ["0.00", "-1.50"]
    assert r"$\mathbf{-1.50}$" in table.to_latex()


def test_every_form_shows_the_same_numbers():
    random = np.random.RandomState(0)
    rows = {f"r{i}": {name: Cell(*random.random_sample(2) * 100) for name in "abc"} for i in "xyz"}
    table = Table(("a", "b", "c"), rows, decimals=5)
    numbers = [re.findall(r"\d+\.\d{5}", text) for text in (table.to_csv(), table.to_markdown(), table.to_latex())]
    assert len(numbers[0]) == 18
    assert numbers[0] == numbers[1] == numbers[2]


@pytest.mark.parametrize("table", [Table(()), Table(("a", "b")), Table((), {"row": {}})])
def test_tables_without_rows_or_columns(table):
    assert read(table.to_csv()) == [list(CSV_COLUMNS)]
    assert len(table.to_markdown().splitlines()) == 2 + len(table.rows)
    assert table.to_latex().count(r"\\") == 1 + len(table.rows)
    assert "caption" not in table.to_latex()


def test_one_row():
    table = Table(("a",), {"only": {"a": Cell(1.0)}}, decimals=0)
    assert read(table.to_csv())[1:] == [["only", "a", "1", "", "yes", "", ""]]
    assert table.to_markdown().splitlines()[2:] == ["| only | **1** |"]
    assert r"only & $\mathbf{1}$ \\" in table.to_latex()


def table_of(name, other, note):
    return Table((name,), {other: {name: Cell(0.5, note=note)}}, corner=note, caption=note)


@given(NASTY, NASTY, NASTY)
def test_any_text_comes_back_from_csv(name, other, note):
    expected = [other, name, "0.5000", "", "yes", "", note]
    assert read(table_of(name, other, note).to_csv())[1:] == [[" ".join(text.split()) for text in expected]]


@given(NASTY, NASTY, NASTY)
def test_no_text_breaks_out_of_a_markdown_cell(name, other, note):
    lines = table_of(name, other, note).to_markdown().split("\n")
    rows = [line for line in lines if line.startswith("| ")]
    assert [row.count("|") for row in rows] == [3, 3, 3]
    plain = rows[2].split(" | ")[0].removeprefix("| ")
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>#~$]", plain.replace("&#36;", "").replace("&#124;", ""))
    assert html.unescape(re.sub(r"\\(.)", r"\1", plain)) == " ".join(other.split())


@given(NASTY, NASTY, NASTY)
def test_no_text_breaks_out_of_a_latex_cell(name, other, note):
    lines = table_of(name, other, note).to_latex().split("\n")
    row = lines[lines.index(r"\midrule") + 1]
    assert row.endswith(r" \\")
    assert row.count("&") - row.count(r"\&") == 1
    assert not row.startswith(("[", "*"))
    without_commands = re.sub(r"\\[a-z]+|\\.|\{\[\}|\{\]\}|\{\*\}", "", row.split(" & $")[0]).replace("{}", "")
    assert not re.search(r'[\\{}$&#^_~%<>|"\[\]*]', without_commands)


def test_notes_on_columns_come_first_and_stand_beside_each_number_in_csv():
    cells = {"a": Cell(1.0, note="seven runs"), "b": Cell(2.0)}
    table = Table(("a", "b"), {"x": cells, "y": {}}, column_notes={"b": "given the rates"}, decimals=0)
    notes = [line[6] for line in read(table.to_csv())[1:]]
    assert notes == ["seven runs", "given the rates", "data not available", "data not available; given the rates"]
    assert "|  | a | b<sup>1</sup> |" in table.to_markdown()
    assert "| x | 1<sup>2</sup> | **2** |" in table.to_markdown()
    assert table.to_markdown().index("given the rates") < table.to_markdown().index("seven runs")
    assert r" & a & b$^{1}$ \\" in table.to_latex()


def test_signs_in_each_form():
    table = Table(("R&D_1",), {"50% <a|b>": {"R&D_1": Cell(1.0)}})
    assert r"R\&D\_1 \\" in table.to_latex()
    assert r"50\% \textless{}a\textbar{}b\textgreater{} & " in table.to_latex()
    assert r"| 50% &lt;a&#124;b&gt; | " in table.to_markdown()
    assert r"| R&amp;D\_1 |" in table.to_markdown()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Cell(float("nan")), "Cell: 'mean' must be a finite number or None, got nan"),
        (lambda: Cell("0.5"), "Cell: 'mean' must be a finite number or None, got '0.5'"),
        (lambda: Cell(0.5, float("inf")), "Cell: 'spread' must be a finite number or None, got inf"),
        (lambda: Cell(0.5, mark="draw"), "Cell: 'mark' must be one of"),
        (lambda: Cell(spread=0.5), "Cell: 'mean' must be a number if there is a spread or a mark, got None"),
        (lambda: Cell(mark="win"), "Cell: 'mean' must be a number if there is a spread or a mark, got None"),
        (lambda: Table(("a", "a")), "Table: 'columns' must be distinct names"),
        (lambda: Table(("a",), {"x": {"b": Cell(1)}}), r"cells of existing columns \(row 'x'\), got \['b'\]"),
        (
            lambda: Table(("a",), column_notes={"b": "told"}),
            r"'column_notes' must be notes on existing columns, got \['b'\]",
        ),
        (lambda: Table(("a",), decimals=-1), "Table: 'decimals' must be an integer >= 0, got -1"),
        (lambda: Table(("a",), best="largest"), "Table: 'best' must be one of"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(UnflipError, match=sentence):
        call()


def test_what_is_not_available_is_said_in_every_form():
    table = Table(("a",), {"x": {}})
    for text in (table.to_csv(), table.to_markdown(), table.to_latex()):
        assert text.count(NOT_AVAILABLE) == 1
