"""Reads a record, or refuses it with file, path and reason. No bytes whatever make it fail in another way.

The form is checked here, and every name; whether the moves were legal and the result is right, `verify` says.
"""

from __future__ import annotations

import difflib
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from branchline.codec import ENDS, names_of
from branchline.deal import FESTIVAL_PREFIX, SECOND_DRAFT, BadDeal, Deal, dealt_board
from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import CARDS, MapData
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
    SheetLine,
    name_fault,
    text_fault,
)
from branchline.version import RULES_VERSION

_LONGEST_SHOWN: Final = 40
_MAX_DIGITS: Final = 19  # of a seed
_MAX_CARDS: Final = 200  # of a deck
_MAX_DECKS: Final = 50
_MAX_DECK_TEXT: Final = 8000
_DECKS: Final = ("train_deck", "tickets", "long_tickets", "terrain_deck")
_RESHUFFLES: Final = {
    "reshuffles": "train_deck",
    "ticket_reshuffles": "tickets",
    "terrain_reshuffles": "terrain_deck",
}
_POINTS: Final = ("stations", "longest_path", "longest_path_bonus", "globetrotter_bonus")


def read_game(text: str | bytes, *, map: MapData | None = None, source: str = "record") -> Record:
    """The record that `text`, a whole file, holds; `map` is the map of a game on a map that is not shipped.

    Raises `BadRecord`, with `source` as its file.
    """
    return _Reader(source, map).record(_parse(text, source))


def load_game(path: str | os.PathLike[str], *, map: MapData | None = None) -> Record:
    """`read_game` for a file."""
    where = Path(path)
    name = _shown(where.name or str(where))
    try:
        if where.exists() and not where.is_file():  # a pipe or a device might never end
            raise BadRecord(name, "", "not a file")
        with where.open("rb") as file:
            text = file.read(MAX_FILE_BYTES + 1)  # one more than allowed, so that the limit is noticed
    except BadRecord:
        raise
    except (OSError, ValueError) as error:
        told = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadRecord(name, "", f"cannot be read: {told}") from None
    return read_game(text, map=map, source=name)


# --- JSON ---------------------------------------------------------------------------------------------------


class _Object(dict[str, Any]):
    """A JSON object that remembers a key written twice."""

    repeated: str | None = None


class _NoNumber:
    """A number JSON text can hold and a record cannot: NaN, Infinity, or one with far too many digits."""

    def __init__(self, text: str) -> None:
        self.text = text


def _parse(text: str | bytes, source: str) -> object:
    if len(text) > MAX_FILE_BYTES:
        raise BadRecord(source, "", f"too large: over {MAX_FILE_BYTES} bytes")
    try:
        return json.loads(
            text.decode("utf-8-sig") if isinstance(text, bytes) else text,
            object_pairs_hook=_object,
            parse_constant=_NoNumber,
            parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS + 1 else _NoNumber(digits),
        )
    except UnicodeDecodeError as error:
        raise BadRecord(source, f"byte {error.start}", "not UTF-8 text") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise BadRecord(source, where, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise BadRecord(source, "", "nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    if len(result) < len(pairs):
        result.repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return result


# --- the parts of a record ----------------------------------------------------------------------------------


class _Reader:
    """Reads one record; the first fault ends it."""

    def __init__(self, file: str, given: MapData | None) -> None:
        self.file = file
        self.given = given

    def record(self, raw: object) -> Record:
        self._format(raw)
        parts = self._table(raw, "", ("format", "map", "rules", "players", "deal", "moves"), ("result", "meta"))
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
        )

    def _format(self, raw: object) -> None:
        """Said first: with another format nothing else means anything."""
        if not isinstance(raw, dict):
            self._fail("", f"must be an object, not {_told(raw)}")
        if "format" not in raw:
            self._fail("format", f'missing: a game file begins with "format": "{FORMAT}"')
        if raw["format"] != FORMAT:
            self._fail("format", f'{_told(raw["format"])} is not a format this program reads; it reads "{FORMAT}"')

    def _rules(self, raw: object) -> None:
        version = self._whole(raw, "rules", 0, 10**6)
        if version != RULES_VERSION:
            self._fail("rules", f"rules version {version} is not one this program plays; it plays {RULES_VERSION}")

    def _map(self, raw: object) -> MapData:
        parts = self._table(raw, "map", ("id", "hash"))
        name, found = self._text(parts["id"], "map.id"), self._text(parts["hash"], "map.hash")
        if self.given is None and name not in shipped_maps():
            hint = "" if _near(name, shipped_maps()) else "; the file of a map that is not shipped has to be given"
            self._fail("map.id", f"no map {_quoted(name)}{_did_you_mean(name, shipped_maps())}{hint}")
        data = self.given or load_map(name)
        if name != data.id:
            self._fail("map.id", f'the game was played on {_quoted(name)}, the map given is "{data.id}"')
        if found != data.hash:
            was = f"{_quoted(found)}, and this map's is {_quoted(data.hash)}"
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
        name = self._text(parts["name"], f"{path}.name", name_fault)
        return Player(name, None if bot is None else self._text(bot, f"{path}.bot", name_fault))

    # ------------------------------------------------------------ the deal

    def _deal(self, raw: object, data: MapData) -> Deal:
        parts = self._table(raw, "deal", (), ("seed", *_DECKS, *_RESHUFFLES))
        if not parts:
            self._fail("deal", "give a seed, or decks")
        seed = self._whole(parts.get("seed", 0), "deal.seed", 0, (1 << 63) - 1)
        decks = {name: self._deck(parts[name], name, name, data) for name in _DECKS if name in parts}
        shuffles = {
            name: tuple(
                self._deck(deck, f"{name}[{i}]", kind, data)
                for i, deck in enumerate(self._list(parts[name], f"deal.{name}", _MAX_DECKS))
            )
            for name, kind in _RESHUFFLES.items()
            if name in parts
        }
        deal = Deal(seed=seed, **decks, **shuffles)  # type: ignore[arg-type]
        try:
            dealt_board(data, deal)
        except BadDeal as error:
            self._fail("deal", str(error))
        return deal

    def _deck(self, raw: object, name: str, kind: str, data: MapData) -> tuple[str, ...]:
        """A deck: one string of names, or a list of such strings."""
        path = f"deal.{name}"
        lines = [raw] if isinstance(raw, str) else self._list(raw, path, _MAX_CARDS)
        cards = [card for i, line in enumerate(lines) for card in self._text(line, f"{path}[{i}]", _deck_fault).split()]
        known = _cards_of(kind, data)
        for i, card in enumerate(cards):
            if card not in known:
                self._fail(path, f"card {i + 1}: no {_KINDS[kind]} {_quoted(card)}{_did_you_mean(card, known)}")
        if len(cards) > _MAX_CARDS:
            self._fail(path, f"{len(cards)} cards, {_MAX_CARDS} at the most")
        return tuple(cards)

    # ------------------------------------------------------------ the moves

    def _moves(self, raw: object, data: MapData, players: int) -> tuple[Move, ...]:
        rows = self._list(raw, "moves", MAX_MOVES)
        return tuple(self._move(row, i, data, players) for i, row in enumerate(rows))

    def _move(self, raw: object, i: int, data: MapData, players: int) -> Move:
        path = f"moves[{i}]"
        if not isinstance(raw, str):
            self._fail(path, f'move {i + 1} must be a line like "0 draw deck", not {_told(raw)}')
        seat, _, line = raw.strip().partition(" ")
        if len(seat) != 1 or seat not in "0123456789"[:players]:
            self._fail(path, f"move {i + 1}, {_quoted(raw)}, must begin with its seat, 0 to {players - 1}")
        try:
            return Move(int(seat), read_action(line, data))
        except BadNotation as error:
            self._fail(path, f"move {i + 1}: {_printable(str(error))}")

    # ------------------------------------------------------------ the result

    def _result(self, raw: object, data: MapData, players: int) -> Result | None:
        if raw is None:
            return None
        parts = self._table(raw, "result", ("reason", "scores", "places"), ("sheet",))
        reason, ends = self._text(parts["reason"], "result.reason"), list(ENDS.values())
        if reason not in ends:
            self._fail(
                "result.reason", f"no end {_quoted(reason)}{_did_you_mean(reason, ends)}; one of: {', '.join(ends)}"
            )
        scores = self._each("scores", parts["scores"], players)
        places = self._each("places", parts["places"], players)
        sheet = self._each("sheet", parts["sheet"], players) if "sheet" in parts else []
        return Result(
            reason=reason,
            scores=tuple(self._score(n, path) for path, n in scores),
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
        parts = self._table(raw, path, ("tracks", "tickets"), (*_POINTS, "loans", "festivals"))
        return SheetLine(
            tracks=self._score(parts["tracks"], f"{path}.tracks"),
            tickets=self._scores(parts["tickets"], f"{path}.tickets", "ticket", names.ticket),
            stations=self._score(parts.get("stations", 0), f"{path}.stations"),
            loans=self._loans(parts.get("loans", {}), f"{path}.loans", data),
            festivals=self._scores(parts.get("festivals", {}), f"{path}.festivals", "festival city", names.group),
            longest_path=self._score(parts.get("longest_path", 0), f"{path}.longest_path"),
            longest_path_bonus=self._score(parts.get("longest_path_bonus", 0), f"{path}.longest_path_bonus"),
            globetrotter_bonus=self._score(parts.get("globetrotter_bonus", 0), f"{path}.globetrotter_bonus"),
        )

    def _scores(self, raw: object, path: str, what: str, known: Mapping[str, int]) -> dict[str, int]:
        parts = self._named(raw, path, what, known)
        return {name: self._score(value, f"{path}.{name}") for name, value in parts.items()}

    def _loans(self, raw: object, path: str, data: MapData) -> dict[str, str | None]:
        names = names_of(data)
        loans = self._named(raw, path, "place", names.place)
        for place, track in loans.items():
            if track is not None:
                self._known(self._text(track, f"{path}.{place}"), f"{path}.{place}", "track", names.track)
        return loans

    def _score(self, raw: object, path: str) -> int:
        return self._whole(raw, path, -MAX_SCORE, MAX_SCORE)

    # ------------------------------------------------------------ what a host may add

    def _meta(self, raw: object) -> dict[str, Scalar]:
        parts = self._object(raw, "meta")
        if len(parts) > MAX_META:
            self._fail("meta", f"{len(parts)} entries, {MAX_META} at the most")
        return {key: self._scalar(value, self._key("meta", key)) for key, value in parts.items()}

    def _key(self, path: str, key: str) -> str:
        reason = text_fault(key, _LONGEST_SHOWN)
        if reason:
            self._fail(_join(path, key), f"the key: {reason}")
        return f"{path}.{key}"

    def _scalar(self, raw: object, path: str) -> Scalar:
        if isinstance(raw, str):
            return self._text(raw, path)
        if raw is None or isinstance(raw, bool | int):
            return raw
        if not isinstance(raw, float) or not math.isfinite(raw):
            self._fail(path, f"must be text, a number, true, false or null, not {_told(raw)}")
        return raw

    # ------------------------------------------------------------ shapes

    def _fail(self, path: str, reason: str) -> NoReturn:
        raise BadRecord(self.file, path, reason)

    def _object(self, raw: object, path: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            self._fail(path, f"must be an object, not {_told(raw)}")
        if isinstance(raw, _Object) and raw.repeated is not None:
            self._fail(_join(path, raw.repeated), f"{_quoted(raw.repeated)} is written twice")
        return dict(raw)

    def _table(self, raw: object, path: str, needed: Iterable[str], more: Iterable[str] = ()) -> dict[str, Any]:
        """An object with these keys: all of `needed`, any of `more`, and no other."""
        parts, needed = self._object(raw, path), tuple(needed)
        known = (*needed, *more)
        for key in parts:
            if key not in known:
                self._fail(_join(path, key), f"unknown key {_quoted(key)}{_did_you_mean(key, known)}")
        for key in needed:
            if key not in parts:
                self._fail(_join(path, key), "missing")
        return parts

    def _named(self, raw: object, path: str, what: str, known: Iterable[str]) -> dict[str, Any]:
        """An object whose keys are names of this map."""
        parts = self._object(raw, path)
        for key in parts:
            self._known(key, path, what, known)
        return parts

    def _known(self, name: str, path: str, what: str, known: Iterable[str]) -> None:
        if name not in known:
            self._fail(path, f"no {what} {_quoted(name)} on this map{_did_you_mean(name, known)}")

    def _list(self, raw: object, path: str, most: int = MAX_MOVES) -> list[Any]:
        if not isinstance(raw, list):
            self._fail(path, f"must be a list, not {_told(raw)}")
        if len(raw) > most:
            self._fail(path, f"{len(raw)} entries, {most} at the most")
        return raw

    def _text(self, raw: object, path: str, fault: Callable[[str], str] = text_fault) -> str:
        if not isinstance(raw, str):
            self._fail(path, f"must be text, not {_told(raw)}")
        reason = fault(raw)
        if reason:
            self._fail(path, reason)
        return raw

    def _whole(self, raw: object, path: str, least: int, most: int) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            self._fail(path, f"must be a whole number, not {_told(raw)}")
        if not least <= raw <= most:
            self._fail(path, f"must be from {least} to {most}, not {raw}")
        return raw


_KINDS: Final = {
    "train_deck": "train card",
    "tickets": "ticket",
    "long_tickets": "long ticket",
    "terrain_deck": "terrain card",
}


def _deck_fault(text: str) -> str:
    return text_fault(text, _MAX_DECK_TEXT)


def _cards_of(kind: str, data: MapData) -> tuple[str, ...]:
    """The names that may stand in a deck of a kind."""
    if kind == "train_deck":
        festivals = tuple(FESTIVAL_PREFIX + group for group in names_of(data).groups)
        return CARDS + festivals + ((SECOND_DRAFT,) if festivals else ())
    if kind == "terrain_deck":
        return tuple(names_of(data).terrains)
    return tuple(ticket.id for ticket in data.tickets if ticket.long == (kind == "long_tickets"))


# --- the words of a refusal ---------------------------------------------------------------------------------


def _told(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case int() | float():
            return str(value)
        case _NoNumber():
            return _shown(value.text)
        case list():
            return "a list"
        case _:
            return "an object"


def _shown(text: str) -> str:
    return _printable(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _quoted(text: str) -> str:
    return f'"{_shown(text)}"'


def _join(path: str, key: str) -> str:
    return f"{path}.{_shown(key)}" if path else _shown(key)


def _near(word: str, known: Iterable[str]) -> list[str]:
    if len(word) > _LONGEST_SHOWN:  # comparing long texts takes long, and no name is like them
        return []
    return difflib.get_close_matches(word.strip().lower().replace(" ", "_"), known, n=1)


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    near = _near(word, known)
    return f' (did you mean "{near[0]}"?)' if near else ""
