"""Writes a record: JSON with one move, one player, one line of a deck a line, so that a diff is readable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final

from branchline.base import record as base
from branchline.deal import DECKS
from branchline.fair import FairDeal
from branchline.mechanics.composed_record import SHEET, SheetLine
from branchline.notation import write_action
from branchline.record.model import FORMAT, Player, Record, Result

_CARDS_A_LINE: Final = 10
_TICKETS_A_LINE: Final = 4


def write_game(record: Record) -> str:
    """The text of a record, the same for equal records."""
    parts = {
        "format": _json(FORMAT),
        "map": _json({"id": record.map.id, "hash": record.map.hash}),
        "rules": _json(record.rules),
        "meta": _json(dict(record.meta)) if record.meta else "",
        "players": _rows([_json(_player(player)) for player in record.players], 2),
        "deal": _table(_deal(record), 2),
        "fair": _table(_fair(record.fair), 2) if record.fair else "",
        "moves": _rows([_json(f"{move.seat} {write_action(move.action)}") for move in record.moves], 2),
        "result": _table(_result(record.result), 2) if record.result else "null",
    }
    return _table({key: text for key, text in parts.items() if text}, 0) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _rows(items: Sequence[str], indent: int) -> str:
    return _broken("[", items, "]", indent)


def _table(parts: dict[str, str], indent: int) -> str:
    return _broken("{", [f"{_json(key)}: {text}" for key, text in parts.items()], "}", indent)


def _broken(opening: str, items: Sequence[str], closing: str, indent: int) -> str:
    if not items:
        return opening + closing
    pad = " " * indent
    return opening + "\n" + ",\n".join(f"{pad}  {item}" for item in items) + f"\n{pad}{closing}"


def _player(player: Player) -> dict[str, str]:
    return {"name": player.name} | ({"bot": player.bot} if player.bot is not None else {})


# --- the deal -----------------------------------------------------------------------------------------------


def _deal(record: Record) -> dict[str, str]:
    deal, players = record.deal, len(record.players)
    parts = {"seed": _json(deal.seed)}
    for deck in DECKS:
        cards: tuple[str, ...] = getattr(deal, deck.key)
        each, shown = deck.dealt(record.map)
        if cards:
            parts[deck.key] = _deck(cards, (each,) * players + (shown,), _width(deck.key), 4)
    for key in (deck.reshuffles for deck in DECKS if deck.reshuffles):
        decks: tuple[tuple[str, ...], ...] = getattr(deal, key)
        if decks:
            parts[key] = _rows([_deck(again, (), _width(key), 6) for again in decks], 4)
    return parts


def _width(name: str) -> int:
    return _TICKETS_A_LINE if "ticket" in name else _CARDS_A_LINE


def _deck(cards: tuple[str, ...], firsts: Sequence[int], width: int, indent: int) -> str:
    """A short deck as one string, a longer one as a list of lines."""
    lines = list(_lines(cards, firsts, width))
    return _json(" ".join(cards)) if len(lines) < 2 else _rows([_json(line) for line in lines], indent)


def _lines(cards: tuple[str, ...], firsts: Sequence[int], width: int) -> Iterator[str]:
    at = 0
    for n in chain((n for n in firsts if n), repeat(width)):
        if at >= len(cards):
            return
        yield " ".join(cards[at : at + n])
        at += n


def _fair(fair: FairDeal) -> dict[str, str]:
    """The proof of the deal, one seat's seed a line."""
    seats = zip(fair.seat_seeds, fair.order, strict=True)
    parts: dict[str, Any] = {"version": fair.version, "commitment": fair.commitment, "server_seed": fair.server_seed}
    parts |= {"table": fair.table} | ({} if fair.drawn else {"drawn": False})
    rows = [_json({"seed": given.seed, "by": given.by, "seat": seat}) for given, seat in seats]
    return {key: _json(value) for key, value in parts.items()} | {"seat_seeds": _rows(rows, 4)}


# --- the result ---------------------------------------------------------------------------------------------


def _result(result: Result) -> dict[str, str]:
    parts = {
        "reason": _json(result.reason),
        "scores": _json(list(result.scores)),
        "places": _json(list(result.places)),
    }
    if result.sheet:
        parts["sheet"] = _rows([_json(_sheet_line(line)) for line in result.sheet], 4)
    return parts


def _sheet_line(line: SheetLine) -> dict[str, Any]:
    """The line's parts; what is 0 or empty may be left out and is, but for the first two."""
    parts = {part.key: _plain(getattr(line, part.key)) for part in SHEET}
    needed = {part.key for part in base.FIRST}
    return {key: value for key, value in parts.items() if value or key in needed}


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
