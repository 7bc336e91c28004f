"""The paper's tables from made-up results, in which every cell is known."""

from dataclasses import replace

import pytest

from experiments.made_up import EXPERIMENT
from unflip.experiments.plan.registry import DATA
from unflip.experiments.tables.paper_tables import (
    row_name,
    table_1,
    table_2,
    table_2_difference,
    table_3,
    table_3_caption,
)


def line_of(text, start):
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {start}")]
    return line


def test_verdicts_are_counted_beside_the_printed_counts(compared):
    counts = table_3(compared).set_index("method")
    assert counts.loc["NHERD", "paired t-test"] == "3/0/0"
    assert counts.loc["IR-KSVM", "Bayes factor"] == "0/0/3"
    assert counts.loc["NHERD", "t-test, printed"] == "53/7/0"
    assert counts.loc["NHERD", "cells compared"] == "3 of 9"
    assert counts.loc["AROW", "cells compared"] == "0 of 9"
    assert counts.loc["AROW", "corrected t-test"] == "0/0/0"
    assert "RkNN" not in counts.index


def test_methods_without_printed_counts_are_marked(compared):
    renamed = compared.replace({"method": {"NHERD": "mine"}})
    counts = table_3(renamed).set_index("method")
    assert counts.loc["mine", ["t-test, printed", "Bayes factor, printed"]].tolist() == ["not printed"] * 2


def test_a_cell_without_a_number_says_why(compared):
    text = table_2(compared, EXPERIMENT).to_markdown()
    assert line_of(text, "acoustic").count("data not available") == 6
    assert line_of(text, "cancer").count("not run") == 6
    assert line_of(text, "german").count("not requested") == 6  # though it is in the store
    assert "failed" in line_of(text, "heart (0.3, 0.1)")
    assert "2 failed: MemoryError: too large" in text


def test_every_data_set_of_the_paper_has_a_row(compared):
    for table in (table_2(compared, EXPERIMENT), table_2_difference(compared, EXPERIMENT)):
        assert {row.split(" (")[0] for row in table.rows} == set(DATA)


def test_notes_name_few_runs_approximations_and_the_leak(compared):
    text = table_2(compared, EXPERIMENT).to_markdown()
    assert "300 Nystroem features" in text
    assert "> 4 of 10 runs" in text
    assert "LD-KSVM<sup>" in text
    assert "chosen on clean labels, a leak" in text
    assert "<sup>" not in line_of(text, "heart (0.1, 0.2)").split("|")[2]  # RkNN has nothing to confess


def test_captions_say_protocol_runs_and_test(compared):
    caption = table_2(compared, replace(EXPERIMENT, protocol="paper")).caption
    for words in ("10 trials of four-fold cross-validation, 40 runs", "corrected resampled t-test", "95 %", "filled"):
        assert words in caption
    assert "10 runs, each tested on a random quarter" in table_3_caption(EXPERIMENT)
    for words in ("Paired t-test", "Nadeau and Bengio", "Wang and Liu with a = -3/4"):
        assert words in table_3_caption(EXPERIMENT)


def test_differences_are_ours_minus_the_printed(compared):
    table = table_2_difference(compared, EXPERIMENT)
    cell = table.rows["heart (0.1, 0.2)"]["RkNN"]
    assert cell.mean == pytest.approx(0.9 - 0.8544, abs=0.01)


def test_shapes_beside_the_printed():
    table = table_1({"heart": (270, 13), "mine": (10, 2), "vehicle": (435, 18)})
    assert table.rows["heart"]["rows"].mean == table.rows["heart"]["rows, printed"].mean == 270
    assert table.rows["acoustic"]["rows"].mean is None
    assert table.rows["mine"]["rows, printed"].instead == "not printed"
    assert "two of the four classes" in table.to_markdown()
    assert "two of the four classes" not in table_1({"vehicle": (846, 18)}).to_markdown()


def test_methods_that_the_paper_lacks_have_no_differences(compared):
    table = table_2_difference(compared, replace(EXPERIMENT, methods=("unflip", "mine")))
    assert table.columns == ()
    assert list(table.rows) == list(DATA)


def test_row_names_drop_trailing_zeros():
    assert row_name("heart", 0.10, 0.2) == "heart (0.1, 0.2)"
