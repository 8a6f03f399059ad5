"""Who is called back to a table, and why: it follows from the table before a command and after it.

Only those are told who want to be and do not look (`Facts.calls`). What is written down here goes into the same
transaction as what it tells of; another part of the service sends it (server/notices).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from branchline.server import wire
from branchline.server.tables.outcome import Facts, Outcome
from branchline.server.tables.rows import NoticeRow
from branchline.server.tables.state import Over, Playing, Table, Waiting, people


def called(before: Table, outcome: Outcome, facts: Facts) -> Outcome:
    """The outcome with the notices that come of it. A rule may have put some there itself (`notice`)."""
    if outcome.change is None or not facts.calls:
        return outcome
    found = (*_friends(before, outcome.table, facts), *_turns(before, outcome.table, facts))
    found += _over(before, outcome.table, facts)
    if not found:
        return outcome
    return replace(outcome, change=replace(outcome.change, notices=(*outcome.change.notices, *found)))


def notice(facts: Facts, user: str, kind: wire.CallKind, seq: int, by: str = "") -> tuple[NoticeRow, ...]:
    """The notice, if this person wants it; `seq` tells one event of a kind at a table from another."""
    wanted = kind in facts.calls.get(user, frozenset())
    return (NoticeRow(user, kind, seq, by, facts.now),) if wanted else ()


def _turns(before: Table, after: Table, facts: Facts) -> Iterable[NoticeRow]:
    """In a game with days: those who have to choose now and had not to before."""
    if not isinstance(after, Playing) or after.agreed.options.clock.kind != "days":
        return
    for user in _awaited(after) - _awaited(before):
        yield from notice(facts, user, "turn", after.course.seq)


def _awaited(table: Table) -> set[str]:
    """The people who have to choose; not those for whom a bot does."""
    if not isinstance(table, Playing):
        return set()
    chairs = ((seat, table.chairs[seat].user) for seat in table.course.game.to_act)
    return {user for seat, user in chairs if user is not None and seat not in table.proxied}


def _friends(before: Table, after: Table, facts: Facts) -> Iterable[NoticeRow]:
    """Somebody has sat down at a table that waits: those who sit there already, and whoever made it."""
    if not isinstance(before, Waiting) or not isinstance(after, Waiting):
        return
    for new in [user for user in people(after) if user not in people(before)]:
        for user in sorted({before.owner, *people(before)} - {new}):
            yield from notice(facts, user, "friend", _number_of(new), new)


def _number_of(user: str) -> int:
    """Of one person at a table one notice comes, however often they get up and sit down again."""
    return int.from_bytes(hashlib.sha256(user.encode()).digest()[:6])


def _over(before: Table, after: Table, facts: Facts) -> tuple[NoticeRow, ...]:
    if not isinstance(after, Over) or isinstance(before, Over):
        return ()
    return tuple(row for user in people(after) for row in notice(facts, user, "over", after.course.seq))
