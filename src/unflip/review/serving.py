"""The local server: a socket on 127.0.0.1, an address with a token, and a clean shutdown."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from unflip.foundation.errors import UnflipError
from unflip.foundation.optional import optional
from unflip.review.desk import Desk

if TYPE_CHECKING:
    import uvicorn


def serve(desk: Desk, *, port: int = 0, open_browser: bool = True, say: Callable[[str], Any] = print) -> None:
    """Serve the review page until interrupted.

    Parameters
    ----------
    desk : Desk
        The review.
    port : int, default=0
        The port on 127.0.0.1; 0 picks a free one.
    open_browser : bool, default=True
        Whether to open the page in a browser.
    say : callable, default=print
        Called with each line for the terminal.
    """
    for module in ("starlette", "uvicorn"):
        optional(module, "review", "Reviewing suspects")
    from unflip.review.app import make_app

    token = secrets.token_urlsafe(32)
    with listening(port) as listener:
        port = listener.getsockname()[1]
        address = f"http://127.0.0.1:{port}/#token={token}"
        say(f"{_counted(len(desk.document.suspects), 'suspect')} to review: {address}")
        say(f"Decisions are saved in {desk.log_path}. Press Ctrl-C to stop.")
        if open_browser:  # in a thread: some browsers block their caller until they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _run(make_app(desk, port=port, token=token), listener)
    say(_ending(desk))


def _ending(desk: Desk) -> str:
    problem = desk.log.problem()
    if problem is not None:
        return f"Ended. Decisions are no longer in {desk.log_path}: {problem.partition(';')[0]}."
    return f"Ended. {_counted(len(desk.decisions()), 'decision')} in {desk.log_path}."


def _counted(n: int, thing: str) -> str:
    return f"{n:,} {thing}" + ("" if n == 1 else "s")


def listening(port: int) -> socket.socket:
    """Return a socket that listens on 127.0.0.1 only."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # without delay only if named
    if os.name == "posix":  # elsewhere this option lets other programs take over the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            reason = "is taken" if error.errno == errno.EADDRINUSE else "is not allowed"
            raise UnflipError(
                f"unflip review: port {port} {reason}; choose another one, or 0 for any free port."
            ) from None
        raise
    return listener


def make_server(app: Any) -> uvicorn.Server:
    """Return the server, not yet running, without access log or server header."""
    import uvicorn

    from unflip.review.connections import PunctualProtocol

    config = uvicorn.Config(
        app,
        http=PunctualProtocol,
        ws="none",
        lifespan="off",
        log_level="critical",  # what a client does wrong is answered to the client
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def _run(app: Any, listener: socket.socket) -> None:
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after its shutdown
        make_server(app).run(sockets=[listener])
