"""Making a table, and dealing at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from branchline.deal import check_players
from branchline.fair import seed_fault
from branchline.maps.loader import known_maps
from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.away import ticking
from branchline.server.tables.clock import Clock
from branchline.server.tables.colours import check_wishes, coloured
from branchline.server.tables.course import Course
from branchline.server.tables.keeping import change_of, log_rows
from branchline.server.tables.outcome import Facts, Outcome, Stands, TableChanged
from branchline.server.tables.promises import Kept
from branchline.server.tables.roster import Roster, names_of
from branchline.server.tables.state import (
    Agreed,
    Chair,
    Chairs,
    Dealt,
    Options,
    Over,
    Playing,
    Table,
    Waiting,
    deal_of,
    on_one_device,
)
from branchline.server.wire.facts import map_of
from branchline.server.wire.refusals import BadRequest, Conflict, Forbidden
from branchline.server.wire.sentences import Sentence
from branchline.server.words.names import BadName, clean_name, told_apart

PROMISE_USED = Sentence("promise_used", "this promise was used already; GET /api/promise gives another")
MOST_CHOSEN_SEED = 1 << 53  # a chosen deal travels through JavaScript's numbers


class Begun(NamedTuple):
    """A game that is to be played on: its map, its deal and the moves that count, as pairs of seat and line."""

    map: str
    map_hash: str | None
    players: int
    seed: int
    moves: tuple[tuple[int, str], ...]


def new_table(request: wire.NewTable, owner: str, name: str, kept: Kept, roster: Roster, now: float) -> Waiting:
    """The table somebody asks for, with the server's half of the deal; refuses what cannot be, in words."""
    if request.map not in known_maps():
        raise BadRequest(f'no map "{request.map[:40]}"; there are {", ".join(known_maps())}')
    data = map_of(request.map)
    try:
        check_players(data, len(request.seats))
    except ValueError as error:
        raise BadRequest(str(error)) from None
    check_clock(request.clock)
    check_browser_seed(request.browser_seed)
    _check_chosen(request)
    options = Options(request.order, request.clock, request.seed is not None)
    agreed = Agreed(kept.table, data, options, request.listed, kept.server_seed, kept.key, now)
    return Waiting(agreed, owner, _chairs(request, owner, name, roster), now, request.seed)


def create(
    request: wire.NewTable,
    owner: str,
    name: str,
    kept: Kept,
    roster: Roster,
    now: float,
    cid: str = "",
    begun: Begun | None = None,
) -> Outcome:
    """A new table, and its game if it is to begin at once, or is one to be played on: one change."""
    table: Table = new_table(request, owner, name, kept, roster, now)
    if begun is not None and isinstance(table, Waiting):
        return _played_on(request, table, begun, now, commands.Start(user=owner, cid=cid))
    start = request.start or on_one_device(table.chairs)
    if start and isinstance(table, Waiting) and not any(chair.is_open for chair in table.chairs):
        table = dealt(table, now)
    asked = commands.Start(user=owner, cid=cid)
    return Outcome(table, change_of(None, table, now, asked=asked))


def _played_on(request: wire.NewTable, table: Waiting, begun: Begun, now: float, asked: commands.Start) -> Outcome:
    """A finished game played on from one of its moves, with the same cards: for practice."""
    _check_practice(request, begun)
    if begun.map_hash not in (None, table.agreed.map.hash):
        raise Conflict(Sentence("map_changed", "the map has changed since that game was played"))
    table = replace(table, chosen_seed=begun.seed)
    options = msgspec.structs.replace(table.agreed.options, fixed_deal=True)
    table = replace(table, agreed=replace(table.agreed, options=options))
    playing = dealt(table, now)
    course = playing.course
    by = ["bot" if chair.bot else "player" for chair in playing.chairs]
    dones = [course.play(seat, line, by[seat]) for seat, line in begun.moves]
    log = log_rows(dones, None, now) if dones else []
    return Outcome(playing, change_of(None, playing, now, log=log, asked=asked))


def _check_practice(request: wire.NewTable, begun: Begun) -> None:
    kinds = [seat.kind for seat in request.seats]
    if (request.map, len(kinds)) != (begun.map, begun.players):
        raise BadRequest(f"from_here: that game is played on {begun.map} by {begun.players}")
    if sorted(kinds) != sorted(["me", *["bot"] * (len(kinds) - 1)]) or request.order != "fixed":
        raise BadRequest("from_here: one seat is mine and all others are bots', in a fixed order")
    if request.listed or request.clock.kind != "none" or request.seed is not None:
        raise BadRequest("from_here: such a game is not listed, has no clock and no other deal")


def start(table: Table, command: commands.Start, facts: Facts) -> Outcome:
    """Deal, if all chairs are taken and the host says so."""
    if command.user != table.owner:
        raise Forbidden(Sentence("host_only", "only who made the table can start the game"))
    if not isinstance(table, Waiting):
        raise Conflict(Sentence("begun_already", "the game has begun already"))
    if table.expected:
        raise Conflict(Sentence("expected", "somebody is still expected: wait, or free the seat"))
    if any(chair.is_open for chair in table.chairs):
        raise Conflict(Sentence("empty_chair", "a chair is empty: wait for somebody, or put a bot on it"))
    after = dealt(table, facts.now)
    return Outcome(after, change_of(table, after, facts.now, asked=command), (TableChanged(), Stands()))


def dealt(table: Waiting, now: float) -> Playing:
    """The game of a table: who sits where and which cards come follow from the seeds of all, or were chosen."""
    fair, agreed = deal_of(table), table.agreed
    seed = fair.seed if table.chosen_seed is None else table.chosen_seed
    seated = list(table.chairs)
    for chair, given, seat in zip(table.chairs, fair.seat_seeds, fair.order, strict=True):
        seated[seat] = replace(chair, seed=given.seed if given.by == "browser" else None)
    option = agreed.options.clock
    playing = Playing(
        agreed=agreed,
        owner=table.owner,
        chairs=tuple(seated),
        updated=now,
        dealt=Dealt(seed, tuple(fair.order), now),
        course=Course.begin(agreed.map, len(seated), seed),
        clock=Clock.begin(option, len(seated), now) if option.kind != "none" else None,
    )
    return ticking(playing, now)


# ---------------------------------------------------------------- a rematch


def rematch(table: Table, command: commands.Rematch, facts: Facts) -> Outcome:
    """The same people and bots again, each a seat further. Chairs are kept for the others: when all have come, and have
    given their part of the deal, it begins by itself."""
    check_browser_seed(command.browser_seed)
    over = played(table, command.user)
    if over.rematch is not None:
        return Outcome(over)
    assert facts.kept is not None and facts.roster is not None
    request = _same_again(over, command)
    made = new_table(request, command.user, facts.name, facts.kept, facts.roster, facts.now)
    again = gathered(_kept_for(over, replace(made, agreed=replace(made.agreed, rematch_of=over.agreed.id))), facts.now)
    after = replace(over, rematch=again.agreed.id)
    return Outcome(
        after,
        change_of(over, after, facts.now, asked=command),
        (TableChanged(),),
        made=again,
        made_change=change_of(None, again, facts.now),
    )


def gathered(table: Waiting, now: float) -> Waiting | Playing:
    """A rematch begins by itself when nobody is missing any more."""
    if table.agreed.rematch_of is None or table.expected or any(chair.is_open for chair in table.chairs):
        return table
    return dealt(table, now)


def _kept_for(over: Over, again: Waiting) -> Waiting:
    """The chairs of the others, kept for them."""
    turned = (*over.chairs[1:], over.chairs[0])
    kept = [seat for seat, chair in enumerate(again.chairs) if chair.is_open and turned[seat].user]
    chairs = [
        replace(chair, user=turned[seat].user, name=turned[seat].name) if seat in kept else chair
        for seat, chair in enumerate(again.chairs)
    ]
    return replace(again, chairs=tuple(chairs), expected=frozenset(kept))


def played(table: Table, user: str) -> Over:
    """The finished game of who asks for another."""
    if user not in (chair.user for chair in table.chairs):
        raise Forbidden(Sentence("rematch_played", "only who played can ask for a rematch"))
    if not isinstance(table, Over):
        raise Conflict(Sentence("not_over", "the game is not over"))
    return table


def _same_again(over: Over, command: commands.Rematch) -> wire.NewTable:
    turned = (*over.chairs[1:], over.chairs[0])
    return wire.NewTable(
        map=over.agreed.map.id,
        seats=[_asked_seat(chair, command.user, here=on_one_device(over.chairs)) for chair in turned],
        listed=over.agreed.listed,
        order="fixed",  # the seats turn by one: that is the order
        clock=over.agreed.options.clock,
        browser_seed=command.browser_seed,
    )


def _asked_seat(chair: Chair, user: str, *, here: bool) -> wire.SeatRequest:
    if here and chair.user == user:
        return wire.SeatRequest("here", colour=chair.colour, name=chair.name)
    if chair.user == user:
        return wire.SeatRequest("me", colour=chair.colour)
    return wire.SeatRequest("bot" if chair.bot else "open", chair.bot, chair.colour)


# ---------------------------------------------------------------- checks


def _chairs(request: wire.NewTable, owner: str, name: str, roster: Roster) -> Chairs:
    if sum(seat.kind == "me" for seat in request.seats) > 1:
        raise BadRequest("you can sit on one chair only")
    check_wishes([seat.colour for seat in request.seats])
    _check_device(request)
    chairs: list[Chair] = []
    for seat in request.seats:
        if seat.kind == "me":
            chairs.append(Chair(user=owner, name=name, seed=request.browser_seed))
        elif seat.kind == "here":
            seed = request.browser_seed if not any(chair.user for chair in chairs) else None
            chairs.append(Chair(user=owner, name=_name_here(seat.name, chairs), seed=seed))
        elif seat.kind == "bot":
            chairs.append(bot_chair(seat.bot, chairs, roster))
        else:
            chairs.append(Chair())
    colours = coloured([seat.colour for seat in request.seats])
    return tuple(replace(chair, colour=colour) for chair, colour in zip(chairs, colours, strict=True))


def _check_device(request: wire.NewTable) -> None:
    """People around one device are all there is, but for bots: nobody else comes, and no clock runs."""
    kinds = [seat.kind for seat in request.seats]
    if "here" not in kinds:
        if any(seat.name is not None for seat in request.seats):
            raise BadRequest("name: for a chair of the kind here")
        return
    if kinds.count("here") < 2:
        raise BadRequest(Sentence("device_two", "on one device at least two people play"))
    if "me" in kinds or "open" in kinds or request.listed:
        raise BadRequest(Sentence("device_only", "on one device there are the people around it and bots, nobody else"))
    if request.clock.kind != "none":
        raise BadRequest(Sentence("device_clock", "on one device there is no clock: pass it on when you are ready"))


def _name_here(name: str | None, others: Sequence[Chair]) -> str:
    try:
        return told_apart(clean_name(name or ""), [chair.name for chair in others])
    except BadName as error:
        raise BadRequest(error.sentence.about("name")) from None


def bot_chair(bot: str | None, others: Sequence[Chair], roster: Roster) -> Chair:
    """A bot's chair, with a name nobody else at the table has."""
    found = roster.find(bot)
    if found is None:
        raise BadRequest(f'no bot "{(bot or "")[:40]}"; there are {roster.names()}')
    taken = {chair.name for chair in others}
    return Chair(bot=found.id, name=next(name for name in names_of(found.id) if name not in taken))


def _check_chosen(request: wire.NewTable) -> None:
    if request.seed is not None and not 0 <= request.seed < MOST_CHOSEN_SEED:
        most = MOST_CHOSEN_SEED - 1
        raise BadRequest(Sentence("deal_number", f"a chosen deal is a whole number from 0 to {most}"))
    if request.seed is not None and request.listed:
        raise BadRequest(
            Sentence("deal_listed", "a chosen deal is for friends and practice: it cannot be listed in the lobby")
        )


def check_clock(clock: wire.ClockOption) -> None:
    if clock.kind == "live" and not (30 <= clock.pool <= 7200 and 0 <= clock.increment <= 300):
        raise BadRequest(Sentence("clock_live", "a live clock has 30 to 7200 seconds and an increment of 0 to 300"))
    if clock.kind == "days" and not 0.25 <= clock.days <= 14:
        raise BadRequest(Sentence("clock_days", "days for a move: 0.25 to 14"))


def check_browser_seed(seed: str | None) -> None:
    reason = seed_fault(seed) if seed is not None else ""
    if reason:
        raise BadRequest(f"browser_seed: {reason}")
