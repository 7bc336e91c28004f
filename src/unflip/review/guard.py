"""Who may ask: every request is checked for its host, its origin and its token before anything else sees it.

Where the token lives. The printed address carries it in the fragment (``#token=...``), which a browser sends to
nobody; the page keeps it in its ``sessionStorage`` and puts it into a header of every request for data. A cookie would
serve worse: cookies ignore the port, so that every other server on 127.0.0.1 would be sent it, and a browser adds it to
requests that other pages cause. A header is added by this page only, and another origin may not add it without a
permission that is never given. The price is that the empty page itself (HTML, script and style as they are in the
package) is given without a token; it holds nothing of the audit.
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

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
    """An ASGI application around another: it refuses what is not this page's, and adds the headers that keep it so.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    port : int
        At which it is reached.
    token : str
        That requests must carry.
    open_paths : collection of str
        Paths of the empty page, given without a token.
    """

    def __init__(self, app, *, port, token, open_paths):
        self.app = app
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:  # which browsers leave out
            self.hosts |= {"127.0.0.1", "localhost"}
        self.token = token.encode()
        self.open_paths = frozenset(open_paths)

    async def __call__(self, scope, receive, send):
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_safely(message):
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SAFE_HEADERS)
            await send(message)

        refused = self._refusal(scope)
        answer = JSONResponse({"error": refused[1]}, refused[0]) if refused else self.app
        await answer(scope, receive, send_safely)

    def _refusal(self, scope):
        headers = Headers(scope=scope)
        # A name that somebody else points at 127.0.0.1 (DNS rebinding) stands in the Host header.
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
