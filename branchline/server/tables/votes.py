"""One asks, all other people at the table must agree; bots do, and people for whom a bot plays, or who have been away
for long, are not waited for. Votes are about taking a turn back, a pause of the clocks, and a bot for who is away."""

from __future__ import annotations

import math
from dataclasses import replace

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.away import missed, replaced, ticking
from branchline.server.tables.ballots import closed_votes, vote_wire
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import Facts, News, Outcome, Stands, TableChanged, Voted
from branchline.server.tables.play import moved
from branchline.server.tables.state import Playing, Table, Vote, seat_of, seats_of
from branchline.server.wire.refusals import BadRequest, Conflict
from branchline.server.wire.sentences import Sentence

SPECTATOR = "a spectator cannot do that"
NO_TAKEBACKS = Sentence("no_takebacks", "moves cannot be taken back at this table")


# ---------------------------------------------------------------- asking


def ask_back(table: Table, command: commands.AskBack, facts: Facts) -> Outcome:
    """Ask for one's last turn again."""
    playing, seat = _with_takebacks(table), seat_asking(table, command)
    if playing.back is not None:
        raise Conflict(Sentence("back_asked", "somebody asks already to take a move back"))
    if facts.turn is None:
        raise Conflict(Sentence("no_turn_back", "you have no move to take back"))
    to, game = facts.turn
    return _counted(playing, "back", Vote(seat, back_to=to, game=game), facts, command)


def ask_pause(table: Table, command: commands.AskPause, facts: Facts) -> Outcome:
    """Ask that all clocks stand still."""
    playing, seat = _with_clock(table), seat_asking(table, command)
    if playing.paused:
        raise Conflict(Sentence("paused", "the clocks stand still already"))
    if playing.pause is not None:
        raise Conflict(Sentence("pause_asked", "somebody asks already for a pause"))
    return _counted(playing, "pause", Vote(seat), facts, command)


def ask_bot(table: Table, command: commands.AskBot, facts: Facts) -> Outcome:
    """Ask that a bot plays for somebody who is away and whom all wait for."""
    playing, seat = _with_friends(table), seat_asking(table, command)
    awaited(playing, command.seat, seat)
    _check_away(playing, command.seat, facts)
    vote = playing.bot
    if vote is None:
        return _counted(playing, "bot", Vote(seat, about=command.seat), facts, command)
    if vote.about != command.seat:
        raise Conflict(Sentence("bot_asked", "there is a vote already about a bot for somebody else"))
    if seat == vote.seat or seat in vote.agreed:
        return Outcome(playing)
    return _counted(playing, "bot", replace(vote, agreed=vote.agreed | {seat}), facts, command)


def answer(table: Table, command: commands.Answer, facts: Facts) -> Outcome:
    """Say yes or no to who asks."""
    playing, seat = _of_kind(table, command.kind), seat_asking(table, command)
    vote = _vote(playing, command.kind)
    if vote is None or seat in (vote.seat, vote.about):
        raise Conflict(Sentence("nobody_asks", "nobody asks for that"))
    if command.agree:
        return _counted(playing, command.kind, replace(vote, agreed=vote.agreed | {seat}), facts, command)
    after = _with_vote(playing, command.kind, None)
    if command.kind == "bot":
        after = replace(after, refused_at=facts.now)
    return _changed(playing, after, facts, command)


def resume(table: Table, command: commands.Resume, facts: Facts) -> Outcome:
    """Let the clocks run again."""
    playing = _with_clock(table)
    seat_asking(table, command)
    if not playing.paused:
        raise Conflict(Sentence("clocks_run", "the clocks are running"))
    return _changed(playing, replace(playing, paused=False), facts, command, TableChanged(), Stands())


def gone(table: Table, command: commands.Gone, facts: Facts) -> Outcome:
    """Somebody has been away for so long that their vote is not waited for; all see that they are missed."""
    if not isinstance(table, Playing) or command.seat not in missed(table, facts.here).values():
        return Outcome(table)
    for kind in _KINDS:
        vote = _vote(table, kind)
        if vote is not None and _voters(table, vote, facts) <= vote.agreed:
            return _done(table, kind, vote, facts, None)
    return Outcome(table, None, (TableChanged(),))


# ---------------------------------------------------------------- counting

_KINDS: tuple[wire.VoteKind, ...] = ("back", "pause", "bot")


def _voters(table: Playing, vote: Vote, facts: Facts) -> set[int]:
    """Whose word is waited for: the other people, but for those who have been away for long."""
    there = {s for s, chair in enumerate(table.chairs) if chair.user and facts.away.get(s, 0.0) < facts.grace}
    agreed = seats_of(table.chairs, table.chairs[vote.seat].user)  # who sits around one device has agreed in words
    return there - table.proxied - {*agreed, vote.about}


def _counted(table: Playing, kind: wire.VoteKind, vote: Vote, facts: Facts, asked: commands.OfPerson) -> Outcome:
    """The vote as it stands; or, if nobody is missing, what it is about."""
    if _voters(table, vote, facts) <= vote.agreed:
        return _done(table, kind, vote, facts, asked)
    return _changed(table, _with_vote(table, kind, vote), facts, asked, Voted(vote_wire(vote, kind)))


def _done(table: Playing, kind: wire.VoteKind, vote: Vote, facts: Facts, asked: commands.OfPerson | None) -> Outcome:
    match kind:
        case "back":
            return _taken_back(table, vote, facts, asked)
        case "pause":
            return _paused(table, vote, facts, asked)
        case "bot":
            return _replaced(table, vote, facts, asked)


def _taken_back(table: Playing, vote: Vote, facts: Facts, asked: commands.OfPerson | None) -> Outcome:
    assert vote.game is not None
    trial = table.course.copy()
    done = trial.back(vote.seat, vote.back_to, vote.game.copy())
    # From here on a position is kept anew: the one kept before may lie after the entry gone back to.
    return moved(replace(table, back=vote, kept_at=-1_000_000), trial, [done], facts, key=None, asked=asked)


def _paused(table: Playing, vote: Vote, facts: Facts, asked: commands.OfPerson | None) -> Outcome:
    before = replace(table, pause=vote)
    after = replace(table, pause=None, paused=True)
    return _changed(before, after, facts, asked, TableChanged(), Stands())


def _replaced(table: Playing, vote: Vote, facts: Facts, asked: commands.OfPerson | None) -> Outcome:
    assert vote.about is not None
    before = replace(table, bot=vote)
    agreed = tuple(sorted(vote.agreed | {vote.seat}))
    after = replace(replaced(table, vote.about, "vote", facts.now, agreed), bot=None)
    return _changed(before, after, facts, asked, TableChanged())


def _changed(before: Playing, after: Playing, facts: Facts, asked: commands.OfPerson | None, *news: News) -> Outcome:
    after = ticking(after, facts.now)
    change = change_of(before, after, facts.now, asked=asked)
    return Outcome(after, change, (*closed_votes(before, after), *news))


def _vote(table: Playing, kind: wire.VoteKind) -> Vote | None:
    match kind:
        case "back":
            return table.back
        case "pause":
            return table.pause
        case "bot":
            return table.bot


def _with_vote(table: Playing, kind: wire.VoteKind, vote: Vote | None) -> Playing:
    match kind:
        case "back":
            return replace(table, back=vote)
        case "pause":
            return replace(table, pause=vote)
        case "bot":
            return replace(table, bot=vote)


# ---------------------------------------------------------------- what may be asked


def seat_asking(table: Table, command: commands.OfPerson) -> int:
    seat = seat_of(table, command.user, command.own)
    if seat is None:
        raise BadRequest(SPECTATOR)
    return seat


def awaited(table: Playing, seat: int, by: int) -> None:
    """Refuse unless another person on this seat has to choose."""
    if not 0 <= seat < len(table.chairs):
        raise BadRequest(f"seat: 0 to {len(table.chairs) - 1}")
    chair, asked = table.chairs[seat], table.course.game.to_act
    if chair.user in (None, table.chairs[by].user) or seat in table.proxied or seat not in asked:
        raise Conflict(Sentence("not_awaited", "nobody waits for a person on that seat"))


def _check_away(table: Playing, seat: int, facts: Facts) -> None:
    if table.chairs[seat].user in facts.here:
        raise Conflict(Sentence("bot_here", "this player is here: no bot takes the seat"))
    since_left = facts.grace - facts.away.get(seat, 0.0)
    since_refused = table.refused_at + facts.grace - facts.now
    wait = math.ceil(max(since_left, since_refused))
    if wait > 0:
        raise Conflict(Sentence("bot_early", f"a vote for a bot is possible in {wait} s", wait))


def _of_kind(table: Table, kind: wire.VoteKind) -> Playing:
    match kind:
        case "back":
            return _with_takebacks(table)
        case "pause":
            return _with_clock(table)
        case "bot":
            return _with_friends(table)


def _with_takebacks(table: Table) -> Playing:
    if not isinstance(table, Playing) or not table.agreed.takebacks:
        raise Conflict(NO_TAKEBACKS)
    return table


def _with_clock(table: Table) -> Playing:
    if not isinstance(table, Playing) or table.agreed.options.clock.kind != "live":
        raise Conflict(Sentence("no_clock", "there is no clock to pause at this table"))
    return table


def _with_friends(table: Table) -> Playing:
    """Where a clock runs, the clock decides how long one waits."""
    if not isinstance(table, Playing) or table.agreed.options.clock.kind != "none":
        raise Conflict(Sentence("bot_clock", "at this table the clock decides how long one waits"))
    return table
