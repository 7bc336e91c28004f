"""Access control: the host, origin and token of every request are checked before anything else.

The printed address carries the token in its fragment (``#token=...``), which browsers never send. The page keeps it in
``sessionStorage`` and sends it in a header of every data request. A cookie would be less safe: cookies ignore the port,
so every other server on 127.0.0.1 would receive it, and browsers attach it to requests caused by other pages. Another
origin cannot add the header without CORS permission, which is never granted. The empty page itself (HTML, scripts and
style, as shipped) is served without a token; it contains nothing of the audit.
"""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-unflip-token"
SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """ASGI middleware that refuses requests from elsewhere and adds security headers to every response.

    Parameters
    ----------
    app : ASGI application
        The application to guard.
    port : int
        The port of the server.
    token : str
        The token that requests must carry.
    open_paths : iterable of str
        Paths of the empty page, served without a token.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, open_paths: Iterable[str]):
        self.app = app
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:  # browsers omit the default port
            self.hosts |= {"127.0.0.1", "localhost"}
        self.token = token.encode()
        self.open_paths = frozenset(open_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SAFE_HEADERS)
            await send(message)

        refused = self._refusal(scope)
        answer = JSONResponse({"error": refused[1]}, refused[0]) if refused else self.app
        await answer(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        # With DNS rebinding, a foreign name points at 127.0.0.1; the Host header gives it away.
        if len(headers.getlist("host")) != 1 or headers["host"].lower() not in self.hosts:
            return 421, "This server answers only to 127.0.0.1 and localhost, with its port."
        origins = {f"http://{host}" for host in self.hosts}
        if any(origin.lower() not in origins for origin in headers.getlist("origin")):
            return 403, "This request comes from another page."
        if scope["method"] in ("GET", "HEAD") and scope["path"] in self.open_paths:
            return None
        if not compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token):
            return 403, "The token is missing or wrong: open the address that 'unflip review' printed."
        return None
