"""The moment of a game: clocks, who is away, votes, a pause. It is written down with every change, so that whoever
plays on, after a restart or in another process, goes on from just there."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from branchline.server import wire
from branchline.server.tables.clock import Clock
from branchline.server.tables.state import Playing, Vote


class VoteRow(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: int
    agreed: list[int]
    back_to: int = 0
    about: int | None = None


class AbsenceRow(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: int
    why: wire.AbsenceReason
    at: float
    told: int
    agreed: list[int] = []


class NudgeRow(msgspec.Struct, frozen=True):
    by: int
    seat: int
    at: float
    told: int


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """`since` is the steady time of the process that wrote it; the store counts from it how long that one lived on."""

    since: float
    left: list[float] | None = None
    used: list[float] | None = None
    running: list[int] = []
    proxied: list[int] = []
    out: list[int] = []
    paused: bool = False
    back: VoteRow | None = None
    pause: VoteRow | None = None
    bot: VoteRow | None = None
    refused_at: float = 0.0
    absences: list[AbsenceRow] = []
    nudges: list[NudgeRow] = []


_encode = msgspec.json.Encoder().encode
_DECODER = msgspec.json.Decoder(Moment)  # made once: to make one takes long, and leaves a circle


def write_clocks(clock: Clock) -> str:
    """The clocks alone, as they stood at the end of a game."""
    return _encode(Moment(clock.since, _rounded(clock.left_then), _rounded(clock.used))).decode()


def write_moment(table: Playing, now: float) -> str:
    clock = table.clock
    moment = Moment(
        since=clock.since if clock else now,
        left=_rounded(clock.left_then) if clock else None,
        used=_rounded(clock.used) if clock else None,
        running=sorted(clock.running) if clock else [],
        proxied=sorted(table.proxied),
        out=sorted(table.clock_out),
        paused=table.paused,
        back=_vote_row(table.back),
        pause=_vote_row(table.pause),
        bot=_vote_row(table.bot),
        refused_at=table.refused_at,
        absences=[AbsenceRow(a.seat, a.why, a.at, a.told, list(a.agreed)) for a in table.absences],
        nudges=[NudgeRow(n.by, n.seat, n.at, n.told) for n in table.nudges],
    )
    return _encode(moment).decode()


def read_moment(text: str) -> Moment:
    return _DECODER.decode(text)


def _rounded(seconds: Iterable[float]) -> list[float]:
    return [round(n, 2) for n in seconds]


def _vote_row(vote: Vote | None) -> VoteRow | None:
    return VoteRow(vote.seat, sorted(vote.agreed), vote.back_to, vote.about) if vote else None
