"""The application answers this page with its token, and nobody else."""

import http.client
import json
import sqlite3
from contextlib import closing
from time import perf_counter

import pytest

from review.documents import hostile, many, small, write
from review.servers import served, served_here

PAGE = ["/", "/review.js", "/server.js", "/card.js", "/lists.js", "/elements.js", "/review.css", "/icon.svg"]
DATA = ["/api/audit", "/api/state", "/api/suspects/3", "/api/export.csv", "/api/export.json"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(write(tmp_path_factory.mktemp("audit"), small())) as server:
        yield server


@pytest.fixture
def client(server):
    with server.client() as client:
        yield client


def decisions(client):
    return client.get("/api/state").json()["newest"]


@pytest.mark.parametrize("path", [*PAGE, *DATA])
def test_every_response_has_the_security_headers(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers


def test_refusals_have_them_too(server):
    with server.client() as client:
        assert client.get("/api/state", headers={"X-Unflip-Token": "x"}).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("token", ["", "x", "ü", None])
@pytest.mark.parametrize("path", DATA)
def test_nothing_of_the_audit_is_served_without_the_token(server, path, token):
    with server.client() as client:
        client.headers.pop("X-Unflip-Token")
        headers = {} if token is None else {"X-Unflip-Token": token.encode()}
        answer = client.get(path, headers=headers)
        assert answer.status_code == 403
        assert list(answer.json()) == ["error"]
        assert client.get(f"{path}?token={server.token}").status_code == 403  # URLs end up in histories and logs
        assert client.get(path, headers={"Cookie": f"token={server.token}"}).status_code == 403


def test_the_empty_page_contains_nothing_of_the_audit(server):
    with server.client() as client:
        client.headers.pop("X-Unflip-Token")
        for path in PAGE:
            answer = client.get(path)
            assert answer.status_code == 200
            assert "customers.csv" not in answer.text
            assert server.token not in answer.text
        assert client.get("/nothing").status_code == 403


def test_a_decision_needs_the_token(server, client):
    for headers in ({"X-Unflip-Token": "wrong"}, {"X-Unflip-Token": server.token[:-1]}, {"X-Unflip-Token": ""}):
        answer = client.post("/api/decisions", json={"row": 3, "kind": "keep"}, headers=headers)
        assert answer.status_code == 403
    assert decisions(client) is None


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}", ""]
)
def test_requests_for_another_host_are_refused(server, client, host):
    for path in ("/", "/api/state"):
        assert client.get(path, headers={"Host": host.format(port=server.port)}).status_code == 421
    assert client.get("/api/state", headers={"Host": f"localhost:{server.port}"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", ""]
)
def test_a_decision_from_another_origin_is_refused(server, client, origin):
    headers = {"Origin": origin.format(port=server.port)}
    assert client.post("/api/decisions", json={"row": 3, "kind": "keep"}, headers=headers).status_code == 403
    assert decisions(client) is None


def test_another_origin_gets_no_cors_permission(server, client):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Headers": "x-unflip-token"}
    answer = client.options("/api/decisions", headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_huge_body_is_refused_before_it_is_read(server, client):
    assert client.post("/api/decisions", json={"row": 3, "kind": "k" * 5000}).status_code == 413
    # Chunked, without a length: the answer comes before the sender is done.
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("POST", "/api/decisions")
    for name, value in (
        ("X-Unflip-Token", server.token),
        ("Content-Type", "application/json"),
        ("Transfer-Encoding", "chunked"),
    ):
        connection.putheader(name, value)
    connection.endheaders()
    for _ in range(5):
        connection.send(b"400\r\n" + b"x" * 1024 + b"\r\n")
    assert connection.getresponse().status == 413
    connection.close()
    assert decisions(client) is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 4000, "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "Row null is not a suspect"),
        (b'{"row": 4, "kind": "keep"}', "Row 4 is not a suspect of this audit."),
        (b'{"row": [3], "kind": "keep"}', "is not a suspect of this audit."),
        (b'{"row": 3, "kind": {}}', "A decision is accept, keep, choose or skip"),
        (b'{"row": 3, "kind": "choose", "class": 17}', "The class must be a number from 0 to 1, got 17."),
        (b'{"row": 3, "kind": "choose", "class": "b"}', "The class must be a number"),
    ],
)
def test_invalid_decisions_are_refused_with_a_sentence(client, body, words):
    answer = client.post("/api/decisions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert decisions(client) is None


def test_other_requests_are_refused(client):
    assert client.get("/api/suspects/4").json() == {"error": "Row 4 is not a suspect of this audit."}
    assert client.get("/api/export.exe").status_code == 400
    assert client.post("/api/undo", json={"id": "1"}).status_code == 400
    assert client.post("/api/undo", json={"id": 1}).status_code == 409
    assert client.post("/api/decisions", content=b"row=3").status_code == 415
    assert client.get("/api/decisions").status_code == 405
    assert client.get("/../log.py").status_code == 404
    assert client.get("/page/%2e%2e/log.py").status_code == 404


def test_the_export_is_a_file_to_save(client):
    answer = client.get("/api/export.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="decisions.csv"'
    assert answer.text == "row,given_label,decided_label,decision,time\n"
    assert len(client.get("/api/export.json").json()) == 4


def test_what_cannot_be_saved_is_not_acknowledged(tmp_path):
    folder = write(tmp_path / "audit", small())
    with (
        served_here(folder) as server,
        server.client() as client,
        closing(sqlite3.connect(folder / "decisions.sqlite")) as other,
    ):
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON decisions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        other.commit()
        answer = client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        words = f"The decision could not be saved in {folder / 'decisions.sqlite'}: the disk is full; earlier"
        assert (answer.status_code, answer.json()["error"][: len(words)]) == (503, words)
        assert client.get("/api/state").json()["newest"] is None


def test_hostile_texts_are_sent_as_json(tmp_path):
    with served_here(write(tmp_path / "audit", hostile())) as server, server.client() as client:
        answer = client.get("/api/audit")
        assert answer.headers["content-type"] == "application/json"
        assert json.loads(answer.content)["title"] == hostile()["title"]


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        (lambda path: path.unlink(), "deleted or replaced"),
        (lambda path: path.chmod(0o444), "read-only"),
        (lambda path: path.write_bytes(b"x" * 20_000), "file is not a database"),
    ],
)
def test_a_log_that_is_lost_meanwhile_is_said_so(tmp_path, attack, words):
    folder = write(tmp_path / "audit", small())
    with served_here(folder) as server, server.client() as client:
        assert client.post("/api/decisions", json={"row": 3, "kind": "keep"}).status_code == 200
        attack(folder / "decisions.sqlite")
        for path, body in (("/api/decisions", {"row": 5, "kind": "keep"}), ("/api/undo", {"id": 1})):
            answer = client.post(path, json=body)
            assert answer.status_code == 503
            assert f"could not be saved in {folder / 'decisions.sqlite'}: " in answer.json()["error"]
            assert words in answer.json()["error"]
        kinds = [one["kind"] for one in client.get("/api/state").json()["suspects"]]
        assert kinds == ["keep", None, None, None]  # what was saved can still be exported
        assert "3,a,a,keep," in client.get("/api/export.csv").text


def test_a_locked_log_is_answered_soon(tmp_path):
    folder = write(tmp_path / "audit", small())
    with (
        served_here(folder) as server,
        server.client() as client,
        closing(sqlite3.connect(folder / "decisions.sqlite", isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        start = perf_counter()
        answer = client.post("/api/decisions", json={"row": 3, "kind": "keep"})
        assert (answer.status_code, "another program has locked it" in answer.json()["error"]) == (503, True)
        assert perf_counter() - start < 3
        start = perf_counter()
        assert client.get("/api/state").status_code == 200
        assert perf_counter() - start < 1


def test_a_decision_is_answered_with_what_it_changed(tmp_path):
    with served_here(write(tmp_path / "audit", many(2000))) as server, server.client() as client:
        whole = client.get("/api/state")
        assert whole.json()["whole"]
        row = whole.json()["suspects"][7]["row"]
        answer = client.post("/api/decisions", json={"row": row, "kind": "keep", "since": whole.json()["last"]})
        assert not answer.json()["whole"]
        assert row in [one["row"] for one in answer.json()["suspects"]]
        assert len(answer.content) < 20_000 < len(whole.content) / 10
        again = client.get(f"/api/state?since={whole.json()['last']}")
        assert again.json() == answer.json()
        last = answer.json()["last"]
        assert client.get(f"/api/state?since={last}").json()["suspects"] == []
        for since in ("", "x", "-1", "٣", last + 1, "9" * 5000, "1" * 18):
            assert client.get(f"/api/state?since={since}").json()["whole"]
        undone = client.post("/api/undo", json={"id": answer.json()["newest"]["id"], "since": "x"})
        assert undone.json()["whole"]


def test_half_a_surrogate_pair_is_served_as_a_question_mark(tmp_path):
    content = small() | {"title": "a\ud800", "rows": {"3": ["\udfff"]}}
    with served_here(write(tmp_path / "audit", content)) as server, server.client() as client:
        assert client.get("/api/audit").json()["title"] == "a?"
        assert client.get("/api/suspects/3").json()["values"] == ["?"]
        answer = client.post(
            "/api/decisions", content=b'{"row": "\\ud800"}', headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400


def test_a_bug_is_answered_with_a_sentence(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("unflip.review.desk.Desk.overview", lambda desk: 1 / 0)
    with served_here(write(tmp_path / "audit", small())) as server, server.client() as client:
        answer = client.get("/api/audit")
    assert (answer.status_code, answer.json()) == (
        500,
        {"error": "internal error, please report it: ZeroDivisionError."},
    )
    assert capfd.readouterr() == ("", "")
