"""CSV files on disk: endings, compression, separators, columns and cells."""

import bz2
import csv
import gzip
import lzma
import zipfile

import pandas as pd
import pytest

from unflip.tables import TableError, text_files
from unflip.tables.cell_spans import find_spans
from unflip.tables.text_files import TextFile, ending_of, first_undecodable_line, opened, read_content, separator_of

TEXT = 'name,note\n\na,"one, two"\n  \nb,"three\nfour"\n'


def written(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(tmp_path, text, name="t.csv"):
    return TextFile.read(written(tmp_path, text, name))


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("t.csv", ".csv"), ("t.CSV.gz", ".csv"), ("a/b.c/t.tsv.bz2", ".tsv"), ("t.2024.parquet", ".parquet"),
        ("t.gz", ""), ("t", ""), (".csv", ""), ("t.csv.xz", ".csv"), ("t.txt.zip", ".txt"), ("t.csv.rar", ".rar"),
    ],
)  # fmt: skip
def test_the_ending_is_that_of_the_decompressed_file(name, ending):
    assert ending_of(name) == ending


@pytest.mark.parametrize("compression", ["", ".gz", ".bz2", ".xz", ".zip", ".GZ"])
def test_a_file_is_opened_decompressed(compression, tmp_path):
    path = tmp_path / f"t.csv{compression}"
    if compression == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("__MACOSX/._inside.csv", "not this")
            archive.writestr("inside.csv", "a,b\n")
    else:
        compress = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(compression.lower(), bytes)
        path.write_bytes(compress(b"a,b\n"))
    with opened(path) as file:
        assert file.read() == b"a,b\n"


@pytest.mark.parametrize("names", [(), ("a.csv", "b.csv")])
def test_an_archive_of_no_file_or_of_several_is_refused(names, tmp_path):
    with zipfile.ZipFile(tmp_path / "t.csv.zip", "w") as archive:
        for name in names:
            archive.writestr(name, "a,b\n")
    with pytest.raises(TableError, match=f"holds {len(names)} files, but one is needed"):
        TextFile.read(tmp_path / "t.csv.zip")


def test_byte_order_marks_are_not_part_of_the_text(tmp_path):
    for marks in range(3):
        assert read_content(written(tmp_path, b"\xef\xbb\xbf" * marks + b"a\r\nb\n")) == b"a\r\nb\n"


def test_nul_characters_are_refused_with_their_line(tmp_path):
    with pytest.raises(TableError, match=r"t\.csv is not text: line 3 has a NUL character; save the file as UTF-8"):
        read(tmp_path, "a,b\n1,2\n3,\x004\n")


@pytest.mark.parametrize(
    ("name", "header", "separator"),
    [
        ("t.tsv", "a,b,c", "\t"),
        ("t.csv", "a;b", ";"),
        ("t.csv", "\n \na|b|c,d", "|"),
        ("t.txt", '"a;b;c",d', ","),
        ("t.csv", "a", ","),
    ],
)
def test_the_separator_is_the_most_frequent_candidate_outside_quotes(name, header, separator):
    assert separator_of(name, f"{header}\n1;2;3;4\n".encode()) == separator


def test_rows_skip_blank_lines_and_keep_quoted_separators_and_line_breaks(tmp_path):
    file = read(tmp_path, TEXT)
    assert file.header == ["name", "note"]
    assert list(file.rows()) == [["a", "one, two"], ["b", "three\nfour"]]


@pytest.mark.parametrize(
    "cell", ["x\ry", "\r", "x\r\ny", 'a "b"', " x ", "NA", "1e3", "007", "\u2028", "\x0b", "x" * 200_000]
)
def test_cells_come_as_written_in_the_rows_of_the_table(cell, tmp_path):
    quoted = '"' + cell.replace('"', '""') + '"'
    file = read(tmp_path, f"a,b,c\n1,{quoted},u\n2,y,v\n")
    assert list(file.rows()) == [["1", cell, "u"], ["2", "y", "v"]]
    assert file.table["c"].tolist() == ["u", "v"]


def test_many_rows_are_parsed_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "CELLS_PER_BLOCK", 4)
    file = read(tmp_path, "a,b\n" + "".join(f"{i:03},x\n" for i in range(9)))
    assert [cells[0] for cells in file.rows()] == [f"{i:03}" for i in range(9)]
    assert file.table["a"].tolist() == [f"{i:03}" for i in range(9)]


WELL_FORMED = 'a,b,kind\n01,"x, y",u\n\n2, z ,v\n3,"p\nq",u\n'


@pytest.mark.parametrize("text", [WELL_FORMED, WELL_FORMED.replace("\n", "\r"), WELL_FORMED.replace(" z ", 'z"')])
def test_cells_of_some_rows_and_of_one_column_are_those_of_all_rows(text, tmp_path):
    file = read(tmp_path, text)
    rows = list(file.rows())
    assert (file.spans is not None) == (text == WELL_FORMED)
    assert file.cells([2, 0]) == [rows[2], rows[0]]
    for place in range(3):
        codes, distinct = file.column(place)
        assert [distinct[code] for code in codes] == [cells[place] for cells in rows]


def test_a_well_formed_text_is_parsed_once(tmp_path, monkeypatch):
    parsed = []
    read_csv = pd.read_csv
    monkeypatch.setattr(pd, "read_csv", lambda *args, **options: parsed.append(1) or read_csv(*args, **options))
    file = read(tmp_path, "a,kind\n1,u\n2,v\n3,\n")
    assert file.table["a"].tolist() == [1, 2, 3]
    assert file.cells([1]) == [["2", "v"]]
    assert file.column(1).distinct == ["u", "v", ""]
    assert len(parsed) == 1


def test_cells_are_parsed_if_spans_and_table_have_different_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "find_spans", lambda *_: find_spans(b"a,kind\n1,u\n", ",", 2))
    file = read(tmp_path, "a,kind\n1,u\n2,v\n")
    assert file.spans is None
    assert file.cells([1]) == [["2", "v"]]


def test_the_share_that_is_parsed_is_told(tmp_path):
    shares = []
    path = written(tmp_path, "a,b\n" + "1,2\n" * 500_000)
    assert len(TextFile.read(path, shares.append).table) == 500_000
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert len(shares) > 5


def test_columns_without_a_name_get_one_that_no_other_has(tmp_path):
    file = read(tmp_path, ",Unnamed: 0,x,\n1,2,3,4\n5,6,7,8\n")
    assert file.header == ["", "Unnamed: 0", "x", ""]
    assert list(file.table) == ["Unnamed: 0_", "Unnamed: 0", "x", "Unnamed: 3"]
    assert file.table["Unnamed: 0"].tolist() == [2, 6]


def test_repeated_names_are_refused(tmp_path):
    with pytest.raises(TableError, match="has two columns 'a'"):
        read(tmp_path, "a,b,a\n1,2,3\n")


@pytest.mark.parametrize(
    ("cells", "is_code"),
    [
        (["00123", "01044", ""], True), (["12345", "01044"], True), (["0", "10"], False), (["0.5", "0.25"], False),
        (["-01", "02"], False), (["12", "13"], False), (["", ""], False), (["007", "x"], False),
    ],
)  # fmt: skip
def test_digits_with_leading_zeros_are_codes(cells, is_code, tmp_path):
    table = read(tmp_path, "code,other\n" + "".join(f"{cell},1\n" for cell in cells)).table
    assert (table["code"].dropna().tolist() == [cell for cell in cells if cell] and is_code) or not is_code
    assert (str(table["code"].dtype) in ("str", "object")) == (is_code or "x" in cells)


def test_leading_zeros_are_searched_in_the_first_rows_only(tmp_path, monkeypatch):
    path = written(tmp_path, "code\n1\n2\n03\n")
    assert TextFile.read(path).table["code"].tolist() == ["1", "2", "03"]
    monkeypatch.setattr(text_files, "MAX_ROWS_FOR_CODES", 2)
    assert TextFile.read(path).table["code"].tolist() == [1, 2, 3]
    assert read(tmp_path, "code\n1\n02\n3\n").table["code"].tolist() == ["1", "02", "3"]


def test_the_first_short_row_is_found(tmp_path):
    assert read(tmp_path, "a,b,c\n1,2,3\n\n1,2\n1\n").first_short_row() == (2, 2)
    assert read(tmp_path, "a,b\n1,2\n1,2,3\n").first_short_row() is None
    assert read(tmp_path, 'a,b\n1,2\n""\n').first_short_row() == (2, 1)


def test_the_limit_of_the_csv_module_is_left_as_it_was(tmp_path):
    before = csv.field_size_limit()
    long = "x" * (before + 1)
    assert read(tmp_path, f"a,b\n{long},1\n2,\n").table["b"].isna().tolist() == [False, True]
    assert csv.field_size_limit() == before


def test_the_first_undecodable_line_is_found():
    assert first_undecodable_line("a\né\n".encode() + b"x\xe9y\n\xff\n") == (3, 0xE9)
    assert first_undecodable_line("a\né\n".encode()) is None
