"""Downloads, from files beside the tests: what is kept, and that a failure leaves nothing behind."""

import errno
from dataclasses import replace
from http.client import IncompleteRead
from io import BytesIO
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from unflip.datasets import CATALOG, DatasetError, fetch, load_raw
from unflip.datasets.catalog import Files
from unflip.datasets.files import format_labels
from unflip.foundation.errors import UnflipError


def refused(tiny):
    with pytest.raises(UnflipError) as error:
        fetch("tiny", data_home=tiny.folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def answer_with(monkeypatch, error):
    def urlopen(address, timeout):
        raise error

    monkeypatch.setattr("unflip.datasets.sources.urlopen", urlopen)


def test_a_fetched_data_set_is_loaded(tiny):
    path = fetch("tiny", data_home=tiny.folder)
    assert path == tiny.folder / "tiny.csv.gz"
    assert tiny.left_in_folder() == ["tiny.csv.gz"]
    X, y = load_raw("tiny", data_home=tiny.folder)
    np.testing.assert_array_equal(X, tiny.X)
    np.testing.assert_array_equal(y, tiny.y)


def test_fetching_again_downloads_nothing(tiny, monkeypatch):
    path = fetch("tiny", data_home=tiny.folder)
    answer_with(monkeypatch, AssertionError("downloaded again"))
    assert fetch("tiny", data_home=tiny.folder) == path


def test_a_wrong_file_in_place_is_left_alone_and_refused(tiny, monkeypatch):
    tiny.folder.mkdir()
    (tiny.folder / "tiny.csv").write_text("f0,f1,label\n1,2,yes\n")
    answer_with(monkeypatch, AssertionError("downloaded over it"))
    assert refused(tiny).endswith("has 1 rows and 2 columns, not 4 and 2; delete it, then fetch or supply it again.")
    assert tiny.left_in_folder() == ["tiny.csv"]


def test_loading_never_downloads(tiny, monkeypatch):
    answer_with(monkeypatch, AssertionError("downloaded unasked"))
    with pytest.raises(DatasetError):
        load_raw("tiny", data_home=tiny.folder)
    assert not tiny.folder.exists()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (URLError(OSError(errno.ENETUNREACH, "Network is unreachable")), "Network is unreachable"),
        (HTTPError("http://x", 404, "Not Found", None, BytesIO()), "Not Found"),
        (TimeoutError("timed out"), "timed out"),
        (IncompleteRead(b"half", 4), "IncompleteRead(4 bytes read, 4 more expected)"),
    ],
)
def test_a_failed_download_says_where_why_and_what_to_do_and_keeps_nothing(tiny, monkeypatch, error, reason):
    answer_with(monkeypatch, error)
    sentence = refused(tiny)
    assert sentence.startswith(f"tiny: downloading from {tiny.source.as_uri()} failed: ")
    assert reason in sentence
    assert f"supply it by hand as {tiny.folder}/tiny.csv.gz" in sentence
    assert tiny.left_in_folder() == []


def test_a_missing_source_is_refused(tiny):
    tiny.source.unlink()
    assert "No such file" in refused(tiny)
    assert tiny.left_in_folder() == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("1,0.1,y\n2,-0.25,n\n3,5,n\n4,1e-3,n\n", "contains different numbers or labels: their SHA-256 is "),
        ("1,0.1,y\n2,-0.25,n\n3,5,n\n4,2e-3,y\n", "contains different numbers or labels: their SHA-256 is "),
        ("1,0.1,y\n2,-0.25,n\n", "has 2 rows and 2 columns, not 4 and 2"),
        ("<html>moved</html>\n", "has 1 rows and 0 columns, not 4 and 2"),
        ("1,0.1,y\n2,x,n\n3,5,n\n4,2e-3,y\n", "failed: could not convert string to float: 'x'"),
        ("", "failed: No columns to parse"),
    ],
)
def test_contents_that_do_not_match_the_catalog_are_refused_and_nothing_is_kept(tiny, content, words):
    tiny.source.write_text(content)
    sentence = refused(tiny)
    assert words in sentence
    assert tiny.source.as_uri() in sentence
    assert tiny.left_in_folder() == []


def test_without_a_recorded_checksum_rows_and_columns_are_counted(tiny, monkeypatch):
    monkeypatch.setitem(CATALOG, "tiny", replace(CATALOG["tiny"], sha256=None))
    tiny.source.write_text("1,0.1,y\n2,-0.25,n\n3,5,n\n")
    assert "has 3 rows and 2 columns, not 4 and 2" in refused(tiny)
    tiny.source.write_text("1,0.1,y\n2,-0.25,n\n3,5,n\n9,9,y\n")
    assert fetch("tiny", data_home=tiny.folder).is_file()


def test_a_folder_that_cannot_be_created_is_refused_before_the_download(tiny, monkeypatch):
    answer_with(monkeypatch, AssertionError("downloaded for nothing"))
    tiny.folder = tiny.source / "data"  # below a file
    assert refused(tiny) == f"tiny: {tiny.folder} cannot be created: Not a directory."


def test_a_folder_without_permission_is_refused_before_the_download(tiny, monkeypatch):
    def opened(path, binary):
        raise PermissionError(errno.EACCES, "Permission denied")

    # Not by mode: the superuser may write everywhere.
    monkeypatch.setattr("unflip.foundation.atomic_files._opened", opened)
    answer_with(monkeypatch, AssertionError("downloaded for nothing"))
    assert refused(tiny) == f"{tiny.folder}/tiny.csv.gz cannot be written: Permission denied."


def test_a_full_disk_leaves_no_half_written_file(tiny, monkeypatch):
    def write_csv(file, X, y):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("unflip.datasets.fetching.write_csv", write_csv)
    assert refused(tiny) == f"{tiny.folder}/tiny.csv.gz cannot be written: No space left on device."
    assert tiny.left_in_folder() == []


def test_the_file_gets_its_name_by_a_rename_only(tiny, monkeypatch):
    def replace_refused(part, path):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("os.replace", replace_refused)
    assert refused(tiny) == f"{tiny.folder}/tiny.csv.gz cannot be written: Permission denied."
    assert tiny.left_in_folder() == []


def test_an_interrupted_download_leaves_nothing(tiny, monkeypatch):
    answer_with(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        fetch("tiny", data_home=tiny.folder)
    assert tiny.left_in_folder() == []


def test_a_partial_file_of_a_killed_download_is_not_taken_for_the_data_set(tiny):
    tiny.folder.mkdir()
    (tiny.folder / ".tiny-0.part.csv.gz").write_bytes(b"half")
    fetch("tiny", data_home=tiny.folder)
    assert tiny.left_in_folder() == [".tiny-0.part.csv.gz", "tiny.csv.gz"]


@pytest.mark.parametrize("name", ["heart", "ionosphere", "german", "splice", "fourclass", "segment", "landsat"])
def test_the_numbers_in_the_form_of_the_source_have_the_checksum(benchmark_data, tmp_path, monkeypatch, name):
    """Our file is converted to the source's form and labels; fetching that gives our file again."""
    X, y = load_raw(name, data_home=benchmark_data)
    dataset = CATALOG[name]
    back = {ours: theirs for theirs, ours in dataset.rename.items()}
    labels = [back.get(label, label) for label in format_labels(y)]
    path = tmp_path / "source"
    if dataset.source.form == "libsvm":
        dump_svmlight_file(X, y, str(path), zero_based=False)
    else:
        separator = "," if dataset.source.form == "comma" else " "
        pd.DataFrame(X).assign(label=labels).to_csv(path, sep=separator, header=False, index=False)
    source = Files((path.as_uri(),), dataset.source.form)
    monkeypatch.setitem(CATALOG, name, replace(dataset, source=source))
    fetch(name, data_home=tmp_path / "data")
    again, labels_again = load_raw(name, data_home=tmp_path / "data")
    np.testing.assert_array_equal(again, X)
    np.testing.assert_array_equal(labels_again, y)
