"""Reads a record, or refuses it with file, path and reason. No bytes whatever make it fail in another way.

The form is checked here, and every name; whether the moves were legal and the result is right, `verify` says.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, get_args

from branchline.base import record as base
from branchline.codec import ENDS, names_of
from branchline.deal import DECKS, BadDeal, Deal, cards_of, dealt_board
from branchline.faces import Deck
from branchline.fair import VERSION as FAIR_VERSION
from branchline.fair import FairDeal, Giver, SeatSeed, digest_fault, order_fault, seed_fault, table_fault
from branchline.files import (
    did_you_mean,
    join_path,
    nearest,
    parse_json,
    printable,
    quoted,
    read_bytes,
    shown,
    told,
)
from branchline.maps.loader import known_maps, load_map
from branchline.maps.model import MapData
from branchline.mechanics.composed_record import SHEET, SheetLine
from branchline.notation import BadNotation, read_action
from branchline.record.model import (
    FORMAT,
    MAX_FILE_BYTES,
    MAX_META,
    MAX_MOVES,
    MAX_SCORE,
    BadRecord,
    Move,
    Player,
    Record,
    Result,
    Scalar,
    name_fault,
    text_fault,
)
from branchline.version import RULES_VERSION

_LONGEST_KEY: Final = 40
_MAX_DIGITS: Final = 19  # of a seed
_MAX_CARDS: Final = 200  # of a deck
_MAX_DECKS: Final = 50
_MAX_DECK_TEXT: Final = 8000


def read_game(text: str | bytes, *, map: MapData | None = None, source: str = "record") -> Record:
    """The record that `text`, a whole file, holds; `map` is the map of a game on a map that is not shipped.

    Raises `BadRecord`, with `source` as its file.
    """
    raw = parse_json(text, source, most=MAX_FILE_BYTES, digits=_MAX_DIGITS + 1, error=BadRecord)
    return _Reader(source, map).record(raw)


def load_game(path: str | os.PathLike[str], *, map: MapData | None = None) -> Record:
    """`read_game` for a file."""
    where = Path(path)
    text = read_bytes(where, MAX_FILE_BYTES, BadRecord)
    return read_game(text, map=map, source=shown(where.name or str(where)))


# --- the parts of a record ----------------------------------------------------------------------------------


class _Reader:
    """Reads one record; the first fault ends it."""

    def __init__(self, file: str, given: MapData | None) -> None:
        self.file = file
        self.given = given

    def record(self, raw: object) -> Record:
        self._format(raw)
        parts = self._table(raw, "", ("format", "map", "rules", "players", "deal", "moves"), ("fair", "result", "meta"))
        self._rules(parts["rules"])
        data = self._map(parts["map"])
        players = self._players(parts["players"], data)
        return Record(
            map=data,
            players=players,
            deal=self._deal(parts["deal"], data),
            moves=self._moves(parts["moves"], data, len(players)),
            result=self._result(parts.get("result"), data, len(players)),
            meta=self._meta(parts.get("meta", {})),
            fair=self._fair(parts["fair"], len(players)) if "fair" in parts else None,
        )

    def _format(self, raw: object) -> None:
        """Said first: with another format nothing else means anything."""
        if not isinstance(raw, dict):
            self._fail("", f"must be an object, not {told(raw)}")
        if "format" not in raw:
            self._fail("format", f'missing: a game file begins with "format": "{FORMAT}"')
        if raw["format"] != FORMAT:
            self._fail("format", f'{told(raw["format"])} is not a format this program reads; it reads "{FORMAT}"')

    def _rules(self, raw: object) -> None:
        version = self._whole(raw, "rules", 0, 10**6)
        if version != RULES_VERSION:
            self._fail("rules", f"rules version {version} is not one this program plays; it plays {RULES_VERSION}")

    def _map(self, raw: object) -> MapData:
        parts = self._table(raw, "map", ("id", "hash"))
        name, found = self.text(parts["id"], "map.id"), self.text(parts["hash"], "map.hash")
        if self.given is None and name not in known_maps():
            hint = "" if nearest(name, known_maps()) else "; the file of a map that is not shipped has to be given"
            self._fail("map.id", f"no map {quoted(name)}{did_you_mean(name, known_maps())}{hint}")
        data = self.given or load_map(name)
        if name != data.id:
            self._fail("map.id", f'the game was played on {quoted(name)}, the map given is "{data.id}"')
        if found != data.hash:
            was = f"{quoted(found)}, and this map's is {quoted(data.hash)}"
            self._fail("map.hash", f'the game was played on another version of "{data.id}": its hash is {was}')
        return data

    def _players(self, raw: object, data: MapData) -> tuple[Player, ...]:
        rows = self._list(raw, "players")
        if not data.min_players <= len(rows) <= data.max_players:
            told = f"{data.min_players} to {data.max_players}"
            self._fail("players", f"{data.name} is for {told} players, not {len(rows)}")
        return tuple(self._player(row, f"players[{i}]") for i, row in enumerate(rows))

    def _player(self, raw: object, path: str) -> Player:
        parts = self._table(raw, path, ("name",), ("bot",))
        bot = parts.get("bot")
        name = self.text(parts["name"], f"{path}.name", name_fault)
        return Player(name, None if bot is None else self.text(bot, f"{path}.bot", name_fault))

    # ------------------------------------------------------------ the deal

    def _deal(self, raw: object, data: MapData) -> Deal:
        parts = self._table(raw, "deal", (), ("seed", *Deal.deck_keys()))
        if not parts:
            self._fail("deal", "give a seed, or decks")
        seed = self._whole(parts.get("seed", 0), "deal.seed", 0, (1 << 63) - 1)
        decks = {deck.key: self._deck(parts[deck.key], deck.key, deck, data) for deck in DECKS if deck.key in parts}
        shuffles = {
            deck.reshuffles: tuple(
                self._deck(again, f"{deck.reshuffles}[{i}]", deck, data)
                for i, again in enumerate(self._list(parts[deck.reshuffles], f"deal.{deck.reshuffles}", _MAX_DECKS))
            )
            for deck in DECKS
            if deck.reshuffles in parts
        }
        deal = Deal(seed=seed, **decks, **shuffles)  # type: ignore[arg-type]
        try:
            dealt_board(data, deal)
        except BadDeal as error:
            self._fail("deal", str(error))
        return deal

    def _deck(self, raw: object, name: str, deck: Deck, data: MapData) -> tuple[str, ...]:
        """A deck: one string of names, or a list of such strings."""
        path = f"deal.{name}"
        lines = [raw] if isinstance(raw, str) else self._list(raw, path, _MAX_CARDS)
        cards = [card for i, line in enumerate(lines) for card in self.text(line, f"{path}[{i}]", _deck_fault).split()]
        known = tuple(cards_of(deck, data))
        for i, card in enumerate(cards):
            if card not in known:
                self._fail(path, f"card {i + 1}: no {deck.card} {quoted(card)}{did_you_mean(card, known)}")
        if len(cards) > _MAX_CARDS:
            self._fail(path, f"{len(cards)} cards, {_MAX_CARDS} at the most")
        return tuple(cards)

    # ------------------------------------------------------------ the proof of the deal

    def _fair(self, raw: object, players: int) -> FairDeal:
        parts = self._table(raw, "fair", ("version", "commitment", "server_seed", "table", "seat_seeds"), ("drawn",))
        version = self._whole(parts["version"], "fair.version", 0, 10**6)
        if version != FAIR_VERSION:
            self._fail("fair.version", f"{version} is not one this program checks; it checks {FAIR_VERSION}")
        rows = self._list(parts["seat_seeds"], "fair.seat_seeds")
        if len(rows) != players:
            self._fail("fair.seat_seeds", f"{len(rows)} entries for {players} players")
        seats = [self._fair_seat(row, f"fair.seat_seeds[{i}]", players) for i, row in enumerate(rows)]
        order = tuple(seat for _, seat in seats)
        if reason := order_fault(order, players):
            self._fail("fair.seat_seeds", reason)
        return FairDeal(
            commitment=self.text(parts["commitment"], "fair.commitment", digest_fault),
            server_seed=self.text(parts["server_seed"], "fair.server_seed", digest_fault),
            table=self.text(parts["table"], "fair.table", table_fault),
            seat_seeds=tuple(given for given, _ in seats),
            order=order,
            drawn=self._flag(parts.get("drawn", True), "fair.drawn"),
        )

    def _fair_seat(self, raw: object, path: str, players: int) -> tuple[SeatSeed, int]:
        parts = self._table(raw, path, ("seed", "by", "seat"))
        by = self.text(parts["by"], f"{path}.by")
        if by not in get_args(Giver):
            self._fail(f"{path}.by", f"no giver {quoted(by)}; one of: {', '.join(get_args(Giver))}")
        giver: Giver = "browser" if by == "browser" else "server"
        seed = self.text(parts["seed"], f"{path}.seed", seed_fault)
        return SeatSeed(seed, giver), self._whole(parts["seat"], f"{path}.seat", 0, players - 1)

    # ------------------------------------------------------------ the moves

    def _moves(self, raw: object, data: MapData, players: int) -> tuple[Move, ...]:
        rows = self._list(raw, "moves", MAX_MOVES)
        return tuple(self._move(row, i, data, players) for i, row in enumerate(rows))

    def _move(self, raw: object, i: int, data: MapData, players: int) -> Move:
        path = f"moves[{i}]"
        if not isinstance(raw, str):
            self._fail(path, f'move {i + 1} must be a line like "0 draw deck", not {told(raw)}')
        seat, _, line = raw.strip().partition(" ")
        if len(seat) != 1 or seat not in "0123456789"[:players]:
            self._fail(path, f"move {i + 1}, {quoted(raw)}, must begin with its seat, 0 to {players - 1}")
        try:
            return Move(int(seat), read_action(line, data))
        except BadNotation as error:
            self._fail(path, f"move {i + 1}: {printable(str(error))}")

    # ------------------------------------------------------------ the result

    def _result(self, raw: object, data: MapData, players: int) -> Result | None:
        if raw is None:
            return None
        parts = self._table(raw, "result", ("reason", "scores", "places"), ("sheet",))
        reason, ends = self.text(parts["reason"], "result.reason"), list(ENDS.values())
        if reason not in ends:
            self._fail(
                "result.reason", f"no end {quoted(reason)}{did_you_mean(reason, ends)}; one of: {', '.join(ends)}"
            )
        scores = self._each("scores", parts["scores"], players)
        places = self._each("places", parts["places"], players)
        sheet = self._each("sheet", parts["sheet"], players) if "sheet" in parts else []
        return Result(
            reason=reason,
            scores=tuple(self.score(n, path) for path, n in scores),
            places=tuple(self._whole(n, path, 1, players) for path, n in places),
            sheet=tuple(self._sheet_line(line, path, data) for path, line in sheet),
        )

    def _each(self, name: str, raw: object, players: int) -> list[tuple[str, Any]]:
        """A list with one entry a seat, each with its path."""
        rows = self._list(raw, f"result.{name}")
        if len(rows) != players:
            self._fail(f"result.{name}", f"{len(rows)} entries for {players} players")
        return [(f"result.{name}[{i}]", row) for i, row in enumerate(rows)]

    def _sheet_line(self, raw: object, path: str, data: MapData) -> SheetLine:
        names = names_of(data)
        needed = [part.key for part in base.FIRST]
        parts = self._table(raw, path, needed, (part.key for part in SHEET if part.key not in needed))
        read = {
            part.key: part.read(self, parts[part.key], f"{path}.{part.key}", names)
            for part in SHEET
            if part.key in parts
        }
        return SheetLine(**read)

    def scores(self, raw: object, path: str, what: str, known: Mapping[str, int]) -> dict[str, int]:
        parts = self.named(raw, path, what, known)
        return {name: self.score(value, f"{path}.{name}") for name, value in parts.items()}

    def score(self, raw: object, path: str) -> int:
        return self._whole(raw, path, -MAX_SCORE, MAX_SCORE)

    # ------------------------------------------------------------ what a host may add

    def _meta(self, raw: object) -> dict[str, Scalar]:
        parts = self._object(raw, "meta")
        if len(parts) > MAX_META:
            self._fail("meta", f"{len(parts)} entries, {MAX_META} at the most")
        return {key: self._scalar(value, self._key("meta", key)) for key, value in parts.items()}

    def _key(self, path: str, key: str) -> str:
        reason = text_fault(key, _LONGEST_KEY)
        if reason:
            self._fail(join_path(path, key), f"the key: {reason}")
        return f"{path}.{key}"

    def _scalar(self, raw: object, path: str) -> Scalar:
        if isinstance(raw, str):
            return self.text(raw, path)
        if raw is None or isinstance(raw, bool | int):
            return raw
        if not isinstance(raw, float) or not math.isfinite(raw):
            self._fail(path, f"must be text, a number, true, false or null, not {told(raw)}")
        return raw

    # ------------------------------------------------------------ shapes

    def _fail(self, path: str, reason: str) -> NoReturn:
        raise BadRecord(self.file, path, reason)

    def _object(self, raw: object, path: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            self._fail(path, f"must be an object, not {told(raw)}")
        for key in getattr(raw, "repeated", ()):
            self._fail(join_path(path, key), f"{quoted(key)} is written twice")
        return dict(raw)

    def _table(self, raw: object, path: str, needed: Iterable[str], more: Iterable[str] = ()) -> dict[str, Any]:
        """An object with these keys: all of `needed`, any of `more`, and no other."""
        parts, needed = self._object(raw, path), tuple(needed)
        known = (*needed, *more)
        for key in parts:
            if key not in known:
                self._fail(join_path(path, key), f"unknown key {quoted(key)}{did_you_mean(key, known)}")
        for key in needed:
            if key not in parts:
                self._fail(join_path(path, key), "missing")
        return parts

    def named(self, raw: object, path: str, what: str, known: Iterable[str]) -> dict[str, Any]:
        """An object whose keys are names of this map."""
        parts = self._object(raw, path)
        for key in parts:
            self.known(key, path, what, known)
        return parts

    def known(self, name: str, path: str, what: str, known: Iterable[str]) -> None:
        if name not in known:
            self._fail(path, f"no {what} {quoted(name)} on this map{did_you_mean(name, known)}")

    def _list(self, raw: object, path: str, most: int = MAX_MOVES) -> list[Any]:
        if not isinstance(raw, list):
            self._fail(path, f"must be a list, not {told(raw)}")
        if len(raw) > most:
            self._fail(path, f"{len(raw)} entries, {most} at the most")
        return raw

    def text(self, raw: object, path: str, fault: Callable[[str], str] = text_fault) -> str:
        if not isinstance(raw, str):
            self._fail(path, f"must be text, not {told(raw)}")
        reason = fault(raw)
        if reason:
            self._fail(path, reason)
        return raw

    def _flag(self, raw: object, path: str) -> bool:
        if not isinstance(raw, bool):
            self._fail(path, f"must be true or false, not {told(raw)}")
        return raw

    def _whole(self, raw: object, path: str, least: int, most: int) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            self._fail(path, f"must be a whole number, not {told(raw)}")
        if not least <= raw <= most:
            self._fail(path, f"must be from {least} to {most}, not {raw}")
        return raw


def _deck_fault(text: str) -> str:
    return text_fault(text, _MAX_DECK_TEXT)


# --- the words of a refusal ---------------------------------------------------------------------------------
