"""Whatever is done to a record, it is right, or refused with file and reason, or has a fault with place and clause."""

from __future__ import annotations

import copy
import json
import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from branchline import Game, MapData, load_map, read_action, write_action
from branchline.fair import fair_deal
from branchline.record import BadRecord, Record, explicit_deal, read_game, record_of, verify, write_game

TINY = load_map(str(Path(__file__).parent / "data" / "maps" / "tiny.json"))
MUTANTS = 300  # of each base game, by value and by byte together: 3000
BASES = ("usa", "europe", "iberia", "africa", "carpathians", "tiny") * 2
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2, 5, 99, 10**18, 10**19, 10**40, -0.0, 0.5, 1e308, float("nan"), float("inf"),
    "", " ", "0", "0 ", "0 draw", "0 draw 1", "1 draw deck", "0 pass", "1 tickets", "9 pass", "-1 pass", "0 locos 99",
    "0 double 15", "0 keep x", "0 claim x red", "red", "loco", "red " * 50, "second-draft", "festival:sevilla", "usa",
    "last round", "\ud800", "\x00", "\x1b[2J", "é" * 3000, "branchline-game/1", [], {}, [[]], [{}], [None], {"": {}},
    ["red"] * 20, [["red"] * 3] * 11, {"seed": 1}, {"name": "x"}, {"boston-miami": 3},
]  # fmt: skip


@cache
def base(name: str, written: bool) -> tuple[bytes, MapData]:
    """The opening of a game on a shipped map, or a whole game on a small one; with a seed, or with its decks.

    Some of them prove their deal.
    """
    data = TINY if name == "tiny" else load_map(name)
    rng = random.Random(name)
    fair = fair_deal(rng.randbytes(32), name, [rng.randbytes(16).hex(), None]) if name in ("usa", "iberia") else None
    game = Game.new(data, 2, seed=fair.seed if fair else rng.getrandbits(60))
    while not game.is_over and (name == "tiny" or len(game.history) < 60):
        seat = rng.choice(game.to_act)
        game.play(rng.choice(game.legal_actions(seat)), seat)
    record = record_of(game, ["Ada", "Bo"], meta={"date": "2024-05-01"}, fair=fair)
    if written:
        record = replace(record, deal=explicit_deal(game))
    return write_game(record).encode(), data


def outcome(text: bytes, data: MapData) -> str:
    """How a record fares: "right", "bad" or "fault"; each of the last two tells where and why."""
    told: BadRecord | None = None
    try:
        record = read_game(text, map=data if data is TINY else None, source="game.json")
    except BadRecord as refusal:
        told = refusal
    if told is not None:
        assert told.file == "game.json"
        assert told.reason
        assert str(told).isprintable()
        assert len(str(told)) < 800
        return "bad"
    assert read_game(write_game(record), map=data) == record
    return verdict(record)


def verdict(record: Record) -> str:
    fault = verify(record)
    if fault is None:
        return "right"
    assert re.fullmatch(r"(C|EUR|IBE|AFR|CAR)-\d\d", fault.clause), str(fault)
    assert fault.reason
    assert str(fault).isprintable()
    assert len(str(fault)) < 800
    if fault.move:
        seat, action = record.moves[fault.move - 1]
        assert (fault.seat, fault.line) == (seat, write_action(action))
    else:
        assert fault.place.startswith(("deal", "fair", "result"))
    return "fault"


# ---------------------------------------------------------------- changes that know what a record is


def walk(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value, in a fixed order."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        found.append((value, key))
        found += walk(value[key])
    return found


def spot(raw: Any, rng: random.Random) -> tuple[Any, Any]:
    """Some place in a record; the moves are many, so a part is chosen first."""
    part = rng.choice(list(raw))
    inside = walk(raw[part])
    return rng.choice(inside) if inside and rng.random() < 0.9 else (raw, part)


def replace_one(raw: Any, rng: random.Random) -> None:
    holder, key = spot(raw, rng)
    holder[key] = copy.deepcopy(rng.choice(ODD))


def delete_one(raw: Any, rng: random.Random) -> None:
    holder, key = spot(raw, rng)
    del holder[key]


def add_key(raw: Any, rng: random.Random) -> None:
    holder, key = spot(raw, rng)
    target = holder[key] if isinstance(holder[key], dict) else raw
    target[rng.choice(["seed", "reshuffles", "result", "meta", "bot", "x", ""])] = copy.deepcopy(rng.choice(ODD))


def swap_two(raw: Any, rng: random.Random) -> None:
    (one, i), (two, j) = spot(raw, rng), spot(raw, rng)
    one[i], two[j] = copy.deepcopy(two[j]), copy.deepcopy(one[i])


def change_move(raw: Any, rng: random.Random) -> None:
    moves = raw.get("moves")
    if not isinstance(moves, list) or not moves:
        return
    at = rng.randrange(len(moves))
    match rng.randrange(6):
        case 0:
            del moves[at]
        case 1:
            moves.insert(at, moves[rng.randrange(len(moves))])
        case 2:
            other = rng.randrange(len(moves))
            moves[at], moves[other] = moves[other], moves[at]
        case 3:
            moves[at] = str(moves[at]).translate(str.maketrans("01", "10"))
        case 4:
            del moves[at:]
        case _:
            words = str(moves[at]).split(" ")
            words[-1] = rng.choice(["deck", "red", "loco", "0", "1", "5", words[-1] + "x", words[-1][:-1]])
            moves[at] = " ".join(words)


def change_deck(raw: Any, rng: random.Random) -> None:
    deal = raw.get("deal")
    decks = [key for key in deal if isinstance(deal[key], list)] if isinstance(deal, dict) else []
    if not decks:
        return
    deck = deal[rng.choice(decks)]
    at = rng.randrange(len(deck) or 1)
    if deck and isinstance(deck[at], str):
        cards = deck[at].split()
        rng.shuffle(cards)
        deck[at] = " ".join(cards[: rng.choice([1, 9, 99])])
    elif deck:
        deck.insert(at, copy.deepcopy(deck[rng.randrange(len(deck))]))


CHANGES = [replace_one, delete_one, add_key, swap_two, change_move, change_move, change_move, change_deck]


def mutate_values(text: bytes, rng: random.Random) -> bytes:
    raw = json.loads(text)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        rng.choice(CHANGES)(raw, rng)
        if not raw:
            break
    return json.dumps(raw).encode()


# ---------------------------------------------------------------- changes that do not


def mutate_bytes(text: bytes, rng: random.Random) -> bytes:
    found = bytearray(text)
    for _ in range(rng.choice([1, 1, 3, 20])):
        at = rng.randrange(len(found) or 1)
        match rng.randrange(5):
            case 0:
                found[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[at : at + rng.choice([1, 5, 500])]
            case 2:
                found[at:at] = rng.choice([b'"', b"{", b"]", b",", b"1e999", b"\\u0000", b"\xff", b"NaN", b"//", b"\n"])
            case 3:
                found[at:at] = found[at : at + 80]
            case _:
                found[at : at + 1] = bytes([rng.choice(b"0123456789abcdefghijklmnopqrstuvwxyz -_")])
    return bytes(found[: rng.randrange(len(found) or 1)] if rng.random() < 0.05 else found)


@pytest.mark.parametrize(("name", "written"), [(name, n >= 5) for n, name in enumerate(BASES)])
def test_changed_records(name: str, written: bool) -> None:
    text, data = base(name, written)
    assert outcome(text, data) == "right"
    rng = random.Random(f"{name} {written}")
    fared = [outcome(mutate_values(text, rng), data) for _ in range(MUTANTS * 2 // 3)]
    assert set(fared) == {"right", "bad", "fault"}
    fared = [outcome(mutate_bytes(text, rng), data) for _ in range(MUTANTS // 3)]
    assert "bad" in fared


@pytest.mark.parametrize("depth", [5, 500, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"moves":', "}]")])
def test_nesting(depth: int, opening: str, closing: str) -> None:
    text, data = base("usa", False)
    nested = opening * depth + "1" + closing * depth
    for whole in (nested, text.decode().replace('"Ada"', nested), text.decode().replace('"2024-05-01"', nested)):
        assert outcome(whole.encode(), data) == "bad"


def test_noise() -> None:
    rng = random.Random("noise")
    for _ in range(300):
        assert outcome(rng.randbytes(rng.randrange(200)), TINY) == "bad"


def test_any_move_may_be_replaced_by_any_line() -> None:
    """Every kind of line at every moment of a game: legal, or refused by a clause."""
    for name in ("europe", "iberia", "africa"):
        text, data = base(name, False)
        record = read_game(text)
        lines = [
            "draw 1",
            "draw 9",
            "draw deck",
            "terrain 1",
            "terrain 3",
            "terrain deck",
            "tickets",
            "locos 0",
            "single",
        ]
        lines += ["locos 9", "locos 99", "double 0", "double 15", "decline", "pass"]
        lines += [
            f"claim {data.tracks[7].id} red",
            f"claim {data.tracks[9].id} loco",
            f"station {data.places[3].id} red",
        ]
        lines += [f"festival {data.places[5].id}", f"keep {data.tickets[0].id}", f"return {data.tickets[1].id}"]
        lines += [f"take {data.tickets[2].id}", f"keep {data.tickets[0].id} {data.tickets[0].id}"]
        actions = [read_action(line, data) for line in lines]
        for at, move in enumerate(record.moves[::5]):
            for action in actions:
                for seat in (move.seat, 1 - move.seat):
                    moves = (*record.moves[: 5 * at], move._replace(seat=seat, action=action))
                    assert verdict(replace(record, moves=moves)) in ("right", "fault")
