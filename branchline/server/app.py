"""The application: routes, middleware, start and end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from branchline.server.operate.logs import log
from branchline.server.operate.metrics import CONTENT_TYPE, Metrics
from branchline.server.service import ServeOptions, Service, open_service
from branchline.server.transport import after_api, calls_api, carry_api, guests_api, mail_pages, sockets, tables_api
from branchline.server.transport.addresses import FromProxies, TrustedProxies
from branchline.server.transport.hosts import AllowedHosts
from branchline.server.transport.http import answer, complete_openapi, guest_in, handle_errors, refusal
from branchline.server.transport.page_files import add_page
from branchline.server.transport.parts import address_of, bounds_of, metrics_of, store_of
from branchline.server.transport.reach import Reachable
from branchline.server.transport.rehearsal import is_rehearsal, rehearse
from branchline.server.transport.request_log import RequestLog
from branchline.server.transport.security import Security
from branchline.server.wire.refusals import TooMany
from branchline.version import __version__

_PARTS = (
    "tables", "people", "guests", "carries", "promises", "roster", "thinking", "reviewing", "store", "bounds",
    "metrics", "calls",
)  # fmt: skip
_UNLIMITED = ("/healthz", "/metrics", "/assets/", "/boards/")


def create_app(options: ServeOptions) -> FastAPI:
    """The service as an ASGI application; it opens its store when it starts."""
    metrics = Metrics()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        service = await open_service(options, metrics)
        _share(app, service)
        await service.start()
        await rehearse(app)
        log().info("the service is up", version=__version__)
        yield
        await service.stop()
        log().info("the service is down")

    app = FastAPI(
        title="Branchline",
        version=__version__,
        description="Play the railway-ticket board game: guests, tables, live streams, records. Unofficial.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    handle_errors(app)
    for part in (guests_api, carry_api, calls_api, mail_pages, tables_api, sockets, after_api):
        app.include_router(part.router)
    _add_health(app)
    _add_docs(app)
    add_page(app)
    complete_openapi(app)
    app.add_middleware(RateLimit)
    app.add_middleware(
        Security,
        allowed=options.origins,
        hosts=AllowedHosts(options.hosts),
        https=options.secure,
        large=lambda path: path == "/api/replay",
        from_anywhere=lambda path: path.startswith(mail_pages.FROM_ANYWHERE),
    )
    app.add_middleware(RequestLog, metrics=metrics)
    app.add_middleware(FromProxies, trusted=TrustedProxies(options.proxies))
    return app


def _share(app: FastAPI, service: Service) -> None:
    """Give the routes the parts they work with (transport/parts.py)."""
    app.state.service = service  # for who started it
    for name in _PARTS:
        setattr(app.state, name, getattr(service, name))
    options = service.options
    app.state.secure = options.secure
    app.state.reachable = Reachable(options.address, options.origins, options.hosts, options.secure)


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthz(request: Request) -> Response:
        """Whether the service can do its work: it answers, and the store takes what it is given."""
        trouble = store_of(request).trouble
        return answer({"ok": not trouble, "version": __version__, "trouble": trouble}, 503 if trouble else 200)

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        """For the operator, on this machine: the counters move when somebody makes a choice nobody else may know of."""
        if request.client is not None and request.client.host not in ("127.0.0.1", "::1"):
            raise HTTPException(404, "there is no such address")
        body = await asyncio.to_thread(metrics_of(request).render)
        return Response(body, media_type=CONTENT_TYPE)


def _add_docs(app: FastAPI) -> None:
    page = cache(lambda: _docs_page(app))
    description = cache(lambda: msgspec.json.encode(app.openapi()))  # to write it anew takes milliseconds

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> Response:
        """The interface, readable without scripts from elsewhere."""
        return Response(page(), media_type="text/html; charset=utf-8")

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return Response(description(), media_type="application/json")


def _docs_page(app: FastAPI) -> str:
    rows = []
    for path, methods in app.openapi()["paths"].items():
        for method, what in methods.items():
            rows.append(
                f"<tr><td><code>{method.upper()}</code><td><code>{path}</code><td>{what.get('description', '')}"
            )
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        "<title>Branchline: the interface</title><style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem}td{padding:.3rem .8rem .3rem 0;vertical-align:top}</style><main><h1>The interface</h1>"
        "<p>Everything the page does, a program can do. The whole description: "
        "<a href='/api/openapi.json'>openapi.json</a>. The live stream is a WebSocket at "
        "<code>/api/tables/ID/live</code>, or lines of JSON at <code>/api/tables/ID/stream</code>.</p>"
        f"<table>{''.join(rows)}</table></main></html>"
    )


class RateLimit:
    """So many requests of one sender; who asks faster is told to wait."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(_UNLIMITED) and not is_rehearsal(scope):
            request = HTTPConnection(scope)
            try:
                bounds_of(request).request(await guest_in(request), address_of(request))
            except TooMany as error:
                reply = refusal(error.status, error.reason, {"retry-after": str(error.retry_after)})
                await reply(scope, receive, send)
                return
        await self.app(scope, receive, send)
