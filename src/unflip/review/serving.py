"""The server on this machine: a socket on 127.0.0.1, the address with its token, and a polite end."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import threading
import webbrowser
from contextlib import suppress

from unflip.foundation.errors import UnflipError
from unflip.foundation.optional import optional


def serve(desk, *, port=0, open_browser=True, say=print):
    """Serve the page of a review until it is interrupted.

    Parameters
    ----------
    desk : Desk
        The review.
    port : int, default=0
        Where to listen on 127.0.0.1; 0 takes a free one.
    open_browser : bool, default=True
        Whether to open the page.
    say : callable, default=print
        Is given the lines for the person at the terminal.
    """
    for module in ("starlette", "uvicorn"):
        optional(module, "review", "Reviewing suspects")
    from unflip.review.app import make_app

    token = secrets.token_urlsafe(32)
    with listening(port) as listener:
        port = listener.getsockname()[1]
        address = f"http://127.0.0.1:{port}/#token={token}"
        say(f"{_counted(len(desk.document.suspects))} to review: {address}")
        say(f"Decisions are kept in {desk.log_path}. Ctrl-C ends.")
        if open_browser:  # in a thread: some browsers hold their caller until they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _run(make_app(desk, port=port, token=token), listener)
    say(f"Ended. {_counted(len(desk.decisions()), 'decision')} in {desk.log_path}.")


def _counted(n, thing="suspect"):
    return f"{n:,} {thing}" + ("" if n == 1 else "s")


def listening(port):
    """Return a socket that listens on 127.0.0.1, and on nothing that others can reach."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere this option lets others take the port over
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            reason = "is taken" if error.errno == errno.EADDRINUSE else "is not allowed"
            raise UnflipError(f"unflip review: port {port} {reason}; choose another, or none for a free one.") from None
        raise
    return listener


def make_server(app):
    """Return the server, not yet running: it says little of itself, and nothing about each request."""
    import uvicorn

    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def _run(app, listener):
    with suppress(KeyboardInterrupt):  # raised again by uvicorn after it has shut down
        make_server(app).run(sockets=[listener])
