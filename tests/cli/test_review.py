"""The command 'unflip review' as a person meets it."""

import json
import signal
import socket
import sys
import webbrowser
from time import sleep

import pytest
from commands import unflip
from review.documents import small, write
from review.servers import served

from unflip.cli import main, run
from unflip.review import serving


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "audit", small())


@pytest.fixture
def refused(monkeypatch, capsys):
    """Run the command on bad input, and return its one line."""

    def run_refused(*arguments):
        monkeypatch.setattr(sys, "argv", ["unflip", "review", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run()
        said = capsys.readouterr()
        assert (ended.value.code, said.out) == (2, "")
        assert said.err.startswith("unflip: ")
        assert said.err.count("\n") == 1
        return said.err

    return run_refused


def test_what_cannot_be_reviewed_gets_one_line_and_exit_code_2(tmp_path, folder, refused):
    assert "nowhere is not a folder" in refused(tmp_path / "nowhere")
    assert "holds no audit.json" in refused(tmp_path)
    (tmp_path / "audit.json").write_text("{")
    assert "is not readable as JSON" in refused(tmp_path)
    assert "must end in .csv" in refused(folder, "--export", "decisions.txt")
    assert "No such file" in refused(folder, "--export", tmp_path / "no" / "x.csv")
    assert "'--port'" in refused(folder, "--port", "70000")


def test_a_port_that_is_taken_is_named(folder, refused):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"port {port} is taken" in refused(folder, "--no-open", "--port", port)


@pytest.mark.parametrize("module", ["starlette", "uvicorn"])
def test_a_missing_extra_is_named_with_its_cure(folder, refused, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    install = "Install it with: pip install 'unflip[review]'"
    assert refused(folder) == f"unflip: Reviewing suspects needs {module!r}, which is not installed. {install}\n"


def test_the_export_needs_no_server(folder, tmp_path):
    with served(folder) as server, server.client() as client:
        client.post("/api/decisions", json={"row": 3, "kind": "accept", "class": 1})
        # Also while the page is open.
        done = unflip("review", str(folder), "--export", str(tmp_path / "decisions.csv"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Wrote {tmp_path / 'decisions.csv'}.\n"
    assert (tmp_path / "decisions.csv").read_text().splitlines()[1].startswith("3,a,b,accept,")
    assert unflip("review", str(folder), "--export", str(tmp_path / "labels.json")).returncode == 0
    assert json.loads((tmp_path / "labels.json").read_text())[0]["annotations"]


def test_the_export_never_overwrites_a_file_that_is_not_an_export(folder, tmp_path, refused):
    mine = tmp_path / "mine.csv"
    mine.write_text("row,kind\n1,a\n")
    (tmp_path / "link.csv").symlink_to(mine)
    before = (folder / "audit.json").read_bytes()
    assert "is not an earlier export" in refused(folder, "--export", folder / "audit.json")
    assert "must end in .csv" in refused(folder, "--export", folder / "decisions.sqlite")
    assert "is not an earlier export" in refused(folder, "--export", mine)
    assert "is a link" in refused(folder, "--export", tmp_path / "link.csv")
    assert (folder / "audit.json").read_bytes() == before
    assert mine.read_text() == "row,kind\n1,a\n"
    assert [path.name for path in folder.iterdir()] == ["audit.json"]
    for _ in range(2):
        assert unflip("review", folder, "--export", tmp_path / "mine.json").returncode == 0


def test_ctrl_c_ends_politely(folder):
    with served(folder) as server:
        assert server.first_line.startswith("4 suspects to review: http://127.0.0.1:")
        with server.client() as client:
            client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        server.process.send_signal(signal.SIGINT)
        out, err = server.process.communicate(timeout=30)
        assert server.process.returncode == 0
        assert err == ""
        assert out.endswith(f"Ended. 1 decision in {folder / 'decisions.sqlite'}.\n")
    assert sorted(file.name for file in folder.iterdir()) == ["audit.json", "decisions.sqlite"]


@pytest.mark.parametrize(("arguments", "n_opened"), [([], 1), (["--no-open"], 0)])
def test_the_browser_is_opened_unless_it_is_not_to_be(folder, monkeypatch, capsys, arguments, n_opened):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(serving, "_run", lambda *_: sleep(1))
    main(["review", str(folder), *arguments], standalone_mode=False)
    assert len(opened) == n_opened
    assert all(address in capsys.readouterr().out for address in opened)
