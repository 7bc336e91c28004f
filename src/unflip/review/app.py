"""What the server answers: the page, the audit, the state after each decision, and the export."""

from __future__ import annotations

import json
import sqlite3
from importlib.resources import files

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from unflip.review.export import FORMATS
from unflip.review.guard import Guard
from unflip.review.refusals import BadRequest, Conflict

LARGEST_BODY = 4096
MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


def make_app(desk, *, port, token):
    """Return the guarded application for one review."""
    page = _page_files()
    routes = [Route(path, _given(*file)) for path, file in page.items()]
    routes += [
        Route("/api/audit", _asked(lambda request: desk.overview())),
        Route("/api/state", _asked(lambda request: desk.state())),
        Route("/api/suspects/{row:int}", _asked(lambda request: desk.detail(request.path_params["row"]))),
        Route("/api/decisions", _posted(desk, _decide), methods=["POST"]),
        Route("/api/undo", _posted(desk, _undo), methods=["POST"]),
        Route("/api/export{ending}", lambda request: _exported(desk, request)),
    ]
    handlers = {
        HTTPException: lambda request, error: _refused(error.detail, error.status_code),
        BadRequest: lambda request, error: _refused(str(error), 400),
        Conflict: lambda request, error: _refused(str(error), 409),
        sqlite3.Error: lambda request, error: _refused(f"The decision could not be saved: {error}.", 503),
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), port=port, token=token, open_paths=page)


def _page_files():
    """Return what is given without a token: path to content and media type."""
    found = {f"/{file.name}": file for file in files("unflip.review").joinpath("page").iterdir()}
    page = {path: (file.read_bytes(), MEDIA_TYPES[path.rsplit(".")[-1]]) for path, file in found.items()}
    page["/"] = page.pop("/index.html")
    return page


def _refused(sentence, status):
    return JSONResponse({"error": sentence}, status)


def _given(content, media_type):
    return lambda request: Response(content, media_type=media_type)


def _asked(answer):
    # A plain function: Starlette runs it in a thread, and others are answered meanwhile.
    return lambda request: JSONResponse(answer(request))


def _posted(desk, act):
    async def endpoint(request):
        asked = await _body(request)
        return JSONResponse(await run_in_threadpool(act, desk, asked))

    return endpoint


def _decide(desk, asked):
    desk.decide(asked.get("row"), asked.get("kind"), asked.get("class"))
    return desk.state()


def _undo(desk, asked):
    desk.undo(asked.get("id"))
    return desk.state()


def _exported(desk, request):
    ending = request.path_params["ending"]
    if ending not in FORMATS:
        raise BadRequest("An export is .csv or .json.")
    make, media_type = FORMATS[ending]
    name = {".csv": "decisions.csv", ".json": "labels.json"}[ending]
    content = make(desk).encode("utf-8", "replace")
    return Response(content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def _body(request):
    """Return the object that was posted; no more is read than one can need."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "The body must be application/json.")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LARGEST_BODY:
            raise HTTPException(413, f"The body must be at most {LARGEST_BODY} bytes.")
    try:
        asked = json.loads(content)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(asked, dict):
        raise BadRequest("The body must be a JSON object.")
    return asked
