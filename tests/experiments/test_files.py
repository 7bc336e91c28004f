"""Files of tables and figures: three forms of one table, and the same bytes every time."""

import xml.etree.ElementTree as ElementTree

import pandas as pd
import pytest

from experiments.made_up import ranked
from unflip.experiments.figures.critical_difference import draw_critical_difference
from unflip.experiments.files import write_csv, write_frame, write_picture, write_table, write_text
from unflip.experiments.statistics.method_ranks import method_ranks
from unflip.experiments.tables.markup import Cell, Table

NAMES = ["RkNN", "kNN", "IR-LLog", "IR-KSVM", "LD-KSVM", "UE-LLog", "AROW", "NHERD"]
RANKS = [1.9, 3.1, 4.4, 3.15, 5.2, 5.25, 6.3, 6.7]


def test_a_text_is_written_to_the_letter_and_replaced(tmp_path):
    path = tmp_path / "notes.md"
    assert write_text(path, "é\n") == path
    assert write_text(path, "a\r\nb").read_bytes() == b"a\r\nb"


def test_a_table_is_written_in_its_three_forms(tmp_path):
    table = Table(("ours",), {"heart": {"ours": Cell(0.5)}}, caption="Accuracy")
    csv, markdown, latex = write_table(table, tmp_path, "table2")
    assert [path.name for path in (csv, markdown, latex)] == ["table2.csv", "table2.md", "table2.tex"]
    assert csv.read_text() == table.to_csv()
    assert markdown.read_text() == table.to_markdown()
    assert latex.read_text() == table.to_latex()


def test_a_frame_is_written_in_three_forms(tmp_path):
    frame = pd.DataFrame({"method": ["kNN", "AROW"], "paired t-test": ["1/2/0", "3/0/0"]})
    csv, markdown, latex = write_frame(frame, tmp_path, "table3", "Wins at 95 %.")
    assert csv.read_text() == "method,paired t-test\nkNN,1/2/0\nAROW,3/0/0\n"
    assert markdown.read_text().splitlines() == [
        "Wins at 95 %.",
        "",
        "| method | paired t-test |",
        "| --- | --- |",
        "| kNN | 1/2/0 |",
        "| AROW | 3/0/0 |",
    ]
    assert r"\caption{Wins at 95 \%.}" in latex.read_text()
    assert r"kNN & 1/2/0 \\" in latex.read_text()


def test_numbers_have_six_decimals_in_csv(tmp_path):
    frame = pd.DataFrame({"k": [5, 10], "error": [1 / 3, 0.25]}, index=["x", "y"])
    assert write_csv(frame, tmp_path, "figure1").read_text() == "k,error\n5,0.333333\n10,0.25\n"


@pytest.fixture
def diagram():
    return draw_critical_difference(RANKS, names=NAMES, critical_difference=1.36)


def test_both_files_are_pictures_and_the_same_each_time(tmp_path, diagram):
    svg, png = write_picture(diagram, tmp_path, "v1.0")
    assert (svg.name, png.name) == ("v1.0.svg", "v1.0.png")
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    again = draw_critical_difference(RANKS, names=NAMES, critical_difference=1.36)
    same_svg, same_png = write_picture(again, tmp_path, "again")
    assert svg.read_bytes() == same_svg.read_bytes()
    assert png.read_bytes() == same_png.read_bytes()


def test_the_picture_as_written_holds_all_names(tmp_path):
    ranks = method_ranks(ranked()[0])
    picture = draw_critical_difference(
        ranks.average, names=ranks.methods, critical_difference=ranks.critical_difference
    )
    picture.canvas.draw()
    svg, _ = write_picture(picture, tmp_path, "ranks")
    width, height = (float(word) for word in svg.read_text().split('viewBox="0 0 ')[1].split('"')[0].split())
    box = picture.get_tightbbox()  # in inches; the file has 72 points to one
    assert width >= 72 * box.width
    assert height >= 72 * box.height
