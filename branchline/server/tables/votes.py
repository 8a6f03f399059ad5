"""One asks, all other people at the table must agree; bots do, and people for whom a bot plays are not waited for."""

from __future__ import annotations

from dataclasses import replace

from branchline.server.tables import commands
from branchline.server.tables.away import ticking
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import Facts, News, Outcome, Stands, TableChanged, Voted
from branchline.server.tables.play import closed_votes, moved, vote_wire
from branchline.server.tables.state import Playing, Table, Vote, seat_of
from branchline.server.wire.refusals import BadRequest, Conflict
from branchline.server.wire.sentences import Sentence

SPECTATOR = "a spectator cannot do that"
NO_TAKEBACKS = Sentence("no_takebacks", "moves cannot be taken back at this table")


def ask_back(table: Table, command: commands.AskBack, facts: Facts) -> Outcome:
    """Ask for one's last turn again."""
    playing, seat = _with_takebacks(table), _seat(table, command.user)
    if playing.back is not None:
        raise Conflict(Sentence("back_asked", "somebody asks already to take a move back"))
    if facts.turn is None:
        raise Conflict(Sentence("no_turn_back", "you have no move to take back"))
    to, game = facts.turn
    return _counted(playing, "back", Vote(seat, back_to=to, game=game), facts, command)


def ask_pause(table: Table, command: commands.AskPause, facts: Facts) -> Outcome:
    """Ask that all clocks stand still."""
    playing, seat = _with_clock(table), _seat(table, command.user)
    if playing.paused:
        raise Conflict(Sentence("paused", "the clocks stand still already"))
    if playing.pause is not None:
        raise Conflict(Sentence("pause_asked", "somebody asks already for a pause"))
    return _counted(playing, "pause", Vote(seat), facts, command)


def answer(table: Table, command: commands.Answer, facts: Facts) -> Outcome:
    """Say yes or no to who asks."""
    playing = _with_takebacks(table) if command.kind == "back" else _with_clock(table)
    seat = _seat(table, command.user)
    vote = playing.back if command.kind == "back" else playing.pause
    if vote is None or seat == vote.seat:
        raise Conflict(Sentence("nobody_asks", "nobody asks for that"))
    if not command.agree:
        after = replace(playing, back=None) if command.kind == "back" else replace(playing, pause=None)
        return _changed(playing, after, facts, command)
    return _counted(playing, command.kind, replace(vote, agreed=vote.agreed | {seat}), facts, command)


def resume(table: Table, command: commands.Resume, facts: Facts) -> Outcome:
    """Let the clocks run again."""
    playing = _with_clock(table)
    _seat(table, command.user)
    if not playing.paused:
        raise Conflict(Sentence("clocks_run", "the clocks are running"))
    return _changed(playing, replace(playing, paused=False), facts, command, TableChanged(), Stands())


def _counted(table: Playing, kind: str, vote: Vote, facts: Facts, asked: commands.OfPerson) -> Outcome:
    """The vote as it stands; or, if nobody is missing, what it is about."""
    people = {seat for seat, chair in enumerate(table.chairs) if chair.user}
    if people - {vote.seat} - table.proxied <= vote.agreed:
        return _taken_back(table, vote, facts, asked) if kind == "back" else _paused(table, vote, facts, asked)
    after = replace(table, back=vote) if kind == "back" else replace(table, pause=vote)
    return _changed(table, after, facts, asked, Voted(vote_wire(vote, kind)))


def _taken_back(table: Playing, vote: Vote, facts: Facts, asked: commands.OfPerson) -> Outcome:
    assert vote.game is not None
    trial = table.course.copy()
    done = trial.back(vote.seat, vote.back_to, vote.game.copy())
    # From here on a position is kept anew: the one kept before may lie after the entry gone back to.
    return moved(replace(table, back=vote, kept_at=-1_000_000), trial, [done], facts, key=None, asked=asked)


def _paused(table: Playing, vote: Vote, facts: Facts, asked: commands.OfPerson) -> Outcome:
    before = replace(table, pause=vote)
    after = replace(table, pause=None, paused=True)
    return _changed(before, after, facts, asked, TableChanged(), Stands())


def _changed(before: Playing, after: Playing, facts: Facts, asked: commands.OfPerson, *news: News) -> Outcome:
    after = ticking(after, facts.now)
    change = change_of(before, after, facts.now, asked=asked)
    return Outcome(after, change, (*closed_votes(before, after), *news))


def _seat(table: Table, user: str) -> int:
    seat = seat_of(table, user)
    if seat is None:
        raise BadRequest(SPECTATOR)
    return seat


def _with_takebacks(table: Table) -> Playing:
    if not isinstance(table, Playing) or not table.agreed.takebacks:
        raise Conflict(NO_TAKEBACKS)
    return table


def _with_clock(table: Table) -> Playing:
    if not isinstance(table, Playing) or table.agreed.options.clock.kind != "live":
        raise Conflict(Sentence("no_clock", "there is no clock to pause at this table"))
    return table
