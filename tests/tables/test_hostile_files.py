"""Damaged files are read or refused in one sentence: no crash, no traceback, no file half written."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from fuzzing import cases, one_of

from unflip.tables import TableError, read_labeled

MAGIC = (
    b"\x00",
    b"\xff",
    b"\n",
    b"\r",
    b'"',
    b",",
    b"\t",
    b"\xef\xbb\xbf",
    b"\x80",
    b"\x1b[31m",
    b"\x7f\xff\xff\xff",
    b"NA",
)


def table(random):
    n_rows = random.randint(4, 30)
    columns = {
        "number": random.normal(size=n_rows).round(3),
        "whole": random.randint(-5, 300, size=n_rows),
        "text": random.choice(["red", "blue", 'a "b"', "x,y", "é\n", "", None], size=n_rows),
        "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.randint(0, 900, n_rows), unit="D"),
        "flag": random.random_sample(n_rows) < 0.5,
        "group": pd.Categorical(random.choice(["u", "v", "w"], size=n_rows)),
        "kind": random.choice(["a", "b"], size=n_rows),
    }
    frame = pd.DataFrame(columns)
    frame.loc[random.randint(n_rows), "number"] = np.nan
    return frame


def write(random, ending, path):
    """Write a table or an embedding with labels in one of the formats."""
    frame = table(random)
    if ending == ".parquet":
        frame.to_parquet(path, compression=one_of(random, None, "snappy", "gzip"))
    elif ending in (".arrow", ".feather"):
        frame["nested"] = [[1.0, 2.0]] * len(frame)
        frame.to_feather(path, compression=one_of(random, "uncompressed", "lz4"))
    elif ending == ".npz":
        save = one_of(random, np.savez, np.savez_compressed)
        save(path, rows=random.normal(size=(8, 3)), kind=np.array(list("abababab")))
    elif ending == ".npy":
        np.save(path, random.normal(size=(8, 3)))
    else:
        content = frame.to_csv(index=bool(random.randint(2))).encode()
        compress = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(path.suffix)
        if path.suffix == ".zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("t.csv", content)
        else:
            path.write_bytes(compress(content) if compress else content)


def damage(random, content):
    """Change bytes in a few places, cut the file short, or put pieces in."""
    content = bytearray(content)
    for _ in range(random.randint(1, 4)):
        place = random.randint(len(content)) if content else 0
        kind = random.randint(5)
        if kind == 0 and content:
            content[place] = random.randint(256)
        elif kind == 1 and content:
            content[place] ^= 1 << random.randint(8)
        elif kind == 2:
            content[place:place] = one_of(random, *MAGIC) * one_of(random, 1, 1, 3)
        elif kind == 3:
            del content[place : place + random.randint(1, 20)]
        elif random.randint(4) == 0:
            del content[place:]
    return bytes(content)


def check_read_or_refused(path):
    try:
        labeled = read_labeled(path, "kind", path if path.suffix == ".npy" else None)
        if labeled.source is not None:
            n_rows = sum(1 for _ in labeled.source.rows())
            assert n_rows == len(labeled.labels) == len(labeled.source.table), path
    except TableError as error:
        check_sentence(str(error))


def check_sentence(said):
    assert said.isprintable() or "…" in said
    assert len(said) <= 300
    assert "\n" not in said


@pytest.mark.parametrize(
    "ending", [".csv", ".tsv", ".csv.gz", ".csv.bz2", ".csv.xz", ".csv.zip", ".parquet", ".npz", ".npy"]
)
def test_a_damaged_file_is_read_or_refused(ending, tmp_path):
    for seed in cases(25):
        random = np.random.RandomState(seed)
        path = tmp_path / f"t{ending}"
        write(random, ending, path)
        path.write_bytes(damage(random, path.read_bytes()))
        check_read_or_refused(path)


def test_a_damaged_arrow_file_does_not_end_the_process(tmp_path):
    # In a process of its own: a segmentation fault would end the tests.
    here = os.path.dirname(__file__)
    program = textwrap.dedent("""
        import sys
        from pathlib import Path
        sys.path[:0] = [sys.argv[1], str(Path(sys.argv[1]).parent)]
        import numpy as np
        from fuzzing import cases
        from test_hostile_files import check_read_or_refused, damage, write
        for seed in cases(60):
            random = np.random.RandomState(seed)
            for ending in (".arrow", ".feather"):
                path = Path(sys.argv[2]) / f"t{ending}"
                write(random, ending, path)
                path.write_bytes(damage(random, path.read_bytes()))
                check_read_or_refused(path)
        print("all read or refused")
    """)
    done = subprocess.run([sys.executable, "-c", program, here, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "all read or refused\n"), done.stderr[-2000:]


LABELS = {
    "lists": pa.array([[1], [2]] * 10),
    "structs": pa.array([{"a": 1}, {"a": 2}] * 10),
    "bytes": pa.array([b"a", b"b"] * 10, pa.binary()),
    "bytes, no text": pa.array([b"\xff", b"b"] * 10, pa.binary()),
    "float16": pa.array(np.array([1, 2] * 10, np.float16)),
    "dates": pa.array([0, 20_000] * 10, pa.date32()),
    "far dates": pa.array([-2_000_000, 2_900_000] * 10, pa.date32()),
    "far times": pa.array([-(10**14), 10**14] * 10, pa.timestamp("s")),
    "times with zone": pa.array([0, 10**9] * 10, pa.timestamp("us", tz="Europe/Rome")),
    "times of day": pa.array([0, 3_600] * 10, pa.time32("s")),
    "durations": pa.array([0, 3_600] * 10, pa.duration("s")),
    "decimals": pa.array([1, 2] * 10, pa.decimal128(10, 2)),
    "dictionary": pa.array(["a", "b"] * 10).dictionary_encode(),
    "large text": pa.array(["a", "b"] * 10, pa.large_string()),
    "nothing": pa.nulls(20),
    "maps": pa.array([[("k", 1)], [("k", 2)]] * 10, pa.map_(pa.string(), pa.int64())),
    "big integers": pa.array([2**63 + 1, 2**64 - 1] * 10, pa.uint64()),
    "infinite": pa.array([np.inf, 1.0] * 10),
    "fractions": pa.array([0.5, 1.5] * 10),
}
REFUSED = {"lists", "structs", "bytes, no text", "nothing", "maps", "infinite", "fractions"}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type_are_numbers_or_texts_or_refused(kind, tmp_path):
    rows = pa.table({"x": np.arange(20.0) % 7, "kind": LABELS[kind]})
    with pa.ipc.new_file(tmp_path / "t.arrow", rows.schema) as writer:
        writer.write_table(rows)
    if kind in REFUSED:
        with pytest.raises(TableError) as refused:
            read_labeled(tmp_path / "t.arrow", "kind")
        check_sentence(str(refused.value))
        return
    labeled = read_labeled(tmp_path / "t.arrow", "kind")
    assert labeled.labels.nunique() == 2
    assert len({cells[1] for cells in labeled.source.rows()}) == 2
    assert {type(value) for value in labeled.labels.to_numpy().tolist()} <= {str, int, float, bool}


def test_members_of_an_archive_that_are_no_arrays_are_refused(tmp_path):
    np.savez(tmp_path / "t.npz", rows=np.eye(4), kind=np.array(list("abab")))
    with zipfile.ZipFile(tmp_path / "t.npz", "a") as archive:
        archive.writestr("notes.txt", "hello")
    with pytest.raises(TableError, match=r"t\.npz holds 'notes\.txt', which is not an array\."):
        read_labeled(tmp_path / "t.npz", "kind")


@pytest.mark.parametrize(
    "labels",
    [
        np.array([(1, 2), (3, 4)] * 2, dtype=[("a", int), ("b", int)]),
        np.array([b"a", b"\xff"] * 2),
        np.array(["a", "\ud800"] * 2),
        np.array([1j, 2] * 2),
        np.array(["NaT", "2024-01-01"] * 2, "M8[D]"),
    ],
)
def test_arrays_that_are_no_classes_are_refused(labels, tmp_path):
    np.savez(tmp_path / "t.npz", rows=np.eye(4), kind=labels)
    with pytest.raises(TableError) as refused:
        read_labeled(tmp_path / "t.npz", "kind")
    check_sentence(str(refused.value))


def test_messages_stay_short_and_on_one_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a," + "n" * 200_000 + "\n1,2\n")
    with pytest.raises(TableError) as refused:
        read_labeled(path, "k\x1b[31m\n" + "x" * 5000)
    check_sentence(str(refused.value))
