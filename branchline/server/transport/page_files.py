"""The page: files built from web/, compressed beforehand, and the guest's cookie with the first of them."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from branchline.server.people.guests import new_user_id
from branchline.server.transport.http import guest_in, set_cookie
from branchline.server.transport.parts import address_of, bounds_of
from branchline.server.wire.refusals import TooMany

FOLDER: Final = Path(os.environ.get("BRANCHLINE_PAGE") or Path(__file__).parents[1] / "page")  # or one being worked on
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
# What says which build there is: asked for anew each time. The worker that keeps the page offline is one of them.
_ALWAYS_ASKED: Final = frozenset({"/index.html", "/sw.js", "/site.webmanifest"})
_NOT_BUILT: Final = (
    "<!doctype html><html lang='en'><title>Branchline</title><p>The page is not built."
    " In a clone: <code>make page</code>. The interface for programs is at <a href='/api/docs'>/api/docs</a>."
)


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    """Every file of the page, by address: nothing else can be asked for."""
    return {"/" + path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}


@lru_cache(maxsize=256)
def _bytes(path: Path) -> bytes:
    return path.read_bytes()


def add_page(app: FastAPI) -> None:
    """Answer every address that is not the interface's: a file, or the page itself, which reads the address."""

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "there is no such address; /api/docs lists them")
        address = "/" + path
        if address != "/" and Path(address).suffix:
            return _file(request, address)
        return await _index(request)


def _file(request: Request, address: str) -> Response:
    files = _files()
    if address not in files:
        raise HTTPException(404, "there is no such file")
    return _packed(request, address, {"cache-control": _kept(address)})


def _kept(address: str) -> str:
    if address in _ALWAYS_ASKED:
        return "no-cache"
    return "public, max-age=31536000, immutable" if address.startswith("/assets/") else "public, max-age=3600"


async def _index(request: Request) -> Response:
    if "/index.html" not in _files():
        return Response(_NOT_BUILT, 503, media_type="text/html")
    response = _packed(request, "/index.html", {"cache-control": "no-cache"})
    if await guest_in(request) is None:
        _welcome(request, response)
    return response


def _welcome(request: Request, response: Response) -> None:
    """A newcomer becomes a guest with the page; where there are too many, the page comes all the same."""
    with contextlib.suppress(TooMany):
        bounds_of(request).new_guest(address_of(request))
        set_cookie(response, request, new_user_id())


def _packed(request: Request, address: str, headers: dict[str, str]) -> Response:
    """The file, in the smallest form the browser reads."""
    files, accepted = _files(), request.headers.get("accept-encoding", "")
    kind = _TYPES.get(Path(address).suffix, "application/octet-stream")
    for ending, name in ((".br", "br"), (".gz", "gzip")):
        if name in accepted and address + ending in files:
            headers = {**headers, "content-encoding": name, "vary": "accept-encoding"}
            return Response(_bytes(files[address + ending]), media_type=kind, headers=headers)
    return Response(_bytes(files[address]), media_type=kind, headers={**headers, "vary": "accept-encoding"})
