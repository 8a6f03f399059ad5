"""Plays a record again, move by move, and says whether everything in it is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from branchline.actions import Action, Seat
from branchline.deal import DECKS, BadDeal, Deal
from branchline.events import Event
from branchline.fair import FairDeal, check
from branchline.game import Game
from branchline.mechanics.composed_record import SHEET, SheetLine
from branchline.notation import write_action
from branchline.record.model import Fault, Move, Player, Record, Result, Scalar
from branchline.refusals import IllegalAction
from branchline.scores import PlayerScore
from branchline.words.telling import Telling


@dataclass(frozen=True, slots=True)
class Step:
    """One move and what it did. `game` stands after the move and goes on with the next: copy it to keep it.

    Step 0 is the deal and has neither seat nor action.
    """

    number: int
    seat: Seat | None
    action: Action | None
    events: tuple[Event, ...]
    game: Game

    @property
    def line(self) -> str:
        """The move in notation."""
        return write_action(self.action) if self.action is not None else ""


def record_of(
    game: Game,
    players: Sequence[str | Player] = (),
    *,
    meta: Mapping[str, Scalar] | None = None,
    sheet: bool = True,
    fair: FairDeal | None = None,
) -> Record:
    """The record of a game, over or not. Who is not named is called after the seat; `sheet` adds the score sheet.

    `fair`, the proof of its deal, tells every hidden card: give it only once the game is over.
    """
    if not game.first_events or game.position.moves != len(game.history):
        raise ValueError("a game that did not begin with the deal cannot be recorded")
    if players and len(players) != game.players:
        raise ValueError(f"{len(players)} names for {game.players} players")
    named = players or [f"Seat {seat}" for seat in range(game.players)]
    return Record(
        map=game.map,
        players=tuple(player if isinstance(player, Player) else Player(player) for player in named),
        deal=game.deal,
        moves=tuple(Move(seat, action) for seat, action in game.history),
        result=result_of(game, sheet=sheet),
        meta=dict(meta or {}),
        fair=fair,
    )


def result_of(game: Game, *, sheet: bool = True) -> Result | None:
    """How a game ended, or None while it goes on."""
    if game.end_reason is None:
        return None
    scores = game.scores()
    return Result(
        reason=game.end_reason,
        scores=tuple(score.total for score in scores),
        places=tuple(score.place for score in scores),
        sheet=tuple(_sheet_line(score) for score in scores) if sheet else (),
    )


def _sheet_line(score: PlayerScore) -> SheetLine:
    return SheetLine(**{part.key: part.of(score) for part in SHEET})


def replay(record: Record) -> Iterator[Step]:
    """The deal and then every move, each played as it is asked for; raises the `Fault` where a move is not legal."""
    try:
        game = Game.new(record.map, len(record.players), deal=record.deal)
    except BadDeal as error:
        raise Fault("deal", "C-02", str(error)) from None
    yield Step(0, None, None, game.first_events, game)
    for number, (seat, action) in enumerate(record.moves, 1):
        yield Step(number, seat, action, _play(game, number, seat, action, record), game)


def _play(game: Game, number: int, seat: Seat, action: Action, record: Record) -> tuple[Event, ...]:
    try:
        return game.play(action, seat)
    except IllegalAction as error:
        clause, reason = error.clause, Telling.of(record.map, record.names, seat).tell("why", error.why)
    except BadDeal as error:
        clause, reason = _shuffle_clause(record), str(error)
    raise Fault(f"move {number}", clause, reason, move=number, seat=seat, line=write_action(action))


def _shuffle_clause(record: Record) -> str:
    """The clause of the reshuffle that was written by hand."""
    return next(deck.clause for deck in DECKS if deck.reshuffles and getattr(record.deal, deck.reshuffles))


# --- verify -------------------------------------------------------------------------------------------------


def verify(record: Record) -> Fault | None:
    """The first fault of a record, or None if every move is legal and the result is the one it leads to (C-35).

    Where the record has a proof of its deal, the deal is the one committed to (C-04), and so are written decks.
    """
    try:
        _check_fair(record)
        for step in replay(record):
            game = step.game
    except Fault as fault:
        return fault
    return _result_fault(record, game)


def _check_fair(record: Record) -> None:
    """Raise the fault of the proof of the deal, if there is one."""
    if record.fair is None:
        return
    reason = check(record.fair, record.deal.seed)
    if reason:
        raise Fault("fair", "C-04", reason)
    if record.deal.is_seed_only:
        return
    by_seed = replace(record, deal=Deal(record.deal.seed))
    for written, dealt in zip(replay(record), replay(by_seed), strict=True):
        if written.game.position.to_bytes() != dealt.game.position.to_bytes():
            raise Fault("fair", "C-04", f"the decks that are written are not those of the seed {record.deal.seed}")


def _result_fault(record: Record, game: Game) -> Fault | None:
    said, true = record.result, result_of(game)
    if said is None:
        return None
    if true is None:
        return Fault("result", "C-33", f"the game is not over after {len(record.moves)} moves")
    if said.reason != true.reason:
        clause = "C-33" if true.reason == "last round" else "C-34"
        return Fault("result.reason", clause, f'the game ended by "{true.reason}", not by "{said.reason}"')
    for seat in range(game.players):
        if said.scores[seat] != true.scores[seat]:
            return _wrong("result.scores", "C-35", seat, true.scores[seat], said.scores[seat])
        if said.places[seat] != true.places[seat]:
            return _wrong("result.places", "C-39", seat, true.places[seat], said.places[seat])
    for seat, (line, expected) in enumerate(zip(said.sheet, true.sheet, strict=False)):
        for part in SHEET:
            told, right = getattr(line, part.key), getattr(expected, part.key)
            if told != right:
                return _wrong(f"result.sheet.{part.key}", part.clause, seat, right, told)
    return None


def _wrong(place: str, clause: str, seat: Seat, true: object, said: object) -> Fault:
    return Fault(f"{place}[{seat}]", clause, f"seat {seat} has {true}, the record says {said}")
