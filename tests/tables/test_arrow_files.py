"""Arrow and Parquet files are checked before they are used, and their cells come as text."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from unflip.tables import TableError, read_table
from unflip.tables.arrow_files import ArrowFile, read_arrow


def test_arrow_tables_keep_their_types(tmp_path):
    pd.DataFrame({"size": [1.5, 2.0]}).to_parquet(tmp_path / "t.parquet")
    assert str(read_arrow(tmp_path / "t.parquet").schema.field("size").type) == "double"


def test_cells_are_texts_and_integers_with_gaps_stay_integers(tmp_path):
    table = pa.table({"n": pa.array([7, None, 9]), "t": ["x", None, ""], "d": pa.array([1.5, np.nan, None])})
    parquet.write_table(table, tmp_path / "t.parquet")
    file = ArrowFile.read(tmp_path / "t.parquet")
    assert file.header == ["n", "t", "d"]
    assert list(file.rows()) == [["7", "x", "1.5"], ["", "", ""], ["9", "", ""]]
    assert file.table["t"].tolist()[0] == "x"


def test_cells_of_some_rows_and_of_one_column_are_those_of_all_rows(tmp_path):
    numbers = {str(kind): pa.array([1, None, 3, 1], kind) for kind in (pa.int8(), pa.uint64(), pa.float32())}
    texts = {"t": ["x", None, "", "x"], "large": pa.array(["é", "é", None, "y"], pa.large_string())}
    others = {"half": np.array([0.5, 2, np.nan, 0.5], np.float16), "day": pa.array([0, 1, None, 0], pa.date32())}
    file = ArrowFile(tmp_path, pa.table(numbers | texts | others))
    rows = list(file.rows())
    assert rows[0] == ["1", "1", "1.0", "x", "é", "0.5", "1970-01-01"]
    assert rows[1] == ["", "", "", "", "é", "2.0", "1970-01-02"]
    assert file.cells(np.array([3, 1])) == [rows[3], rows[1]]
    assert file.cells([]) == []
    for place in range(7):
        codes, distinct = file.column(place)
        assert [distinct[code] for code in codes] == [cells[place] for cells in rows]


def test_an_unnamed_index_is_left_out(tmp_path):
    pd.DataFrame({"x": [1, 2]}, index=[5, 3]).to_parquet(tmp_path / "t.parquet")
    assert ArrowFile.read(tmp_path / "t.parquet").header == ["x"]


def test_offsets_out_of_range_are_refused_before_anything_reads_them(tmp_path):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, pa.schema([("t", pa.string())])) as writer:
        writer.write_table(pa.table({"t": ["a", "b"]}))
    content = bytearray(sink.getvalue().to_pybytes())
    place = content.find(np.array([0, 1, 2], np.int32).tobytes())
    content[place : place + 12] = np.array([0, 1, 2**30], np.int32).tobytes()
    (tmp_path / "t.arrow").write_bytes(content)
    with pytest.raises(TableError, match=r"t\.arrow cannot be read as \.arrow: "):
        read_table(tmp_path / "t.arrow")


@pytest.mark.parametrize("write", [parquet.write_table, feather.write_feather])
def test_a_truncated_file_is_refused(write, tmp_path):
    path = tmp_path / ("t.parquet" if write is parquet.write_table else "t.feather")
    write(pa.table({"t": list("ab") * 50}), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match="cannot be read as"):
        read_table(path)
