"""Where files are looked up, what they contain, and which are refused."""

from pathlib import Path

import numpy as np
import pytest

from unflip.datasets import CATALOG, DatasetError, DatasetMissing, data_folder, load_raw
from unflip.datasets.files import checksum, format_labels, write_csv


def test_the_folder_is_the_given_one_then_the_environment_variable_then_the_cache(monkeypatch):
    monkeypatch.setenv("UNFLIP_DATA", "/from/environment")
    monkeypatch.setenv("XDG_CACHE_HOME", "/from/cache")
    assert data_folder("/given") == Path("/given")
    assert data_folder() == Path("/from/environment")
    monkeypatch.setenv("UNFLIP_DATA", "")
    assert data_folder() == Path("/from/cache/unflip")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder() == Path.home() / ".cache" / "unflip"


def test_the_checksum_by_hand():
    # printf '1 x 1\n\0\0\0\0\0\0\360?7' | sha256sum
    expected = "e96bc5d81a03a7c0a07891d95fc35ec529c3bffade1841d68a589903865fe224"
    assert checksum(np.array([[1.0]]), np.array([7])) == expected


def test_the_checksum_is_of_values_and_not_of_their_form(tiny):
    given = checksum(tiny.X, tiny.y)
    assert checksum(np.asfortranarray(tiny.X), tiny.y.astype(object)) == given
    whole = np.array([[0, 1], [2, 3]])
    assert checksum(-0.0 * whole, np.array([1, 2])) == checksum(0 * whole, np.array([1.0, 2.0]))
    assert checksum(0 * whole, np.array(["1", "2"])) == checksum(0 * whole, np.array([1.0, 2.0]))


def test_the_checksum_tells_values_labels_shapes_and_orders_apart(tiny):
    changed = tiny.X.copy()
    changed[0, 1] = np.nextafter(0.1, 1)
    sums = {
        checksum(tiny.X, tiny.y),
        checksum(changed, tiny.y),
        checksum(tiny.X, tiny.y[::-1][[1, 0, 2, 3]]),
        checksum(tiny.X[::-1], tiny.y),
        checksum(tiny.X.reshape(2, 4), tiny.y),
    }
    assert len(sums) == 5


def test_integer_labels_have_no_decimal_point_and_text_is_unchanged():
    assert format_labels(np.array([1.0, -1.0, 21.6])).tolist() == ["1", "-1", "21.6"]
    assert format_labels(np.array(["a", "b"], dtype=object)).tolist() == ["a", "b"]


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_a_file_supplied_by_hand_is_read(tiny, ending):
    tiny.folder.mkdir()
    write_csv(tiny.folder / "tiny.csv.gz", tiny.X, tiny.y)
    if ending == "csv":
        (tiny.folder / "tiny.csv.gz").unlink()
        (tiny.folder / "tiny.csv").write_text("f0,f1,label\n1,0.1,yes\n2,-0.25,no\n3.0,5,no\n4,0.001,yes\n")
    X, y = load_raw("tiny", data_home=tiny.folder)
    np.testing.assert_array_equal(X, tiny.X)
    np.testing.assert_array_equal(y, tiny.y)


def test_the_error_for_a_missing_file_says_where_it_belongs_and_how_to_get_it(tiny, monkeypatch):
    monkeypatch.setenv("UNFLIP_DATA", str(tiny.folder))
    with pytest.raises(DatasetMissing) as refused:
        load_raw("tiny")
    assert isinstance(refused.value, FileNotFoundError)
    assert str(refused.value) == (
        f"tiny: there is no tiny.csv.gz in {tiny.folder}; download it from {tiny.source.as_uri()} with "
        f"'unflip datasets fetch tiny --data-home {tiny.folder}', or supply it by hand as {tiny.folder}/tiny.csv.gz "
        "(or .csv) with the header f0,...,f1,label."
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "No columns to parse"),
        ("f0,f1,label\n1,x,yes\n2,0,no\n3,5,no\n4,1,yes\n", "could not convert string to float: 'x'"),
        ("f0,f1,label\n1,0.1,yes\n", "has 1 rows and 2 columns, not 4 and 2"),
        ("1,0.1,yes\n2,-0.25,no\n3,5,no\n4,0.001,yes\n", "has 3 rows and 2 columns, not 4 and 2"),
        (
            "f0,f1,label\n1,0.1,yes\n2,-0.25,no\n3,5,no\n4,0.002,yes\n",
            "contains different numbers or labels: their SHA-256",
        ),
        (
            "f0,f1,label\n1,0.1,yes\n2,-0.25,no\n3,5,no\n4,0.001,no\n",
            "contains different numbers or labels: their SHA-256",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_the_remedy(tiny, content, words):
    tiny.folder.mkdir()
    path = tiny.folder / "tiny.csv"
    path.write_text(content)
    with pytest.raises(DatasetError) as refused:
        load_raw("tiny", data_home=tiny.folder)
    assert str(refused.value).startswith(f"tiny: {path} ")
    assert words in str(refused.value)
    assert str(refused.value).endswith("; delete it, then fetch or supply it again.")


@pytest.mark.parametrize("kept", [5, 15, 60, -1])
def test_a_half_written_file_is_refused(tiny, kept):
    tiny.folder.mkdir()
    path = tiny.folder / "tiny.csv.gz"
    write_csv(path, tiny.X, tiny.y)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DatasetError, match="cannot be read: "):
        load_raw("tiny", data_home=tiny.folder)


def test_a_damaged_file_is_refused(tiny):
    tiny.folder.mkdir()
    path = tiny.folder / "tiny.csv.gz"
    write_csv(path, tiny.X, tiny.y)
    content = path.read_bytes()
    for position in range(len(content) - 8):
        path.write_bytes(content[:position] + b"\xff" + content[position + 1 :])
        try:
            X, _ = load_raw("tiny", data_home=tiny.folder)
        except DatasetError:
            continue
        np.testing.assert_array_equal(X, tiny.X)  # a header byte that does not affect the numbers


@pytest.mark.parametrize("name", ["heart", "housing", "segment", "ionosphere", "magic04"])
def test_writing_and_reading_keeps_every_bit(benchmark_data, tmp_path, name):
    X, y = load_raw(name, data_home=benchmark_data)
    write_csv(tmp_path / f"{name}.csv.gz", X, y)
    again, labels = load_raw(name, data_home=tmp_path)
    np.testing.assert_array_equal(again, X)
    np.testing.assert_array_equal(labels, y)
    assert checksum(again, labels) == CATALOG[name].sha256
