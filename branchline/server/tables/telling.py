"""What readers are told: the table as each of them sees it, the game as each of them may know it. All of it follows
from the table and from who is here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from branchline.events import Reader
from branchline.server import wire
from branchline.server.tables.course import Done
from branchline.server.tables.outcome import Moved
from branchline.server.tables.play import vote_wire
from branchline.server.tables.state import Begun, Chair, Over, Playing, Table, seat_of
from branchline.server.wire.views import events_for, offers_of, view_wire

encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks on, and what is known of the people at the table that does not stand at the table."""

    here: frozenset[str]
    spectators: int
    holidays: frozenset[str]  # people whose clocks of days do not run out
    now: float


def table_wire(
    table: Table, user: str | None, audience: Audience, blocked: frozenset[str] = frozenset()
) -> wire.TableWire:
    """A table as one reader sees it."""
    agreed, you = table.agreed, seat_of(table, user)
    return wire.TableWire(
        id=agreed.id,
        map=agreed.map.id,
        state=table.state,
        seats=[_seat_wire(table, seat, you, audience, blocked) for seat in range(len(table.chairs))],
        you=you,
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
    )


def _seat_wire(table: Table, seat: int, you: int | None, audience: Audience, blocked: frozenset[str]) -> wire.SeatWire:
    chair: Chair = table.chairs[seat]
    playing = table if isinstance(table, Playing) else None
    return wire.SeatWire(
        kind=chair.kind,
        name=chair.name,
        bot=chair.bot,
        you=seat == you,
        connected=chair.bot is not None or chair.user in audience.here,
        proxied=playing is not None and seat in playing.proxied,
        clock_out=playing is not None and seat in playing.clock_out,
        blocked=chair.user in blocked,
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
        wire.StepWire(done.told[at], done.entry.seat, done.entry.by, events_for(done.events, reader))
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


def open_vote(table: Table) -> wire.Vote | None:
    """What people are being asked, if anything."""
    if not isinstance(table, Playing):
        return None
    if table.back is not None:
        return vote_wire(table.back, "back")
    return vote_wire(table.pause, "pause") if table.pause is not None else None


def stands_texts(table: Table, reader: Reader, audience: Audience, *, anew: bool = False) -> list[str]:
    """The present state, whatever the reader knew; `anew`: it asks for the history again."""
    if not isinstance(table, Playing | Over):
        return []
    texts = [update_text(table, reader, audience, -1 if anew else None)]
    if isinstance(table, Over):
        texts.append(finale_text(table))
    vote = open_vote(table)
    if vote is not None:
        texts.append(encode(vote).decode())
    return texts
