"""Cells as the csv module reads and writes them."""

import csv
import io

import pytest

from unflip.tables.csv_cells import CsvLines, as_cell, long_cells


def test_cells_of_any_length_are_read_and_the_limit_is_left_as_it_was():
    before = csv.field_size_limit()
    long = "x" * (before + 1)
    with long_cells():
        assert next(csv.reader([long])) == [long]
    assert csv.field_size_limit() == before


def test_lines_end_in_a_newline_and_a_lone_carriage_return_is_quoted():
    out = io.StringIO(newline="")
    csv.writer(CsvLines(out), lineterminator="\r\n").writerows([["a\rb", "c"], ["\r\n", "d"]])
    assert out.getvalue() == '"a\rb",c\n"\r\n",d\n'


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("text", ["", "a", " a ", "a,b", "a;b", "a\tb", 'a "b"', '"', "a\rb", "a\nb", "é", "|"])
def test_a_cell_is_written_as_in_a_row(text, separator):
    out = io.StringIO(newline="")
    csv.writer(CsvLines(out), delimiter=separator, lineterminator="\r\n").writerow(["x", text, "y"])
    assert out.getvalue() == f"x{separator}{as_cell(text, separator)}{separator}y\n"
