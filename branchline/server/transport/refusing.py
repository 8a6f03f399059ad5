"""How a refused move is told."""

from __future__ import annotations

from branchline.server import wire
from branchline.server.tables.outcome import MoveRefused
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import code_of


def move_reply(seq: int, refused: MoveRefused) -> wire.MoveReply:
    return wire.MoveReply(False, seq, refused.clause, str(refused.reason), refused.stale, refused.why)


def refused(cid: str, error: BadRequest) -> wire.Refused:
    """The message to who sent a move."""
    reason, code = str(error.reason), code_of(error.reason)[0]
    if not isinstance(error, MoveRefused):
        return wire.Refused(cid, "", reason, False, code)
    return wire.Refused(cid, error.clause, reason, error.stale, code, error.why)
