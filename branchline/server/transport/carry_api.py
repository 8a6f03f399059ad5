"""The HTTP interface: a guest goes on at another device, and friends find the way here."""

from __future__ import annotations

import asyncio
import secrets

from fastapi import APIRouter, Request, Response

from branchline.server import wire
from branchline.server.people.carries import GOOD_SECONDS, is_phrase
from branchline.server.transport.guests_api import language, me_of, named
from branchline.server.transport.http import answer, body_of, documented, guest_in, key_of, set_cookie
from branchline.server.transport.parts import address_of, bounds_of, carries_of, guests_of, people_of, tables_of
from branchline.server.transport.qr import picture_of
from branchline.server.transport.reach import base_of

router = APIRouter(prefix="/api")


@documented(router, "GET", "/reach", reply=wire.Reach, tag="facts")
async def reach(request: Request) -> Response:
    """The address under which others reach this service, as far as it knows."""
    return answer(wire.Reach(base_of(request)))


@documented(router, "POST", "/me/carry", reply=wire.Carry, tag="guests")
async def make_carry(request: Request) -> Response:
    """A phrase and a link by which another device becomes me, good once and for ten minutes; older ones end."""
    user = await named(request)
    bounds_of(request).new_carry(user, address_of(request))
    made = await carries_of(request).make(user, language(request))
    link = f"{base_of(request)}/carry#{made.link}"  # what stands after # is sent to nobody
    picture = await asyncio.to_thread(picture_of, link)
    return answer(wire.Carry(made.phrase, link, picture.decode(), GOOD_SECONDS))


@documented(router, "POST", "/carry/look", reply=wire.CarryFound, body=wire.CarryHere, tag="guests")
async def look_at_carry(request: Request) -> Response:
    """Who I would become here by a phrase or a link, and whom I would leave behind; it stays good."""
    typed, present = await _typed(request)
    user = await carries_of(request).look(typed)
    leaves = 0 if present in (None, user) else await _games(request, present or "")
    name, _ = await people_of(request).name(user, language(request))
    return answer(wire.CarryFound(name, await _games(request, user), leaves, present == user))


@documented(router, "POST", "/carry", reply=wire.Me, body=wire.CarryHere, tag="guests")
async def carry(request: Request) -> Response:
    """Become the guest of a phrase or a link: the page gets a cookie, a program a token."""
    typed, _ = await _typed(request)
    user = await carries_of(request).use(typed, key_of(request) or secrets.token_hex(12))
    reply = answer(await me_of(request, user, token=guests_of(request).token(user)))
    set_cookie(reply, request, user)
    return reply


async def _typed(request: Request) -> tuple[str, str | None]:
    """What was typed, and by which guest. Every phrase counts, right or wrong, so that none can be guessed."""
    asked, user = await body_of(request, wire.CarryHere), await guest_in(request)
    if is_phrase(asked.secret):
        bounds_of(request).phrase(user, address_of(request))
    return asked.secret, user


async def _games(request: Request, user: str) -> int:
    """Games that are not over."""
    return sum(line.state in ("open", "playing") for line in await tables_of(request).games_of(user))
