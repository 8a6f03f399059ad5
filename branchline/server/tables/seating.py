"""Before the game: who sits where."""

from __future__ import annotations

from dataclasses import replace

from branchline.server.tables import commands
from branchline.server.tables.keeping import change_of
from branchline.server.tables.making import bot_chair, check_browser_seed
from branchline.server.tables.outcome import NOT_SEATED, Facts, Outcome, TableChanged
from branchline.server.tables.state import Chair, Chairs, Dropped, Playing, Table, Waiting, people, seat_of
from branchline.server.wire.refusals import BadRequest, Conflict, Forbidden
from branchline.server.wire.sentences import Sentence
from branchline.server.words.names import told_apart


def still_open(table: Table) -> Waiting:
    """The table, if it waits; else why nobody can sit down."""
    match table:
        case Waiting():
            return table
        case Dropped():
            raise Conflict(Sentence("closed", "this table was closed"))
        case _:
            raise Conflict(Sentence("begun", "the game has begun; you can watch"))


def of_host(table: Table, user: str, what: str = "only who made the table can do that") -> None:
    if user != table.owner:
        raise Forbidden(Sentence("host_only", what))


def sit(table: Table, command: commands.Sit, facts: Facts) -> Outcome:
    check_browser_seed(command.browser_seed)
    if seat_of(table, command.user) is not None:
        return Outcome(table)
    waiting = still_open(table)
    if waiting.agreed.listed and facts.blocked:
        raise Conflict(Sentence("blocked", "you cannot sit at this table: somebody here has blocked somebody"))
    if command.user in waiting.removed:
        raise Forbidden(Sentence("removed", "the host has asked you to leave this table; you can watch"))
    free = [seat for seat, chair in enumerate(waiting.chairs) if chair.is_open]
    if not free:
        raise Conflict(Sentence("full", "all chairs are taken; you can watch"))
    seat = command.wish if command.wish in free else free[0]
    name = told_apart(facts.name, [chair.name for chair in waiting.chairs])
    chair = Chair(user=command.user, name=name, seed=command.browser_seed)
    return _with_chairs(waiting, put(waiting.chairs, seat, chair), facts, command)


def leave(table: Table, command: commands.Leave, facts: Facts) -> Outcome:
    """Get up. A host who leaves hands the table over; the last person's table is closed."""
    seat = seat_of(table, command.user)
    if seat is None:
        raise Conflict(NOT_SEATED)
    waiting = still_open(table)
    left = replace(waiting, chairs=put(waiting.chairs, seat, Chair()), updated=facts.now)
    others = people(left)
    after: Table = left
    if not others:
        after = Dropped(left.agreed, left.owner, left.chairs, facts.now)
    elif command.user == table.owner:
        after = replace(left, owner=others[0])
    return _changed(table, after, facts, command)


def set_chair(table: Table, command: commands.SetChair, facts: Facts) -> Outcome:
    of_host(table, command.user)
    waiting = still_open(table)
    _check_chair(waiting, command.chair)
    if waiting.chairs[command.chair].user:
        raise Conflict(Sentence("taken", "somebody sits there"))
    others = [chair for seat, chair in enumerate(waiting.chairs) if seat != command.chair]
    assert facts.roster is not None
    chair = Chair() if command.bot is None else bot_chair(command.bot, others, facts.roster)
    return _with_chairs(waiting, put(waiting.chairs, command.chair, chair), facts, command)


def remove(table: Table, command: commands.Remove, facts: Facts) -> Outcome:
    """Ask a person to leave; they cannot sit down here again."""
    of_host(table, command.user)
    waiting = still_open(table)
    _check_chair(waiting, command.chair)
    other = waiting.chairs[command.chair].user
    if other is None or other == command.user:
        raise Conflict(Sentence("remove_whom", "nobody else sits on that chair"))
    chairs = put(waiting.chairs, command.chair, Chair())
    after = replace(waiting, chairs=chairs, removed=waiting.removed | {other}, updated=facts.now)
    return _changed(table, after, facts, command)


def renamed(table: Table, command: commands.Renamed) -> Outcome:
    """Show the present name. Nothing is written: a name stands with the person, and is read from there."""
    seat = seat_of(table, command.user)
    if seat is None or not isinstance(table, Waiting | Playing):
        return Outcome(table)
    others = [chair.name for other, chair in enumerate(table.chairs) if other != seat]
    chair = replace(table.chairs[seat], name=told_apart(command.name, others))
    if chair == table.chairs[seat]:
        return Outcome(table)
    return Outcome(replace(table, chairs=put(table.chairs, seat, chair)), None, (TableChanged(),))


def put(chairs: Chairs, seat: int, chair: Chair) -> Chairs:
    return (*chairs[:seat], chair, *chairs[seat + 1 :])


def _check_chair(table: Waiting, chair: int) -> None:
    if not 0 <= chair < len(table.chairs):
        raise BadRequest(f"the chairs are 0 to {len(table.chairs) - 1}")


def _with_chairs(table: Waiting, chairs: Chairs, facts: Facts, asked: commands.OfPerson) -> Outcome:
    return _changed(table, replace(table, chairs=chairs, updated=facts.now), facts, asked)


def _changed(before: Table, after: Table, facts: Facts, asked: commands.OfPerson) -> Outcome:
    return Outcome(after, change_of(before, after, facts.now, asked=asked), (TableChanged(),))
