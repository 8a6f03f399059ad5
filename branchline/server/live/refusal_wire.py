"""A refusal on its way from the process that holds a table to the one that was asked."""

from __future__ import annotations

import msgspec

from branchline.server.live.table import Unwritten
from branchline.server.tables.outcome import MoveRefused
from branchline.server.wire.derived import WhyWire
from branchline.server.wire.refusals import BadRequest, Conflict, Forbidden, Missing, TooMany, Unknown
from branchline.server.wire.sentences import Sentence, code_of

_KINDS: dict[str, type[BadRequest]] = {
    kind.__name__: kind for kind in (BadRequest, Unknown, Forbidden, Missing, Conflict, Unwritten)
}


class RefusalWire(msgspec.Struct, frozen=True, tag=True):
    kind: str
    reason: str
    code: str = ""
    n: int | None = None
    clause: str = ""
    stale: bool = False
    wait: float = 0.0
    why: WhyWire | None = None


def to_wire(error: BadRequest) -> RefusalWire:
    code, n = code_of(error.reason)
    kind = next((name for name, one in _KINDS.items() if type(error) is one), type(error).__name__)
    if isinstance(error, MoveRefused):
        return RefusalWire(kind, str(error.reason), code, n, error.clause, error.stale, why=error.why)
    return RefusalWire(kind, str(error.reason), code, n, wait=error.wait if isinstance(error, TooMany) else 0.0)


def refusal_of(told: RefusalWire) -> BadRequest:
    reason = Sentence(told.code, told.reason, told.n) if told.code else told.reason
    match told.kind:
        case "MoveRefused":
            return MoveRefused(reason, told.clause, stale=told.stale, why=told.why)
        case "TooMany" | "TooBusy":
            return TooMany(Sentence(told.code, told.reason, told.n), told.wait)
        case kind:
            return _KINDS.get(kind, Conflict)(reason)
