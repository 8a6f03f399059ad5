"""The shape of the project: imports point downwards, the kernel is plain, the documents name what there is."""

from __future__ import annotations

import ast
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


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "branchline" else [f"branchline.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("branchline.")}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"say in LEVELS where {part} stands"
    for other in imported_parts(path) & set(LEVEL):
        assert LEVEL[other] <= LEVEL[part], f"{path.name} ({part}) imports {other}, which stands above it"


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
