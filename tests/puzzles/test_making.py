"""Puzzles are found in games: the same ones from the same games, in one run or in several, and what is no puzzle is
left out with a reason. The proofs here are short; that is said where it matters."""

from __future__ import annotations

import gzip
import json
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline import Deal, Game, imagine, load_map
from branchline.puzzles import BadPuzzle, Puzzle, load, shipped
from branchline.puzzles.finding import Found, Rejected, Search, find
from branchline.puzzles.making import Order, Stock, Task, look_through, make, next_task
from branchline.puzzles.merging import merge
from branchline.puzzles.positions import Played, Situation, of_record, play, seats_for
from branchline.puzzles.rows import FORMAT, append, mend, rows_in
from branchline.record import Move, Player, Record, record_of
from branchline.review.alike import likeness
from branchline.review.weighing import Weighing, groups_of, worlds_of

WORK = 0.5  # seconds' worth of a proof that need not prove
SINCE = date(2026, 11, 20)
EARLY = next(one for one in shipped() if one.id == "europe-2c8e666d")  # so early that its game is soon looked through


def record_of_puzzle(puzzle: Puzzle) -> Record:
    """The game as far as the answer, with names that nobody may find again."""
    names = tuple(Player(f"Ana {seat}") for seat in range(puzzle.players))
    game = puzzle.game()
    (action,) = [one for one in puzzle.view().legal_actions() if puzzle.is_right(one)][:1]
    game.play(action, puzzle.seat)
    return Record(puzzle.map, names, puzzle.deal, (*puzzle.moves, Move(puzzle.seat, action)))


def record_of_beginning(seed: int) -> Record:
    """The first tickets of a game, and no more."""
    game = Game.new("usa", 2, seed=seed)
    for seat in game.to_act:
        game.play(game.view(seat).legal_actions()[0], seat)
    return replace(record_of(game), players=(Player("Ana"), Player("Rui")))


BEGINNINGS = tuple(record_of_beginning(seed) for seed in range(3))


def order_of(*records: Record, many: int = 100) -> Order:
    return Order((load_map("usa"),), many, proof=WORK, records=records)


def told(path: Path) -> list[dict[str, Any]]:
    """All rows of a file, but for the time they took."""
    return [{key: value for key, value in row.items() if key != "cpu"} for row in rows_in(path)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is found in the game of a shipped puzzle, and in three beginnings."""
    path = tmp_path_factory.mktemp("made") / "found.jsonl"
    make(order_of(record_of_puzzle(EARLY), *BEGINNINGS), path)
    return path


# ---------------------------------------------------------------- finding


def test_a_shipped_puzzle_is_found_again_in_its_game(made: Path) -> None:
    (row,) = [row for row in rows_in(made) if row.get("id") == EARLY.id]
    assert row["kind"] == EARLY.kind and row["work"] == WORK
    assert EARLY.is_right(row["options"][0][0])
    assert row["source"] == "people"


def test_whose_game_it_was_is_forgotten(made: Path) -> None:
    assert "Ana" not in made.read_text(encoding="utf-8")


def test_every_game_ends_with_what_was_counted_in_it(made: Path) -> None:
    games = [row for row in rows_in(made) if row["row"] == "game"]
    assert len(games) == 1 + len(BEGINNINGS) and len({row["game"] for row in games}) == len(games)
    assert [row["decisions"] for row in games] == [len(EARLY.moves) + 1, 2, 2, 2]


def test_the_same_games_give_the_same_rows_in_one_run_or_in_several(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    first = record_of_puzzle(EARLY)
    make(order_of(first, BEGINNINGS[0]), path)
    with path.open("ab") as file:  # a stop in the midst of the next game
        file.write(f'{{"format":"{FORMAT}","row":"fou'.encode())
    make(order_of(first, *BEGINNINGS), path)
    assert told(path) == told(made)


def test_games_follow_from_their_seed() -> None:
    data = load_map("usa")
    one, two, other = (play(data, 2, seed) for seed in (5, 5, 6))
    assert one.moves == two.moves and one.bots == two.bots
    assert one.moves != other.moves
    assert all(situation.seat == move.seat for situation, move in zip(one.situations, one.moves, strict=True))
    assert (
        one.situations[9].view == Game.at_move(one).view(one.situations[9].seat) if hasattr(Game, "at_move") else True
    )


def test_a_search_that_is_up_keeps_nothing_of_the_game() -> None:
    record = BEGINNINGS[0]
    task = Task(record.map, 2, 0, 0, WORK, 2, frozenset(), time.time() - 1, "record", record)
    assert look_through(task) == []


def test_kinds_of_which_there_are_enough_are_left_out() -> None:
    played = _only(of_record(record_of_puzzle(EARLY)), len(EARLY.moves))
    search = Search(WORK, is_wanted=lambda kind: kind != EARLY.kind)
    (result,) = find(played, search)
    assert isinstance(result, Rejected) and result.why == "enough of its kind"


def test_the_same_is_found_in_two_worlds_that_the_seat_cannot_tell_apart() -> None:
    """All that the seat does not know is dealt anew; the rest, and so all that is found out, is the same."""
    view = EARLY.view()
    other = imagine(view, _Bits()).view(EARLY.seat)
    found = []
    for one in (view, other):
        played = Played(EARLY.map, EARLY.players, Deal(1), EARLY.moves, (Situation(0, EARLY.seat, one),), "bots")
        (result,) = find(played, Search(WORK))
        assert isinstance(result, Found)
        found.append([(weight.group.action, weight.win) for each in result.weighed for weight in each.order])
    assert found[0] == found[1]
    assert EARLY.is_right(found[0][0][0])


def test_two_seeds_weigh_in_different_worlds() -> None:
    view = EARLY.view()
    one, two = (Weighing(groups_of(view), worlds_of(view, seed, 100)).run(0.05) for seed in (1, 2))
    assert [weight.win for weight in one.order] != [weight.win for weight in two.order]
    assert likeness(one.order[0].group.action, view) == likeness(two.order[0].group.action, view)


class _Bits:
    def getrandbits(self, n: int, /) -> int:
        return 0x5DEECE66D % (1 << n)


def _only(played: Played, number: int) -> Played:
    return replace(played, situations=tuple(one for one in played.situations if one.number == number))


def test_at_the_tables_sit_bots_of_all_levels() -> None:
    seen = {bot for seed in range(40) for bot in seats_for(5, Random(seed))}
    assert {"passenger", "porter", "conductor", "planner", "net"} <= seen


# ---------------------------------------------------------------- the next game


def test_maps_and_players_take_turns() -> None:
    order, stock = Order((load_map("usa"), load_map("europe")), 100), Stock()
    keys = [task.key for task in (next_task(order, stock, None) for _ in range(8)) if task]
    assert keys == [f"{name}-{n}-1-0" for n in (2, 3, 4, 5) for name in ("usa", "europe")]


def test_there_is_no_next_game_when_there_are_enough() -> None:
    order, stock = Order((load_map("usa"),), 1), Stock()
    stock.found["usa"] = 1
    assert next_task(order, stock, None) is None
    assert next_task(replace(order, many=2), stock, time.time() - 1) is None


# ---------------------------------------------------------------- the file of what was found


def test_what_is_no_such_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    for text, why in BAD_FOUND:
        path = tmp_path / "found.jsonl"
        path.write_bytes(text)
        with pytest.raises(BadPuzzle, match=why):
            mend(path)
        with pytest.raises(BadPuzzle, match=why):
            make(order_of(*BEGINNINGS), path)
        assert path.read_bytes() == text


_HEAD = f'{{"format":"{FORMAT}",'
BAD_FOUND = [
    (b"dear diary\n", "is no JSON"),
    (b"dear diary", "is no JSON"),
    (b"[1]\n", "is nothing that was found"),
    (b'{"format":"branchline-puzzles/1"}\n', "is nothing that was found"),
    (f'{_HEAD}"row":"gold"}}\n'.encode(), '"gold" is none of'),
    (f'{_HEAD}"row":"failed","fault":7}}\n'.encode(), "must be a text, not 7"),
    (f'{_HEAD}"row":"game","map":[],"players":2,"game":"x"}}\n'.encode(), "must be an object"),
    (b"[" * 100_000 + b"\n", "is no JSON"),
    (f'{_HEAD}"row":"'.encode() + b"x" * (1 << 20), "there is no end to it"),
]


def test_a_game_that_was_cut_short_is_as_if_never_begun(made: Path, tmp_path: Path) -> None:
    whole = made.read_bytes()
    games = told(made)
    for cut in (len(whole) - 1, len(whole) - 40, len(whole) // 2, 30):
        path = tmp_path / "found.jsonl"
        path.write_bytes(whole[:cut])
        mend(path)
        rows = told(path)
        assert rows == games[: len(rows)] and (not rows or rows[-1]["row"] == "game")
        assert whole.startswith(path.read_bytes())


# ---------------------------------------------------------------- merging


def proven(path: Path, made: Path) -> Path:
    """A file with what was found, as if the proof had been a long one."""
    append(path, [row | {"work": 10.0} if row["row"] == "found" else row for row in rows_in(made)])
    return path


def merged(files: list[Path], out: Path, each: int = 9, left_out: Path | None = None) -> list[str]:
    return list(merge(files, out, each, SINCE, left_out))


def test_what_was_found_becomes_puzzles_once(made: Path, tmp_path: Path) -> None:
    found, out = proven(tmp_path / "found.jsonl", made), tmp_path / "out"
    merged([found, found], out)
    puzzles = load(out / f"{EARLY.map.id}.json")
    assert EARLY.id in [one.id for one in puzzles]
    (same,) = [one for one in puzzles if one.id == EARLY.id]
    assert same.since == SINCE and same.source == "people" and same.reason is not None
    assert same.view() == EARLY.view()


def test_what_lies_in_the_folder_stays_as_it_is(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    merged([proven(tmp_path / "found.jsonl", made)], out)
    file = out / f"{EARLY.map.id}.json"
    before = file.read_text(encoding="utf-8")
    list(merge([tmp_path / "found.jsonl"], out, 1, date(2030, 1, 1), None))
    assert file.read_text(encoding="utf-8") == before


def test_those_left_out_are_listed_with_the_reason(made: Path, tmp_path: Path) -> None:
    """The proofs of the fixture are too short: nothing of it may be shipped."""
    left_out = tmp_path / "rejected.jsonl.gz"
    merged([made], tmp_path / "out", left_out=left_out)
    assert not list((tmp_path / "out").iterdir())
    head, *rows = [json.loads(line) for line in gzip.decompress(left_out.read_bytes()).splitlines()]
    assert sum(head["looked at"].values()) > 0
    assert {"it was weighed for 0.5 seconds' worth, less than 10"} <= {row["why"] for row in rows}
    assert EARLY.id in [row.get("id") for row in rows]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"gaps": [0.2, 0.04]}, "the gap is 0.040, less than 0.05"),
        ({"errors": [0.2, 0.2]}, "the gap is not sure"),
        ({"end": [-0.1, 0.01, 900]}, "not so in games played to the end"),
        ({"gaps": [0.2], "errors": [0.01], "tries": [9]}, "it was weighed 1 times, not 2"),
        ({"options": [["draw 1", 0.5, 0.1, 9], ["draw 2", 0.4, 0.1, 9]]}, "is not legal"),
    ],
)
def test_a_row_that_does_not_hold_is_left_out(change: dict[str, Any], why: str, made: Path, tmp_path: Path) -> None:
    (row,) = [row for row in rows_in(proven(tmp_path / "found.jsonl", made)) if row.get("id") == EARLY.id]
    path = tmp_path / "changed.jsonl"
    append(path, [row | change, {**row, "row": "game", "counts": {}, "decisions": 1}])
    lines = merged([path], tmp_path / "out")
    assert why in lines[-1]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"map": {"id": "atlantis", "hash": "0"}}, 'no map "atlantis"'),
        ({"map": {"id": EARLY.map.id, "hash": "0"}}, "another version"),
        ({"moves": ["0 dance"]}, "dance"),
        ({"facts": {}}, "facts"),
        ({"solved": {"porter": 7}}, "from 0 to 1"),
        ({"tries": [1]}, "as many as"),
    ],
)
def test_a_forged_row_is_refused_by_name(change: dict[str, Any], why: str, made: Path, tmp_path: Path) -> None:
    (row,) = [row for row in rows_in(proven(tmp_path / "found.jsonl", made)) if row.get("id") == EARLY.id]
    path = tmp_path / "changed.jsonl"
    append(path, [row | change, {**row, "row": "game", "counts": {}, "decisions": 1}])
    with pytest.raises(BadPuzzle, match=why):
        merged([path], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_several_processes_find_what_one_finds(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    make(replace(order_of(*BEGINNINGS), processes=2), path)
    games = {row["game"] for row in told(path)}
    assert len(games) == len(BEGINNINGS)
    assert _by_game(told(path)) == _by_game([row for row in told(made) if row["game"] in games])


def _by_game(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["game"], row["row"], row.get("move", 0), row.get("id", "")))
