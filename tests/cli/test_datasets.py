"""``unflip datasets`` as a person meets it."""

from dataclasses import replace

import pytest

from unflip.cli import run
from unflip.datasets import CATALOG


@pytest.fixture
def unflip(monkeypatch, capsys):
    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["unflip", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


def test_list_says_what_is_here(unflip, tiny):
    code, out, err = unflip("datasets", "list", "--data-home", tiny.folder)
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["name", "rows", "columns", "here"]
    assert [row[0] for row in rows[1:-2]] == list(CATALOG)
    assert ["heart", "270", "13", "no"] in rows
    assert ["tiny", "4", "2", "no"] in rows
    assert rows[-1] == ["Folder:", str(tiny.folder)]


def test_fetch_then_list(unflip, tiny, monkeypatch):
    monkeypatch.setenv("UNFLIP_DATA", str(tiny.folder))
    assert unflip("datasets", "fetch", "tiny") == (0, f"tiny: {tiny.folder / 'tiny.csv.gz'}\n", "")
    assert "tiny              4        2  yes" in unflip("datasets", "list")[1].splitlines()


def test_without_a_checksum_fetch_says_so(unflip, tiny, monkeypatch):
    monkeypatch.setitem(CATALOG, "tiny", replace(CATALOG["tiny"], sha256=None))
    _, out, _ = unflip("datasets", "fetch", "tiny", "--data-home", tiny.folder)
    assert out.endswith(" (rows and columns counted; no checksum is recorded)\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fetch", "hart"], "There is no data set 'hart'; did you mean 'heart'?"),
        (["fetch", "tiny", "hart"], "There is no data set 'hart'; did you mean 'heart'?"),
        (["fetch", "tiny"], "failed: "),
        (["fetch"], "Missing argument 'NAME...'"),
        (["lst"], "No such command 'lst'"),
    ],
)
def test_failure_is_one_line_and_exit_code_2(unflip, tiny, monkeypatch, arguments, words):
    tiny.source.unlink()
    monkeypatch.setenv("UNFLIP_DATA", str(tiny.folder))
    code, out, err = unflip("datasets", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("unflip: ")
    assert words in err
    assert err.count("\n") == 1
