"""The shape of the project: imports point downwards, the kernel is plain, the documents name what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from branchline.maps import shipped_maps
from branchline.mechanics import MECHANICS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "branchline"

# From the ground up. A module may import from its own level and from those before it.
LEVELS: tuple[tuple[str, ...], ...] = (
    ("version", "extras", "files", "fair", "list", "search"),
    ("map core",),
    ("map parts",),
    ("maps",),
    ("words",),
    ("kernel",),
    ("mechanics", "chains", "ring"),
    ("whole",),
    ("base", "actions", "events", "phases", "codec", "notation", "deal", "objections", "faces"),
    ("refusals", "scores", "view", "game"),
    ("graph",),
    ("fast",),
    ("record",),
    ("training",),
    ("bots",),
    ("envs",),
    ("review",),
    ("puzzles",),
    ("simulation", "measure"),
    ("arena", "lab"),
    ("terminal",),
    ("server",),
    ("commands",),
    ("cli", "__main__"),
)
# The modules of the kernel that work on whole records, those of the mechanics included.
WHOLE = ("board", "scratch", "backend", "machine", "compiled", "warm")
# The modules of the maps that the map.py of a mechanic may know; the others are whole maps, with all mechanics.
MAP_CORE = ("core", "shapes", "parts")
# The files of a mechanic's folder that belong to another part, and so do the wholes made of them.
LAYERS = {
    "map": "map parts",
    "labels": "words",
    "face": "faces",
    "view": "view",
    "score": "scores",
    "record": "record",
    "simulation": "simulation",
    "bots": "bots",
    "tuning": "bots",
    "columns": "bots",
    "facts": "training",
    "training": "training",
    "puzzles": "puzzles",
    "seen": "training",
    "lab": "lab",
    "terminal": "terminal",
    "wire": "server",
    "service": "server",
}
LEVEL = {name: n for n, names in enumerate(LEVELS) for name in names}

# The same inside the service: its packages, then the module that puts them together, then the application.
SERVER_LEVELS: tuple[str, ...] = (
    "wire",
    "words",
    "tables",
    "store",
    "people",
    "operate",
    "notices",
    "bus",
    "thinking",
    "live",
    "transport",
    "service",
    "app",
)


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return part_named(".".join(path.relative_to(PACKAGE).with_suffix("").parts))


def part_named(module: str) -> str:
    """The part of the package that a module belongs to."""
    part, _, rest = module.partition(".")
    if part == "kernel" and rest.split(".")[0] in WHOLE:
        return "whole"
    if part == "maps" and rest.split(".")[0] in MAP_CORE:
        return "map core"
    if part == "graph" and rest.split(".")[0] in ("search", "chains", "ring"):  # without a board, and without a game
        return rest.split(".")[0]
    if part == "mechanics" and rest in ("", "MECHANICS", "modules"):
        return "list"
    if part == "mechanics":
        first, *files = rest.split(".")
        layer = first.removeprefix("composed_").removeprefix("composing_") if first not in MECHANICS else files[:1]
        return LAYERS.get("".join(layer), part)
    return LAYERS.get(rest.split(".")[0], part) if part == "base" else part


def imported(path: Path) -> set[str]:
    """All that a module imports, wherever in it that stands: for types alone counts too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def imported_parts(path: Path, of: str = "branchline") -> set[str]:
    return {name.removeprefix(f"{of}.").split(".")[0] for name in imported(path) if name.startswith(f"{of}.")}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"say in LEVELS where {part} stands"
    names = {name.removeprefix("branchline.") for name in imported(path) if name.startswith("branchline.")}
    inmost = {name for name in names if not any(other.startswith(f"{name}.") for other in names)}
    for other in {part_named(name) for name in inmost} & set(LEVEL):
        assert LEVEL[other] <= LEVEL[part], f"{path.name} ({part}) imports {other}, which stands above it"


# ---------------------------------------------------------------- the kernel and the mechanics


@pytest.mark.parametrize("name", MECHANICS)
def test_a_mechanic_knows_the_kernel_and_itself(name: str) -> None:
    for path in (PACKAGE / "mechanics" / name).rglob("*.py"):
        others = {other for other in imported(path) if other.startswith("branchline.mechanics.")}
        known = (f"branchline.mechanics.{name}.", "branchline.mechanics.composed")
        assert all(other.startswith(known) for other in others), f"{path} imports {others}"


@pytest.mark.parametrize("part", ["kernel", "graph"])
def test_what_asks_mechanics_at_hooks_names_none(part: str) -> None:
    stems = re.compile("|".join(stem.removesuffix("ies").removesuffix("s") for stem in MECHANICS), re.IGNORECASE)
    for path in (PACKAGE / part).rglob("*.py"):
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not stems.search(line), f"{path.name}:{n} names a mechanic: {line.strip()}"


@pytest.mark.parametrize("layer", ["words", "simulation", "lab", "terminal"])
def test_a_layer_asks_mechanics_without_naming_them(layer: str) -> None:
    """All that is said about one stands in its folder, in the shape of the layer's places.py."""
    stems = "|".join(name.removesuffix("ies").removesuffix("s") for name in MECHANICS)
    for path in (path for path in (PACKAGE / layer).iterdir() if path.suffix in (".py", ".json")):
        code = re.sub(r'""".*?"""|#[^\n]*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = re.search(rf"(?<![a-z])(?<!way_)({stems})", code, re.IGNORECASE)  # a way station is a kind of place
        assert found is None, f"{layer}/{path.name} names {found[0]}"


def test_every_part_of_a_layer_has_its_shape() -> None:
    from branchline.lab import parts as lab
    from branchline.lab.places import Part as LabPart
    from branchline.simulation import parts as simulation
    from branchline.simulation.places import Part as SimulationPart
    from branchline.terminal import parts as terminal
    from branchline.terminal.places import Part as TerminalPart

    for parts, shape in ((lab, LabPart), (simulation, SimulationPart), (terminal, TerminalPart)):
        for part in parts.PARTS:
            own = {name for name in vars(type(part)) if not name.startswith("_")}
            assert isinstance(part, shape) and own <= set(vars(shape)), f"{part}: {own - set(vars(shape))}"


# ---------------------------------------------------------------- inside the service

SERVER = PACKAGE / "server"


def server_modules(*parts: str) -> list[Path]:
    folders = [SERVER / part for part in parts] if parts else [SERVER]
    return sorted(p for folder in folders for p in folder.rglob("*.py") if p != SERVER / "__init__.py")


def server_part(path: Path) -> str:
    return path.relative_to(SERVER).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", server_modules(), ids=lambda p: str(p.relative_to(SERVER)))
def test_imports_inside_the_service_point_downwards(path: Path) -> None:
    part = server_part(path)
    assert part in SERVER_LEVELS, f"say in SERVER_LEVELS where {part} stands"
    for other in imported_parts(path, "branchline.server") & set(SERVER_LEVELS):
        above = SERVER_LEVELS.index(other) > SERVER_LEVELS.index(part)
        assert not above, f"{path.relative_to(SERVER)} imports {other}, which stands above it"


def test_the_rules_of_a_table_know_no_time_no_disk_and_no_network() -> None:
    forbidden = {"asyncio", "threading", "time", "datetime", "socket", "os", "sqlite3", "psycopg", "redis"}
    forbidden |= {"fastapi", "starlette", "uvicorn", "httpx", "websockets", "random"}
    for path in server_modules("wire", "words", "tables"):
        found = {name.split(".")[0] for name in imported(path)} & forbidden
        allowed = {"random"} if path.name == "names.py" else set()  # a generator is handed in
        assert found <= allowed, f"{path.relative_to(SERVER)} imports {', '.join(found)}"


def test_the_web_framework_stays_in_transport() -> None:
    for path in server_modules(*SERVER_LEVELS[: SERVER_LEVELS.index("transport")]):
        found = {name.split(".")[0] for name in imported(path)} & {"fastapi", "starlette", "uvicorn"}
        assert not found, f"{path.relative_to(SERVER)} imports {', '.join(found)}"


SQL = re.compile(r"\b(SELECT\b.*\bFROM\b|INSERT INTO\b|UPDATE \w+ SET\b|DELETE FROM\b|CREATE TABLE\b)", re.DOTALL)


def test_sql_stands_in_the_store_alone() -> None:
    for path in [p for p in modules() if SERVER / "store" not in p.parents]:
        assert not imported(path) & {"sqlite3", "psycopg"}, f"{path.name} opens a database"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not SQL.search(node.value), f"{path.name}:{node.lineno} speaks SQL"


def test_the_documents_name_the_packages_of_the_service_in_their_order() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = text[text.index("\nserver ") : text.index("\ncommands ")]
    places = [re.search(rf"\b{part}\b", listed.partition(":")[2]) for part in SERVER_LEVELS]
    found = [place.start() for place in places if place is not None]
    assert len(found) == len(SERVER_LEVELS) and found == sorted(found)


def test_the_documents_name_all_mechanics_in_their_order() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = text[text.index("\nmechanics ") : text.index("each: map")]
    assert tuple(re.findall(r"\w+", listed.partition(":")[2])) == MECHANICS
    sentence = text[text.index("\n## Mechanics\n") : text.index(" are a folder each;")].removeprefix("\n## Mechanics\n")
    assert tuple(re.findall(r"\w+", sentence.replace(" and ", ", ").lower())) == MECHANICS


# ---------------------------------------------------------------- what else holds everywhere


def test_no_code_names_a_map() -> None:
    """A map is a file; the list of those that are shipped is the one place that knows their ids."""
    for path in [path for path in modules() if path != PACKAGE / "maps" / "loader.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = {part.strip() for part in node.value.split(",")} & set(shipped_maps())  # in a list of them too
                assert not named, f"{path.name}:{node.lineno} names the map {', '.join(named)}"


def test_k_is_the_numbers_of_the_kernel_and_nothing_else() -> None:
    """Some modules import the kernel's names as `k`; a parameter of that name would be read as them."""
    for path in [path for path in modules() if PACKAGE / "bots" not in path.parents]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.arg) or node.arg != "k", f"{path.name}:{node.lineno}: say what k is"


MOST_ARGUMENTS = 10
# Entry points of numbers and addresses: the first is launched on a GPU as it is, its comment says why; the second goes
# through the worlds of a search in the same way.
TAKE_MORE = {"training/compiled.py": "_step", "bots/search/entry.py": "_lockstep"}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_function_takes_more_than_ten_arguments(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            taken = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            allowed = TAKE_MORE.get(path.relative_to(PACKAGE).as_posix()) == node.name
            assert allowed or len(taken) - (taken[:1] == ["self"]) <= MOST_ARGUMENTS, f"{node.name}: {len(taken)}"


def test_nobody_draws_from_the_global_random_generator() -> None:
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr in ("Random", "SystemRandom"), f"{path.name} uses random.{node.attr}"


def test_the_position_is_small() -> None:
    from branchline.mechanics.composed import Position

    assert Position.SIZE <= 1200


def test_every_command_is_documented() -> None:
    from branchline.cli import COMMANDS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"branchline {command}" in readme
