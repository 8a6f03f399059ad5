"""The game: moves of people and bots, what is undone in silence, the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from branchline.game import IllegalAction
from branchline.notation import BadNotation
from branchline.server.tables import commands
from branchline.server.tables.away import ticking
from branchline.server.tables.ballots import closed_votes
from branchline.server.tables.course import BACK, OWN, Course, Done
from branchline.server.tables.keeping import change_of, log_rows, snapshot_due
from branchline.server.tables.outcome import (
    NOT_SEATED,
    Ended,
    Facts,
    Moved,
    MoveRefused,
    News,
    Outcome,
    Stands,
    TableChanged,
)
from branchline.server.tables.state import Over, Playing, Table, seat_of
from branchline.server.wire.derived import why_wire
from branchline.server.wire.refusals import Conflict
from branchline.server.wire.sentences import Sentence
from branchline.words.telling import Telling

MOST_LINES = 4  # of one move: a claim, its payment, and what is asked then

STALE = "the game has moved on since: here is how it stands"
NO_GAME = Sentence("no_game", "no game is being played at this table")


def move(table: Table, command: commands.Move, facts: Facts) -> Outcome:
    """Play the lines of a move, all or none."""
    playing, seat = _asked(table, command)
    trial, dones = _tried(playing, seat, command.lines, "player")
    return moved(playing, trial, dones, facts, key=move_key(seat, command.cid), lag=command.lag)


def bot_move(table: Table, command: commands.BotMove, facts: Facts) -> Outcome:
    """What a bot chose, if it is still the bot's to choose."""
    if not isinstance(table, Playing):
        raise MoveRefused(NO_GAME)
    if command.seq != table.course.asked[command.seat] or table.bot_of(command.seat) is None:
        raise MoveRefused(STALE, stale=True)
    own = table.chairs[command.seat].bot is not None
    by = "proxy" if not own else "standin" if command.fault else "bot"
    trial, dones = _tried(table, command.seat, [command.line], by)
    key = f"{by}:bot-{command.seat}-{command.seq}-{table.course.seq}"
    return moved(table, trial, dones, facts, key=key)


def undo(table: Table, command: commands.Undo, facts: Facts) -> Outcome:
    """Take back what nobody else has learned of."""
    playing, seat = _asked(table, command)
    if not playing.course.can_undo(seat):
        raise MoveRefused(Sentence("known", "nothing can be taken back: the others know of it already"))
    trial = playing.course.copy()
    return moved(playing, trial, [trial.undo(seat)], facts, key=move_key(seat, command.cid))


def end(table: Table, command: commands.End, facts: Facts) -> Outcome:
    """Note the score of a game that is over."""
    if not isinstance(table, Playing) or not table.course.game.is_over:
        return Outcome(table)
    after = Over(
        agreed=table.agreed,
        owner=table.owner,
        chairs=table.chairs,
        updated=facts.now,
        dealt=table.dealt,
        course=table.course,
        ended=facts.now,
        result=command.result,
        clock=table.clock,
    )
    return Outcome(after, change_of(table, after, facts.now), (Ended(), TableChanged()))


def move_key(seat: int, cid: str) -> str:
    """The key of a person's move at a table; nobody's client id is a bot's."""
    return f"{seat}:{cid}"


def moved(
    table: Playing,
    trial: Course,
    dones: Sequence[Done],
    facts: Facts,
    *,
    key: str | None,
    lag: float = 0.0,
    asked: commands.OfPerson | None = None,
) -> Outcome:
    """The table once these entries are made."""
    seat, silent = dones[0].entry.seat, not _is_public(dones)
    goes_on = not silent and (dones[0].entry.by in OWN or trial.game.is_over)  # bots do not end a pause
    clock = table.clock
    if clock and not silent:  # all read the clocks: one that jumps would tell of a silent choice
        clock = clock.moved(seat, facts.now, seat not in trial.game.to_act, lag)
    after = replace(
        table,
        course=trial,
        clock=clock,
        updated=table.updated if silent else facts.now,  # a list would tell the others when it was last touched
        kept_at=trial.seq if snapshot_due(trial, table.kept_at) else table.kept_at,
        back=table.back if silent else None,  # that a vote ends would tell the others of a silent choice
        pause=None if goes_on else table.pause,
        bot=table.bot if silent or _still_awaited(table, trial, seat) else None,
        paused=table.paused and not goes_on,
    )
    after = ticking(after, facts.now)
    change = change_of(table, after, facts.now, log=log_rows(dones, key, facts.now), asked=asked)
    return Outcome(after, change, (*closed_votes(table, after), *_told(table, after, dones)))


def _still_awaited(table: Playing, trial: Course, mover: int) -> bool:
    """Whether those who vote for a bot still wait for the same choice."""
    about = table.bot.about if table.bot is not None else None
    return about in trial.game.to_act and mover != about


def _told(before: Playing, after: Playing, dones: Sequence[Done]) -> list[News]:
    nudged = any(nudge.told == before.course.told[-1] for nudge in before.nudges)
    shown = (before.paused and not after.paused) or (nudged and before.course.told[-1] != after.course.told[-1])
    news: list[News] = [TableChanged()] if shown else []
    if dones[0].entry.line.startswith(f"{BACK} "):
        return [*news, Stands(anew=True)]
    return [*news, Moved(tuple(dones), tuple(before.course.told))]


def _asked(table: Table, command: commands.Move | commands.Undo) -> tuple[Playing, int]:
    """The game, and the seat of who answers its present question."""
    seat = seat_of(table, command.user, command.own)
    if seat is None:
        raise Conflict(NOT_SEATED)
    if not isinstance(table, Playing):
        raise MoveRefused(NO_GAME)
    if command.seq != table.course.asked[seat]:
        raise MoveRefused(STALE, stale=True)
    return table, seat


def _tried(table: Playing, seat: int, lines: Sequence[str], by: str) -> tuple[Course, list[Done]]:
    """The lines played on a copy."""
    if not 1 <= len(lines) <= MOST_LINES:
        raise MoveRefused(f"a move has 1 to {MOST_LINES} lines, not {len(lines)}")
    trial = table.course.copy()
    try:
        return trial, [trial.play(seat, line, by) for line in lines]
    except IllegalAction as error:
        names = [chair.name for chair in table.chairs]
        reason = Telling.of(table.agreed.map, names, seat).tell("why", error.why)
        raise MoveRefused(reason, error.clause, why=why_wire(error.why)) from None
    except (BadNotation, ValueError) as error:
        raise MoveRefused(str(error)) from None


def _is_public(dones: Sequence[Done]) -> bool:
    """Whether anybody but who chose learns of it."""
    return any(done.events or done.entry.line.startswith(f"{BACK} ") for done in dones)
