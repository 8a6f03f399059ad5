"""Who plays a seat: its owner, or a bot while the owner is away or out of time; and whose clock runs."""

from __future__ import annotations

from dataclasses import replace

from branchline.server.tables import commands
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import NOT_SEATED, Facts, News, Outcome, Stands, TableChanged
from branchline.server.tables.state import Dropped, Playing, Table, Waiting, people, seat_of
from branchline.server.wire.refusals import Conflict


def ticking(table: Playing, now: float) -> Playing:
    """The table with the clocks running of the people who have to choose, and of nobody else."""
    if table.clock is None:
        return table
    game = table.course.game
    seats = [] if table.paused else [s for s in game.to_act if table.chairs[s].user and s not in table.proxied]
    if frozenset(seats) == table.clock.running:
        return table
    return replace(table, clock=table.clock.run(seats, now))


def leave(table: Playing, command: commands.Leave, facts: Facts) -> Outcome:
    """A bot plays on until the owner is back; nobody's time runs meanwhile."""
    seat = seat_of(table, command.user)
    if seat is None:
        raise Conflict(NOT_SEATED)
    after = replace(table, proxied=table.proxied | {seat})
    return _changed(table, after, facts, (TableChanged(),), command)


def come(table: Table, command: commands.Come, facts: Facts) -> Outcome:
    """An owner who opens a stream has the seat back, unless time ran out."""
    seat = seat_of(table, command.user)
    if not isinstance(table, Playing) or seat not in table.proxied - table.clock_out:
        return Outcome(table)
    after = replace(table, proxied=table.proxied - {seat})
    return _changed(table, after, facts, (TableChanged(),))


def take_seat(table: Table, command: commands.TakeSeat, facts: Facts) -> Outcome:
    """The owner plays again, with some time at the least."""
    seat = seat_of(table, command.user)
    if seat is None:
        raise Conflict(NOT_SEATED)
    if not isinstance(table, Playing) or seat not in table.proxied | table.clock_out:
        return Outcome(table)
    clock = table.clock
    if seat in table.clock_out and clock:
        clock = clock.forgive(seat, facts.now)
    after = replace(table, clock=clock, proxied=table.proxied - {seat}, clock_out=table.clock_out - {seat})
    return _changed(table, after, facts, (TableChanged(), Stands()), command)


def gone(table: Table, command: commands.Gone, facts: Facts) -> Outcome:
    """Away for too long: a bot plays on for the others' sake."""
    if not isinstance(table, Playing) or command.seat not in missed(table, facts.here).values():
        return Outcome(table)
    after = replace(table, proxied=table.proxied | {command.seat})
    return _changed(table, after, facts, (TableChanged(),))


def missed(table: Table, here: frozenset[str]) -> dict[str, int]:
    """Whom to miss, with their seats: nobody in a game of days, in a pause, or while no person waits."""
    if not isinstance(table, Playing) or table.agreed.options.clock.kind == "days" or table.paused:
        return {}
    if not here & set(people(table)):
        return {}
    seats = enumerate(table.chairs)
    return {c.user: s for s, c in seats if c.user and c.user not in here and s not in table.proxied}


def time_out(table: Table, facts: Facts) -> Outcome:
    """Whose clock is out is replaced by a bot; a holiday gives the time until its end."""
    if not isinstance(table, Playing) or table.clock is None:
        return Outcome(table)
    after = table
    for seat in table.clock.out(facts.now):
        assert after.clock is not None
        holiday = facts.holidays.get(seat, 0.0)
        if holiday > 0:
            after = replace(after, clock=after.clock.at_least(seat, holiday, facts.now))
        else:
            after = replace(after, clock_out=after.clock_out | {seat}, proxied=after.proxied | {seat})
    return Outcome(table) if after is table else _changed(table, after, facts, (TableChanged(),))


def close(table: Table, facts: Facts) -> Outcome:
    """Nobody started this table, or nobody came back to its game."""
    if not isinstance(table, Waiting | Playing):
        return Outcome(table)
    dealt = table.dealt if isinstance(table, Playing) else None
    after = Dropped(table.agreed, table.owner, table.chairs, facts.now, dealt)
    return Outcome(after, change_of(table, after, facts.now), (TableChanged(),))


def _changed(
    before: Playing, after: Playing, facts: Facts, news: tuple[News, ...], asked: commands.OfPerson | None = None
) -> Outcome:
    after = ticking(after, facts.now)
    return Outcome(after, change_of(before, after, facts.now, asked=asked), news)
