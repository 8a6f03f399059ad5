"""Solving in the terminal, right and wrong, with the moves and commands of a game, in four languages; the command."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path

import pytest

from branchline import write_action
from branchline.cli import main
from branchline.puzzles import Puzzle, shipped
from branchline.puzzles.daily import FIRST, of_day
from branchline.puzzles.rows import append
from branchline.terminal.screen import PlainScreen
from branchline.terminal.solving import Solving
from branchline.words import LANGUAGES, Language

ONE = min(shipped(), key=lambda one: (len(one.moves), one.id))
EVERY_KIND = list({one.kind: one for one in shipped()}.values())
RIGHT = {"en": "That is right.", "ro": "Corect.", "pt-PT": "Certo.", "pt-BR": "Certo."}
WORSE = {
    "en": "That is not the best: it wins less often, by ",
    "ro": "Nu e cea mai bună: câștigă mai rar, cu ",
    "pt-PT": "Não é a melhor: ganha menos vezes, por ",
    "pt-BR": "Não é a melhor: vence menos vezes, por ",
}


def solve(puzzle: Puzzle, *lines: str, language: Language = "en") -> tuple[int, str]:
    """The exit status and all that was shown."""
    screen = PlainScreen(io.StringIO("".join(f"{line}\n" for line in lines)), io.StringIO())
    status = Solving(puzzle, screen, language).run()
    assert isinstance(screen.stdout, io.StringIO)
    return status, screen.stdout.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("puzzle", EVERY_KIND, ids=lambda puzzle: puzzle.kind)
def test_the_answer_is_right_and_explained(puzzle: Puzzle, language: Language) -> None:
    status, shown = solve(puzzle, puzzle.answer, language=language)
    assert status == 0
    assert RIGHT[language] in shown.splitlines() and puzzle.answer in shown
    assert puzzle.reason and Solving(puzzle, PlainScreen(), language).explanation()[1] in shown
    assert f"{100 * puzzle.options[0].win:.1f} %" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_best_is_told_by_how_much_it_is_worse(language: Language) -> None:
    status, shown = solve(ONE, ONE.second, language=language)
    lost = round(100 * (ONE.options[0].win - ONE.options[1].win))
    assert status == 1
    assert f"{WORSE[language]}{lost} " in shown


def test_a_choice_that_was_not_weighed_is_wrong_too() -> None:
    for puzzle in shipped():
        for action in puzzle.view().legal_actions():
            if puzzle.place_of(action) is None:
                status, shown = solve(puzzle, write_action(action))
                assert status == 1 and "That is not the best." in shown and puzzle.answer in shown
                return


def test_the_answer_is_not_shown_before_the_choice() -> None:
    screen = PlainScreen(io.StringIO(""), io.StringIO())
    solving = Solving(ONE, screen)
    assert solving.run() == 1
    assert isinstance(screen.stdout, io.StringIO)
    shown = screen.stdout.getvalue()
    assert "The answer stays a secret." in shown
    assert ONE.answer not in shown and solving.explanation()[1] not in shown


@pytest.mark.parametrize(
    "command", ["hand", "tickets", "board", "players", "status", "menu", "claims", "repeat", "score"]
)
def test_what_shows_something_in_a_game_shows_it_here(command: str) -> None:
    _, without = solve(ONE, "quit")
    status, shown = solve(ONE, command, "quit")
    assert status == 1 and len(shown) > len(without) + len(command) + 10
    assert "Choose by a number" not in shown


def test_what_is_no_choice_is_asked_again() -> None:
    status, shown = solve(ONE, "", "dance", "undo", "claim nowhere", ONE.answer)
    assert status == 0
    assert shown.count(" > ") == 5 and "Choose by a number of the menu" in shown


def test_a_number_of_the_menu_is_a_choice() -> None:
    numbered = next(one for one in shipped() if one.kind not in ("keep", "drafts"))
    status, shown = solve(numbered, "1")
    assert status in (0, 1) and "The answer:" in shown


# ---------------------------------------------------------------- the command


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(["puzzles", *args])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_puzzles_are_listed_by_map_and_grade(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--list"], []):
        status, out, _ = run(capsys, *words)
        assert status == 0 and out.splitlines()[-1] == f"{len(shipped())} puzzles"
    status, out, _ = run(capsys, "--list", ONE.map.id, "--grade", str(ONE.grade))
    assert ONE.id in out
    assert all(line.startswith(f"{ONE.map.id}-") for line in out.splitlines()[:-1])
    assert ONE.answer not in out


def test_a_puzzle_is_solved_by_its_id(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ONE.answer}\n"))
    status, out, _ = run(capsys, ONE.id, "--lang", "ro")
    assert status == 0 and "Corect." in out


def test_there_is_a_puzzle_of_today_and_of_every_day(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    day = FIRST + timedelta(days=5)
    puzzle = of_day(day)
    assert puzzle is not None
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{puzzle.answer}\n"))
    assert run(capsys, "--day", day.isoformat())[0] == 0
    status, _, err = run(capsys, "--day", "2020-01-01")
    assert status == 2 and "2020-01-01 has no puzzle" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["usa-00000000"], "no puzzle"),
        (["--make", "0"], "--make: from 1"),
        (["--make", "1", "--work", "0.1"], "--work: from 0.5"),
        (["--make", "1", "--processes", "0"], "--processes: from 1"),
        (["atlantis", "--make", "1"], "atlantis"),
        (["--from", "nowhere.json"], "nowhere.json"),
        (["--merge", "nowhere.jsonl"], "no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, *words)
    assert status == 2
    assert err.startswith("branchline puzzles: ") and why in err and "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_kind_is_not_written_into(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary", encoding="utf-8")
    status, _, err = run(capsys, "usa", "--make", "1", "--out", str(diary))
    assert status == 2 and "diary.txt line 1: is no JSON" in err
    assert diary.read_text(encoding="utf-8") == "dear diary"


def test_making_goes_on_and_says_when_a_game_failed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    append(out, [{"row": "failed", "fault": "the light went out"}])
    status, told, err = run(capsys, "usa", "--make", "1", "--seconds", "0", "--out", str(out))
    assert status == 1 and "0 puzzles in" in told and "the light went out" in err
