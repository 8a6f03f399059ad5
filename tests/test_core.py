"""The core needs no package: a fresh environment with nothing but Branchline in it plays, writes, reads and verifies.

What does need one says in a sentence which extra to install.
"""

from __future__ import annotations

import ast
import os
import pty
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from branchline import extras
from branchline.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "branchline"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GOLDEN = ROOT / "tests" / "golden" / "europe-3-planned.json"

# What each command is asked in an environment without any package, and the extra it has to name; None: it just works.
ASKED: dict[str, tuple[tuple[str, ...], str | None]] = {
    "serve": ((), "service"),
    "admin": (("check",), "service"),
    "play": (("--plain", "--seats", "random,planner", "--seed", "1"), None),
    "simulate": (("--games", "2"), "arena"),
    "arena": (("--deals", "2"), "arena"),
    "lab": (("usa", "--games", "2"), "arena"),
    "replay": ((str(GOLDEN), "--verify"), None),
    "check-map": ((str(PACKAGE / "maps" / "usa.json"),), None),
    "check-bot": (("path", "--map", "usa"), None),
    "bench": (("--quick",), "speed"),
    "review": ((str(GOLDEN),), "speed"),
    "puzzles": (("--list",), "speed"),
}

BROUGHT_BY_THE_USER = {"jax"}  # whoever asks for its arrays has it (envs/on_gpu.py)

WHOLE_GAME = """
import sys
from branchline import Game
from branchline.record import read_game, record_of, verify, write_game

game, moves = Game.new("europe", players=3, seed=7), 0
while not game.is_over:
    actions = game.view(game.to_act[0]).legal_actions()
    game.play(actions[moves % len(actions)])
    moves += 1
record = record_of(game, players=["Ada", "Bo", "Cy"])
assert read_game(write_game(record)) == record
assert verify(record) is None
parts = {name.partition(".")[0] for name in sys.modules}
print(moves > 50, sorted(parts - set(sys.stdlib_module_names)))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which Branchline is installed from its wheel, and nothing else."""
    folder = tmp_path_factory.mktemp("core")
    source = folder / "source"
    shutil.copytree(PACKAGE, source / "branchline", ignore=shutil.ignore_patterns("page", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICES.md"):
        shutil.copy(ROOT / name, source)
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(source)]
    subprocess.run([*pip, *build], check=True)
    wheel = next(folder.glob("branchline-*.whl"))
    subprocess.run([*pip, "--python", python, "install", "--no-deps", "--no-index", "--no-compile", wheel], check=True)
    return python


def asked(python: Path, *words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(python), "-I", *(("-c", code) if code else ("-m", "branchline", *words))]
    away = python.parent  # so that nothing is taken from the checkout
    return subprocess.run(command, capture_output=True, text=True, cwd=away, check=False, timeout=120)


def test_the_project_asks_for_no_package() -> None:
    assert PROJECT["dependencies"] == []


def test_a_whole_game_is_played_written_read_and_verified_without_any_package(bare: Path) -> None:
    done = asked(bare, code=WHOLE_GAME)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True ['__main__', 'branchline']\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_without_packages_or_names_its_extra_in_one_sentence(bare: Path, command: str) -> None:
    words, extra = ASKED[command]
    done = asked(bare, command, *words)
    if extra is None:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 2
    sentence = rf"branchline {command}: \w+ is not installed: pip install 'branchline\[{extra}\]'\n"
    assert re.fullmatch(sentence, done.stderr), done.stderr
    assert asked(bare, command, "--help").returncode == 0


def test_a_bot_that_needs_the_compiler_says_so(bare: Path) -> None:
    for seat in ("rollout", "search", "search@0.1", "stationmaster", "net"):
        done = asked(bare, "play", "--plain", "--seats", f"{seat},path")
        assert done.returncode == 2
        assert done.stderr == "branchline play: numpy is not installed: pip install 'branchline[speed]'\n"


def test_training_names_its_extra(bare: Path) -> None:
    code = "import sys; from branchline.training.__main__ import main; sys.exit(main([]))"
    done = asked(bare, code=code)
    assert done.returncode == 2
    assert re.fullmatch(
        r"python -m branchline.training: \w+ is not installed: pip install 'branchline\[training\]'\n", done.stderr
    )


def test_a_game_in_a_terminal_goes_on_in_plain_lines_where_the_drawn_table_is_missing(bare: Path) -> None:
    ours, theirs = pty.openpty()
    command = [str(bare), "-I", "-m", "branchline", "play", "--seats", "random,random", "--seed", "1"]
    environment = os.environ | {"TERM": "xterm"}
    done = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # the other end was closed
        pass
    assert done.stderr is not None
    with done.stderr as stream:
        told = stream.read().decode()
    assert done.wait(timeout=60) == 0, told
    assert re.fullmatch(r"Pure lines of text, for \w+ is not installed: pip install 'branchline\[terminal\]'\n", told)
    assert b"wins." in said


# ---------------------------------------------------------------- what is imported, what is declared


def imported() -> set[str]:
    """The packages of others that something in branchline/ imports."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"branchline", *BROUGHT_BY_THE_USER}


def brought(extra: str) -> set[str]:
    """The distributions an extra asks for, with those of the extras it names."""
    found: set[str] = set()
    for line in PROJECT["optional-dependencies"][extra]:
        want = Requirement(line)
        if want.name == "branchline":
            found = found.union(*(brought(other) for other in want.extras))
        else:
            found.add(canonicalize_name(want.name))
    return found


def test_every_package_that_is_imported_belongs_to_an_extra() -> None:
    known = set().union(*extras.PACKAGES.values())
    assert imported() == known


@pytest.mark.parametrize("extra", extras.PACKAGES)
def test_an_extra_brings_the_packages_it_is_known_for(extra: str) -> None:
    distributions = packages_distributions()
    for package in extras.PACKAGES[extra]:
        if package == "llvmlite":  # a part of Numba
            continue
        named = {canonicalize_name(name) for name in distributions.get(package, [package])}
        assert named & brought(extra), f"branchline[{extra}] does not bring {package}"
