"""The list of mechanics: what is generated from it is up to date, and a number once given is never given again."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard, get_args

import pytest

from branchline.actions import Action
from branchline.bots import composed as bots_composed
from branchline.kernel import hooks, numbers
from branchline.kernel import state as core
from branchline.kernel.board import make_board
from branchline.maps import load_map, shipped_maps
from branchline.mechanics import MECHANICS, composed, composing
from branchline.mechanics.composed import Position
from branchline.mechanics.composed_face import FACES
from branchline.mechanics.wholes import PACKAGE, WHOLES, is_up_to_date
from branchline.phases import PHASES
from branchline.training import composed as training_composed
from tests import games_by_face


def test_what_is_generated_is_up_to_date() -> None:
    assert composing.new_generation() == {}, "run python -m branchline.mechanics"
    for path in WHOLES:
        assert is_up_to_date(path), f"{path.name}: run python -m branchline.mechanics"
    assert numbers.LOCK.read_text(encoding="utf-8") == composing.lock_text(numbers.GENERATIONS)


def test_every_folder_is_in_the_list() -> None:
    folders = {path.parent.name for path in composing.COMPOSED.parent.glob("*/__init__.py")}
    assert folders == set(MECHANICS)


def test_version_0_1_keeps_its_numbers() -> None:
    """Records, positions and networks rest on them: the first generation is never edited."""
    first = json.dumps(numbers.GENERATIONS[0])
    assert hashlib.sha256(first.encode()).hexdigest()[:16] == "b08e1cd4241dcc53"
    last = Position.FIELDS[len(numbers.GENERATIONS[0]["position"]) - 1]
    assert (last.name, last.offset) == ("turned_n", 976)


@pytest.mark.parametrize("kind", [kind for kind in numbers.GENERATIONS[0] if kind != "position"])
def test_no_number_is_given_twice(kind: str) -> None:
    taken: set[int] = set()
    for generation in numbers.GENERATIONS:
        for name, value in generation.get(kind, {}).items():
            first, count = (value, 1) if isinstance(value, int) else value
            assert not taken & set(range(first, first + count)), f"{kind} {name}"
            taken |= set(range(first, first + count))


def test_a_new_name_gets_the_next_number(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {kind: dict(names) for kind, names in numbers._given.items()}
    monkeypatch.setattr(numbers, "_given", given)
    monkeypatch.setattr(numbers, "NEW", {})
    after = numbers.end("words")
    assert numbers.word("winter", 2) == after and numbers.end("words") == after + 2
    assert dict(numbers.NEW) == {"words": {"winter": (after, 2)}}
    with pytest.raises(AssertionError, match="no room"):
        numbers.choice("winter", 60)
    with pytest.raises(AssertionError, match="1 numbers were given"):
        numbers._number("phases", "turn", 2)


def test_the_lock_reads_back() -> None:
    new = {"phases": {"winter": 13}, "position": {"passes_shut": "q2"}}
    assert json.loads(composing.lock_text([*numbers.GENERATIONS, new]))["generations"] == [*numbers.GENERATIONS, new]


# ---------------------------------------------------------------- hooks


def test_every_hook_is_linked_everywhere() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("branchline.")]
    asked = vars(bots_composed) | vars(training_composed) | vars(composed)
    for name, (stub, _) in hooks.HOOKS.items():
        assert asked[name] is not stub
        for module in modules:
            assert vars(module).get(name) is not stub, f"{module.__name__} asks the stub {name}"


def test_every_hook_says_what_for_and_somebody_comes_in_there() -> None:
    for name, (stub, _) in hooks.HOOKS.items():
        assert stub.__doc__, name
        assert composing.calls_of(name) or composing.said_at(name), f"nobody comes in at {name}"


def test_a_function_may_not_ask_for_what_its_hook_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(s: Position, weather: int) -> None: ...

    greedy.__module__ = "branchline.mechanics.terrain.rules"
    monkeypatch.setattr(composing, "ENTRIES", [hooks.Entry("turn_ends", greedy, None)])
    with pytest.raises(AssertionError, match="weather"):
        composing.hook_text("turn_ends")


def test_a_part_of_a_position_cannot_be_played() -> None:
    with pytest.raises(TypeError, match="is a part"):
        core.Position()


# ---------------------------------------------------------------- faces


def test_every_action_has_codes_and_a_line() -> None:
    moves = [move for face in FACES for move in face.moves]
    assert {move.kind for move in moves} == set(get_args(Action)) and len(moves) == len(get_args(Action))
    codes = [code for move in moves for code in move.codes]
    assert len(codes) == len(set(codes)), "two actions have the same code"


def test_every_note_of_the_kernel_is_told_once() -> None:
    kinds = [kind for face in FACES for kind in face.events]
    assert sorted(kinds) == list(range(numbers.end("events")))


def test_every_phase_has_a_name() -> None:
    assert sorted(PHASES) == list(range(numbers.end("phases")))
    assert len(set(PHASES.values())) == len(PHASES)


# ---------------------------------------------------------------- nobody else names one

# By mechanic, words that belong to it and to nothing else, beside the names in its face.py and state.py. Points that
# count twice and double routes are the base game's; a way station is a kind of place, the stationmaster a bot; loans
# are the graph's, whoever lends; mail can be e-mail.
WORDS = {
    "tunnels": r"tunnel|\bdecline",
    "ferries": "ferry|ferries",
    "stations": r"(?<!way_)(?<!way )station(?!master)",
    "terrain": "terrain|desert|jungle|mountain|doubled|to_double",
    "festivals": "festival",
    "drafts": r"draft(?!.2020)|PickTicket|TicketPicked|PacksPassed",
    "mail": r"\bbags?\b|bag_|_bag|\bstamps\b",
}
# Names that mean something else elsewhere: a type of SQL, e-mail, and what every mechanic has.
COMMON = {"DOUBLE", "MAIL", "IN_PLAY", "PLACE_WORDS"}
FREE = ("bots", "training", "mechanics")  # what plays knows what it plays with: docs/decisions/0015 says why
NO_MECHANIC = ("server/words/names.py",)  # names of tables
PAGE = PACKAGE.parent / "web" / "src"


def defined_in(path: Path) -> Iterator[str]:
    """The classes of a module and, of one with numbers, these and the fields."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        if path.name == "state.py":
            targets = node.targets if isinstance(node, ast.Assign) else [node]
            yield from (name.id for target in targets for name in ast.walk(target) if is_given(name))


def is_given(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def of_all() -> set[str]:
    """What a mechanic adds to, and so has no name of its own."""
    return {name for part in ("base", "kernel") for path in (PACKAGE / part).glob("*.py") for name in defined_in(path)}


@cache
def names_of(mechanic: str) -> re.Pattern[str]:
    """Its classes, numbers and fields, but for those that are everyday words: `due`, `taken`."""
    folder = PACKAGE / "mechanics" / mechanic
    names = {*defined_in(folder / "face.py"), *defined_in(folder / "state.py")} - of_all() - COMMON
    return re.compile(rf"\b({'|'.join(sorted(name for name in names if '_' in name or not name.islower()))})\b")


def names_it(mechanic: str, text: str) -> bool:
    return bool(re.search(WORDS[mechanic], text, re.IGNORECASE) or names_of(mechanic).search(text))


def free_of_mechanics() -> list[Path]:
    written = {path.relative_to(PACKAGE) for path in WHOLES}
    sources = [path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]
    return [
        path
        for path in sources
        if path.parts[0] not in FREE and path not in written and path.as_posix() not in NO_MECHANIC
    ]


@pytest.mark.parametrize("mechanic", MECHANICS)
def test_nothing_outside_its_folder_names_a_mechanic(mechanic: str) -> None:
    for path in free_of_mechanics():
        for n, line in enumerate((PACKAGE / path).read_text(encoding="utf-8").splitlines(), 1):
            assert not names_it(mechanic, line), f"{path}:{n} names {mechanic}: {line.strip()}"


@pytest.mark.parametrize("mechanic", MECHANICS)
def test_a_mechanic_names_no_other(mechanic: str) -> None:
    for other in MECHANICS:
        for path in (PACKAGE / "mechanics" / mechanic).rglob("*.py") if other != mechanic else ():
            for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                assert not names_it(other, line), f"{path}:{n} names {other}: {line.strip()}"


def test_a_name_of_a_mechanic_is_found() -> None:
    """Classes, numbers and fields as they are written; the words in any case."""
    for mechanic, text in (
        ("mail", "BagTaken"),
        ("mail", "b.mail_carry"),
        ("mail", "LEAVE_BAGS"),
        ("terrain", "doubled: bool"),
        ("terrain", "SinglePoints()"),
        ("terrain", "b.to_double"),
        ("tunnels", "Decline()"),
        ("drafts", "s.pack_n"),
    ):
        assert names_it(mechanic, text), text
    assert not names_it("mail", "mail") and not names_it("tunnels", "what is due")


@pytest.mark.parametrize("mechanic", MECHANICS)
def test_no_key_of_a_catalogue_names_a_mechanic_of_another_folder(mechanic: str) -> None:
    """Sentences may, where rules meet; keys say whose a sentence is."""
    of_page = [path for path in PAGE.rglob("*.json") if PAGE / "maps" not in path.parents]
    of_package = [*(PACKAGE / "words").glob("*.json"), *(PACKAGE / "mechanics").glob("*/words/*.json")]
    assert of_page and of_package
    for path in (*of_page, *of_package):
        if mechanic not in path.parts:
            for key in keys_in(json.loads(path.read_text(encoding="utf-8"))):
                assert not names_it(mechanic, key), f"{path}: {key} names {mechanic}"


def keys_in(value: object) -> Iterator[str]:
    match value:
        case dict():
            for key, inner in value.items():
                yield key
                yield from keys_in(inner)
        case list():
            for inner in value:
                yield from keys_in(inner)


@pytest.mark.parametrize("part", ["bots", "training"])
def test_bots_and_networks_learn_of_the_mail_at_their_hooks_alone(part: str) -> None:
    """The others they still name: docs/mechanics.md says where."""
    words = re.compile(rf"{WORDS['mail']}|mail", re.IGNORECASE)
    for path in sorted((PACKAGE / part).rglob("*.py")):
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path not in WHOLES else (), 1):
            assert not words.search(line), f"{path.name}:{n} names the mail: {line.strip()}"


# ---------------------------------------------------------------- a mechanic less

COMPILED = "ferries"  # the one that is removed from the compiled kernel too
LEFT_OUT = ("__pycache__", "page", "bots", "training")


@pytest.mark.parametrize("gone", MECHANICS)
def test_maps_without_a_mechanic_play_the_same_when_it_is_gone(gone: str, tmp_path: Path) -> None:
    """Its folder and its word in the list are removed, the wholes are written anew: not a byte differs."""
    maps = [name for name in shipped_maps() if not eval(composing.in_play(gone), {"b": make_board(load_map(name))})]
    assert maps
    package = tmp_path / "branchline"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.rmtree(package / "mechanics" / gone)
    listed = package / "mechanics" / "__init__.py"
    listed.write_text(listed.read_text(encoding="utf-8").replace(f'"{gone}", ', "").replace(f', "{gone}"', ""))
    subprocess.run([sys.executable, package / "mechanics" / "__main__.py"], check=True)
    assert played(tmp_path, *maps) == games_by_face.by_face(*maps)
    if gone == COMPILED:
        assert played(tmp_path, "--compiled", *maps) == games_by_face.compiled(*maps)


# What is said about a mechanic at the edges is gone with it: they are imported too.
RUN = """
import importlib, pathlib, runpy, sys
folder, file, *sys.argv[1:] = sys.argv[1:]
sys.path.insert(0, folder)
import branchline
assert branchline.__file__.startswith(folder)
for part in () if "--compiled" in sys.argv else ("terminal", "words", "server/wire"):
    for path in pathlib.Path(folder, "branchline", part).glob("*.py"):
        importlib.import_module(".".join(("branchline", *part.split("/"), path.stem)))
runpy.run_path(file, run_name="__main__")
"""


def played(folder: Path, *arguments: str) -> str:
    """What the package in another folder plays."""
    command = [sys.executable, "-c", RUN, str(folder), games_by_face.__file__, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
