"""Between HTTP and our structures: bodies are read strictly, answers written, refusals told in one form."""

from __future__ import annotations

import gzip
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from branchline.server import wire
from branchline.server.live.table import UNCERTAIN, UNWRITTEN
from branchline.server.operate.logs import log
from branchline.server.people.guests import Guests
from branchline.server.store.contract import OutcomeUnknown, StoreFailed
from branchline.server.transport.limits import BadFrame, loads_frame
from branchline.server.transport.parts import guests_of, is_secure, people_of
from branchline.server.wire.refusals import BadRequest, Forbidden, TooMany, Unknown
from branchline.server.wire.sentences import Sentence, code_of

COOKIE: Final = "branchline_guest"
COOKIE_SECONDS: Final = 2 * 365 * 86400
LONGEST_KEY: Final = 40
DEEPEST: Final = 6  # lists and objects in one another, in a body
BANNED: Final = Sentence("banned", "whoever runs this service has closed it to you")
_GZIP_FROM: Final = 1400  # bytes; less fits in one packet anyway

T = TypeVar("T", bound=wire.Wire)
Handler = Callable[..., Awaitable[Response]]


async def guest_in(request: HTTPConnection) -> str | None:
    """The guest who sends this: by a token of its own, or by the page's cookie."""
    return await guests_of(request).find(token_in(request.headers, request.cookies))


def token_in(headers: Mapping[str, str], cookies: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else cookies.get(COOKIE, "")


async def user_of(request: HTTPConnection) -> str:
    """The guest who sends this request; raises `Unknown`, or `Forbidden` for one who is kept out."""
    user = await guest_in(request)
    if user is None:
        raise Unknown("say who you are first: GET /api/me gives a guest's cookie, or a token to a program")
    if await people_of(request).banned(user):
        raise Forbidden(BANNED)
    return user


def set_cookie(response: Response, request: HTTPConnection, user: str) -> None:
    guests: Guests = guests_of(request)
    response.set_cookie(
        COOKIE,
        guests.token(user),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
        path="/",
    )


def key_of(request: Request) -> str:
    """The key of a command that may come again (`Idempotency-Key`), or ""."""
    key = request.headers.get("idempotency-key", "")
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise BadRequest(f"idempotency-key: at most {LONGEST_KEY} printable ASCII characters")
    return key


async def body_of(request: Request, kind: type[T]) -> T:
    """The body, read strictly; raises `BadRequest` with the place and the reason."""
    body = await request.body() or b"{}"
    try:
        return msgspec.convert(loads_frame(body, len(body), DEEPEST), kind)
    except (BadFrame, msgspec.ValidationError) as error:
        raise BadRequest(f"the body does not fit: {error}") from None


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def answer_bytes(body: bytes) -> Response:
    """An answer that is JSON already."""
    return Response(body, media_type="application/json")


def packed(request: Request, body: bytes, media_type: str, headers: dict[str, str] | None = None) -> Response:
    """A larger answer, compressed for who can read that."""
    told = {**(headers or {}), "vary": "accept-encoding"}
    if len(body) >= _GZIP_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 5)
        told["content-encoding"] = "gzip"
    return Response(body, media_type=media_type, headers=told)


# ---------------------------------------------------------------- routes and their documentation


def _ref(kind: Any) -> dict[str, Any]:
    """The schema of a type, by reference into the document's components."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    return schema


def documented(
    router: APIRouter,
    method: str,
    path: str,
    *,
    reply: Any,
    body: type[Any] | None = None,
    tag: str = "tables",
    conflict: Any = None,
) -> Callable[[Handler], Handler]:
    """A route whose body and answer stand in the OpenAPI document; its docstring is the description.

    `conflict` is what a 409 holds where it says more than the reason.
    """
    content = {"application/json": {"schema": _ref(reply)}} if reply is not bytes else {}
    extra: dict[str, Any] = {}
    if body is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(body)}}}
    why_not = {"description": "Why not, in `reason`", "content": {"application/json": {"schema": _ref(Reason)}}}
    told: dict[int | str, dict[str, Any]] = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429, 503), why_not)
    if conflict is not None:
        either = {"anyOf": [_ref(conflict), _ref(Reason)]}
        told[409] = {**why_not, "content": {"application/json": {"schema": either}}}

    def register(handler: Handler) -> Handler:
        router.add_api_route(
            path,
            handler,
            methods=[method],
            summary=(inspect.getdoc(handler) or "").split("\n")[0],
            description=inspect.getdoc(handler),
            operation_id=handler.__name__,
            tags=[tag],
            response_class=Response,
            responses={200: {"description": "Done", "content": content}, **told},
            openapi_extra=extra,
        )
        return handler

    return register


class Reason(wire.Wire, frozen=True):
    """A refusal: why, and for a page the key under which it has that in other languages, with the number in it."""

    reason: str
    code: str = ""
    n: int | None = None


def complete_openapi(app: FastAPI) -> None:
    """Put our structures beside the routes in the document."""
    plain = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            whole = plain()
            kinds = [v for v in (*vars(wire).values(), Reason) if isinstance(v, type) and issubclass(v, wire.Wire)]
            _, components = msgspec.json.schema_components(
                [kind for kind in kinds if kind is not wire.Wire], ref_template="#/components/schemas/{name}"
            )
            whole.setdefault("components", {}).setdefault("schemas", {}).update(components)
            whole["components"]["securitySchemes"] = {
                "guest": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "http", "scheme": "bearer"},
            }
            whole["security"] = [{"guest": []}, {"token": []}]
            app.openapi_schema = whole
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


# ---------------------------------------------------------------- refusals


def refusal(status: int, reason: str, headers: dict[str, str] | None = None) -> Response:
    body = msgspec.json.encode(Reason(str(reason), *code_of(reason)))
    return Response(body, status, headers=headers, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, BadRequest)
    headers = {"retry-after": str(error.retry_after)} if isinstance(error, TooMany) else None
    return refusal(error.status, error.reason, headers)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, str(error.detail), dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    told = "; ".join(f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors())
    return refusal(422, told)


async def _store_failed(request: Request, error: Exception) -> Response:
    log().error("the store failed", reason=str(error))
    return refusal(503, UNCERTAIN if isinstance(error, OutcomeUnknown) else UNWRITTEN)


def handle_errors(app: FastAPI) -> None:
    app.add_exception_handler(BadRequest, _refused)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(StoreFailed, _store_failed)
