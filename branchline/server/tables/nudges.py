"""A nudge: all wait for you. One from each person who waits for a choice, and few in an hour."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from branchline.server.tables import commands
from branchline.server.tables.calling import notice
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import Facts, Outcome, TableChanged
from branchline.server.tables.play import NO_GAME
from branchline.server.tables.rows import NoticeRow
from branchline.server.tables.state import Nudge, Playing, Table
from branchline.server.tables.votes import awaited, seat_asking
from branchline.server.wire.refusals import Conflict
from branchline.server.wire.sentences import Sentence

AFTER: Final = {"none": 30.0, "days": 3600.0}  # seconds without news; a live clock presses by itself
AN_HOUR: Final = 6  # to one seat
HOUR: Final = 3600.0


def nudge(table: Table, command: commands.Nudge, facts: Facts) -> Outcome:
    """Tell somebody that all wait for them. What was known to all tells one question from the next: a choice that
    others may not know of must not show in when a nudge is possible again."""
    by = seat_asking(table, command)
    if not isinstance(table, Playing):
        raise Conflict(NO_GAME)
    awaited(table, command.seat, by)
    lately = tuple(n for n in table.nudges if n.at > facts.now - HOUR)
    _check_time(table, facts.now)
    _check_often(table, lately, by, command.seat, facts.now)
    given = Nudge(by, command.seat, facts.now, table.course.told[-1])
    after = replace(table, nudges=(*lately, given))
    change = change_of(table, after, facts.now, asked=command)
    return Outcome(after, replace(change, notices=_called(after, given, facts)), (TableChanged(),))


def _called(table: Playing, given: Nudge, facts: Facts) -> tuple[NoticeRow, ...]:
    """In a game with days whoever is nudged is called back, if they want to be."""
    user, by = table.chairs[given.seat].user, table.chairs[given.by].user
    if user is None or table.agreed.options.clock.kind != "days":
        return ()
    return notice(facts, user, "nudge", given.told, by or "")


def nudged_by(table: Playing, seat: int) -> list[int]:
    """Who has nudged a seat about its present choice."""
    return [nudge.by for nudge in table.nudges if nudge.seat == seat and nudge.told == table.course.told[-1]]


def _check_time(table: Playing, now: float) -> None:
    after = AFTER.get(table.agreed.options.clock.kind)
    if after is None:
        raise Conflict(Sentence("nudge_clock", "the clock presses already"))
    wait = math.ceil(table.updated + after - now)
    if wait > 0:
        raise Conflict(Sentence("nudge_early", f"let them think: a nudge is possible in {wait} s", wait))


def _check_often(table: Playing, lately: tuple[Nudge, ...], by: int, seat: int, now: float) -> None:
    if by in nudged_by(table, seat):
        raise Conflict(Sentence("nudged", "you have nudged already; again when the game has moved on"))
    given = [nudge.at for nudge in lately if nudge.seat == seat]
    if len(given) >= AN_HOUR:
        wait = math.ceil(min(given) + HOUR - now)
        raise Conflict(Sentence("nudge_often", f"this player was nudged often: again in {wait} s", wait))
