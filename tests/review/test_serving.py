"""The server listens on this machine only, with a new token each time, and says so."""

import socket
import webbrowser
from contextlib import closing
from time import perf_counter

import pytest

from review.documents import document, small, suspect, write
from review.servers import served
from unflip import UnflipError
from unflip.review import Desk, serve, serving
from unflip.review.serving import listening, make_server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(write(tmp_path_factory.mktemp("audit"), small())) as server:
        yield server


def test_it_listens_on_this_machine_only(server):
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in [*others, "127.0.0.2"]:
        with socket.socket() as probe:
            probe.settimeout(5)
            assert probe.connect_ex((address, server.port)) != 0


def test_tokens_are_long_and_new_each_time(server, tmp_path):
    with served(write(tmp_path / "audit", small())) as other:
        assert len(other.token) >= 43
        assert other.token != server.token


def test_a_free_port_is_chosen_for_0_and_a_taken_one_is_refused():
    with listening(0) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1"
        assert port > 0
        with pytest.raises(UnflipError, match=f"unflip review: port {port} is taken; choose another one"):
            listening(port)


def test_a_port_that_is_not_allowed_is_refused(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(UnflipError, match="port 80 is not allowed"):
        listening(80)


def test_the_server_is_silent():
    config = make_server(lambda *_: None).config
    assert not config.access_log
    assert not config.server_header
    assert config.lifespan == "off"


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Serve a document without waiting for requests; return the lines and the opened addresses."""
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    # The thread that opens the browser runs at once.
    monkeypatch.setattr(serving.threading.Thread, "start", lambda thread: thread.run())
    monkeypatch.setattr(serving, "_run", lambda *_: None)

    def run(content, **options):
        lines = []
        with closing(Desk(write(tmp_path / "audit", content))) as desk:
            serve(desk, say=lines.append, **options)
        return lines, opened

    return run


def test_the_terminal_shows_the_address_the_log_and_the_number_of_decisions(said, tmp_path):
    lines, opened = said(document([suspect(1, 0, 1, 0.9, [(2, 1)])]), open_browser=False)
    log = tmp_path / "audit" / "decisions.sqlite"
    assert lines[0].startswith("1 suspect to review: http://127.0.0.1:")
    assert lines[1:] == [f"Decisions are saved in {log}. Press Ctrl-C to stop.", f"Ended. 0 decisions in {log}."]
    assert opened == []


def test_a_log_that_is_gone_is_not_said_to_hold_decisions(said, tmp_path, monkeypatch):
    log = tmp_path / "audit" / "decisions.sqlite"
    monkeypatch.setattr(serving, "_run", lambda *_: log.unlink())
    lines, _ = said(small(), open_browser=False)
    assert lines[-1] == f"Ended. Decisions are no longer in {log}: the file was deleted or replaced during the review."


def test_answers_are_sent_without_delay(server):
    with server.client() as client:
        client.get("/api/state")
        start = perf_counter()
        for _ in range(10):
            client.get("/api/state")
        assert perf_counter() - start < 0.3  # the system would wait 40 ms for each


def test_the_browser_opens_the_printed_address(said):
    lines, opened = said(small())
    assert lines[0] == f"4 suspects to review: {opened[0]}"
    assert len(opened) == 1
