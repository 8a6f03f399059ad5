"""The HTTP interface: guests, and what there is to play with."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Request, Response

from branchline.maps.loader import known_maps
from branchline.server import wire
from branchline.server.people.guests import new_user_id
from branchline.server.people.people import language_of
from branchline.server.transport.http import answer, body_of, documented, guest_in, set_cookie, token_in, user_of
from branchline.server.transport.parts import (
    address_of,
    bounds_of,
    guests_of,
    people_of,
    promises_of,
    roster_of,
    tables_of,
)
from branchline.server.wire.facts import facts_of, map_of
from branchline.server.wire.refusals import Missing
from branchline.server.wire.sentences import Sentence

router = APIRouter(prefix="/api")


def language(request: Request) -> str:
    return language_of(request.headers.get("accept-language", ""))


async def named(request: Request) -> str:
    """The guest who sends this; the name suggested to them in their language becomes theirs."""
    user = await user_of(request)
    await people_of(request).own_name(user, language(request))
    return user


@documented(router, "GET", "/me", reply=wire.Me, tag="guests")
async def me(request: Request) -> Response:
    """Who I am. A newcomer becomes a guest: a page gets a cookie, and a program a token to send as a bearer token."""
    guests, user = guests_of(request), await guest_in(request)
    fresh = user is None
    if user is None:
        bounds_of(request).new_guest(address_of(request))
        user = new_user_id()
    reply = answer(await me_of(request, user, token=guests.token(user) if fresh else None))
    if fresh or guests.is_old(token_in(request.headers, request.cookies)):
        set_cookie(reply, request, user)
    return reply


async def me_of(request: Request, user: str, token: str | None = None) -> wire.Me:
    """Somebody as they are told of themselves."""
    known = await people_of(request).person(user, language(request))
    return wire.Me(user, known.name, known.lang, known.named, token, known.holiday)


@documented(router, "POST", "/me", reply=wire.Me, body=wire.MeChange, tag="guests")
async def change_me(request: Request) -> Response:
    """Choose a name or a language, or say until which day I am on holiday."""
    user, change = await user_of(request), await body_of(request, wire.MeChange)
    holiday = ... if change.holiday is msgspec.UNSET else change.holiday
    now = await people_of(request).change(
        user, name=change.name, lang=change.lang, holiday=holiday, suggest_in=language(request)
    )
    return answer(wire.Me(user, now.name, now.lang, True, holiday=now.holiday))


@documented(router, "GET", "/promise", reply=wire.PromiseWire, tag="guests")
async def promise(request: Request) -> Response:
    """The server's commitment to its half of a deal, before I add mine: the ticket makes the table it is for."""
    given = promises_of(request).new(await user_of(request))
    return answer(wire.PromiseWire(given.table, given.commitment, given.ticket))


@documented(router, "GET", "/me/tables", reply=list[wire.TableLine], tag="guests")
async def my_tables(request: Request) -> Response:
    """Every game of mine, those that wait for me first."""
    return answer(await tables_of(request).games_of(await user_of(request)))


@documented(router, "GET", "/me/blocks", reply=list[wire.BlockedWire], tag="guests")
async def my_blocks(request: Request) -> Response:
    """The people I have blocked."""
    return answer(await people_of(request).told_blocks(await user_of(request)))


@documented(router, "DELETE", "/me/blocks/{handle}", reply=list[wire.BlockedWire], tag="guests")
async def unblock(request: Request, handle: Annotated[str, Path(max_length=60, pattern="^[0-9a-f]+$")]) -> Response:
    """Unblock somebody; the people who are still blocked."""
    people, user = people_of(request), await user_of(request)
    await people.unblock(user, handle)
    return answer(await people.told_blocks(user))


# ---------------------------------------------------------------- what there is


@documented(router, "GET", "/maps", reply=list[str], tag="facts")
async def maps(request: Request) -> Response:
    """The maps that can be played."""
    return answer(list(known_maps()))


@documented(router, "GET", "/maps/{map_id}", reply=wire.MapFacts, tag="facts")
async def map_facts(request: Request, map_id: Annotated[str, Path(max_length=40)]) -> Response:
    """What is printed on a map's board and cards."""
    if map_id not in known_maps():
        raise Missing(Sentence("no_map", f"no such map; there are {', '.join(known_maps())}"))
    body, small = _facts_bytes(map_id)
    told = {"cache-control": "public, max-age=300", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(small, media_type="application/json", headers={**told, "content-encoding": "gzip"})
    return Response(body, media_type="application/json", headers=told)


@lru_cache(maxsize=64)
def _facts_bytes(map_id: str) -> tuple[bytes, bytes]:
    body = msgspec.json.encode(facts_of(map_of(map_id)))
    return body, gzip.compress(body)


@documented(router, "GET", "/bots", reply=list[wire.BotFact], tag="facts")
async def bots(request: Request) -> Response:
    """The bots: the levels, gentlest first, then those the service's owner added."""
    return answer(roster_of(request).wire())
