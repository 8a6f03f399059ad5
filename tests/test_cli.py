"""The command line as a person meets it: real processes, their output and their exit status."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from branchline import Game, __version__, shipped_maps
from branchline.cli import COMMANDS, main
from branchline.measure import signature
from branchline.record import record_of, write_game

ROOT = Path(__file__).parent.parent
MAPS = ROOT / "branchline" / "maps"

# What `branchline bench` prints while the rules are what they are. A change of rules changes it: then say so in the
# changelog, raise RULES_VERSION and write the new one here.
SIGNATURE = "61ec79d2b7f10e9a"


def branchline(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "branchline", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)


def test_it_says_its_version() -> None:
    assert branchline("--version").stdout == f"branchline {__version__}\n"


def test_help_lists_the_commands_and_a_wrong_one_is_refused() -> None:
    text = branchline("--help").stdout
    assert all(command in text for command in COMMANDS)
    wrong = branchline("ply")
    assert wrong.returncode == 2
    assert "play" in wrong.stderr


@pytest.mark.parametrize("name", ["usa", "europe", "iberia", "africa", "carpathians"])
def test_check_map_finds_the_shipped_maps_right(name: str) -> None:
    done = branchline("check-map", str(MAPS / f"{name}.json"))
    assert done.returncode == 0, done.stderr
    assert ("reconstruction" in done.stdout) == (name in ("iberia", "africa"))


def test_check_map_names_file_place_reason_and_the_nearest_name(tmp_path: Path) -> None:
    bad = tmp_path / "mine.json"
    bad.write_text((MAPS / "europe.json").read_text(encoding="utf-8").replace('"b": "zurich"', '"b": "zurch"', 1))
    done = branchline("check-map", str(bad))
    assert done.returncode == 1
    assert "BadMap:" in done.stderr
    assert "tracks[" in done.stderr
    assert 'no place "zurch" (did you mean "zurich"?)' in done.stderr


def test_check_map_of_a_file_that_is_not_there() -> None:
    done = branchline("check-map", "nowhere.json")
    assert done.returncode == 1
    assert "nowhere.json" in done.stderr
    assert "Traceback" not in done.stderr


# Each command with a map, as cheap as it can be; RECORD is a game file on that map, FOLDER a folder to write to.
WITH_A_MAP = {
    "play": "--seats me,bot --bot path --plain --seed 1 --map MAP",
    "simulate": "--games 4 --bots path --threads 1 --map MAP",
    "arena": "--bots path,random --deals 2 --processes 1 --map MAP",
    "lab": "--bot path --games 4 --threads 1 --out FOLDER MAP",
    "review": "--quick RECORD",
    "puzzles": "--list MAP",
    "replay": "--verify RECORD",
    "check-map": "FILE",
    "check-bot": "random --map MAP",
}
ON_ALL_MAPS = ("serve", "admin", "bench")  # what these do, they do on every map: bench below, the service in its tests


def test_every_command_is_tried_with_a_map() -> None:
    assert {*WITH_A_MAP, *ON_ALL_MAPS} == set(COMMANDS)


@pytest.mark.parametrize("command", WITH_A_MAP)
def test_a_command_works_on_the_carpathians(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    map = "carpathians"
    game, rng, record = Game.new(map, 2, 1), random.Random(1), tmp_path / "game.json"
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    record.write_text(write_game(record_of(game)), encoding="utf-8")
    named = {"MAP": map, "RECORD": str(record), "FILE": str(MAPS / f"{map}.json"), "FOLDER": str(tmp_path / "out")}
    words = [named.get(word, word) for word in WITH_A_MAP[command].split()]
    monkeypatch.setattr("sys.stdin", io.StringIO("rules CAR-05\nquit\n"))
    assert main([command, *words]) == 0
    assert capsys.readouterr().out
    assert (tmp_path / "out" / f"{map}.md").exists() == (command == "lab")


def test_bench_measures_everything_and_prints_the_signature() -> None:
    done = branchline("bench", "--quick", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["signature"] == SIGNATURE
    assert report["calibration_s"] > 0
    measured = {(row["map"], row["players"], row["mode"]) for row in report["rows"]}
    modes = ("kernel", "threads", "python", "interpreted")
    assert measured == {(m, p, mode) for m in shipped_maps() for p in (2, 4) for mode in modes}
    assert all(row["decisions_per_s"] > 0 and row["games_per_s"] > 0 for row in report["rows"])


def test_the_rules_are_what_they_were() -> None:
    assert signature() == SIGNATURE
