"""The HTTP interface: what happened at a table, told from the store; and game files."""

from __future__ import annotations

import time
from concurrent.futures.process import BrokenProcessPool
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response

from branchline.fair import check
from branchline.record import Player
from branchline.server import wire
from branchline.server.live.held import TABLE_ID, PutAside
from branchline.server.tables.course import Entry
from branchline.server.tables.loading import Outline, Unplayable, entries, outline_of
from branchline.server.tables.rows import Stored
from branchline.server.tables.state import Dealt, proof_of, seat_of, seeds_of
from branchline.server.thinking.askers import Asker
from branchline.server.thinking.finished import Zipped
from branchline.server.thinking.reviewing import Progress
from branchline.server.transport.http import answer, answer_bytes, documented, guest_in, user_of
from branchline.server.transport.parts import address_of, bounds_of, reviewing_of, store_of, thinking_of
from branchline.server.transport.tables_api import TableId
from branchline.server.wire.refusals import BadRequest, Conflict, Missing
from branchline.server.wire.sentences import Sentence

router = APIRouter(prefix="/api")


async def _stored(request: Request, table_id: str) -> tuple[Stored, Outline]:
    """A table as it stands in the store, whoever holds it."""
    stored = await store_of(request).read(table_id) if TABLE_ID.fullmatch(table_id) else None
    if stored is None:
        raise Missing(Sentence("no_table", "there is no such table"))
    try:
        return stored, outline_of(stored)
    except Unplayable as error:
        raise PutAside(str(error)) from None


async def _finished(request: Request, table_id: str) -> tuple[Stored, Outline, Dealt]:
    """A game that is over: its hidden cards are told."""
    stored, outline = await _stored(request, table_id)
    if stored.table.state != "over" or outline.dealt is None:
        raise Conflict(Sentence("hidden_cards", "the game is not over: its hidden cards are told afterwards"))
    return stored, outline, outline.dealt


async def _asker(request: Request) -> Asker:
    """Who asks for a game to be told."""
    user, address = await guest_in(request), address_of(request)
    bounds_of(request).replay(user, address)
    return Asker(user, address)


def _zipped(request: Request, body: Zipped, headers: dict[str, str] | None = None) -> Response:
    told = {**(headers or {}), "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        told["content-encoding"] = "gzip"
        return Response(bytes(body), media_type="application/json", headers=told)
    return Response(body.plain(), media_type="application/json", headers=told)


@documented(router, "GET", "/tables/{table_id}/history", reply=list[wire.StepWire], tag="play")
async def history(
    request: Request,
    table_id: TableId,
    since: Annotated[int, Query(alias="from", ge=0, description="Only steps after this number")] = 0,
    own: Annotated[
        int | None, Query(alias="seat", ge=0, description="Through which of my chairs, where I have several")
    ] = None,
) -> Response:
    """All that happened so far, as I may know it."""
    stored, outline = await _stored(request, table_id)
    if outline.dealt is None:
        return answer([])
    user = await guest_in(request)
    seat = seat_of(outline, user, own)

    async def log() -> list[Entry]:
        return entries(stored.log)

    body = await thinking_of(request).history(
        await _asker(request), _key(stored), stored.table.map, len(outline.chairs), outline.dealt.seed, log, seat, since
    )
    return _zipped(request, body)


def _key(stored: Stored) -> tuple[str, int]:
    return stored.table.id, stored.log[-1].seq if stored.log else 0


@documented(router, "GET", "/tables/{table_id}/scores", reply=list[wire.ScoreWire], tag="after")
async def scores(request: Request, table_id: TableId) -> Response:
    """The score sheets."""
    stored, _, _ = await _finished(request, table_id)
    return answer_bytes((stored.table.result or "[]").encode())


@documented(router, "GET", "/tables/{table_id}/replay", reply=list[wire.ReplayStep], tag="after")
async def replay(request: Request, table_id: TableId) -> Response:
    """Every position of a finished game, all hands open."""
    stored, outline, dealt = await _finished(request, table_id)

    async def log() -> list[tuple[Entry, float]]:
        return [(entry, row.at) for entry, row in zip(entries(stored.log), stored.log, strict=True)]

    body = await thinking_of(request).replay(
        await _asker(request), _key(stored), stored.table.map, len(outline.chairs), dealt.seed, log
    )
    return _zipped(request, body)


@documented(router, "GET", "/tables/{table_id}/record", reply=dict, tag="after")
async def record(request: Request, table_id: TableId) -> Response:
    """The game file: `branchline replay FILE --verify` checks every move of it, and the deal."""
    stored, outline, dealt = await _finished(request, table_id)
    players = [Player(chair.name, chair.bot) for chair in outline.chairs]
    meta = {"played": time.strftime("%Y-%m-%d", time.gmtime(dealt.started)), "table": table_id}
    fair = proof_of(outline.agreed, outline.chairs, dealt)

    async def log() -> list[Entry]:
        return entries(stored.log)

    asker, key, map_id = await _asker(request), _key(stored), stored.table.map
    body = await thinking_of(request).record(asker, key, map_id, players, dealt.seed, log, fair, meta)
    told = {"content-disposition": f'attachment; filename="branchline-{map_id}-{table_id[:8]}.json"'}
    return _zipped(request, body, told)


@documented(router, "GET", "/tables/{table_id}/fair", reply=wire.FairWire, tag="after")
async def fair(request: Request, table_id: TableId) -> Response:
    """The proof of the deal: the commitment at once, the seeds when the game is over."""
    stored, outline = await _stored(request, table_id)
    agreed, chairs, dealt = outline.agreed, outline.chairs, outline.dealt
    over = stored.table.state == "over"
    proof = proof_of(agreed, chairs, dealt) if over and dealt else None
    seeds = proof.seat_seeds if proof else seeds_of(chairs, dealt)
    order = list(dealt.placed) if dealt and dealt.placed else list(range(len(chairs)))
    return answer(
        wire.FairWire(
            table=table_id,
            commitment=agreed.commitment,
            server_seed=proof.server_seed if proof else None,
            seats=[
                wire.FairSeat(seat, chairs[seat].name, given.seed if dealt else "", given.by)
                for seat, given in zip(order, seeds, strict=True)
            ],
            order=order,
            drawn=agreed.options.order == "drawn",
            seed=str(dealt.seed) if over and dealt else None,
            fixed_deal=agreed.options.fixed_deal,
            checked=check(proof, dealt.seed) if proof and dealt else None,
        )
    )


@documented(router, "GET", "/tables/{table_id}/review", reply=wire.ReviewProgress, tag="after")
async def review_progress(request: Request, table_id: TableId) -> Response:
    """How far the review of a finished game is."""
    await _finished(request, table_id)
    reviewing = reviewing_of(request)
    if await reviewing.kept(table_id) is not None:
        return answer(wire.ReviewProgress("done", 0, 0, []))
    return answer(_progress(reviewing.progress(table_id)))


@documented(router, "POST", "/tables/{table_id}/review", reply=wire.ReviewProgress, tag="after")
async def ask_review(request: Request, table_id: TableId) -> Response:
    """Have a finished game reviewed: every decision judged by what its player could know. It takes a minute."""
    stored, outline, dealt = await _finished(request, table_id)
    user, address, reviewing = await user_of(request), address_of(request), reviewing_of(request)
    if await reviewing.kept(table_id) is not None:
        return answer(wire.ReviewProgress("done", 0, 0, []))
    if reviewing.progress(table_id) is None:
        bounds_of(request).review(user, address)
    asker = Asker(user, address)
    nameless = [Player(f"{seat}", chair.bot) for seat, chair in enumerate(outline.chairs)]

    async def game() -> str:
        log = entries(stored.log)
        return await thinking_of(request).game_file(asker, stored.table.map, nameless, dealt.seed, log)

    return answer(_progress(reviewing.ask(table_id, asker, game)))


def _progress(found: Progress | None) -> wire.ReviewProgress:
    if found is None:
        return wire.ReviewProgress("none", 0, 0, [])
    state: wire.ReviewState = "failed" if found.failed else "working"
    curve = msgspec.json.decode(found.beginning, type=list[wire.CurvePoint]) if found.beginning else []
    return wire.ReviewProgress(state, found.done, found.of, curve)


@documented(router, "GET", "/tables/{table_id}/review/told", reply=wire.ReviewWire, tag="after")
async def told_review(request: Request, table_id: TableId) -> Response:
    """The review of a finished game, once it is made."""
    await _finished(request, table_id)
    body = await reviewing_of(request).kept(table_id)
    if body is None:
        raise Missing(Sentence("no_review", "this game has not been reviewed yet"))
    return _zipped(request, body)


@documented(router, "POST", "/replay", reply=wire.ReplayFile, body=dict, tag="after")
async def look_at_file(request: Request) -> Response:
    """Play a game file again, to look at; it is kept nowhere. The file is the body."""
    user = await user_of(request)
    bounds_of(request).file(user, address_of(request))
    try:
        body, wrong = await thinking_of(request).file(Asker(user, address_of(request)), await request.body())
    except (TimeoutError, BrokenProcessPool):
        raise BadRequest(Sentence("file_slow", "this file takes too long to play")) from None
    if wrong:
        raise BadRequest(wrong)
    return _zipped(request, body)
