"""What readers are told: the table as each of them sees it, the game as each of them may know it. All of it follows
from the table and from who is here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from branchline.events import Reader
from branchline.server import wire
from branchline.server.tables.ballots import open_votes
from branchline.server.tables.course import Done, told_by
from branchline.server.tables.nudges import nudged_by
from branchline.server.tables.outcome import Moved
from branchline.server.tables.state import Begun, Chair, Over, Playing, Table, Waiting, seat_of, seats_of
from branchline.server.wire.views import events_for, offers_of, view_wire

encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks on, and what is known of the people at the table that does not stand at the table."""

    here: frozenset[str]
    spectators: int
    holidays: frozenset[str]  # people whose clocks of days do not run out
    now: float
    away: Mapping[str, float] = field(default_factory=dict)  # people who are not here, and for how many seconds
    grace: float = 60.0  # after so many they are missed


def table_wire(
    table: Table,
    user: str | None,
    audience: Audience,
    blocked: frozenset[str] = frozenset(),
    wish: int | None = None,
) -> wire.TableWire:
    """A table as one reader sees it; `wish`: through which of their chairs, where they have several."""
    agreed, you, mine = table.agreed, seat_of(table, user, wish), seats_of(table.chairs, user)
    return wire.TableWire(
        id=agreed.id,
        map=agreed.map.id,
        state=table.state,
        seats=[_seat_wire(table, seat, you, audience, blocked) for seat in range(len(table.chairs))],
        you=you,
        here=mine if len(mine) > 1 else [],
        host=user is not None and user == table.owner,
        listed=agreed.listed,
        order=agreed.options.order,
        clock=agreed.options.clock,
        fixed_deal=agreed.options.fixed_deal,
        free_chat=agreed.free_chat,
        commitment=agreed.commitment,
        spectators=audience.spectators,
        created=agreed.created,
        rematch=table.rematch if isinstance(table, Over) else None,
        takebacks=agreed.takebacks,
        paused=isinstance(table, Playing) and table.paused,
        link=f"/t/{agreed.id}",
        plan=_plan_wire(table, you),
        nudged=_nudged(table, you, blocked),
        meanwhile=_meanwhile(table, you),
    )


def _plan_wire(table: Table, you: int | None) -> wire.PlanWire | None:
    plan = table.plan_of(you) if isinstance(table, Playing) else None
    return wire.PlanWire([list(wishes) for wishes in plan.turns], plan.result) if plan else None


def _nudged(table: Table, you: int | None, blocked: frozenset[str]) -> list[int]:
    """Who has nudged the reader; of those the reader has blocked nothing is heard."""
    if you is None or not isinstance(table, Playing):
        return []
    return [by for by in nudged_by(table, you) if table.chairs[by].user not in blocked]


def _meanwhile(table: Table, you: int | None) -> wire.Meanwhile | None:
    """What happened while the reader was away, once they have the seat back."""
    if you is None or not isinstance(table, Playing) or you in table.proxied:
        return None
    absence = next((absence for absence in table.absences if absence.seat == you), None)
    if absence is None:
        return None
    return wire.Meanwhile(absence.why, absence.at, absence.told, list(absence.agreed))


def _seat_wire(table: Table, seat: int, you: int | None, audience: Audience, blocked: frozenset[str]) -> wire.SeatWire:
    chair: Chair = table.chairs[seat]
    playing = table if isinstance(table, Playing) else None
    away = audience.away.get(chair.user) if chair.user else None
    return wire.SeatWire(
        kind=chair.kind,
        name=chair.name,
        bot=chair.bot,
        you=seat == you,
        connected=chair.bot is not None or chair.user in audience.here,
        proxied=playing is not None and seat in playing.proxied,
        clock_out=playing is not None and seat in playing.clock_out,
        blocked=chair.user in blocked,
        colour=chair.colour,
        expected=isinstance(table, Waiting) and seat in table.expected,
        away=None if away is None else round(away, 1),
        missed=away is not None and away >= audience.grace,
        nudged=playing is not None and you is not None and you in nudged_by(playing, seat),
        holiday=table.agreed.options.clock.kind == "days" and chair.user in audience.holidays,
    )


def update_text(
    table: Begun, reader: Reader, audience: Audience, since: int | None = None, steps: Sequence[wire.StepWire] = ()
) -> str:
    """The game as a reader may know it; without `since`, as it stands."""
    course, clock = table.course, table.clock
    view = course.game.view(reader)
    number = course.reader_number(reader)
    return encode(
        wire.Update(
            since=number if since is None else since,
            seq=number,
            asked=0 if reader is None else course.asked[reader],
            view=view_wire(view),
            offers=offers_of(view),
            undo=course.can_undo(reader),
            clock=clock.wire(audience.now) if clock else None,
            steps=list(steps),
        )
    ).decode()


def steps_of(dones: Sequence[Done], reader: Reader) -> list[wire.StepWire]:
    """What a reader may know of these entries, in its own numbers."""
    at = -1 if reader is None else reader
    return [
        wire.StepWire(done.told[at], done.entry.seat, told_by(done.entry, reader), events_for(done.events, reader))
        for done in dones
        if done.events
    ]


def moved_text(table: Begun, moved: Moved, reader: Reader, audience: Audience) -> str | None:
    """What happened, to a reader who may know that something did; None for one who may not."""
    at = -1 if reader is None else reader
    if moved.before[at] == table.course.told[at]:
        return None
    return update_text(table, reader, audience, moved.before[at], steps_of(moved.dones, reader))


def finale_text(table: Over) -> str:
    reason = table.course.game.end_reason or ""
    return encode({"t": "finale", "scores": msgspec.Raw(table.result), "reason": reason}).decode()


def stands_texts(table: Table, reader: Reader, audience: Audience, *, anew: bool = False) -> list[str]:
    """The present state, whatever the reader knew; `anew`: it asks for the history again."""
    if not isinstance(table, Playing | Over):
        return []
    texts = [update_text(table, reader, audience, -1 if anew else None)]
    if isinstance(table, Over):
        texts.append(finale_text(table))
    else:
        texts += [encode(vote).decode() for vote in open_votes(table)]
    return texts
