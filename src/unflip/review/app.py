"""The web application: the page, the audit, the state after each decision, and the export."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from unflip.foundation.errors import UnflipError
from unflip.review.desk import Desk
from unflip.review.errors import BadRequest, Conflict, NotSaved
from unflip.review.export import FORMATS
from unflip.review.guard import Guard

MAX_BODY_BYTES = 4096
MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


def make_app(desk: Desk, *, port: int, token: str) -> Guard:
    """Return the guarded application for one review."""
    page = _page_files()
    routes = [Route(path, _static(*file)) for path, file in page.items()]
    routes += [
        Route("/api/audit", _get(lambda request: desk.overview())),
        Route("/api/state", _get(lambda request: desk.state(_since(request)))),
        Route("/api/suspects/{row:int}", _get(lambda request: desk.detail(request.path_params["row"]))),
        Route("/api/decisions", _post(desk, _decide), methods=["POST"]),
        Route("/api/undo", _post(desk, _undo), methods=["POST"]),
        Route("/api/export{ending}", lambda request: _export(desk, request)),
    ]
    handlers: dict[Any, Callable[[Request, Any], Response]] = {
        HTTPException: lambda request, error: _error(error.detail, error.status_code),
        BadRequest: lambda request, error: _error(str(error), 400),
        Conflict: lambda request, error: _error(str(error), 409),
        NotSaved: lambda request, error: _error(str(error), 503),
        UnflipError: lambda request, error: _error(str(error), 503),  # the log was changed by another program
        Exception: lambda request, error: _error(f"internal error, please report it: {type(error).__name__}.", 500),
        ClientDisconnect: lambda request, error: _error("The request was not sent to its end.", 400),
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), port=port, token=token, open_paths=page)


def _page_files() -> dict[str, tuple[bytes, str]]:
    """Return the files that are served without a token, {path: (content, media type)}."""
    found = {f"/{file.name}": file for file in files("unflip.review").joinpath("page").iterdir()}
    page = {path: (file.read_bytes(), MEDIA_TYPES[path.rsplit(".")[-1]]) for path, file in found.items()}
    page["/"] = page.pop("/index.html")
    return page


class Answer(JSONResponse):
    """JSON in which half a surrogate pair, which no encoding can hold, becomes a question mark."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of the answer."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )


def _error(sentence: str, status: int) -> Answer:
    return Answer({"error": sentence}, status)


def _since(request: Request) -> int | None:
    """Return the entry that the page knows already; what is not a number asks for everything."""
    text = request.query_params.get("since", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _static(content: bytes, media_type: str) -> Callable[[Request], Response]:
    return lambda request: Response(content, media_type=media_type)


def _get(answer: Callable[[Request], Any]) -> Callable[[Request], Response]:
    # A plain function: Starlette runs it in a thread, so that it does not block other requests.
    return lambda request: Answer(answer(request))


def _post(
    desk: Desk, act: Callable[[Desk, dict[str, Any]], dict[str, Any]]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        body = await _body(request)
        return Answer(await run_in_threadpool(act, desk, body))

    return endpoint


def _decide(desk: Desk, body: dict[str, Any]) -> dict[str, Any]:
    desk.decide(body.get("row"), body.get("kind"), body.get("class"))
    return desk.state(body.get("since"))


def _undo(desk: Desk, body: dict[str, Any]) -> dict[str, Any]:
    desk.undo(body.get("id"))
    return desk.state(body.get("since"))


def _export(desk: Desk, request: Request) -> Response:
    ending = request.path_params["ending"]
    if ending not in FORMATS:
        raise BadRequest("An export is .csv or .json.")
    make, media_type = FORMATS[ending]
    name = {".csv": "decisions.csv", ".json": "labels.json"}[ending]
    content = make(desk).encode("utf-8", "replace")
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def _body(request: Request) -> dict[str, Any]:
    """Return the posted object, without reading more than a decision can need."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "The body must be application/json.")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MAX_BODY_BYTES:
            raise HTTPException(413, f"The body must be at most {MAX_BODY_BYTES} bytes.")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.")
    return body
