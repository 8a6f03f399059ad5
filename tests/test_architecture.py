"""The shape of the project: imports point downwards, the kernel is plain, the documents name what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "branchline"

# From the ground up. A module may import from its own level and from those before it.
LEVELS: tuple[tuple[str, ...], ...] = (
    ("version", "files", "fair"),
    ("maps",),
    ("kernel",),
    ("actions", "events", "codec", "notation", "deal", "refusals", "scores", "view", "game"),
    ("fast",),
    ("record",),
    ("bots",),
    ("training",),
    ("simulation", "measure"),
    ("arena", "lab"),
    ("terminal",),
    ("server",),
    ("commands",),
    ("cli", "__main__"),
)
LEVEL = {name: n for n, names in enumerate(LEVELS) for name in names}

# The same inside the service: its packages, then the module that puts them together, then the application.
SERVER_LEVELS: tuple[str, ...] = (
    "wire",
    "words",
    "tables",
    "store",
    "people",
    "operate",
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
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


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
    for other in imported_parts(path) & set(LEVEL):
        assert LEVEL[other] <= LEVEL[part], f"{path.name} ({part}) imports {other}, which stands above it"


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


# ---------------------------------------------------------------- what else holds everywhere


def test_the_kernel_never_asks_which_map_it_plays() -> None:
    for path in (PACKAGE / "kernel").glob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        for name in ("usa", "europe", "iberia", "africa"):
            assert f'"{name}"' not in text, f"{path.name} names the map {name}"


def test_nobody_draws_from_the_global_random_generator() -> None:
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr in ("Random", "SystemRandom"), f"{path.name} uses random.{node.attr}"


def test_the_position_is_small() -> None:
    from branchline.kernel.state import Position

    assert Position.SIZE <= 1000


def test_every_command_is_documented() -> None:
    from branchline.cli import COMMANDS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"branchline {command}" in readme
