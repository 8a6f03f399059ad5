"""From its rows to a table: the game is its log, played again from the last position kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from branchline.maps.loader import known_maps
from branchline.maps.model import MapData
from branchline.server import wire
from branchline.server.tables.away import ticking
from branchline.server.tables.clock import Clock
from branchline.server.tables.colours import coloured
from branchline.server.tables.course import Course, Entry, Snapshot, game_after
from branchline.server.tables.keeping import LAYOUT
from branchline.server.tables.moment import Moment, VoteRow, read_moment
from branchline.server.tables.rows import LogRow, Stored, TableRow
from branchline.server.tables.state import (
    Absence,
    Agreed,
    Chair,
    Chairs,
    Dealt,
    Dropped,
    Nudge,
    Options,
    Over,
    Plan,
    Playing,
    Table,
    Vote,
    Waiting,
)
from branchline.server.wire.facts import map_of
from branchline.server.words.names import told_apart
from branchline.version import RULES_VERSION


class Unplayable(Exception):
    """A game that cannot be played on; the message says why. It is put aside, and nobody else is harmed."""


# Made once: a decoder looks at its type when it is made, which takes long and leaves a circle.
_SNAPSHOT = msgspec.msgpack.Decoder(Snapshot)
_OPTIONS = msgspec.json.Decoder(Options)
_PLAN = msgspec.json.Decoder(Plan)


def table_of(stored: Stored, now: float, up_since: float) -> Table:
    """The table of these rows; raises `Unplayable`. Takes long with a long log: for a thread.

    `up_since` is when this process started: from then on the days of a game count, though nobody looked at it.
    """
    if stored.table.broken:
        raise Unplayable(stored.table.broken)
    try:
        return _table(stored, now, up_since)
    except Unplayable:
        raise
    except Exception as error:  # whatever is wrong with a row: it is this game's trouble and nobody else's
        raise Unplayable(f"it cannot be read: {type(error).__name__}: {error}"[:300]) from None


def _table(stored: Stored, now: float, up_since: float) -> Table:
    row, agreed = stored.table, _agreed(stored.table)
    chairs = _chairs(stored)
    if row.state == "open":
        moment = json.loads(row.moment) if row.moment else {}
        expected = frozenset(seat for seat in moment.get("expected", ()) if chairs[seat].user)
        return Waiting(agreed, row.owner, chairs, row.updated, row.seed, frozenset(moment.get("removed", ())), expected)
    dealt = _dealt(stored)
    if row.state == "dropped":
        return Dropped(agreed, row.owner, chairs, row.updated, dealt)
    if dealt is None:
        raise Unplayable("its deal was not written down")
    log = entries(stored.log)
    course = _course(stored, agreed.map, dealt, log)
    if row.state == "over":
        if row.result is None or row.ended is None:
            raise Unplayable("its result was not written down")
        clock = _clock(agreed.options.clock, read_moment(row.moment), 0.0, now) if row.moment else None
        result = row.result.encode()
        return Over(agreed, row.owner, chairs, row.updated, dealt, course, row.ended, result, row.rematch, clock)
    kept_at = stored.snapshot.seq if stored.snapshot and stored.snapshot.layout == LAYOUT else 0
    playing = Playing(agreed, row.owner, chairs, row.updated, dealt, course, kept_at=kept_at, plans=_plans(stored))
    return _in_its_moment(playing, stored, log, now, up_since)


@dataclass(frozen=True, slots=True)
class Outline:
    """A table without its game: what was agreed, who sat there, what was dealt."""

    agreed: Agreed
    chairs: Chairs
    dealt: Dealt | None


def outline_of(stored: Stored) -> Outline:
    """What can be said of a table without playing its log; raises `Unplayable`."""
    if stored.table.broken:
        raise Unplayable(stored.table.broken)
    dealt = _dealt(stored) if stored.table.state in ("playing", "over") else None
    return Outline(_agreed(stored.table), _chairs(stored), dealt)


def entries(log: Sequence[LogRow]) -> list[Entry]:
    return [Entry(row.seq, row.seat, row.line, row.by) for row in log]


# ---------------------------------------------------------------- what was agreed


def _agreed(row: TableRow) -> Agreed:
    return Agreed(
        id=row.id,
        map=_map(row),
        options=_OPTIONS.decode(row.options),
        listed=row.listed,
        server_seed=row.server_seed,
        deal_key=row.deal_key,
        created=row.created,
        rematch_of=row.rematch_of,
    )


def _map(row: TableRow) -> MapData:
    """The map it is played on; a row of version 0.1 does not say which version of it, and has the present one."""
    if row.map not in known_maps():
        raise Unplayable(f'the map "{row.map}" is gone')
    data = map_of(row.map)
    if row.map_hash not in (None, data.hash) and row.state != "open":
        raise Unplayable(f'the map "{row.map}" is not the one it was begun on (it was {str(row.map_hash)[:12]})')
    if row.rules not in (None, RULES_VERSION) and row.state != "open":
        raise Unplayable(f"it was begun under version {row.rules} of the rules; this is version {RULES_VERSION}")
    return data


def _chairs(stored: Stored) -> Chairs:
    """Who sits there; at a table whose game is not over people have the name they have now."""
    users = [row.user for row in stored.chairs]
    now = stored.names if stored.table.state in ("open", "playing") else {}
    now = {user: name for user, name in now.items() if users.count(user) == 1}  # on one device each has their own
    names = [row.name for row in stored.chairs]
    for seat, row in enumerate(stored.chairs):
        if row.user in now:
            names[seat] = told_apart(now[row.user], names[:seat] + names[seat + 1 :])
    colours = coloured([row.colour for row in stored.chairs])
    return tuple(
        Chair(row.user, row.bot, name, row.seed, colour)
        for row, name, colour in zip(stored.chairs, names, colours, strict=True)
    )


def _dealt(stored: Stored) -> Dealt | None:
    row = stored.table
    if row.seed is None or row.started is None:
        return None
    sat = sorted((chair.place, chair.seat) for chair in stored.chairs if chair.place is not None)
    return Dealt(row.seed, tuple(seat for _, seat in sat), row.started)


# ---------------------------------------------------------------- the game


def _course(stored: Stored, data: MapData, dealt: Dealt, log: list[Entry]) -> Course:
    snapshot = stored.snapshot
    if snapshot is not None and snapshot.layout == LAYOUT:
        course = Course.restore(data, _SNAPSHOT.decode(snapshot.body), snapshot.seq)
    else:
        course = Course.begin(data, len(stored.chairs), dealt.seed)
    for entry in log:
        if entry.seq > course.seq:
            course.replay(entry, log)
    return course


def _plans(stored: Stored) -> tuple[Plan, ...]:
    """The plans of the people who sit there; one that cannot be read is none, and no trouble of the game's."""
    plans = []
    for row in stored.plans:
        owner = stored.chairs[row.seat].user if row.seat < len(stored.chairs) else None
        try:
            if row.body is not None and owner == row.user:
                plans.append(_PLAN.decode(row.body))
        except msgspec.DecodeError:
            continue
    return tuple(plans)


def _in_its_moment(table: Playing, stored: Stored, log: list[Entry], now: float, up_since: float) -> Playing:
    """The game with its clocks, who is away and what is voted on."""
    if stored.table.moment is None:
        return ticking(_in_its_old_moment(table, stored, now, up_since), now)
    moment = read_moment(stored.table.moment)
    gone = stored.gone
    if table.agreed.options.clock.kind == "days":
        gone += max(0.0, now - max(moment.since + gone, up_since))
    table = replace(
        table,
        clock=_clock(table.agreed.options.clock, moment, gone, now),
        proxied=frozenset(moment.proxied),
        clock_out=frozenset(moment.out),
        paused=moment.paused,
        back=_vote(table, moment.back, log),
        pause=_vote(table, moment.pause, None),
        bot=_vote(table, moment.bot, None),
        refused_at=moment.refused_at,
        absences=tuple(Absence(a.seat, a.why, a.at, a.told, tuple(a.agreed)) for a in moment.absences),
        nudges=tuple(Nudge(n.by, n.seat, n.at, n.told) for n in moment.nudges),
    )
    return ticking(table, now)


def _clock(option: wire.ClockOption, moment: Moment, gone: float, now: float) -> Clock | None:
    """The clocks as they stood when their process was last alive: nobody loses time while none plays them."""
    if option.kind == "none" or moment.left is None:
        return None
    running = frozenset(moment.running)
    left = tuple(max(0.0, n - gone) if seat in running else n for seat, n in enumerate(moment.left))
    used = tuple(moment.used or [0.0] * len(left))
    return Clock(option, left, used, running, now)


def _vote(table: Playing, row: VoteRow | None, log: list[Entry] | None) -> Vote | None:
    if row is None:
        return None
    game = game_after(table.course.game, log, row.back_to) if log is not None else None
    return Vote(row.seat, frozenset(row.agreed), row.back_to, game, row.about)


def _in_its_old_moment(table: Playing, stored: Stored, now: float, up_since: float) -> Playing:
    """A game that version 0.1 wrote down, with its clocks as they stood after the last move or at a later pause."""
    option = table.agreed.options.clock
    if option.kind == "none":
        return table
    clock = Clock.begin(option, len(table.chairs), now)
    entry, pause = stored.old_clocks
    told = json.loads(pause) if pause else None
    left = told["left"] if told else json.loads(entry) if entry else None
    if left is not None:
        clock = replace(clock, left_then=tuple(float(n) for n in left))
    if option.kind == "days":
        since = min(now, max(table.updated, up_since))
        clock = replace(clock, running=frozenset(table.course.game.to_act), since=since)
    return replace(table, clock=clock, paused=bool(told and told["paused"]))
