"""The puzzles of the package: each replays, its answer is legal and first, and its gaps hold by what is written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from branchline import imagine, shipped_maps, write_action
from branchline.puzzles import Puzzle, find, shipped
from branchline.puzzles import reading as files
from branchline.puzzles.checking import fault_of, twins
from branchline.puzzles.grading import grade_of
from branchline.puzzles.making import id_of
from branchline.puzzles.model import GRADES, LEAST_GAP, PROOF, PROOFS
from branchline.review.alike import likeness
from branchline.words import LANGUAGES
from branchline.words.telling import Telling

ALL = shipped()


@pytest.fixture(params=ALL, ids=lambda puzzle: puzzle.id)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    found: Puzzle = request.param
    return found


def test_a_puzzle_is_sound(puzzle: Puzzle) -> None:
    assert fault_of(puzzle) == ""
    assert len(puzzle.proofs) == PROOFS and puzzle.work >= PROOF
    assert all(proof.gap >= LEAST_GAP for proof in puzzle.proofs)
    assert puzzle.end.gap >= 0.03 and puzzle.end.gap >= 1.5 * puzzle.end.error
    assert puzzle.grade == grade_of(puzzle.solved) and 1 <= puzzle.grade <= GRADES
    assert puzzle.source in ("bots", "people")


def test_its_answer_is_right_and_no_other(puzzle: Puzzle) -> None:
    view = puzzle.view()
    right = [action for action in view.legal_actions() if puzzle.is_right(action)]
    assert puzzle.answer in [write_action(action) for action in right]
    assert len({likeness(action, view) for action in right}) == 1
    assert [puzzle.place_of(option.line) for option in puzzle.options] == list(range(len(puzzle.options)))


def test_its_answer_can_be_played_in_its_game(puzzle: Puzzle) -> None:
    game = puzzle.game()
    assert game.view(puzzle.seat) == puzzle.view()
    game.play(puzzle.answer, puzzle.seat)
    assert puzzle.game().view(puzzle.seat) == puzzle.view()  # the puzzle has not moved


def test_its_id_follows_from_the_position(puzzle: Puzzle) -> None:
    line = files.to_json(puzzle)
    assert puzzle.id == id_of(puzzle.map, line["deal"], line["moves"], puzzle.seat)
    assert find(puzzle.id) == puzzle


def test_its_reason_is_told_in_every_language(puzzle: Puzzle) -> None:
    assert puzzle.reason is not None
    told = {
        language: Telling.of(puzzle.map, (), puzzle.seat, language).sentence(
            f"reason.{puzzle.reason.kind}", puzzle.reason.params
        )
        for language in LANGUAGES
    }
    assert all(text.endswith(".") and "{" not in text and "None" not in text for text in told.values()), told
    assert len(set(told.values())) >= 3  # the two Portuguese may agree


def test_a_solver_is_shown_the_same_in_every_world_the_seat_takes_for_possible(puzzle: Puzzle) -> None:
    """What is dealt anew is all that the seat does not know; more worlds than the one that fault_of looks at."""
    view = puzzle.view()
    for seed in range(1, 4):
        other = imagine(view, _Random(seed)).view(puzzle.seat)
        assert other == view and [*other.legal_actions()] == [*view.legal_actions()]


class _Random:
    def __init__(self, seed: int) -> None:
        self.seed = seed

    def getrandbits(self, n: int, /) -> int:
        return (0x9E3779B97F4A7C15 * self.seed) % (1 << n)


def test_there_are_puzzles_and_no_two_of_one_position() -> None:
    assert ALL
    assert twins(ALL) == {}
    assert max(Counter(one.id for one in ALL).values()) == 1


def test_two_puzzles_in_which_the_same_is_shown_are_found_out() -> None:
    assert twins([ALL[0], ALL[0]]) == {ALL[0].id: ALL[0].id}


@pytest.mark.parametrize("path", sorted(files.SHIPPED.iterdir()), ids=lambda path: path.name)
def test_a_file_of_the_package_is_written_as_it_is_read(path: Path) -> None:
    if path.suffix == ".json":
        assert path.stem in shipped_maps()
        assert files.write(files.load(path)) == path.read_text(encoding="utf-8")
        assert {"name", "players_names", "bots"}.isdisjoint(json.loads(path.read_text(encoding="utf-8"))["puzzles"][0])
