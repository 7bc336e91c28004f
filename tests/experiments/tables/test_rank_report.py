"""The report of ranks names its tests and what it leaves out, and its picture shows every method."""

import pandas as pd
import pytest

from unflip.experiments.files import write_picture
from unflip.experiments.plan.jobs import NOISES, Experiment
from unflip.experiments.tables.rank_report import rank_report, scores_of_all

METHODS = tuple(f"method number {i}" for i in range(9))
ASKED = Experiment(data=("a", "b", "c", "d"), methods=("RkNN", *METHODS))


@pytest.fixture
def compared():
    rows = [
        {"data": data, "tau_plus": noise[0], "tau_minus": noise[1], "method": method, "mean": 0.9 - place / 50 - at / 9}
        for at, data in enumerate(ASKED.data)
        for noise in NOISES
        for place, method in enumerate(ASKED.methods)
    ]
    return pd.DataFrame(rows)


def test_the_report_names_its_three_tests(compared):
    report, _ = rank_report(compared, ASKED)
    assert "Friedman's test" in report
    assert "Iman and Davenport" in report
    assert "Nemenyi's critical difference at 95 %: 6.77" in report  # 3.164 sqrt(10 * 11 / 24), Demsar's Table 5
    assert "Wilcoxon" in report
    assert "Holm" in report
    lines = [line for line in report.splitlines() if line.startswith("| ")][2:]
    assert lines[0].startswith("| RkNN | 1.00 |")
    assert lines[-1].startswith("| method number 8 | 10.00 | ")


def test_data_with_a_gap_are_left_out_and_named(compared):
    compared.loc[5, "mean"] = None  # one noise of one method
    scores, left_out = scores_of_all(compared)
    assert list(scores.index) == ["b", "c", "d"]
    assert left_out == ["a"]
    report, _ = rank_report(compared, ASKED)
    assert "no result there: a." in report


def test_too_little_to_rank_is_said(compared):
    report, picture = rank_report(compared[compared["data"].isin(["a", "b"])], ASKED)
    assert report.startswith("Too little to rank: 2 data sets")
    assert picture is None


def test_the_picture_as_written_holds_all_names(compared, tmp_path):
    _, picture = rank_report(compared, ASKED)
    picture.canvas.draw()
    svg, _ = write_picture(picture, tmp_path, "ranks")
    width, height = (float(word) for word in svg.read_text().split('viewBox="0 0 ')[1].split('"')[0].split())
    box = picture.get_tightbbox()  # in inches; the file has 72 points to one
    assert width >= 72 * box.width
    assert height >= 72 * box.height
