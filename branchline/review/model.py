"""A review as values, and as JSON: what stands in it is written in docs/review.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from branchline.review.curve import Point
from branchline.review.decisions import Decided
from branchline.review.ledger import Ledger, ledgers_of
from branchline.review.luck import Luck
from branchline.review.moments import Moment, Played
from branchline.review.open_cards import Open
from branchline.review.reasons import Reason, reason_of
from branchline.review.settings import Setting
from branchline.review.tickets import TicketTold, tickets_of
from branchline.review.verdicts import VERDICTS, accuracy

FORMAT: Final = "branchline-review/1"
COSTLIEST: Final = 3
TURNING, LEAST_SWING = 5, 0.05  # moves that are named as turning points, and what they changed at least
DIGITS: Final = 4
AT_HOME, PLAYED_OUT = "", "played out"  # what there is to say about the judge


@dataclass(frozen=True)
class Player:
    """What is said of one seat."""

    seat: int
    name: str
    accuracy: float
    skill: float
    luck: float
    result: float
    total: int
    ledger: Ledger
    verdicts: dict[str, int]


@dataclass(frozen=True)
class Judged:
    """What was found out about one move by itself; None where there was nothing to find."""

    decided: Decided | None
    luck: Luck | None
    open: Open | None


@dataclass(frozen=True)
class Reviewed:
    """What is said of one move; `decided` is None for a forced one or a detail, `luck` where chance had no part."""

    number: int
    seat: int
    line: str
    win_before: float
    win_after: float
    decided: Decided | None
    luck: Luck | None
    swing: tuple[float, ...]  # what choice and chance of this move changed for each seat
    reason: Reason | None


@dataclass(frozen=True)
class Review:
    """A whole review."""

    map: str
    hash: str
    setting: str
    weights: str  # of the network that judged; "" where games were played out instead
    note: str
    players: tuple[Player, ...]
    curve: tuple[Point, ...]
    moves: tuple[Reviewed, ...]
    turning: tuple[int, ...]
    costliest: tuple[tuple[int, ...], ...]
    tickets: tuple[TicketTold, ...]
    open: tuple[Open, ...]

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = _rounded(
            {
                "format": FORMAT,
                "map": {"id": self.map, "hash": self.hash},
                "setting": self.setting,
                "weights": self.weights,
                "note": self.note,
                "players": [asdict(player) for player in self.players],
                "curve": [asdict(point) for point in self.curve],
                "moves": [_move_json(move) for move in self.moves],
                "turning": [self._turn_json(number) for number in self.turning],
                "costliest": self.costliest,
                "tickets": [asdict(ticket) for ticket in self.tickets],
                "open": [{"move": point.move, "win": point.win} for point in self.open],
            }
        )
        return told

    def _turn_json(self, number: int) -> dict[str, Any]:
        move = self.moves[number - 1]
        return {"move": number, "seat": move.seat, "swing": list(move.swing), "cause": cause_of(move)}


def cause_of(move: Reviewed) -> str:
    """Whether chance or choice did more in a move."""
    luck = abs(move.luck.by_seat[move.seat]) if move.luck else 0.0
    skill = abs(move.decided.skill[move.seat]) if move.decided else 0.0
    return "skill" if skill > luck else "luck"


def review_of(
    played: Played,
    setting: Setting,
    judge: tuple[str, str],
    curve: tuple[Point, ...],
    judged: Sequence[Judged],
) -> Review:
    """Put together what was found; `judge` is the weights, and a note about them."""
    decided = [one.decided for one in judged if one.decided is not None]
    lucks = [one.luck for one in judged if one.luck is not None]
    points = tuple(one.open for one in judged if one.open is not None)
    moves = tuple(_move(played, moment, curve, one) for moment, one in zip(played.moments, judged, strict=True))
    ledgers = ledgers_of(played, curve, decided, lucks)
    data, (weights, note) = played.record.map, judge
    return Review(
        data.id,
        data.hash,
        setting.name,
        weights,
        note,
        tuple(_player(played, seat, ledger, decided) for seat, ledger in enumerate(ledgers)),
        curve,
        moves,
        _turning(moves, played),
        tuple(_costliest(seat, decided) for seat in range(played.players)),
        tickets_of(played, decided, points),
        points,
    )


def _move(played: Played, moment: Moment, curve: Sequence[Point], judged: Judged) -> Reviewed:
    decided, luck = judged.decided, judged.luck
    seat, now = moment.seat, curve[moment.number - 1].win
    before = after = now[seat]
    if decided is not None and decided.options:
        before, after = max(option.win for option in decided.options), decided.win
    skill = decided.skill if decided else (0.0,) * len(now)
    chance = luck.by_seat if luck else (0.0,) * len(now)
    swing = tuple(a + b for a, b in zip(skill, chance, strict=True))
    reason = reason_of(played, decided) if decided else None
    return Reviewed(moment.number, seat, moment.line, before, after, decided, luck, swing, reason)


def _player(played: Played, seat: int, ledger: Ledger, decided: Sequence[Decided]) -> Player:
    own = [one for one in decided if one.seat == seat]
    counts = Counter(one.verdict for one in own)
    return Player(
        seat,
        played.record.names[seat],
        accuracy([one.loss for one in own]),
        ledger.own_skill,
        ledger.own_luck,
        played.shares[seat],
        played.result.scores[seat],
        ledger,
        {verdict: counts[verdict] for verdict in VERDICTS},
    )


def _turning(moves: Sequence[Reviewed], played: Played) -> tuple[int, ...]:
    """The moves that changed most for who won in the end."""
    winner = played.result.places.index(1)
    order = sorted(moves, key=lambda move: (-abs(move.swing[winner]), move.number))
    return tuple(sorted(m.number for m in order[:TURNING] if abs(m.swing[winner]) >= LEAST_SWING))


def _costliest(seat: int, decided: Sequence[Decided]) -> tuple[int, ...]:
    """The three that lost most, of those that surely lost something."""
    own = [one for one in decided if one.seat == seat and one.loss > 0 and not one.close]
    return tuple(one.number for one in sorted(own, key=lambda one: (-one.loss, one.number))[:COSTLIEST])


def _move_json(move: Reviewed) -> dict[str, Any]:
    one, luck = move.decided, move.luck
    return {
        "number": move.number,
        "seat": move.seat,
        "line": move.line,
        "win_before": move.win_before,
        "win_after": move.win_after,
        "best": one.best if one else None,
        "loss": one.loss if one else None,
        "error": one.error if one else None,
        "verdict": one.verdict if one else None,
        "close": one.close if one else None,
        "luck": luck.by_seat[luck.seat] if luck else None,
        "chance": _chance_json(luck) if luck else None,
        "options": [asdict(option) for option in one.options] if one else [],
        "reason": {"kind": move.reason.kind, **move.reason.params} if move.reason else None,
    }


def _chance_json(luck: Luck) -> dict[str, Any]:
    return {
        "kind": luck.kind,
        "by_seat": luck.by_seat,
        "error": luck.error,
        "outcomes": luck.outcomes,
        "exact": luck.exact,
    }


def _rounded(value: Any) -> Any:
    """Ten thousandths are enough, and a file a third as long."""
    match value:
        case float():
            return round(value, DIGITS)
        case dict():
            return {key: _rounded(one) for key, one in value.items()}
        case list() | tuple():
            return [_rounded(one) for one in value]
        case _:
            return value
