"""Files of puzzles: what is written reads back, and a bad one is refused with the place and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from branchline import Deal
from branchline.puzzles import BadPuzzle, load, read, shipped, write
from branchline.puzzles.checking import fault_of
from branchline.puzzles.model import Option, Proof, Puzzle

ONE = min(shipped(), key=lambda one: (len(one.moves), one.id))
TEXT = write([ONE])


def changed(change: Callable[[dict[str, Any], dict[str, Any]], object]) -> str:
    """The file with something else in it: the whole and its puzzle are given."""
    whole = json.loads(TEXT)
    change(whole, whole["puzzles"][0])
    return json.dumps(whole)


def test_what_is_written_reads_back() -> None:
    (same,) = read(TEXT)
    assert write([same]) == TEXT
    assert (same.id, same.moves, same.deal, same.reason, same.since) == (
        ONE.id,
        ONE.moves,
        ONE.deal,
        ONE.reason,
        ONE.since,
    )


@pytest.mark.parametrize(
    ("change", "path", "why"),
    [
        (lambda w, p: w.update(format="branchline-game/1"), "format", "not a format this program reads"),
        (lambda w, p: w.update(rules=99), "rules", "not the version this program plays"),
        (lambda w, p: w.update(extra=1), "extra", "unknown key"),
        (lambda w, p: w["map"].update(id="atlantis"), "map.id", "no map"),
        (lambda w, p: w["map"].update(hash="0" * 64), "map.hash", "another version"),
        (lambda w, p: w["puzzles"].append(p), "puzzles[1].id", "stands there twice"),
        (lambda w, p: w.update(puzzles={}), "puzzles", "must be a list"),
        (lambda w, p: p.pop("deal"), "puzzles[0].deal", "missing"),
        (lambda w, p: p.update(id="x" * 1000), "puzzles[0].id", "a short text"),
        (lambda w, p: p.update(id="\x1b[2J"), "puzzles[0].id", "a short text"),
        (lambda w, p: p.update(players=9), "puzzles[0].players", "must be from 2 to 5"),
        (lambda w, p: p.update(seat=True), "puzzles[0].seat", "a whole number"),
        (lambda w, p: p.update(moves=["0 dance"]), "puzzles[0].moves[0]", "dance"),
        (lambda w, p: p.update(moves=7), "puzzles[0].moves", "list"),
        (lambda w, p: p.update(deal={"seed": -1}), "puzzles[0].deal.seed", ""),
        (lambda w, p: p.update(kind="riddle"), "puzzles[0].kind", "is none of"),
        (lambda w, p: p.update(options=p["options"][:1]), "puzzles[0].options", "from 2 to"),
        (lambda w, p: p.update(options=p["options"] * 40), "puzzles[0].options", "from 2 to"),
        (lambda w, p: p["options"][0].__setitem__(0, "claim nowhere"), "puzzles[0].options[0][0]", "nowhere"),
        (lambda w, p: p["options"][0].__setitem__(1, 1.5), "puzzles[0].options[0][1]", "from 0 to 1"),
        (lambda w, p: p["options"][0].__setitem__(1, True), "puzzles[0].options[0][1]", "a number"),
        (lambda w, p: p["options"][0].__setitem__(3, 0), "puzzles[0].options[0][3]", "must be from 1"),
        (lambda w, p: p.update(proofs=[]), "puzzles[0].proofs", "from 1 to"),
        (lambda w, p: p.update(proofs=[[0.1, 0.1]]), "puzzles[0].proofs[0]", "must be a gap"),
        (lambda w, p: p.update(end=[2, 0.1, 9]), "puzzles[0].end[0]", "from -1 to 1"),
        (lambda w, p: p.update(work="long"), "puzzles[0].work", "a number"),
        (lambda w, p: p.update(weights="net.npz"), "puzzles[0].weights", "hexadecimal"),
        (lambda w, p: p.update(grade=6), "puzzles[0].grade", "must be from 1 to 5"),
        (lambda w, p: p.update(solved={"porter": 2}), "puzzles[0].solved.porter", "from 0 to 1"),
        (lambda w, p: p.update(reason={"kind": "Magic", "params": {}}), "puzzles[0].reason.kind", "Magic"),
        (
            lambda w, p: p.update(reason={"kind": "CardWanted", "params": {}}),
            "puzzles[0].reason.params.card",
            "missing",
        ),
        (
            lambda w, p: p.update(reason={"kind": "EndsTheGame", "params": {"track": "\x1b[2J"}}),
            "puzzles[0].reason.params.track",
            "a short text",
        ),
        (
            lambda w, p: p.update(reason={"kind": "EndsTheGame", "params": {"track": "a-b-1"}}),
            "puzzles[0].reason.params.track",
            "not known here",
        ),
        (lambda w, p: p.update(source="Ana"), "puzzles[0].source", "is none of"),
        (lambda w, p: p.update(since="tomorrow"), "puzzles[0].since", "no date"),
    ],
)
def test_a_bad_file_is_refused_with_the_place_and_the_reason(
    change: Callable[[dict[str, Any], dict[str, Any]], object], path: str, why: str
) -> None:
    with pytest.raises(BadPuzzle) as refused:
        read(changed(change), source="some.json")
    assert (refused.value.path, refused.value.file) == (path, "some.json")
    assert why in refused.value.reason


@pytest.mark.parametrize("cut", [0, 1, len(TEXT) // 3, len(TEXT) - 3])
def test_a_file_that_was_cut_is_refused(cut: int) -> None:
    with pytest.raises(BadPuzzle):
        read(TEXT[:cut])


def test_a_file_without_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    with path.open("wb") as file:
        file.truncate(9 << 20)
    with pytest.raises(BadPuzzle, match=r"endless\.json"):
        load(path)
    with pytest.raises(BadPuzzle):
        load("/dev/zero")
    with pytest.raises(BadPuzzle):
        read("[" * 200_000)


def test_a_file_holds_the_puzzles_of_one_map() -> None:
    others = [one for one in shipped() if one.map.id != ONE.map.id]
    with pytest.raises(ValueError, match="one map"):
        write([ONE, *others])


# ---------------------------------------------------------------- well formed, and yet unsound


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"proofs": (Proof(0.2, 0.01, 100),)}, "weighed 1 times"),
        ({"proofs": (Proof(0.2, 0.01, 100), Proof(0.049, 0.01, 100))}, "less than 0.05"),
        ({"work": 1.0}, "less than 10"),
        ({"end": Proof(0.02, 0.001, 9000)}, "not so in games played to the end"),
        ({"end": Proof(0.09, 0.07, 100)}, "not so in games played to the end"),
        ({"reason": None}, "no reason"),
        ({"options": ONE.options[::-1]}, "wins more often"),
        ({"options": (*ONE.options, ONE.options[0])}, "alike"),
        ({"options": (Option("pass", 0.9, 0.1, 9), *ONE.options)}, "is not legal"),
        ({"seat": (ONE.seat + 1) % ONE.players, "moves": ()}, ""),
    ],
)
def test_an_unsound_puzzle_is_found_out(changes: dict[str, Any], why: str) -> None:
    unsound: Puzzle = replace(ONE, **changes)
    found = fault_of(unsound)
    assert found and why in found


def test_a_game_that_was_forged_does_not_replay() -> None:
    forged = replace(ONE, moves=(*ONE.moves, *ONE.moves, *ONE.moves))
    if ONE.moves:
        assert "does not replay" in fault_of(forged)
    assert "does not replay" in fault_of(replace(_late(), deal=Deal(1)))


def _late() -> Puzzle:
    return max(shipped(), key=lambda one: len(one.moves))
