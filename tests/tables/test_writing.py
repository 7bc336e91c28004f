"""A cleaned copy differs from the user's file in the labels only."""

import csv
import io
import os
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unflip.tables import (
    TableError,
    cell_spans,
    check_uncompressed,
    read_source,
    read_table,
    rewrite_with_labels,
    writing,
)
from unflip.tables.csv_cells import CsvLines
from unflip.tables.text_files import TextFile
from unflip.tables.writing import write_frame, write_frame_beside

TEXT = 'zip,kind,note,share\n007,a,"one, two",1.50\n010,b,NA,\n\n011,a,"a ""quoted""",1e3\n012,b, spaced ,nan\n'
COPY = (
    'zip,kind,given,note,share\n007,a,a,"one, two",1.50\n010,a,b,NA,\n'
    '011,b,a,"a ""quoted""",1e3\n012,b,b, spaced ,nan\n'
)


def written(tmp_path, text, name="t.csv"):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path / name


@pytest.mark.parametrize(("name", "separator"), [("t.csv", ","), ("t.tsv", "\t"), ("t.txt", "|")])
def test_cells_keep_their_text_and_the_separator_stays(name, separator, tmp_path):
    swap = str.maketrans(",", separator)
    source = written(tmp_path, TEXT.replace('"one, two"', "one").translate(swap), name)
    out = tmp_path / f"out_{name}"
    rewrite_with_labels(source, out, "kind", ["a", "a", "b", "b"], "given")
    assert out.read_text() == COPY.replace('"one, two"', "one").translate(swap)


def test_cells_with_separators_and_quotes_are_preserved(tmp_path):
    rewrite_with_labels(written(tmp_path, TEXT), tmp_path / "out.csv", "kind", ["a", "a", "b", "b"], "given")
    assert (tmp_path / "out.csv").read_text() == COPY
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "t.csv"]


def test_a_new_label_is_written_as_elsewhere_in_the_table(tmp_path):
    source = written(tmp_path, "x,kind\n1,1.0\n2,2.0\n3,1\n4,2.0\n5,1.0\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", [2, 1, 1, 2, 3], "given")
    assert (tmp_path / "out.csv").read_text() == "x,kind,given\n1,2.0,1.0\n2,1.0,2.0\n3,1,1\n4,2.0,2.0\n5,3,1.0\n"


def test_of_texts_that_a_class_has_equally_often_the_alphabetically_first_is_written(tmp_path):
    source = written(tmp_path, "x,kind\n1,2\n2,1.00\n3,1.0\n4,1.0\n5,1.00\n6,2\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", [1, 1, 1, 1, 1, 2], "given")
    assert (tmp_path / "out.csv").read_text().splitlines()[1:3] == ["1,1.0,2", "2,1.00,1.00"]


def test_a_new_label_is_quoted_if_it_must_be(tmp_path):
    source = written(tmp_path, "x,kind\n1,a\n2,b\n3,a\n4,b\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["c,d", "b", 'e"', "a"], "given")
    assert (tmp_path / "out.csv").read_text() == 'x,kind,given\n1,"c,d",a\n2,b,b\n3,"e""",a\n4,a,b\n'


@pytest.mark.parametrize("way", ["from spans", "parsed"])
def test_the_share_that_is_written_is_told(way, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "ROWS_PER_BLOCK", 1)
    monkeypatch.setattr(cell_spans, "BYTES_PER_BLOCK", 1)
    shares, end = [], "\n" if way == "from spans" else "\r"
    source = read_source(written(tmp_path, end.join(["x,kind", "1,a", "2,b", "3,a", "4,b"])))
    assert (source.spans is None) == (way == "parsed")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", list("abab"), "given", progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1]


LABEL_TEXTS = st.sampled_from(["a", "b", '"a"', "1", "1.0", "true", "a b"])
CELL_TEXTS = st.sampled_from(["x", "", " y ", "1.50", '"p,q"', '"p""q"', '"p\nq"', '"x"', "NA"])


@settings(deadline=None)
@given(rows=st.lists(st.tuples(CELL_TEXTS, LABEL_TEXTS, CELL_TEXTS), min_size=4, max_size=9), data=st.data())
def test_both_ways_of_copying_write_the_same_bytes(rows, data):
    text = "x,kind,y\n" + "".join(",".join(row) + "\n" for row in rows)
    sources = [TextFile(Path("t.csv"), text.encode(), ",", ["x", "kind", "y"]) for _ in range(2)]
    old = sources[0].table["kind"].tolist()
    new = [data.draw(st.sampled_from([label, *old, "new"])) for label in old]
    vars(sources[1])["spans"] = None
    copies = []
    with tempfile.TemporaryDirectory() as folder, suppress(TableError):
        for source in sources:
            rewrite_with_labels(source, f"{folder}/out.csv", "kind", np.array(new, dtype=object), "given")
            copies.append(Path(folder, "out.csv").read_bytes())
    assert len(copies) != 1
    assert len(set(copies)) <= 1
    if copies:
        assert copies[0].decode() == copied_cell_by_cell(sources[1], new)


def copied_cell_by_cell(source, new):
    """Return the copy as a loop over the rows makes it."""
    out, rows, old = io.StringIO(newline=""), list(source.rows()), source.table["kind"].tolist()
    writer = csv.writer(CsvLines(out), lineterminator="\r\n")
    writer.writerow(["x", "kind", "given", "y"])
    for (x, text, y), label, was in zip(rows, new, old, strict=True):
        texts = Counter(cells[1] for cells, other in zip(rows, old, strict=True) if other == label)
        usual = min(texts, key=lambda one: (-texts[one], one), default=str(label))
        writer.writerow([x, text if label == was else usual, text, y])
    return out.getvalue()


def test_integer_labels_may_be_given_as_floats(tmp_path):
    source = written(tmp_path, "x,kind\n1,0\n2,1\n3,0\n4,1\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", np.array([1.0, 1.0, 0.0, 1.0]), "given")
    assert (tmp_path / "out.csv").read_text() == "x,kind,given\n1,1,0\n2,1,1\n3,0,0\n4,1,1\n"


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_a_table_of_arrow_types_is_written_as_text(ending, tmp_path):
    table = pd.DataFrame({"n": [7, None, 9, 10], "kind": ["a", "b", "a", "b"], "zip": ["007", None, "x,y", ""]})
    table = table.astype({"n": "Int64"}).assign(day=pd.to_datetime(["2024-05-31", None, "2024-06-01", None]))
    source = tmp_path / f"t{ending}"
    getattr(table, {".parquet": "to_parquet", ".feather": "to_feather"}[ending])(source)
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["a", "a", "a", "b"], "given")
    assert (tmp_path / "out.csv").read_text() == (
        "n,kind,given,zip,day\n7,a,a,007,2024-05-31 00:00:00\n,a,b,,\n"
        '9,a,a,"x,y",2024-06-01 00:00:00\n10,b,b,,\n'
    )  # fmt: skip


def test_a_named_index_is_among_the_columns_of_the_copy(tmp_path):
    table = pd.DataFrame({"kind": ["a", "b"]}, index=pd.Index([5, 3], name="patient"))
    table.to_parquet(tmp_path / "t.parquet")
    rewrite_with_labels(tmp_path / "t.parquet", tmp_path / "out.csv", "kind", ["b", "b"], "given")
    assert (tmp_path / "out.csv").read_text() == "kind,given,patient\nb,a,5\nb,b,3\n"


def test_the_copy_of_a_compressed_table_can_be_read_back(tmp_path):
    source = tmp_path / "t.csv.gz"
    pd.DataFrame({"x": [1, 2], "kind": ["a", "b"]}).to_csv(source, index=False)
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["b", "b"], "given")
    assert read_table(tmp_path / "out.csv").to_dict("list") == {"x": [1, 2], "kind": ["b", "b"], "given": ["a", "b"]}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"label": "kinds"}, "has no column 'kinds'; did you mean 'kind'"),
        ({"kept_name": "zip"}, "already has a column 'zip'; the original labels need another name"),
        ({"new_labels": ["a"]}, "has 4 rows for 1 labels"),
        ({"out_path": "t.csv"}, "t.csv is the input .*t.csv, which is never written over; choose another name"),
        ({"out_path": "out.csv.gz"}, "would not be compressed: remove .gz from the name"),
        ({"out_path": "nowhere/out.csv"}, "out.csv cannot be written: No such file or directory"),
        ({"out_path": "."}, "cannot be written: "),
        ({"source": "no.csv"}, "no.csv does not exist"),
        ({"source": "t.npy"}, "t.npy is not a .csv"),
    ],
)
def test_impossible_copies_are_refused_and_leave_nothing_behind(changed, words, tmp_path):
    written(tmp_path, TEXT)
    arguments = {"source": "t.csv", "out_path": "out.csv", "label": "kind", "new_labels": list("aabb")}
    arguments |= {"kept_name": "given"} | changed
    arguments |= {name: tmp_path / arguments[name] for name in ("source", "out_path")}
    with pytest.raises((TableError, OSError), match=words):
        rewrite_with_labels(**arguments)
    assert os.listdir(tmp_path) == ["t.csv"]
    assert (tmp_path / "t.csv").read_text() == TEXT


def test_bytes_that_are_not_text_are_refused(tmp_path):
    source = written(tmp_path, b"x,kind\n\xff,a\n2,b\n")
    with pytest.raises(TableError, match="is not UTF-8 text: line 2"):
        rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["a", "b"], "given")


def test_a_byte_order_mark_is_not_part_of_the_first_name(tmp_path):
    source = written(tmp_path, b"\xef\xbb\xbfkind,x\na,1\nb,2\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["b", "b"], "given")
    assert (tmp_path / "out.csv").read_text() == "kind,given,x\nb,a,1\nb,b,2\n"


@pytest.mark.parametrize("name", ["out.csv.gz", "out.ZIP", "out.csv.bz2", "out.xz"])
def test_names_of_compressed_files_are_refused(name):
    check_uncompressed("out.csv")
    with pytest.raises(TableError, match=f"^{name} would not be compressed: remove "):
        check_uncompressed(name)


def test_a_lone_carriage_return_in_a_cell_does_not_end_its_row(tmp_path):
    source = written(tmp_path, 'x,kind,note\n1,a,"p\rq"\n2,b,"\r"\n3,a,s\n4,b,t\n')
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["a", "b", "a", "a"], "given")
    expected = b'x,kind,given,note\n1,a,a,"p\rq"\n2,b,b,"\r"\n3,a,a,s\n4,a,b,t\n'
    assert (tmp_path / "out.csv").read_bytes() == expected


def test_a_header_with_other_separators_is_quoted_so_that_the_copy_is_read_back(tmp_path):
    source = written(tmp_path, "a,b,c\tkind\n1\tu\n2\tv\n", "t.tsv")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["u", "u"], "given")
    assert list(read_table(tmp_path / "out.csv")) == ["a,b,c", "kind", "given"]


def test_a_table_read_before_is_copied_as_it_was_then(tmp_path):
    path = written(tmp_path, TEXT)
    source = read_source(path)
    path.write_text("zip,kind,note,share\n1,b,x,1\n")
    rewrite_with_labels(source, tmp_path / "out.csv", "kind", ["a", "a", "b", "b"], "given")
    assert (tmp_path / "out.csv").read_text() == COPY


def test_a_frame_is_written_with_quotes_around_line_ends(tmp_path):
    out = io.StringIO()
    write_frame(pd.DataFrame({"a": ["x\ry", "u\nv", "w"], "b": [1.5, 2.0, np.nan]}), out)
    assert out.getvalue() == 'a,b\n"x\ry",1.5\n"u\nv",2.0\nw,\n'


def test_texts_are_written_beside_a_frame(tmp_path):
    out = io.StringIO()
    table = pd.DataFrame({"row": [1, 2], "p": [0.1, 1e-20], "why": ["a\rb", 'x "y"']})
    write_frame_beside(table, ["", "n"], [["u", "1,5"], ["v\n", ""]], out)
    assert out.getvalue() == 'row,p,why,,n\n1,0.1,"a\rb",u,"1,5"\n2,1e-20,"x ""y""","v\n",\n'
