"""Files are there whole or not at all, whoever writes them and whatever goes wrong."""

import os
import re
import stat

import matplotlib.figure
import pandas as pd
import pytest
from report import documents
from review.documents import small, write

from unflip.cli.prediction import write as write_predictions
from unflip.experiments.files import write_picture, write_text
from unflip.foundation.atomic_files import atomic_folder, atomic_write, check_not_input
from unflip.report import write_html, write_label_studio
from unflip.review import Desk, write_export
from unflip.tables import rewrite_with_labels


@pytest.fixture
def old(tmp_path):
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "notes.csv"
    path.write_text("old")
    return path


def unchanged(path):
    return path.read_text() == "old" and os.listdir(path.parent) == [path.name]


def test_a_file_is_replaced_by_what_was_written_to_the_letter(old):
    with atomic_write(str(old)) as file:
        file.write("é\r\n\n")
    assert old.read_bytes() == b"\xc3\xa9\r\n\n"
    with atomic_write(old, binary=True) as file:
        file.write(b"\xff\x00")
    assert old.read_bytes() == b"\xff\x00"
    assert os.listdir(old.parent) == [old.name]


def test_until_then_the_old_one_is_there_and_the_new_one_is_hidden(old):
    with atomic_write(old) as file:
        file.write("new")
        assert old.read_text() == "old"
        hidden, shown = sorted(os.listdir(old.parent))
        assert re.fullmatch(r"\.notes\.csv\.[0-9a-f]{16}\.part", hidden)
        assert shown == "notes.csv"
    assert old.read_text() == "new"


def test_its_permissions_are_those_of_any_new_file(old):
    old.chmod(0o600)
    before = os.umask(0o027)
    try:
        with atomic_write(old) as file:
            file.write("new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


@pytest.mark.parametrize("failure", [KeyError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_a_failure_midway_leaves_the_old_file_and_nothing_else(old, failure):
    with pytest.raises(failure), atomic_write(old) as file:  # noqa: PT012
        file.write("new")
        raise failure
    assert unchanged(old)


def test_half_a_character_leaves_the_old_file(old):
    with pytest.raises(UnicodeEncodeError), atomic_write(old) as file:
        file.write("new \ud800")
    assert unchanged(old)


def test_what_is_on_the_way_to_the_disk_is_written_before_the_name_is_given(old, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "fsync", lambda number: seen.append((os.fstat(number).st_size, old.read_text())))
    with atomic_write(old) as file:
        file.write("new!")
    assert seen == [(4, "old")]


def rewritten(path):
    source = path.parent.parent / "table.csv"
    source.write_text("x,kind\n1,a\n2,b\n")
    rewrite_with_labels(source, path, "kind", ["b", "b"], "given")


def exported(path):
    desk = Desk(write(path.parent.parent / "audit", small()))
    try:
        write_export(desk, path)
    finally:
        desk.close()


WRITERS = {
    "table": rewritten,
    "predictions": lambda path: write_predictions(pd.DataFrame({"row": [1]}), path),
    "report": lambda path: write_html(documents.empty(), path),
    "tasks": lambda path: write_label_studio(documents.empty(), path),
    "decisions": exported,
    "text": lambda path: write_text(path, "new"),
}


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("writer", WRITERS)
def test_every_writer_leaves_the_old_file_when_the_disk_is_full(old, monkeypatch, writer, step):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match=r"notes\.csv cannot be written: No space left on device\.") as refused:
        WRITERS[writer](old)
    assert str(refused.value) == f"{old} cannot be written: No space left on device."
    assert unchanged(old)


def test_a_picture_that_cannot_be_drawn_leaves_nothing(tmp_path, monkeypatch):
    figure = matplotlib.figure.Figure()

    def fails(file, **_):
        file.write(b"half")
        raise ValueError("cannot be drawn")

    monkeypatch.setattr(figure, "savefig", fails)
    with pytest.raises(ValueError, match="cannot be drawn"):
        write_picture(figure, tmp_path, "plot")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("nowhere/notes.csv", "No such file or directory"),
        ("folder/notes.csv/notes.csv", "Not a directory"),
        ("folder", "it is a folder"),
        ("folder/pipe", "it is not an ordinary file"),
    ],
)
def test_a_place_where_no_file_can_be_is_refused_in_one_sentence(old, place, reason):
    os.mkfifo(old.parent / "pipe")
    path = old.parent.parent / place
    with pytest.raises(OSError, match="cannot be written") as refused, atomic_write(path) as file:
        file.write("new")
    assert str(refused.value) == f"{path} cannot be written: {reason}."
    assert sorted(os.listdir(old.parent)) == ["notes.csv", "pipe"]
    assert stat.S_ISFIFO((old.parent / "pipe").stat().st_mode)


def test_the_folder_one_is_in_is_no_file(old, monkeypatch):
    monkeypatch.chdir(old.parent)
    for path in (".", ""):
        with pytest.raises(OSError, match=r"^\. cannot be written: it is a folder\.$"), atomic_write(path) as file:
            file.write("new")
    assert unchanged(old)


def test_the_files_of_a_folder_appear_together(tmp_path):
    with atomic_folder(tmp_path / "a" / "b") as partial:
        for name in ("one", "two"):
            (partial / name).write_text("new")
        assert not (tmp_path / "a" / "b").exists()
        assert partial.name.startswith(".b.")
    assert sorted(os.listdir(tmp_path / "a" / "b")) == ["one", "two"]
    assert os.listdir(tmp_path / "a") == ["b"]


def test_in_a_folder_that_exists_other_files_stay(old):
    (old.parent / "decisions.sqlite").write_text("kept")
    with atomic_folder(old.parent) as partial:
        (partial / old.name).write_text("new")
        (partial / "more").write_text("new")
        assert old.read_text() == "old"
    assert old.read_text() == "new"
    assert (old.parent / "decisions.sqlite").read_text() == "kept"
    assert sorted(os.listdir(old.parent)) == ["decisions.sqlite", "more", "notes.csv"]


@pytest.mark.parametrize("failure", [KeyError, KeyboardInterrupt, OSError])
def test_a_failure_midway_leaves_the_folder_as_it_was(old, failure, tmp_path):
    for folder in (old.parent, tmp_path / "new" / "folder"):
        with pytest.raises(failure), atomic_folder(folder) as partial:  # noqa: PT012
            (partial / old.name).write_text("new")
            raise failure
    assert unchanged(old)
    assert os.listdir(tmp_path) == ["folder"]


def test_if_one_name_cannot_be_given_the_old_files_come_back(old, monkeypatch):
    rename, moved = os.rename, []

    def fails_at_last(source, target):
        moved.append(target)
        if len(moved) == 4:
            raise OSError(28, "No space left on device")
        rename(source, target)

    monkeypatch.setattr(os, "rename", fails_at_last)
    words = r"folder cannot be written: No space left on device\.$"
    with pytest.raises(OSError, match=words), atomic_folder(old.parent) as partial:  # noqa: PT012
        for name in ("a", "notes.csv", "z"):
            (partial / name).write_text("new")
    assert unchanged(old)


def test_a_file_that_cannot_be_written_is_named_as_the_user_knows_it(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="cannot be written") as refused, atomic_folder(tmp_path / "out") as partial:
        write_text(partial / "a.csv", "new")
    assert str(refused.value) == f"{tmp_path / 'out' / 'a.csv'} cannot be written: No space left on device."
    assert os.listdir(tmp_path) == []


def test_an_input_is_found_under_every_name(old):
    (old.parent / "link.csv").symlink_to(old)
    (old.parent / "hard.csv").hardlink_to(old)
    for name in ("notes.csv", "link.csv", "hard.csv", "../folder/notes.csv"):
        with pytest.raises(OSError, match=r"is the input .*, which is never written over; choose another name"):
            check_not_input(old.parent / name, [None, old])
    check_not_input(old.parent / "other.csv", [None, old])
    with pytest.raises(OSError, match="is the input"):
        check_not_input(old.parent / "missing.csv", [old.parent / "missing.csv"])
