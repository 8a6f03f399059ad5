"""The HTTP interface: tables. A change is a command for its table; what a route does is to say which."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.outcome import MoveRefused
from branchline.server.transport.guests_api import language, named
from branchline.server.transport.http import answer, answer_bytes, body_of, documented, guest_in, key_of, user_of
from branchline.server.transport.parts import address_of, bounds_of, people_of, store_of, tables_of
from branchline.server.transport.qr import picture_of
from branchline.server.transport.reach import base_of
from branchline.server.transport.refusing import move_reply
from branchline.server.wire.refusals import BadRequest, Missing
from branchline.server.wire.sentences import Sentence

router = APIRouter(prefix="/api")
TableId = Annotated[str, Path(description="The table's id, as in its link", max_length=60)]


@documented(router, "GET", "/tables", reply=list[wire.TableLine])
async def lobby(request: Request) -> Response:
    """The lobby: tables with an empty chair."""
    return answer(await tables_of(request).lobby())


@documented(router, "POST", "/tables", reply=wire.TableWire, body=wire.NewTable)
async def create_table(request: Request) -> Response:
    """Make a table; with `start` and no empty chair the game begins at once."""
    asked, user = await body_of(request, wire.NewTable), await named(request)
    bounds_of(request).new_table(user, address_of(request), listed=asked.listed)
    return answer_bytes(await tables_of(request).create(user, asked, language(request), key_of(request)))


@documented(router, "GET", "/tables/{table_id}", reply=wire.TableWire)
async def table(request: Request, table_id: TableId) -> Response:
    """A table as I see it."""
    return answer_bytes(await tables_of(request).look(table_id, await guest_in(request)))


async def _change(request: Request, table_id: str, command: commands.OfPerson) -> Response:
    return answer_bytes(await tables_of(request).change(table_id, command))


@documented(router, "POST", "/tables/{table_id}/sit", reply=wire.TableWire, body=wire.SitDown)
async def sit(request: Request, table_id: TableId) -> Response:
    """Take an empty chair, and give my part of the deal."""
    asked, user = await body_of(request, wire.SitDown), await named(request)
    bounds_of(request).sit(user, address_of(request))
    return await _change(
        request, table_id, commands.Sit(user=user, browser_seed=asked.browser_seed, cid=key_of(request))
    )


@documented(router, "POST", "/tables/{table_id}/leave", reply=wire.TableWire)
async def leave(request: Request, table_id: TableId) -> Response:
    """Get up; from a game that runs, a bot plays on for me until I am back."""
    return await _change(request, table_id, commands.Leave(user=await user_of(request), cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/seats", reply=wire.TableWire, body=wire.SeatChange)
async def change_seat(request: Request, table_id: TableId) -> Response:
    """The host puts a bot on an empty chair, or opens a bot's chair."""
    user, change = await user_of(request), await body_of(request, wire.SeatChange)
    bot = (change.bot or "") if change.kind == "bot" else None
    command = commands.SetChair(user=user, chair=change.chair, bot=bot, cid=key_of(request))
    return await _change(request, table_id, command)


@documented(router, "POST", "/tables/{table_id}/colour", reply=wire.TableWire, body=wire.ColourChoice)
async def choose_colour(request: Request, table_id: TableId) -> Response:
    """Choose the colour of my pieces, before the game; a bot or an empty chair that had it gets mine."""
    user, asked = await user_of(request), await body_of(request, wire.ColourChoice)
    return await _change(request, table_id, commands.ChooseColour(user=user, colour=asked.colour, cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/remove", reply=wire.TableWire, body=wire.RemovePlayer)
async def remove_player(request: Request, table_id: TableId) -> Response:
    """The host asks the person on a chair to leave, before the game."""
    user, asked = await user_of(request), await body_of(request, wire.RemovePlayer)
    return await _change(request, table_id, commands.Remove(user=user, chair=asked.chair, cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/start", reply=wire.TableWire)
async def start(request: Request, table_id: TableId) -> Response:
    """Deal."""
    return await _change(request, table_id, commands.Start(user=await user_of(request), cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/back", reply=wire.TableWire)
async def back(request: Request, table_id: TableId) -> Response:
    """Take my seat back from the bot that played for me."""
    return await _change(request, table_id, commands.TakeSeat(user=await user_of(request), cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/plan", reply=wire.TableWire, body=wire.PlanRequest, tag="play")
async def plan(request: Request, table_id: TableId) -> Response:
    """What to play at my next turns, the first that is possible of each; without a turn: nothing. Known to me alone."""
    user, asked = await user_of(request), await body_of(request, wire.PlanRequest)
    return await _change(request, table_id, commands.SetPlan(user=user, turns=asked.turns, cid=key_of(request)))


@documented(router, "POST", "/tables/{table_id}/rematch", reply=wire.TableWire, body=wire.Rematch)
async def rematch(request: Request, table_id: TableId) -> Response:
    """The next game with the same players, the seats turned by one."""
    user, asked = await named(request), await body_of(request, wire.Rematch)
    bounds_of(request).new_table(user, address_of(request))
    command = commands.Rematch(user=user, promise=asked.promise, browser_seed=asked.browser_seed, cid=key_of(request))
    return answer_bytes(await tables_of(request).rematch(table_id, command))


@documented(
    router,
    "POST",
    "/tables/{table_id}/moves",
    reply=wire.MoveReply,
    body=wire.MoveRequest,
    tag="play",
    conflict=wire.MoveReply,
)
async def move(request: Request, table_id: TableId) -> Response:
    """Play: one of the offers of the latest update, with its `asked` as `seq` and a client id of my own."""
    user, asked = await user_of(request), await body_of(request, wire.MoveRequest)
    check_cid(asked.cid)
    command = commands.Move(user=user, cid=asked.cid, own=asked.seat, seq=asked.seq, lines=asked.lines)
    try:
        await tables_of(request).do(table_id, command)
    except MoveRefused as refused:
        return answer(move_reply(asked.seq, refused), 409)
    return answer(wire.MoveReply(True, asked.seq, "", "", False))


def check_cid(cid: str) -> None:
    if not 1 <= len(cid) <= 40 or not cid.isascii() or not cid.isprintable():
        raise BadRequest("cid: 1 to 40 printable ASCII characters, new for every move")


# ---------------------------------------------------------------- around


@documented(router, "POST", "/tables/{table_id}/report", reply=dict[str, bool], body=wire.Report)
async def report(request: Request, table_id: TableId) -> Response:
    """Tell the host of this service about a player."""
    user, told = await user_of(request), await body_of(request, wire.Report)
    bounds_of(request).report(user, address_of(request))
    command = commands.Report(user=user, seat=told.seat, reason=told.reason, text=told.text, cid=key_of(request))
    await tables_of(request).do(table_id, command)
    return answer({"ok": True})


@documented(router, "POST", "/tables/{table_id}/block", reply=wire.TableWire, body=wire.Block)
async def block(request: Request, table_id: TableId) -> Response:
    """Block a person: I am told nothing they say, and we do not meet at tables of the lobby."""
    people, user = people_of(request), await named(request)
    asked = await body_of(request, wire.Block)
    stored = await store_of(request).read(table_id)
    if stored is None:
        raise Missing(Sentence("no_table", "there is no such table"))
    if not 0 <= asked.seat < len(stored.chairs):
        raise BadRequest(f"seat: 0 to {len(stored.chairs) - 1}")
    other = stored.chairs[asked.seat].user
    if other is None or other == user:
        raise BadRequest("seat: one on which another person sits")
    await people.set_block(user, other, asked.blocked, language(request))
    return answer_bytes(await tables_of(request).look(table_id, user))


@documented(router, "GET", "/tables/{table_id}/qr.svg", reply=bytes)
async def qr(request: Request, table_id: TableId) -> Response:
    """The table's link as a QR code, by the address others can reach."""
    await tables_of(request).look(table_id, None)
    picture = await asyncio.to_thread(picture_of, f"{base_of(request)}/t/{table_id}")
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-cache"})
