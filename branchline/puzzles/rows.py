"""The file in which what was found is kept: JSON lines, a block for each game that was looked through.

A block is written at once and ends with the row of its game. What a stop has cut short is as if it had never been
begun: the game is looked through again. What is no such file is refused, and left as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from branchline.files import shown, told
from branchline.puzzles.model import BadPuzzle

FORMAT: Final = "branchline-puzzles-found/1"
MOST_LINE: Final = 1 << 20  # bytes
MOST_FILE: Final = 1 << 29

Row = dict[str, Any]

_ABOUT: Final = {"map": dict, "players": int, "game": str}
_NEEDED: Final[Mapping[str, Mapping[str, type]]] = {
    "found": _ABOUT
    | {"id": str, "seat": int, "deal": dict, "moves": list, "kind": str, "options": list, "gaps": list, "errors": list}
    | {
        "work": float,
        "tries": list,
        "end": list,
        "solved": dict,
        "careless": dict,
        "facts": dict,
        "source": str,
        "weights": str,
    },
    "rejected": _ABOUT | {"why": str, "move": int, "seat": int, "best": str, "second": str},
    "game": _ABOUT | {"counts": dict, "decisions": int},
    "failed": {"fault": str},
}
_BEGUN: Final = f'{{"format":"{FORMAT}"'.encode()  # every row
_LAST: Final = ("game", "failed")  # rows that end a block


def rows_in(path: Path) -> Iterator[Row]:
    """The rows of the games that are done; of none if there is no such file. Raises `BadPuzzle`."""
    if path.exists():
        with path.open("rb") as file:
            for block, _ in _blocks(file, shown(path.name)):
                yield from block


def mend(path: Path) -> None:
    """Cut off what a stop has left of a game that was not done. Raises `BadPuzzle` for a file of another kind."""
    if not path.exists():
        return
    whole = 0
    with path.open("rb") as file:
        for _, end in _blocks(file, shown(path.name)):
            whole = end
    if whole < path.stat().st_size:
        with path.open("r+b") as file:
            file.truncate(whole)


def append(path: Path, block: Sequence[Row]) -> None:
    """Write the rows of a game behind what is there."""
    lines = (json.dumps({"format": FORMAT, **row}, ensure_ascii=False, separators=(",", ":")) for row in block)
    with path.open("ab") as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def _blocks(file: BinaryIO, name: str) -> Iterator[tuple[list[Row], int]]:
    """The rows of each game that is done, and where in the file they end."""
    block: list[Row] = []
    number = end = 0
    while line := file.readline(MOST_LINE + 1):
        number, end = number + 1, end + len(line)
        if len(line) > MOST_LINE or end > MOST_FILE:
            raise BadPuzzle(name, f"line {number}", "there is no end to it")
        row = _row(line, name, number)
        if row is None:
            return
        if block and block[0].get("game") != row.get("game"):
            block = []  # of a game that was cut short, in a file put together of several
        block.append(row)
        if row["row"] in _LAST:
            yield block, end
            block = []


def _row(line: bytes, name: str, number: int) -> Row | None:
    """A row that has what it must have; None for the last, cut short."""
    where = f"line {number}"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        if not line.endswith(b"\n") and line[: len(_BEGUN)] == _BEGUN[: len(line)]:
            return None
        raise BadPuzzle(name, where, "is no JSON") from None
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise BadPuzzle(name, where, "is nothing that was found by branchline puzzles --make")
    needed = _NEEDED.get(row["row"]) if isinstance(row.get("row"), str) else None
    if needed is None:
        raise BadPuzzle(name, f"{where}.row", f"{told(row.get('row'))} is none of: {', '.join(_NEEDED)}")
    for key, kind in needed.items():
        if not isinstance(row.get(key), kind) or isinstance(row.get(key), bool):
            raise BadPuzzle(name, f"{where}.{key}", f"must be {_TOLD[kind]}, not {told(row.get(key))}")
    return row


_TOLD: Final = {float: "a number", dict: "an object", list: "a list", str: "a text", int: "a whole number"}
