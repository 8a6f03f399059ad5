"""Game records: what is written reads back and replays to the same bytes; what is wrong is refused by name."""

from __future__ import annotations

import argparse
import io
import json
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from branchline import Deal, DrawDeck, Game, MapData, load_map, shipped_maps
from branchline.cli import main
from branchline.commands.replay import add_arguments
from branchline.events import DeckReshuffled, Event
from branchline.maps import read_map
from branchline.notation import _VERBS
from branchline.record import (
    FORMAT,
    BadRecord,
    Fault,
    Move,
    Player,
    Record,
    describe,
    explain_scores,
    explicit_deal,
    load_game,
    read_game,
    record_of,
    replay,
    verify,
    write_game,
)
from branchline.record.model import MAX_FILE_BYTES, MAX_MOVES
from branchline.record.summary import position_json, score_json, step_json
from tests.table import table

ROOT = Path(__file__).parents[1]
TINY_FILE = ROOT / "tests" / "data" / "maps" / "tiny.json"
TINY = load_map(str(TINY_FILE))
GOLDEN = ROOT / "tests" / "golden"
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")
GAMES = [(name, players) for name in shipped_maps() for players in range(2, 6)]

Json = dict[str, Any]


def play(map: str | MapData, players: int, seed: int, *, moves: int = 10**6) -> tuple[Game, list[bytes]]:
    """A game played at random, and its positions."""
    rng = random.Random(seed)
    game = Game.new(map, players, seed=seed)
    positions = [game.position.to_bytes()]
    while not game.is_over and len(game.history) < moves:
        seat = rng.choice(game.to_act)
        game.play(rng.choice(game.legal_actions(seat)), seat)
        positions.append(game.position.to_bytes())
    return game, positions


def positions_of(record: Record) -> list[bytes]:
    return [step.game.position.to_bytes() for step in replay(record)]


def reseeded_positions(record: Record, seed: int) -> list[bytes]:
    """The positions with the seed that stands in them put to another one."""
    found = []
    for step in replay(record):
        position = step.game.position
        position.seed = seed
        found.append(position.to_bytes())
    return found


@cache
def example() -> str:
    """The text of a short whole game."""
    game, _ = play("usa", 2, seed=4)
    return write_game(record_of(game, NAMES[:2], meta={"date": "2024-05-01", "round": 3, "rated": False}))


def changed(change: Callable[[Json], object]) -> str:
    raw: Json = json.loads(example())
    change(raw)
    return json.dumps(raw)


def refusal(text: str | bytes, **given: Any) -> BadRecord:
    with pytest.raises(BadRecord) as refused:
        read_game(text, source="game.json", **given)
    fault = refused.value
    assert fault.file == "game.json"
    assert str(fault) == (f"game.json {fault.path}: {fault.reason}" if fault.path else f"game.json: {fault.reason}")
    return fault


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_record_replays_to_the_same_bytes(name: str, players: int) -> None:
    for seed in (players, 1000 + players):
        game, positions = play(name, players, seed)
        record = record_of(game, NAMES[:players])
        text = write_game(record)
        again = read_game(text)
        assert again == record
        assert write_game(again) == text
        assert verify(again) is None
        assert positions_of(again) == positions
        assert record.result is not None
        assert record.result.scores == tuple(score.total for score in game.scores())


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_record_with_its_decks_needs_no_seed(name: str, players: int) -> None:
    game, positions = play(name, players, seed=7 * players)
    record = replace(record_of(game, NAMES[:players]), deal=explicit_deal(game))
    again = read_game(write_game(record))
    assert again == record
    assert positions_of(again) == positions
    other = replace(again, deal=replace(again.deal, seed=99))
    assert reseeded_positions(other, game.deal.seed) == positions
    assert verify(other) is None
    assert explicit_deal(Game.new(name, players, deal=record.deal)).train_deck == record.deal.train_deck


def test_decks_tell_what_was_dealt() -> None:
    game, _ = play("africa", 3, seed=5)
    deal, first = explicit_deal(game), Game.new("africa", 3, seed=5)
    for seat in range(3):
        me = first.view(seat).me
        hand = deal.train_deck[4 * seat : 4 * seat + 4]
        assert {card: hand.count(card) for card in hand} == me.hand
        assert {deal.terrain_deck[seat]: 1} == me.terrain
        assert deal.tickets[4 * seat : 4 * seat + 4] == first.view(seat).offered_tickets
    assert deal.train_deck[12:17] == first.view(None).display
    assert len(deal.train_deck) == 110
    assert [len(deck) for deck in deal.reshuffles] == [
        event.cards for step in replay(record_of(game)) for event in step.events if isinstance(event, DeckReshuffled)
    ]
    assert len(deal.reshuffles) == 1
    assert len(deal.terrain_reshuffles) > 1


def test_europe_writes_the_long_tickets_that_were_dealt() -> None:
    game = Game.new("europe", 5, seed=1)
    deal = explicit_deal(game)
    assert len(deal.long_tickets) == 5
    assert [game.view(seat).offered_tickets[0] for seat in range(5)] == list(deal.long_tickets)


@pytest.mark.parametrize("moves", [0, 1, 7, 60])
@pytest.mark.parametrize("name", shipped_maps())
def test_a_game_that_is_not_over_has_no_result(name: str, moves: int) -> None:
    game, positions = play(name, 3, seed=2, moves=moves)
    for deal in (game.deal, explicit_deal(game)):
        record = read_game(write_game(replace(record_of(game), deal=deal)))
        assert record.result is None
        assert verify(record) is None
        assert positions_of(record) == positions
    assert [player.name for player in record.players] == ["Seat 0", "Seat 1", "Seat 2"]


def test_a_game_goes_on_from_its_record() -> None:
    game, _ = play("iberia", 3, seed=2, moves=100)
    *_, last = replay(read_game(write_game(record_of(game))))
    assert last.game == game
    assert last.game.history == game.history


def test_a_finished_game_may_leave_its_result_out() -> None:
    raw = json.loads(example())
    del raw["result"], raw["meta"]
    record = read_game(json.dumps(raw))
    assert record.result is None
    assert verify(record) is None


def test_a_game_from_the_middle_cannot_be_recorded() -> None:
    for game in (table("usa"), Game.at("usa", play("usa", 2, 1, moves=30)[0].position)):
        with pytest.raises(ValueError, match="did not begin with the deal"):
            record_of(game)
        with pytest.raises(ValueError, match="did not begin with the deal"):
            explicit_deal(game)


def test_names_of_players() -> None:
    game = Game.new("usa", 2, seed=1)
    record = record_of(game, [Player("Ada"), Player("Bo", "conductor")])
    assert read_game(write_game(record)).players == (Player("Ada"), Player("Bo", "conductor"))
    with pytest.raises(ValueError, match="3 names for 2 players"):
        record_of(game, ["a", "b", "c"])
    for name in ("", "  ", "x" * 61, "a\x1b[2J", "\ud800", "two\nlines"):
        with pytest.raises(ValueError, match="name: "):
            Player(name)
        with pytest.raises(ValueError, match="bot: "):
            Player("Ada", name)


def test_a_file_has_one_move_a_line() -> None:
    record = read_game(example())
    lines = example().splitlines()
    assert sum(bool(re.match(r'    "\d ', line)) for line in lines) == len(record.moves)
    assert max(len(line) for line in write_game(replace(record, result=None)).splitlines()) < 120


def test_refusals_and_faults_can_be_pickled() -> None:
    for error in (BadRecord("f", "p", "r"), Fault("move 3", "C-13", "no", 3, 1, "draw 1")):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.__dict__) == (str(error), error.__dict__)


# ---------------------------------------------------------------- maps that are not shipped


def test_a_game_on_a_fan_map_needs_the_map() -> None:
    game, positions = play(TINY, 3, seed=3)
    text = write_game(replace(record_of(game), deal=explicit_deal(game)))
    record = read_game(text, map=TINY)
    assert positions_of(record) == positions
    assert verify(record) is None
    assert "has to be given" in refusal(text).reason
    fault = refusal(text, map=load_map("usa"))
    assert (fault.path, fault.reason) == ("map.id", 'the game was played on "tiny", the map given is "usa"')
    raw = json.loads(TINY_FILE.read_bytes())
    raw["trains"] -= 1
    assert refusal(text, map=read_map(json.dumps(raw), source="tiny.json")).path == "map.hash"


def odd_map(colours: int, draft: int) -> MapData:
    """Few cards, that are shuffled often; and a draft without festivals, or one in which nobody has a choice."""
    raw = json.loads(TINY_FILE.read_bytes())
    raw["cards"] = {"per_colour": colours, "locomotives": 12}
    if draft:
        second = {"depth": {"2": "1/2", "3": "1/2"}, "jitter": 1}
        raw["rules"]["first_tickets"] = {"draft": {"cards": draft, "keep_exactly": 1, "second": second}}
        raw["tickets"] = [{k: v for k, v in ticket.items() if k != "long"} for ticket in raw["tickets"]]
    return read_map(json.dumps(raw), source="odd.json")


def check_written_decks(data: MapData, players: int, seed: int) -> Deal:
    game, positions = play(data, players, seed)
    record = replace(record_of(game), deal=explicit_deal(game))
    again = read_game(write_game(record), map=data)
    assert again == record
    assert positions_of(again) == positions
    assert verify(again) is None
    return record.deal


@pytest.mark.parametrize("seed", range(4))
def test_decks_of_odd_fan_maps(seed: int) -> None:
    usual = check_written_decks(odd_map(3, 0), 2 + seed % 2, seed)
    assert len(usual.train_deck) == 36
    assert len(usual.reshuffles) == 11  # there were more, and a deal cannot name them: the seed goes on
    draft = check_written_decks(odd_map(3, 2), 2 + seed % 2, seed)
    assert len(draft.train_deck) == 37
    assert "second-draft" in draft.train_deck
    no_choice = check_written_decks(odd_map(3, 1), 2 + seed % 2, seed)
    assert no_choice.is_seed_only


def test_a_first_deal_that_shuffles_again_is_left_to_the_seed() -> None:
    data = odd_map(2, 0)
    seed = next(seed for seed in range(300) if Game.new(data, 3, seed=seed).position.shuffles)
    assert check_written_decks(data, 3, seed).is_seed_only


# ---------------------------------------------------------------- what is no record


def set_at(*way: str | int, to: object) -> Callable[[Json], object]:
    def change(raw: Json) -> None:
        holder: Any = raw
        for key in way[:-1]:
            holder = holder[key]
        holder[way[-1]] = to

    return change


def without(*way: str | int) -> Callable[[Json], object]:
    def change(raw: Json) -> None:
        holder: Any = raw
        for key in way[:-1]:
            holder = holder[key]
        del holder[way[-1]]

    return change


REFUSED: list[tuple[Callable[[Json], object], str, str]] = [
    (set_at("format", to="branchline-game/2"), "format", '"branchline-game/2" is not a format this program reads'),
    (set_at("format", to=1), "format", "1 is not a format"),
    (without("format"), "format", f'missing: a game file begins with "format": "{FORMAT}"'),
    (set_at("rules", to=2), "rules", "rules version 2 is not one this program plays; it plays 1"),
    (set_at("rules", to="1"), "rules", 'must be a whole number, not "1"'),
    (set_at("rules", to=1.0), "rules", "must be a whole number, not 1.0"),
    (set_at("rules", to=True), "rules", "must be a whole number, not true"),
    (set_at("map", "id", to="europa"), "map.id", 'no map "europa" (did you mean "europe"?)'),
    (set_at("map", "id", to="moon"), "map.id", 'no map "moon"; the file of a map that is not shipped has to be given'),
    (set_at("map", "id", to="europe"), "map.hash", 'the game was played on another version of "europe"'),
    (set_at("map", "hash", to="0" * 64), "map.hash", 'the game was played on another version of "usa"'),
    (set_at("map", to="usa"), "map", 'must be an object, not "usa"'),
    (set_at("map", "Id", to="usa"), "map.Id", 'unknown key "Id" (did you mean "id"?)'),
    (without("map", "hash"), "map.hash", "missing"),
    (set_at("mvoes", to=[]), "mvoes", 'unknown key "mvoes" (did you mean "moves"?)'),
    (without("moves"), "moves", "missing"),
    (set_at("players", to=[{"name": "Ada"}]), "players", "USA is for 2 to 5 players, not 1"),
    (set_at("players", to=None), "players", "must be a list, not null"),
    (set_at("players", 1, "name", to=7), "players[1].name", "must be text, not 7"),
    (set_at("players", 1, "name", to=" "), "players[1].name", "must not be empty"),
    (set_at("players", 1, "name", to="\x1b[2J"), "players[1].name", "has a character that cannot be shown"),
    (set_at("players", 1, "name", to="\ud800"), "players[1].name", "has a character that cannot be shown"),
    (set_at("players", 1, "bot", to="x" * 61), "players[1].bot", "61 characters, 60 at the most"),
    (set_at("players", 0, "colour", to="red"), "players[0].colour", 'unknown key "colour"'),
    (set_at("deal", to={}), "deal", "give a seed, or decks"),
    (set_at("deal", "seed", to=-1), "deal.seed", "must be from 0 to"),
    (set_at("deal", "seed", to=1 << 63), "deal.seed", "must be from 0 to"),
    (set_at("deal", "seed", to=10**60), "deal.seed", "must be a whole number, not 1000"),
    (set_at("deal", "sead", to=1), "deal.sead", '(did you mean "seed"?)'),
    (
        set_at("deal", "train_deck", to="red bleu"),
        "deal.train_deck",
        'card 2: no train card "bleu" (did you mean "blue"?)',
    ),
    (set_at("deal", "train_deck", to="second-draft"), "deal.train_deck", 'no train card "second-draft"'),
    (set_at("deal", "train_deck", to=["red", 3]), "deal.train_deck[1]", "must be text, not 3"),
    (set_at("deal", "train_deck", to=7), "deal.train_deck", "must be a list, not 7"),
    (set_at("deal", "train_deck", to="red " * 201), "deal.train_deck", "201 cards, 200 at the most"),
    (set_at("deal", "train_deck", to="red " * 199), "deal", "train_deck: 199 cards, 168 at the most"),
    (set_at("deal", "tickets", to=["boston-miamy"]), "deal.tickets", '(did you mean "boston-miami"?)'),
    (set_at("deal", "long_tickets", to="boston-miami"), "deal.long_tickets", 'no long ticket "boston-miami"'),
    (set_at("deal", "terrain_deck", to="desert"), "deal.terrain_deck", 'no terrain card "desert"'),
    (set_at("deal", "reshuffles", to="red"), "deal.reshuffles", 'must be a list, not "red"'),
    (set_at("deal", "reshuffles", to=["red", ["rod"]]), "deal.reshuffles[1]", 'card 1: no train card "rod"'),
    (set_at("deal", "reshuffles", to=[["red"]] * 12), "deal", "12 reshuffles are written by hand, 11 at the most"),
    (set_at("moves", to={}), "moves", "must be a list, not an object"),
    (set_at("moves", 2, to=None), "moves[2]", 'move 3 must be a line like "0 draw deck", not null'),
    (set_at("moves", 2, to="draw deck"), "moves[2]", 'move 3, "draw deck", must begin with its seat, 0 to 1'),
    (set_at("moves", 2, to="2 draw deck"), "moves[2]", "must begin with its seat, 0 to 1"),
    (set_at("moves", 2, to=""), "moves[2]", "must begin with its seat"),
    (set_at("moves", 2, to="0"), "moves[2]", "move 3: no action begins with"),
    (set_at("moves", 2, to="0 drew deck"), "moves[2]", '(did you mean "draw"?)'),
    (set_at("moves", 2, to="0 claim montreal-new_yrok-1 red"), "moves[2]", '(did you mean "montreal-new_york-1"?)'),
    (set_at("moves", 2, to="0 claim \x1b[2J red"), "moves[2]", 'no track "?[2J"'),
    (set_at("moves", to=["0 draw deck"] * (MAX_MOVES + 1)), "moves", "100001 entries, 100000 at the most"),
    (set_at("result", "reason", to="last rond"), "result.reason", '(did you mean "last round"?)'),
    (set_at("result", "reason", to=None), "result.reason", "must be text, not null"),
    (set_at("result", "scores", to=[1]), "result.scores", "1 entries for 2 players"),
    (set_at("result", "scores", 0, to=0.5), "result.scores[0]", "must be a whole number, not 0.5"),
    (set_at("result", "scores", 0, to=10**5), "result.scores[0]", "must be from -9999 to 9999"),
    (set_at("result", "places", 1, to=3), "result.places[1]", "must be from 1 to 2, not 3"),
    (set_at("result", "sheet", to=[]), "result.sheet", "0 entries for 2 players"),
    (set_at("result", "sheet", 1, "tickets", to={"x": 1}), "result.sheet[1].tickets", 'no ticket "x" on this map'),
    (set_at("result", "sheet", 1, "loans", to={"miami": 3}), "result.sheet[1].loans.miami", "must be text, not 3"),
    (set_at("result", "sheet", 1, "loans", to={"miami": "x"}), "result.sheet[1].loans.miami", 'no track "x"'),
    (set_at("result", "sheet", 1, "festivals", to={"x": 3}), "result.sheet[1].festivals", 'no festival city "x"'),
    (set_at("result", "sheet", 1, "path", to=3), "result.sheet[1].path", "unknown key"),
    (without("result", "sheet", 0, "tracks"), "result.sheet[0].tracks", "missing"),
    (set_at("meta", to=[]), "meta", "must be an object, not a list"),
    (set_at("meta", "date", to={}), "meta.date", "must be text, a number, true, false or null, not an object"),
    (set_at("meta", "date", to=float("nan")), "meta.date", "not NaN"),
    (set_at("meta", "date", to=float("-inf")), "meta.date", "not -Infinity"),
    (set_at("meta", "date", to="x" * 2001), "meta.date", "2001 characters, 2000 at the most"),
    (set_at("meta", "\n", to=1), "meta.?", "the key: has a character that cannot be shown"),
    (set_at("meta", to={str(i): i for i in range(101)}), "meta", "101 entries, 100 at the most"),
]


@pytest.mark.parametrize(("change", "path", "told"), REFUSED)
def test_what_is_no_record_is_refused_by_place_and_name(change: Callable[[Json], object], path: str, told: str) -> None:
    fault = refusal(changed(change))
    assert fault.path == path
    assert told in fault.reason
    assert len(fault.reason) < 400
    assert str(fault).isprintable()


@pytest.mark.parametrize(
    ("text", "path", "told"),
    [
        (b"", "line 1 column 1", "not JSON"),
        (b"\xff{}", "byte 0", "not UTF-8 text"),
        ("[]", "", "must be an object, not a list"),
        ("null", "", "must be an object, not null"),
        ("{", "line 1 column 2", "not JSON"),
        ("\ufeff{}", "line 1 column 1", "not JSON"),
        ("[" * 200_000, "", "nested too deeply"),
        ('{"a":' * 100_000, "", "nested too deeply"),
        (" " * (MAX_FILE_BYTES + 1), "", "too large: over 2097152 bytes"),
        (f'{{"format": "{FORMAT}", "format": "{FORMAT}"}}', "format", '"format" is written twice'),
        ('{"format": 1e999}', "format", "inf is not a format"),
    ],
)
def test_text_that_is_not_json_of_a_game_is_refused(text: str | bytes, path: str, told: str) -> None:
    fault = refusal(text)
    assert fault.path == path
    assert told in fault.reason


def test_keys_written_twice_are_refused_wherever_they_stand() -> None:
    for key in ("id", "name", "seed", "date", "reason", "tracks"):
        text = re.sub(rf'"{key}": ', f'"{key}": 0, "{key}": ', example(), count=1)
        fault = refusal(text)
        assert fault.path.endswith(key)
        assert fault.reason == f'"{key}" is written twice'


def test_a_byte_order_mark_does_no_harm() -> None:
    assert read_game(b"\xef\xbb\xbf" + example().encode()) == read_game(example())


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(example(), encoding="utf-8")
    assert load_game(file) == load_game(str(file)) == read_game(example())
    for path, told in ((tmp_path / "none.json", "cannot be read: No such file"), (tmp_path, "not a file")):
        with pytest.raises(BadRecord, match=told):
            load_game(path)
    with pytest.raises(BadRecord, match="cannot be read"):
        load_game("a\x00b")
    file.write_bytes(b" " * (MAX_FILE_BYTES + 10))
    with pytest.raises(BadRecord, match=r"game\.json: too large"):
        load_game(file)


# ---------------------------------------------------------------- what cannot have happened


def fault_of(change: Callable[[Json], object]) -> Fault:
    fault = verify(read_game(changed(change)))
    assert fault is not None
    return fault


def test_an_illegal_move_is_told_with_its_place_and_clause() -> None:
    moves = json.loads(example())["moves"]
    at = next(i for i, line in enumerate(moves) if "claim" in line)
    fault = fault_of(set_at("moves", at, to=f"{moves[at][0]} pass"))
    assert (fault.move, fault.seat, fault.line, fault.clause) == (at + 1, int(moves[at][0]), "pass", "C-34")
    assert str(fault) == f"move {at + 1}, seat {fault.seat}: pass: C-34: {fault.reason}"


def test_a_move_of_the_wrong_seat_is_a_fault() -> None:
    moves = json.loads(example())["moves"]
    other = str(1 - int(moves[-1][0]))
    fault = fault_of(set_at("moves", -1, to=other + moves[-1][1:]))
    assert (fault.move, fault.clause) == (len(moves), "C-01")


def test_a_move_after_the_end_is_a_fault() -> None:
    record = read_game(example())
    fault = verify(replace(record, moves=(*record.moves, Move(0, DrawDeck()))))
    assert fault is not None
    assert (fault.place, fault.clause) == (f"move {len(record.moves) + 1}", "C-33")


def test_a_result_of_a_game_that_is_not_over_is_a_fault() -> None:
    fault = fault_of(lambda raw: raw["moves"].pop())
    assert str(fault) == f"result: C-33: the game is not over after {len(json.loads(example())['moves']) - 1} moves"


@pytest.mark.parametrize(
    ("name", "way", "to", "place", "clause"),
    [
        ("usa", ["reason"], "all passed", "result.reason", "C-33"),
        ("usa", ["scores", 1], 1000, "result.scores[1]", "C-35"),
        ("usa", ["places", 0], 2, "result.places[0]", "C-39"),
        ("usa", ["sheet", 0, "tracks"], 1, "result.sheet.tracks[0]", "C-35"),
        ("usa", ["sheet", 1, "tickets"], {}, "result.sheet.tickets[1]", "C-32"),
        ("usa", ["sheet", 1, "longest_path"], 44, "result.sheet.longest_path[1]", "C-36"),
        ("usa", ["sheet", 1, "longest_path_bonus"], 5, "result.sheet.longest_path_bonus[1]", "C-36"),
        ("europe", ["sheet", 1, "stations"], 3, "result.sheet.stations[1]", "EUR-10"),
        ("europe", ["sheet", 0, "loans"], {"roma": None}, "result.sheet.loans[0]", "EUR-08"),
        ("iberia", ["sheet", 0, "festivals"], {"sevilla": 1}, "result.sheet.festivals[0]", "IBE-16"),
        ("africa", ["sheet", 0, "globetrotter_bonus"], 5, "result.sheet.globetrotter_bonus[0]", "AFR-19"),
    ],
)
def test_a_wrong_result_is_told_with_its_place_and_clause(
    name: str, way: list[str | int], to: object, place: str, clause: str
) -> None:
    raw: Json = json.loads((GOLDEN / f"{name}-2-planned.json").read_bytes())
    assert raw["result"]["places"] == [1, 2] or name == "iberia"
    set_at("result", *way, to=to)(raw)
    fault = verify(read_game(json.dumps(raw)))
    assert fault is not None
    assert (fault.place, fault.clause, fault.move, fault.seat) == (place, clause, 0, None)


def test_a_deal_that_cannot_be_is_a_fault() -> None:
    fault = fault_of(set_at("deal", "train_deck", to="red " * 13))
    assert (fault.place, fault.clause, fault.move) == ("deal", "C-02", 0)
    assert "more often than the deck has it" in str(fault)


@pytest.mark.parametrize(
    ("name", "deal", "clause"),
    [
        ("usa", {"reshuffles": ["red " * 13]}, "C-18"),
        ("africa", {"terrain_reshuffles": ["desert " * 16]}, "AFR-07"),
        ("iberia", {"ticket_reshuffles": ["burgos-france burgos-france"]}, "IBE-05"),
    ],
)
def test_a_reshuffle_that_cannot_be_is_a_fault_where_it_happens(name: str, deal: Json, clause: str) -> None:
    raw: Json = json.loads((GOLDEN / f"{name}-5-random.json").read_bytes())
    raw["deal"] |= deal
    fault = verify(read_game(json.dumps(raw)))
    assert fault is not None
    assert fault.clause == clause
    assert fault.move > 0
    assert "a card that is not among the cards shuffled" in fault.reason


# ---------------------------------------------------------------- words


def test_every_event_has_a_sentence_for_every_reader() -> None:
    told: set[type] = set()
    for file in GOLDEN.glob("*-3-*.json"):
        record = load_game(file)
        names = ("Ana", "Bogdan", "Carmo")
        for step in replay(record):
            for event in step.events:
                told.add(type(event))
                for reader in (None, 0, 1, 2):
                    seen = event.seen_by(reader)
                    assert seen is not None
                    sentence = describe(seen, record.map, names, reader)
                    assert re.fullmatch(r"[A-Z][^\n]*\.", sentence), sentence
                    assert not re.search(r"None|_|\bYou \w+s\b|  |\b1 \w+s\b(?! \()", sentence), sentence
    assert {kind.__name__ for kind in set(get_args(Event)) - told} <= {"Passed", "DisplaySwept"}


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("europe-2-planned", " of the display now holds a"),
        ("europe-2-planned", "Turned up: "),
        ("europe-2-planned", "Ada tries the tunnel "),
        ("europe-2-planned", " gives up the tunnel "),
        ("europe-2-planned", "builds a station in "),
        ("iberia-2-planned", "A festival card comes up: Porto and Coimbra."),
        ("iberia-2-planned", "The second draft of tickets begins, with packs of 6."),
        ("africa-2-planned", "to double the points."),
        ("africa-2-planned", " (doubled)."),
        ("usa-2-planned", "The game is over: the last round has been played."),
    ],
)
def test_sentences(file: str, sentence: str) -> None:
    record = load_game(GOLDEN / f"{file}.json")
    sentences = [describe(e, record.map, record.names) for step in replay(record) for e in step.events]
    assert any(sentence in told for told in sentences)


def test_a_secret_is_not_told() -> None:
    game = Game.new("usa", 2, seed=1)
    game.play_all([game.legal_actions(0)[0], game.legal_actions(1)[0]])
    drawn = game.play("draw deck")[0]
    assert re.fullmatch(r"Ada draws an? \w+( card)? from the deck\.", describe(drawn, game.map, NAMES))
    seen = drawn.seen_by(1)
    assert seen is not None
    assert describe(seen, game.map, NAMES) == "Ada draws a card from the deck."


@pytest.mark.parametrize("name", shipped_maps())
def test_explained_scores_add_up(name: str) -> None:
    for players in range(2, 6):
        record = load_game(GOLDEN / f"{name}-{players}-planned.json")
        *_, last = replay(record)
        sums: dict[str, int] = {}
        for line in explain_scores(last.game.scores(), record.map, record.names):
            head = re.fullmatch(r"(1st|2nd|3rd|4th|5th): (\w+), (-?\d+) points?", line)
            if head:
                who = head[2]
                sums[who] = -int(head[3])
            elif line[:8].strip():
                sums[who] += int(line[:8])
        assert sums == dict.fromkeys(record.names, 0)


# ---------------------------------------------------------------- the command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(example(), encoding="utf-8")
    return path


def test_verify_says_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--verify"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert "moves, all legal; the result is Ada " in out
    assert out.endswith("; the deal carries no proof\n")
    assert not err


def test_verify_names_the_first_fault(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(changed(set_at("moves", 1, to="1 tickets")), encoding="utf-8")
    assert main(["replay", str(file), "--verify"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert re.fullmatch(r".*game\.json: move 2, seat 1: tickets: C-\d\d: .*\n", err)
    assert main(["replay", str(file), "--verify", "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["right"], verdict["move"], verdict["seat"], verdict["line"]) == (False, 2, 1, "tickets")
    assert main(["replay", str(file)]) == 1  # without --verify it is found on the way
    assert "move 2, seat 1: tickets" in capsys.readouterr().err


def test_verify_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--verify", "--json"]) == 0
    moves = len(json.loads(example())["moves"])
    assert json.loads(capsys.readouterr().out) == {"right": True, "moves": moves, "fair": None}


def test_the_command_refuses_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}", encoding="utf-8")
    assert main(["replay", str(bad)]) == 1
    assert capsys.readouterr().err.startswith("BadRecord: bad.json format: missing")
    assert main(["replay", str(tmp_path / "none.json")]) == 1
    assert "BadRecord: none.json: cannot be read" in capsys.readouterr().err
    assert main(["replay", str(bad), "--map", str(bad)]) == 1
    assert capsys.readouterr().err.startswith("BadMap: bad.json")


def test_the_words_of_a_game(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    moves = json.loads(example())["moves"]
    for number, line in enumerate(moves, 1):
        assert f"{number:4d}. {NAMES[int(line[0])]}: {line[2:]}\n" in out
    assert out.startswith("USA: Ada, Bo\ndate: 2024-05-01\n")
    assert "Final scores:\n1st: " in out


def test_a_part_of_a_game(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def numbers(*options: str) -> list[int]:
        assert main(["replay", str(file), *options]) == 0
        return [int(n) for n in re.findall(r"(?m)^ *(\d+)\. ", capsys.readouterr().out)]

    last = len(json.loads(example())["moves"])
    assert numbers("--from", "3", "--to", "5") == [3, 4, 5]
    assert numbers("--to", "2") == [1, 2]
    assert numbers("--to", "0") == []
    assert numbers("--from", str(last - 1)) == [last - 1, last]
    assert numbers("--step", "4") == [4]
    for options in (["--step", str(last + 1)], ["--from", str(last + 1)], ["--from", "3", "--to", "2"]):
        assert main(["replay", str(file), *options]) == 2
    assert main(["replay", str(file), "--step", "1", "--to", "2"]) == 2
    for number in ("-1", "x", "1.5", "9" * 30):
        with pytest.raises(SystemExit):
            main(["replay", str(file), "--step", number])
    capsys.readouterr()
    assert main(["replay", str(file), "--step", "4"]) == 0
    assert "\nDisplay: " in capsys.readouterr().out


@pytest.mark.parametrize("name", shipped_maps())
def test_json_output(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOLDEN / f"{name}-2-planned.json"), "--json"]) == 0
    *steps, end = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    record = load_game(GOLDEN / f"{name}-2-planned.json")
    assert [step["move"] for step in steps] == list(range(len(record.moves) + 1))
    assert (steps[0]["seat"], steps[0]["line"]) == (None, None)
    assert steps[-1]["events"][-1] == {"event": "game_ended", "reason": "last round"}
    assert record.result is not None
    assert [sheet["total"] for sheet in end["scores"]] == list(record.result.scores)
    assert (end["over"], end["end_reason"]) == (True, "last round")
    hidden = {"hand", "tickets_held", "seed"}
    assert not hidden & set(steps[5]["position"]) | hidden & set(steps[5]["position"]["players"][0])


def test_json_of_a_part_has_no_scores(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--json", "--from", "2", "--to", "4"]) == 0
    assert [json.loads(line)["move"] for line in capsys.readouterr().out.splitlines()] == [2, 3, 4]


def test_a_fan_map_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "isle.json"
    file.write_text(write_game(record_of(play(TINY, 2, seed=1)[0])), encoding="utf-8")
    assert main(["replay", str(file), "--verify"]) == 1
    assert main(["replay", str(file), "--verify", "--map", str(TINY_FILE)]) == 0
    assert "The Little Isle" in capsys.readouterr().out


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(example().encode())))
    assert main(["replay", "-", "--verify"]) == 0
    assert capsys.readouterr().out.startswith("-: right: USA")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def stepped(file: Path, answers: str, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    out = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answers))
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["replay", str(file), *options]) == 0
    return out.getvalue()


def test_in_a_terminal_it_waits_between_turns(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stepped(file, "\n\nq\n", monkeypatch).count("[Enter") == 3
    assert stepped(file, "\n", monkeypatch).count("[Enter") == 2  # the input ends: so does the show
    whole = stepped(file, "\n" * 1000, monkeypatch)
    assert "Final scores" in whole
    assert "[Enter" not in stepped(file, "", monkeypatch, "--plain")
    assert "[Enter" not in stepped(file, "", monkeypatch, "--step", "3")


def test_the_command_starts_without_heavy_libraries() -> None:
    code = (
        "import sys, branchline.commands.replay, branchline.cli;"
        "print({'numpy', 'numba', 'rich', 'prompt_toolkit'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "set()"


# ---------------------------------------------------------------- the page


def blocks(language: str) -> list[str]:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", page)


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("json")
    Path("thursday.json").write_text(text, encoding="utf-8")
    assert write_game(read_game(text)) == text
    assert main(["replay", "thursday.json", "--from", "3", "--to", "6"]) == 0
    assert [capsys.readouterr().out] == blocks("text")
    for code in blocks("python"):
        exec(code, {})


def test_the_page_shows_faults_as_they_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    (text,) = blocks("json")
    for right, wrong in ((" dallas-new_york", ""), ("montreal-new_york-1", "montreal-new_yrok-1")):
        Path("thursday.json").write_text(text.replace(right + '"', wrong + '"').replace(right + " b", wrong + " b"))
        assert main(["replay", "thursday.json", "--verify"]) == 1
        assert capsys.readouterr().err in page


def test_the_page_lists_every_verb_key_and_option() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    for verb in _VERBS:
        assert re.search(rf"(?m)^\| `{verb}[ `]", page), verb
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    for name in [*options, "seed", *Deal.deck_keys(), *json.loads(example()), *json.loads(example())["result"]]:
        assert f"`{name}" in page or name == "--help", name
    first, *_ = replay(read_game(example()))
    keys = {*step_json(first), *position_json(first.game.view(None)), *score_json(first.game.scores()[0])}
    keys |= set(position_json(first.game.view(None))["players"][0])
    assert not [key for key in keys if f"`{key}`" not in page]
