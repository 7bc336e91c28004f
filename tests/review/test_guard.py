"""Host, origin and token of every request are checked, without a server."""

from contextlib import suppress

import pytest

from unflip.review.guard import SAFE_HEADERS, Guard

PORT = 8123


def finish(coroutine):
    """Run a coroutine that never waits; an event loop may already be running here, for the browser."""
    with suppress(StopIteration):
        coroutine.send(None)


async def inner(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOW")]})
    await send({"type": "http.response.body", "body": b"inside"})


def answer(path="/api/state", method="GET", port=PORT, **headers):
    """Return the status and the headers of the response to a request with some headers."""
    headers = {"host": f"127.0.0.1:{PORT}", "x_unflip_token": "secret"} | headers
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items() if value is not None]
    sent = []

    async def send(message):
        sent.append(message)

    guard = Guard(inner, port=port, token="secret", open_paths=["/", "/review.js"])
    finish(guard({"type": "http", "method": method, "path": path, "headers": pairs}, None, send))
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_request_with_host_and_token_reaches_the_application():
    assert answer()[0] == 200
    assert answer(host=f"LOCALHOST:{PORT}")[0] == 200
    assert answer(method="POST", origin=f"http://localhost:{PORT}")[0] == 200


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", None])
def test_another_host_is_refused_even_for_the_empty_page(host):
    assert answer(host=host)[0] == 421
    assert answer("/", host=host)[0] == 421


def test_the_port_may_be_omitted_only_if_it_is_80():
    assert answer(host="127.0.0.1", port=80)[0] == 200
    assert answer(host="127.0.0.1")[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1", ""])
def test_another_origin_is_refused(origin):
    assert answer(origin=origin)[0] == 403


@pytest.mark.parametrize("token", ["", "secre", "secrets", "SECRET", "\u00fc", None])
def test_the_token_must_be_exact(token):
    assert answer(x_unflip_token=token)[0] == 403


def test_the_empty_page_needs_no_token_to_be_read():
    for method in ("GET", "HEAD"):
        assert answer("/", method=method, x_unflip_token=None)[0] == 200
        assert answer("/review.js", method=method, x_unflip_token=None)[0] == 200
    assert answer("/", method="POST", x_unflip_token=None)[0] == 403
    assert answer("/other.js", x_unflip_token=None)[0] == 403


@pytest.mark.parametrize("token", ["secret", "wrong"])
def test_every_response_has_the_security_headers(token):
    _, headers = answer(x_unflip_token=token)
    assert {name: headers[name.lower()] for name in SAFE_HEADERS} == SAFE_HEADERS


def test_websockets_are_ignored():
    sent = []
    finish(Guard(inner, port=PORT, token="secret", open_paths=[])({"type": "websocket"}, None, sent.append))
    assert sent == []
