"""Rows and cells found in the bytes of a text are those that pandas parses."""

import csv
import io
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.tables import cell_spans
from unflip.tables.cell_spans import CodedTexts, coded_texts, find_spans
from unflip.tables.csv_cells import CsvLines
from unflip.tables.text_files import TextFile

CELLS = st.text(alphabet='ab1,;"\n\r \té', max_size=5) | st.sampled_from(["x", "12", "", "NA", "007", "a,b", 'q"q'])
PIECES = st.sampled_from(
    ["a", "1", "", " b", "é", '"a"', '"a,b"', '"x""y"', '"u\nv"', '"r\rs"', '""', '"', "p\rq", 'm"n']
)
BLOCKS = st.sampled_from([1, 7, 64, cell_spans.BYTES_PER_BLOCK])


def in_blocks_of(n_bytes):
    return mock.patch.object(cell_spans, "BYTES_PER_BLOCK", n_bytes)


@st.composite
def tables(draw):
    """Return rows of cells, and a text of them that no reader takes apart differently."""
    n_columns = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(CELLS, min_size=n_columns, max_size=n_columns), min_size=1, max_size=6))
    separator, end = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n"]))
    quoting = csv.QUOTE_ALL if n_columns == 1 else draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    lines = []
    for cells in [[f"c{place}" for place in range(n_columns)], *rows]:
        out = io.StringIO(newline="")
        # The line end "\r\n", so that cells with either of its characters are quoted.
        csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\r\n").writerow(cells)
        lines += [out.getvalue().removesuffix("\r\n"), *draw(st.sampled_from([[], [], [""], ["  "]]))]
    return rows, end.join(lines) + draw(st.sampled_from(["", end])), separator


@settings(deadline=None)
@given(table=tables(), block=BLOCKS)
def test_the_rows_of_well_formed_tables_are_found(table, block):
    rows, text, separator = table
    with in_blocks_of(block):
        spans = find_spans(text.encode(), separator, len(rows[0]))
        columns = [spans.column(place) for place in range(len(rows[0]))]
    assert spans.cells(np.arange(len(spans))) == rows
    for place, (codes, distinct) in enumerate(columns):
        assert [distinct[code] for code in codes] == [cells[place] for cells in rows]
        assert len(set(distinct)) == len(distinct)


@settings(deadline=None)
@given(lines=st.lists(st.lists(PIECES, min_size=2, max_size=2), min_size=1, max_size=5), block=BLOCKS)
def test_rows_that_are_found_in_any_text_are_those_of_pandas(lines, block):
    text = "a,b\n" + "\n".join(map(",".join, lines))
    with in_blocks_of(block):
        spans = find_spans(text.encode(), ",", 2)
    if spans is not None:
        file = TextFile("t.csv", text.encode(), ",", ["a", "b"])
        assert len(spans) == len(file.table)
        assert spans.cells(np.arange(len(spans))) == list(file.rows())


@settings(deadline=None)
@given(table=tables(), block=BLOCKS, data=st.data())
def test_rows_with_one_more_cell_are_written_as_the_csv_module_writes_them(table, block, data):
    rows, text, separator = table
    place = data.draw(st.integers(0, len(rows[0]) - 1))
    new = data.draw(st.lists(CELLS, min_size=len(rows), max_size=len(rows)))
    expected = io.StringIO(newline="")
    writer = csv.writer(CsvLines(expected), delimiter=separator, lineterminator="\r\n")
    writer.writerows([[*cells[:place], one, *cells[place:]] for cells, one in zip(rows, new, strict=True)])
    with in_blocks_of(block):
        blocks = list(find_spans(text.encode(), separator, len(rows[0])).with_column(place, coded_texts(new)))
    assert "".join(written for _, written in blocks) == expected.getvalue()
    assert blocks[-1][0] == len(rows)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2,\n",  # more cells than the header
        "a,b\n1,2\n3\n",  # fewer
        "a,b\n1,2\n3,4,5\n6\n",  # as many in all
        "a,b\r1,2\r",
        "a,b\n1,x\ry\n",
        "a,b\n1,2\r",
        'a,b\n1,x"y"\n',
        'a,b\n1, "y"\n',
        'a,b\n1,"x"y\n',
        'a,b\n1,"x\n',
        'a,b\n5",6"\n7",8"\n',
    ],
)
def test_texts_that_readers_may_take_apart_differently_are_left_to_pandas(text):
    assert find_spans(text.encode(), ",", 2) is None


@pytest.mark.parametrize("blank", ["", " ", "\t", " \t "])
def test_blank_lines_are_no_rows_and_blanks_in_a_row_are_kept(blank):
    text = f"a,b\n{blank}\n  1, 2 \n{blank}\r\n3,\n{blank}"
    assert find_spans(text.encode(), ",", 2).cells([0, 1]) == [["  1", " 2 "], ["3", ""]]


def test_a_line_of_tabs_is_a_row_if_tabs_separate_cells():
    assert find_spans(b"a\tb\n\t\n \n1\t2\n", "\t", 2).cells([0, 1]) == [["", ""], ["1", "2"]]


def test_cells_come_in_the_order_asked_for():
    spans = find_spans(b'a,b\n1,x\n2,"y\r\nz"\n3,w', ",", 2)
    assert len(spans) == 3
    assert spans.cells([2, 1, 1]) == [["3", "w"], ["2", "y\r\nz"], ["2", "y\r\nz"]]
    assert spans.cells([]) == []


def test_a_quoted_text_and_the_same_without_quotes_have_one_code():
    codes, distinct = find_spans(b'a,b\n1,x\n2,"x"\n3,y\n', ",", 2).column(1)
    assert codes.tolist() == [0, 0, 1]
    assert distinct == ["x", "y"]


def test_quotes_stay_where_they_are_needed_only():
    spans = find_spans(b'a,b,c\n"1","x,y",""\n"p""q","z"," "\n', ",", 3)
    written = spans.with_column(1, CodedTexts(np.array([0, 1]), ["new", "a,b"]))
    assert [text for _, text in written] == ['1,new,"x,y",\n"p""q","a,b",z, \n']
