"""Who plays a seat: its owner, or a bot while the owner has left or is out of time, or because those who wait have
voted for it; and whose clock runs. Nobody is replaced for being away alone."""

from __future__ import annotations

from dataclasses import replace

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.ballots import closed_votes
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import NOT_SEATED, Facts, News, Outcome, Stands, TableChanged
from branchline.server.tables.state import Absence, Dropped, Playing, Table, Waiting, people, seats_of
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


def replaced(table: Playing, seat: int, why: wire.AbsenceReason, now: float, agreed: tuple[int, ...] = ()) -> Playing:
    """From now on a bot plays for a seat; its owner will be told why, and from when."""
    absence = Absence(seat, why, now, table.course.told[seat], agreed)
    others = tuple(other for other in table.absences if other.seat != seat)
    return replace(table, proxied=table.proxied | {seat}, absences=(*others, absence))


def leave(table: Playing, command: commands.Leave, facts: Facts) -> Outcome:
    """A bot plays on until the owner is back; nobody's time runs meanwhile."""
    mine = frozenset(seats_of(table.chairs, command.user))
    if not mine:
        raise Conflict(NOT_SEATED)
    after = table
    for seat in mine:
        after = replaced(after, seat, "left", facts.now)
    return _changed(table, after, facts, (TableChanged(),), command)


def come(table: Table, command: commands.Come, facts: Facts) -> Outcome:
    """An owner who opens a stream has the seat back, unless time ran out; nobody votes about who is here."""
    mine = seats_of(table.chairs, command.user)
    if not isinstance(table, Playing) or not any(is_welcome(table, seat) for seat in mine):
        return Outcome(table)
    return _changed(table, _taken(table, frozenset(mine) - table.clock_out), facts, (TableChanged(),))


def is_welcome(table: Playing, seat: int) -> bool:
    """Whether something changes when the owner of a seat comes."""
    voted = table.bot is not None and table.bot.about == seat
    return voted or seat in table.proxied - table.clock_out


def take_seat(table: Table, command: commands.TakeSeat, facts: Facts) -> Outcome:
    """The owner plays again, with some time at the least."""
    mine = frozenset(seats_of(table.chairs, command.user))
    if not mine:
        raise Conflict(NOT_SEATED)
    if not isinstance(table, Playing) or not mine & (table.proxied | table.clock_out):
        return Outcome(table)
    clock = table.clock
    for seat in mine & table.clock_out:
        clock = clock.forgive(seat, facts.now) if clock else None
    after = replace(_taken(table, mine), clock=clock, clock_out=table.clock_out - mine)
    return _changed(table, after, facts, (TableChanged(), Stands()), command)


def _taken(table: Playing, seats: frozenset[int]) -> Playing:
    """The owner has the seats back."""
    bot = table.bot if table.bot is not None and table.bot.about not in seats else None
    return replace(table, proxied=table.proxied - seats, bot=bot)


def missed(table: Table, here: frozenset[str]) -> dict[str, int]:
    """Who is away from a game while some person waits there, with their seats."""
    if not isinstance(table, Playing) or not here & set(people(table)):
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
            after = replace(replaced(after, seat, "clock", facts.now), clock_out=after.clock_out | {seat})
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
    return Outcome(after, change_of(before, after, facts.now, asked=asked), (*closed_votes(before, after), *news))
