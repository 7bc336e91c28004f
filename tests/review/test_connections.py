"""Half-open connections end, and a client that leaves is no event."""

import socket
import struct
from contextlib import suppress
from time import perf_counter, sleep

import pytest

from review.documents import small, write
from review.servers import served, served_here
from unflip.review import connections

NOTHING = b""
HALF_HEAD = b"POST /api/decisions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Unflip-Token: {token}\r\n"
HALF_BODY = HALF_HEAD + b'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"row":'
HALF_CHUNK = HALF_HEAD + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"
STATE = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Unflip-Token: {token}\r\n\r\n"
HALVES = {"nothing": NOTHING, "half a head": HALF_HEAD, "half a body": HALF_BODY, "half a chunk": HALF_CHUNK}


def connected(server, request):
    client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    client.sendall(request.replace(b"{port}", b"%d" % server.port).replace(b"{token}", server.token.encode()))
    return client


def leave(client):
    """Close at once, without reading what the server may have sent."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def ended(client):
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("half", HALVES)
def test_half_a_request_times_out(tmp_path, half):
    with served_here(write(tmp_path, small())) as server:
        start = perf_counter()
        with connected(server, HALVES[half]) as client:
            assert ended(client)
        assert 0.4 < perf_counter() - start < 5


@pytest.mark.usefixtures("hurried")
def test_a_request_sent_byte_by_byte_times_out_too(tmp_path):
    with served_here(write(tmp_path, small())) as server, connected(server, NOTHING) as client:
        start = perf_counter()
        with suppress(BrokenPipeError, ConnectionResetError):
            while perf_counter() - start < 5:
                client.sendall(b"x")
                sleep(0.05)
        assert perf_counter() - start < 5


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_nobody_reads_times_out_and_one_that_is_read_slowly_does_not(tmp_path, monkeypatch):
    size = 40_000_000  # more than the system takes into its buffers
    monkeypatch.setattr("unflip.review.desk.Desk.state", lambda desk, since: "x" * size)
    with served_here(write(tmp_path, small())) as server:
        with connected(server, STATE) as client:
            sleep(2)
            assert received(client) < size
        with connected(server, STATE) as client:
            assert received(client, pause=0.2) > size


def received(client, pause=0.0):
    """Return how many bytes arrive, read in parts with pauses between them."""
    total, part = 0, 1
    client.settimeout(2)
    while part:
        sleep(pause if total // 4_000_000 > (total - part) // 4_000_000 else 0)
        try:
            part = len(client.recv(1_000_000))
        except (ConnectionResetError, TimeoutError):
            part = 0
        total += part
    return total


@pytest.mark.usefixtures("hurried")
def test_a_page_that_waits_between_decisions_is_served(tmp_path):
    with served_here(write(tmp_path, small())) as server, server.client() as client:
        for _ in range(3):
            assert client.post("/api/decisions", json={"row": 3, "kind": "keep"}).status_code == 200
            sleep(0.7)


def test_work_of_the_server_may_take_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    monkeypatch.setattr("unflip.review.desk.Desk.overview", lambda desk: sleep(1) or {})
    with served_here(write(tmp_path, small())) as server, server.client() as client:
        assert client.get("/api/audit").status_code == 200


def test_too_many_connections_are_turned_away(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 10)
    with served_here(write(tmp_path, small())) as server:
        clients = [connected(server, NOTHING) for _ in range(30)]
        turned_away = 0
        for client in clients:
            client.settimeout(0.05)
            with suppress(TimeoutError):
                turned_away += ended(client)
        assert turned_away == 20
        for client in clients:
            client.close()
        sleep(0.2)
        with server.client() as client:
            assert client.get("/api/state").status_code == 200


def test_clients_that_leave_print_nothing_and_the_server_goes_on(tmp_path):
    with served(write(tmp_path, small())) as server:
        for request in (*HALVES.values(), STATE, b"\xff\x00\r\n\r\n") * 5:
            connected(server, request).close()
            leave(connected(server, request))
        with server.client() as client:
            assert client.post("/api/decisions", json={"row": 3, "kind": "keep"}).status_code == 200
        waiting = connected(server, HALF_BODY)
        _, err = server.end("terminate")
        waiting.close()
        assert err == ""
