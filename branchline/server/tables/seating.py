"""Before the game: who sits where."""

from __future__ import annotations

from dataclasses import replace

from branchline.server.tables import commands
from branchline.server.tables.colours import recoloured
from branchline.server.tables.keeping import change_of
from branchline.server.tables.making import bot_chair, check_browser_seed, gathered
from branchline.server.tables.outcome import NOT_SEATED, Facts, Outcome, Stands, TableChanged
from branchline.server.tables.state import Chair, Chairs, Dropped, Playing, Table, Waiting, people, seat_of, seats_of
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
    if seats_of(table.chairs, command.user):
        return _arrived(table, command, facts)
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


def _arrived(table: Table, command: commands.Sit, facts: Facts) -> Outcome:
    """Somebody whose chair was kept has come, and gives their part of the deal."""
    seat = seat_of(table, command.user)
    if not isinstance(table, Waiting) or seat is None or seat not in table.expected:
        return Outcome(table)
    chair = replace(table.chairs[seat], seed=command.browser_seed)
    after = replace(table, expected=table.expected - {seat})
    return _with_chairs(after, put(table.chairs, seat, chair), facts, command)


def leave(table: Table, command: commands.Leave, facts: Facts) -> Outcome:
    """Get up. A host who leaves hands the table over; the last person's table is closed."""
    seat = seat_of(table, command.user)
    if seat is None:
        raise Conflict(NOT_SEATED)
    waiting = still_open(table)
    expected = waiting.expected - {seat}
    left = replace(waiting, chairs=put(waiting.chairs, seat, Chair()), updated=facts.now, expected=expected)
    came = [chair.user for n, chair in enumerate(left.chairs) if chair.user and n not in expected]
    others = came or people(left)
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
    if waiting.chairs[command.chair].user and command.chair not in waiting.expected:
        raise Conflict(Sentence("taken", "somebody sits there"))
    waiting = replace(waiting, expected=waiting.expected - {command.chair})
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
    expected = waiting.expected - {command.chair}
    after = replace(waiting, chairs=chairs, removed=waiting.removed | {other}, expected=expected, updated=facts.now)
    return _changed(table, after, facts, command)


def choose_colour(table: Table, command: commands.ChooseColour, facts: Facts) -> Outcome:
    """Have another colour, while the table waits: after that all know each other by theirs."""
    seat = seat_of(table, command.user)
    if seat is None:
        raise Conflict(NOT_SEATED)
    if not isinstance(table, Waiting):
        raise Conflict(Sentence("colour_begun", "the game has begun: colours stay as they are"))
    chairs = recoloured(table.chairs, seat, command.colour)
    return Outcome(table) if chairs == table.chairs else _with_chairs(table, chairs, facts, command)


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
    """The chairs once somebody else, or nobody, sits on one; its colour stays."""
    return (*chairs[:seat], replace(chair, colour=chairs[seat].colour), *chairs[seat + 1 :])


def _check_chair(table: Waiting, chair: int) -> None:
    if not 0 <= chair < len(table.chairs):
        raise BadRequest(f"the chairs are 0 to {len(table.chairs) - 1}")


def _with_chairs(table: Waiting, chairs: Chairs, facts: Facts, asked: commands.OfPerson) -> Outcome:
    after = gathered(replace(table, chairs=chairs, updated=facts.now), facts.now)
    news = (TableChanged(), Stands()) if isinstance(after, Playing) else (TableChanged(),)
    return Outcome(after, change_of(table, after, facts.now, asked=asked), news)


def _changed(before: Table, after: Table, facts: Facts, asked: commands.OfPerson) -> Outcome:
    return Outcome(after, change_of(before, after, facts.now, asked=asked), (TableChanged(),))
