"""What is told of votes."""

from __future__ import annotations

from branchline.server import wire
from branchline.server.tables.outcome import News, Voted
from branchline.server.tables.state import Playing, Vote


def open_votes(table: Playing) -> list[wire.Vote]:
    """What people are being asked."""
    return [vote_wire(vote, kind) for kind, vote in _votes(table) if vote is not None]


def closed_votes(before: Playing, after: Playing) -> list[News]:
    """What is told of votes that are over, or of which nothing can come any more."""
    pairs = zip(_votes(before), _votes(after), strict=True)
    return [
        Voted(vote_wire(was, kind, open=False)) for (kind, was), (_, now) in pairs if was is not None and now is None
    ]


def vote_wire(vote: Vote, kind: wire.VoteKind, *, open: bool = True) -> wire.Vote:
    return wire.Vote(kind, vote.seat, sorted(vote.agreed), open, vote.about)


def _votes(table: Playing) -> list[tuple[wire.VoteKind, Vote | None]]:
    return [("back", table.back), ("pause", table.pause), ("bot", table.bot)]
