"""A game as JSON, for other programs: the public position, events and score sheets."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from branchline.events import Event
from branchline.fair import FairDeal
from branchline.mechanics.composed_record import PARTS
from branchline.record.replay import Step
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View


def step_json(step: Step) -> dict[str, Any]:
    """A move: its number, seat and line, what happened, and the position after it as all may see it."""
    return {
        "move": step.number,
        "seat": step.seat,
        "line": step.line or None,
        "events": [event_json(event) for event in step.events],
        "position": position_json(step.game.view(None)),
    }


def event_json(event: Event) -> dict[str, Any]:
    """An event: its name in small letters, and its facts."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(event).__name__).lower()
    return {"event": name} | dataclasses.asdict(event)


def position_json(view: View) -> dict[str, Any]:
    """What is public (I-07)."""
    return {
        "phase": view.phase,
        "seat_on_turn": None if view.is_over else view.seat_on_turn,
        "to_act": list(view.to_act),
        "turns_left": view.turns_left,
        "end_reason": view.end_reason,
        "display": list(view.display),
        "deck": view.deck_size,
        "discards": view.discards,
        "ticket_deck": view.ticket_deck_size,
        **{key: value for part in PARTS for key, value in part.position(view).items()},
        "players": [_player_json(player) for player in view.players],
    }


def _player_json(player: PlayerView) -> dict[str, Any]:
    return {
        "score": player.score,
        "trains": player.trains,
        "cards": player.card_count,
        "tickets": player.ticket_count,
        "tracks": list(player.tracks),
        **{key: value for part in PARTS for key, value in part.player(player).items()},
    }


def score_json(score: PlayerScore) -> dict[str, Any]:
    """A score sheet, with the sums that a reader would add up."""
    sums = {key: value for part in PARTS for key, value in part.sums(score).items()}
    return dataclasses.asdict(score) | {"ticket_points": score.ticket_points, **sums}


def fair_json(fair: FairDeal) -> dict[str, Any]:
    """The proof of a deal, as in a game file, with the seed that follows from it."""
    seats = zip(fair.seat_seeds, fair.order, strict=True)
    return {
        "version": fair.version,
        "commitment": fair.commitment,
        "server_seed": fair.server_seed,
        "table": fair.table,
        "drawn": fair.drawn,
        "seat_seeds": [{"seed": given.seed, "by": given.by, "seat": seat} for given, seat in seats],
        "seed": fair.seed,
    }
