"""The HTTP interface: guests, maps, tables, and everything a program needs to play."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import time
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Annotated, Final

import msgspec
import segno
from fastapi import APIRouter, Path, Query, Request, Response

from branchline.fair import check
from branchline.maps.loader import shipped_maps
from branchline.record import Player
from branchline.server import wire
from branchline.server.breath import breath
from branchline.server.facts import facts_of, map_of
from branchline.server.guests import BadName, clean_name, new_user_id
from branchline.server.holidays import BadHoliday, checked_day
from branchline.server.http import answer, body_of, documented, packed, service_of, set_cookie, user_in, user_of
from branchline.server.rooms import Room
from branchline.server.said import Said
from branchline.server.tables import BadRequest, Conflict, Missing
from branchline.server.workers import replay_file, replay_steps, told_history, write_record

LANGUAGES: Final = ("en", "ro", "pt-PT", "pt-BR")
SLOW_SECONDS: Final = 60.0
FILE_SECONDS: Final = 20.0
LONGEST_REPORT: Final = 500

router = APIRouter(prefix="/api")
TableId = Annotated[str, Path(description="The table's id, as in its link", max_length=60)]


async def room_of(request: Request, table_id: str) -> Room:
    await breath()
    return await service_of(request).desk.room(table_id)


def _seated(room: Room, user: str) -> int:
    seat = room.table.seat_of(user)
    if seat is None:
        raise Conflict(Said("not_seated", "you do not sit at this table"))
    return seat


# ---------------------------------------------------------------- guests


@documented(router, "GET", "/me", reply=wire.Me, tag="guests")
async def me(request: Request) -> Response:
    """Who I am. A newcomer becomes a guest: a page gets a cookie, and a program a token to send as a bearer token."""
    service = service_of(request)
    user = user_in(request.headers, request.cookies, service)
    fresh = user is None
    user = user or new_user_id()
    name, named = service.known_name(user, _language(request))
    lang = service.language(user) if named else None
    reply = answer(
        wire.Me(user, name, lang, named, service.guests.token(user) if fresh else None, service.holiday(user))
    )
    if fresh:
        set_cookie(reply, service, user)
    return reply


async def _named(request: Request) -> str:
    """The guest who sends this; the name suggested to them in their language becomes theirs."""
    user = user_of(request)
    await service_of(request).user_name(user, _language(request))
    return user


def _language(request: Request) -> str:
    wish = request.headers.get("accept-language", "")[:5]
    if wish in LANGUAGES:
        return wish
    return {"ro": "ro", "pt": "pt-PT"}.get(wish[:2], "en")


@documented(router, "POST", "/me", reply=wire.Me, body=wire.MeChange, tag="guests")
async def change_me(request: Request) -> Response:
    """Choose a name or a language, or say until which day I am on holiday."""
    service, user = service_of(request), user_of(request)
    change = await body_of(request, wire.MeChange)
    if change.lang is not None and change.lang not in LANGUAGES:
        raise BadRequest(f"lang: one of {', '.join(LANGUAGES)}")
    try:
        name = clean_name(change.name) if change.name is not None else None
    except BadName as error:
        raise BadRequest(error.said.about("name")) from None
    try:
        holiday = checked_day(change.holiday, time.time()) if isinstance(change.holiday, str) else None
    except BadHoliday as error:
        raise BadRequest(error.said.about("holiday")) from None
    await service.set_user(user, name, change.lang)
    if change.holiday is not msgspec.UNSET:
        await service.set_holiday(user, holiday)
    if name is not None:
        await service.desk.rename(user, name)
    known, lang = service.known_name(user)[0], service.language(user)
    return answer(wire.Me(user, known, lang, True, holiday=service.holiday(user)))


@documented(router, "GET", "/promise", reply=wire.PromiseWire, tag="guests")
async def promise(request: Request) -> Response:
    """The server's commitment to its half of a deal, before I add mine: the ticket makes the table it is for."""
    given = service_of(request).promises.new(user_of(request))
    return answer(wire.PromiseWire(given.table, given.commitment, given.ticket))


@documented(router, "GET", "/me/tables", reply=list[wire.TableLine], tag="guests")
async def my_tables(request: Request) -> Response:
    """Every game of mine, those that wait for me first."""
    user = user_of(request)
    return answer(await asyncio.to_thread(service_of(request).desk.games_of, user))


@documented(router, "GET", "/me/blocks", reply=list[wire.BlockedWire], tag="guests")
async def my_blocks(request: Request) -> Response:
    """The people I have blocked."""
    return answer(service_of(request).blocks.told(user_of(request)))


@documented(router, "DELETE", "/me/blocks/{handle}", reply=list[wire.BlockedWire], tag="guests")
async def unblock(request: Request, handle: Annotated[str, Path(max_length=60, pattern="^[0-9a-f]+$")]) -> Response:
    """Unblock somebody; the people who are still blocked."""
    service, user = service_of(request), user_of(request)
    await service.blocks.undo(user, handle)
    return answer(service.blocks.told(user))


# ---------------------------------------------------------------- what there is


@documented(router, "GET", "/maps", reply=list[str], tag="facts")
async def maps(request: Request) -> Response:
    """The maps that can be played."""
    return answer(list(shipped_maps()))


@documented(router, "GET", "/maps/{map_id}", reply=wire.MapFacts, tag="facts")
async def map_facts(request: Request, map_id: Annotated[str, Path(max_length=40)]) -> Response:
    """What is printed on a map's board and cards."""
    if map_id not in shipped_maps():
        raise Missing(Said("no_map", f"no such map; there are {', '.join(shipped_maps())}"))
    body, small = _facts_bytes(map_id)
    told = {"cache-control": "public, max-age=300", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(small, media_type="application/json", headers={**told, "content-encoding": "gzip"})
    return Response(body, media_type="application/json", headers=told)


@lru_cache(maxsize=16)
def _facts_bytes(map_id: str) -> tuple[bytes, bytes]:
    body = msgspec.json.encode(facts_of(map_of(map_id)))
    return body, gzip.compress(body)


@documented(router, "GET", "/bots", reply=list[wire.BotFact], tag="facts")
async def bots(request: Request) -> Response:
    """The bots: the levels, gentlest first, then those the service's owner added."""
    return answer(service_of(request).roster.wire())


# ---------------------------------------------------------------- tables


@documented(router, "GET", "/tables", reply=list[wire.TableLine])
async def lobby(request: Request) -> Response:
    """The lobby: tables with an empty chair."""
    return answer(await asyncio.to_thread(service_of(request).desk.lobby))


@documented(router, "POST", "/tables", reply=wire.TableWire, body=wire.NewTable)
async def create_table(request: Request) -> Response:
    """Make a table; with `start` and no empty chair the game begins at once."""
    asked, user = await body_of(request, wire.NewTable), await _named(request)
    room = await service_of(request).desk.create(user, asked)
    return answer(room.table_wire(user))


@documented(router, "GET", "/tables/{table_id}", reply=wire.TableWire)
async def table(request: Request, table_id: TableId) -> Response:
    """A table as I see it."""
    room = await room_of(request, table_id)
    return answer(room.table_wire(user_in(request.headers, request.cookies, service_of(request))))


@documented(router, "POST", "/tables/{table_id}/sit", reply=wire.TableWire, body=wire.SitDown)
async def sit(request: Request, table_id: TableId) -> Response:
    """Take an empty chair, and give my part of the deal."""
    asked, room = await body_of(request, wire.SitDown), await room_of(request, table_id)
    user = await _named(request)
    await service_of(request).desk.sit(room, user, asked.browser_seed)
    return answer(room.table_wire(user))


@documented(router, "POST", "/tables/{table_id}/leave", reply=wire.TableWire)
async def leave(request: Request, table_id: TableId) -> Response:
    """Get up; from a game that runs, a bot plays on for me until I am back."""
    user, room = user_of(request), await room_of(request, table_id)
    await service_of(request).desk.leave(room, user)
    return answer(room.table_wire(user))


@documented(router, "POST", "/tables/{table_id}/seats", reply=wire.TableWire, body=wire.SeatChange)
async def change_seat(request: Request, table_id: TableId) -> Response:
    """The host puts a bot on an empty chair, or opens a bot's chair."""
    user, change = user_of(request), await body_of(request, wire.SeatChange)
    room = await room_of(request, table_id)
    await service_of(request).desk.set_chair(room, user, change)
    return answer(room.table_wire(user))


@documented(router, "POST", "/tables/{table_id}/start", reply=wire.TableWire)
async def start(request: Request, table_id: TableId) -> Response:
    """Deal."""
    user, room = user_of(request), await room_of(request, table_id)
    await room.begin(user)
    return answer(room.table_wire(user))


@documented(router, "POST", "/tables/{table_id}/back", reply=wire.TableWire)
async def back(request: Request, table_id: TableId) -> Response:
    """Take my seat back from the bot that played for me."""
    user, room = user_of(request), await room_of(request, table_id)
    room.presence.take_back(_seated(room, user))
    return answer(room.table_wire(user))


@documented(router, "POST", "/tables/{table_id}/rematch", reply=wire.TableWire, body=wire.Rematch)
async def rematch(request: Request, table_id: TableId) -> Response:
    """The next game with the same players, the seats turned by one."""
    user, asked = await _named(request), await body_of(request, wire.Rematch)
    room = await room_of(request, table_id)
    again = await service_of(request).desk.rematch(room, user, asked)
    return answer(again.table_wire(user))


# ---------------------------------------------------------------- the game


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
    user, asked = user_of(request), await body_of(request, wire.MoveRequest)
    check_cid(asked.cid)
    room = await room_of(request, table_id)
    seat = _seated(room, user)
    reply = await room.move(seat, wire.Move(asked.seq, asked.cid, asked.lines))
    if isinstance(reply, wire.Ack):
        return answer(wire.MoveReply(True, reply.seq, "", "", False))
    return answer(wire.MoveReply(False, asked.seq, reply.clause, reply.reason, reply.stale), 409)


def check_cid(cid: str) -> None:
    if not 1 <= len(cid) <= 40 or not cid.isascii() or not cid.isprintable():
        raise BadRequest("cid: 1 to 40 printable ASCII characters, new for every move")


@documented(router, "GET", "/tables/{table_id}/history", reply=list[wire.StepWire], tag="play")
async def history(
    request: Request,
    table_id: TableId,
    since: Annotated[int, Query(alias="from", ge=0, description="Only steps after this number")] = 0,
) -> Response:
    """All that happened so far, as I may know it."""
    service, room = service_of(request), await room_of(request, table_id)
    table = room.table
    if table.seed is None or table.state == "open":
        return answer([])
    seat = table.seat_of(user_in(request.headers, request.cookies, service))
    log = await asyncio.to_thread(service.desk.log, table_id)
    body = await service.workers.run(
        told_history, table.map.id, len(table.chairs), table.seed, log, seat, since, seconds=SLOW_SECONDS
    )
    return await asyncio.to_thread(packed, request, body, "application/json")


# ---------------------------------------------------------------- after the game


def _over(room: Room) -> int:
    """The deal's seed, which is told once the game is over."""
    if room.table.state != "over" or room.table.seed is None:
        raise Conflict(Said("hidden_cards", "the game is not over: its hidden cards are told afterwards"))
    return room.table.seed


@documented(router, "GET", "/tables/{table_id}/scores", reply=list[wire.ScoreWire], tag="after")
async def scores(request: Request, table_id: TableId) -> Response:
    """The score sheets."""
    room = await room_of(request, table_id)
    _over(room)
    assert room.table.result is not None
    return Response(room.table.result, media_type="application/json")


@documented(router, "GET", "/tables/{table_id}/replay", reply=list[wire.ReplayStep], tag="after")
async def replay(request: Request, table_id: TableId) -> Response:
    """Every position of a finished game, all hands open."""
    service, room = service_of(request), await room_of(request, table_id)
    seed, table = _over(room), room.table
    log = await asyncio.to_thread(service.desk.timed_log, table_id)
    body = await service.workers.run(replay_steps, table.map.id, len(table.chairs), seed, log, seconds=SLOW_SECONDS)
    return await asyncio.to_thread(packed, request, body, "application/json")


@documented(router, "GET", "/tables/{table_id}/record", reply=dict, tag="after")
async def record(request: Request, table_id: TableId) -> Response:
    """The game file: `branchline replay FILE --verify` checks every move of it, and the deal."""
    service, room = service_of(request), await room_of(request, table_id)
    seed, table = _over(room), room.table
    players = [Player(chair.name, chair.bot) for chair in table.chairs]
    meta = {"played": time.strftime("%Y-%m-%d", time.gmtime(table.started or 0)), "table": table.id}
    log = await asyncio.to_thread(service.desk.log, table_id)
    text = await service.workers.run(
        write_record, table.map.id, players, seed, log, table.fair(), meta, seconds=SLOW_SECONDS
    )
    told = {"content-disposition": f'attachment; filename="branchline-{table.map.id}-{table.id[:8]}.json"'}
    return await asyncio.to_thread(packed, request, text.encode(), "application/json", told)


@documented(router, "GET", "/tables/{table_id}/fair", reply=wire.FairWire, tag="after")
async def fair(request: Request, table_id: TableId) -> Response:
    """The proof of the deal: the commitment at once, the seeds when the game is over."""
    room = await room_of(request, table_id)
    table, over = room.table, room.table.state == "over"
    order = table.placed or list(range(len(table.chairs)))
    proof = table.fair() if over else None
    seeds = proof.seat_seeds if proof else table.seeds()
    return answer(
        wire.FairWire(
            table=table.id,
            commitment=table.commitment,
            server_seed=proof.server_seed if proof else None,
            seats=[
                wire.FairSeat(
                    seat, table.chairs[seat].name, given.seed if over or table.state == "playing" else "", given.by
                )
                for seat, given in zip(order, seeds, strict=True)
            ],
            order=order,
            drawn=table.options.order == "drawn",
            seed=str(table.seed) if over else None,
            fixed_deal=table.options.fixed_deal,
            checked=check(proof, table.seed) if proof and table.seed is not None else None,
        )
    )


class TooOften(BadRequest):
    """Asked for more than is given to one person."""

    status = 429


@documented(router, "POST", "/replay", reply=wire.ReplayFile, body=dict, tag="after")
async def look_at_file(request: Request) -> Response:
    """Play a game file again, to look at; it is kept nowhere. The file is the body."""
    service, user = service_of(request), user_of(request)
    if not service.file_limits.take(user):
        raise TooOften("too many files: wait a minute")
    try:
        body, wrong = await service.files.run(replay_file, await request.body(), seconds=FILE_SECONDS)
    except (TimeoutError, BrokenProcessPool):
        raise BadRequest(Said("file_slow", "this file takes too long to play")) from None
    if wrong:
        raise BadRequest(wrong)
    return await asyncio.to_thread(packed, request, body, "application/json")


# ---------------------------------------------------------------- around


@documented(router, "POST", "/tables/{table_id}/report", reply=dict[str, bool], body=wire.Report)
async def report(request: Request, table_id: TableId) -> Response:
    """Tell the host of this service about a player."""
    service, user = service_of(request), user_of(request)
    told = await body_of(request, wire.Report)
    room = await room_of(request, table_id)
    if not 0 <= told.seat < len(room.table.chairs):
        raise BadRequest(f"seat: 0 to {len(room.table.chairs) - 1}")
    if len(told.text) > LONGEST_REPORT:
        raise BadRequest(Said("report_long", f"text: {LONGEST_REPORT} letters at the most", LONGEST_REPORT))
    said = [{"seat": c.seat, "name": c.name, "text": c.text, "at": c.at} for c in service.chat.last(table_id) if c.text]
    context = json.dumps({"text": told.text, "name": room.table.chairs[told.seat].name, "chat": said[-20:]})
    await service.store.write(
        (
            "INSERT INTO reports (table_id, at, by_user, about_seat, reason, context) VALUES (?, ?, ?, ?, ?, ?)",
            (table_id, time.time(), user, told.seat, told.reason, context),
        )
    )
    service.log.warning("a player was reported", table=table_id, reason=told.reason)
    return answer({"ok": True})


@documented(router, "POST", "/tables/{table_id}/block", reply=wire.TableWire, body=wire.Block)
async def block(request: Request, table_id: TableId) -> Response:
    """Block a person: I am told nothing they say, and we do not meet at tables of the lobby."""
    service, user = service_of(request), await _named(request)
    asked, room = await body_of(request, wire.Block), await room_of(request, table_id)
    if not 0 <= asked.seat < len(room.table.chairs):
        raise BadRequest(f"seat: 0 to {len(room.table.chairs) - 1}")
    other = room.table.chairs[asked.seat].user
    if other is None or other == user:
        raise BadRequest("seat: one on which another person sits")
    await service.blocks.set(user, other, asked.blocked)
    room.tell_reader(user)
    return answer(room.table_wire(user))


@documented(router, "GET", "/tables/{table_id}/qr.svg", reply=bytes)
async def qr(request: Request, table_id: TableId) -> Response:
    """The table's link as a QR code."""
    await room_of(request, table_id)
    picture = await asyncio.to_thread(_qr, str(request.base_url).rstrip("/") + f"/t/{table_id}")
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


def _qr(link: str) -> bytes:
    out = io.BytesIO()
    code = segno.make(link, error="m")
    code.save(out, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, dark="#1d1a14", light="#fbf6e9")
    return out.getvalue()
