"""Of what was found, on however many machines, a balanced set: checked, without near duplicates, graded, explained.

Beside the files of puzzles, one a map, what was not taken is written with the reason, row by row.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from branchline.maps.loader import load_map, shipped_maps
from branchline.puzzles.checking import fault_of
from branchline.puzzles.grading import grade_of
from branchline.puzzles.making import counted
from branchline.puzzles.model import FORMAT, LEAST_GAP, BadPuzzle, Puzzle
from branchline.puzzles.reading import read, write
from branchline.puzzles.reasons import reason_of
from branchline.puzzles.rows import rows_in
from branchline.version import RULES_VERSION

REJECTED: Final = "rejected.jsonl.gz"
KIND_SHARE: Final = 0.45
LIKE: Final = 0.85  # two positions of a game, or of two, with so much in common are nearly one
SURE: Final = 2.0  # standard errors by which the gap of both weighings together exceeds GAP_SURELY
GAP_SURELY: Final = 0.03

Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Sorted:
    """A puzzle that is sound, and what it is ranked by."""

    puzzle: Puzzle
    careless: int  # how many of the careless bots err


def merge(files: Sequence[Path], out: Path, each: int) -> Iterator[str]:
    """Write the puzzle files and the list of those rejected into a folder; what was done, line by line."""
    rows = [row for file in files for row in _rows(file)]
    rejected = [_told(row, row["why"]) for row in rows if row["row"] == "rejected"]
    sound: dict[str, list[Puzzle]] = {name: [] for name in shipped_maps()}
    seen: set[str] = set()
    for row in (row for row in rows if row["row"] == "found"):
        puzzle, why = _puzzle(row)
        if row["id"] in seen:
            continue
        seen.add(row["id"])
        why = why or fault_of(puzzle)
        if why:
            rejected.append(_told(row, why))
        else:
            sound.setdefault(puzzle.map.id, []).append(puzzle)
    out.mkdir(parents=True, exist_ok=True)
    for name, puzzles in sound.items():
        kept, left = _balanced(puzzles, each)
        rejected += [_left(one, why) for one, why in left]
        if kept:
            (out / f"{name}.json").write_text(write(kept), encoding="utf-8")
        yield f"{name}: {len(kept)} kept of {len(puzzles)} that are sound; {_shares(kept)}"
    _write_rejected(out / REJECTED, rejected, counted(rows))
    yield from (f"{n:8d}  {why}" for why, n in Counter(one["why"] for one in rejected).most_common())


def _rows(file: Path) -> Sequence[Row]:
    if not file.is_file():
        raise BadPuzzle(file.name, "", "no such file")
    found = list(rows_in(file))
    if not found:
        raise BadPuzzle(file.name, "", "holds nothing that was found by branchline puzzles --make")
    return found


def _puzzle(row: Row) -> tuple[Puzzle, str]:
    """The puzzle of a row, and what is wrong with it so far."""
    data = load_map(row["map"]["id"])
    gaps, errors = row["gaps"], row["errors"]
    gap, error = sum(gaps) / len(gaps), sum(e * e for e in errors) ** 0.5 / len(errors)
    line = {key: row[key] for key in ("id", "players", "seat", "deal", "moves", "kind", "options", "solved", "source")}
    line |= {"gap": gap, "error": error, "grade": grade_of(row["solved"]), "reason": None}
    head = {"format": FORMAT, "map": row["map"], "rules": RULES_VERSION, "puzzles": [line]}
    (puzzle,) = read(json.dumps(head), map=data, source=row["id"])
    reason = reason_of(puzzle.view(), puzzle.answer, puzzle.second, row["facts"], list(row["careless"].values()))
    if reason is not None:
        line["reason"] = {"kind": reason.kind, "params": dict(reason.params)}
        (puzzle,) = read(json.dumps(head), map=data, source=row["id"])
    why = ""
    if min(gaps) < LEAST_GAP:
        why = "no gap in the proof"
    elif gap - SURE * error < GAP_SURELY:
        why = "the gap is not sure"
    return puzzle, why


# --- a balanced set -------------------------------------------------------------------------------------------


def _balanced(puzzles: Sequence[Puzzle], each: int) -> tuple[list[Puzzle], list[tuple[Puzzle, str]]]:
    """As many as wanted, of whatever there is least at each step: kinds, numbers of players, grades."""
    rest, kept, left = list(puzzles), list[Puzzle](), list[tuple[Puzzle, str]]()
    counts: Counter[tuple[str, Any]] = Counter()
    while rest and len(kept) < each:
        one = min(rest, key=lambda one: (_crowd(one, counts), -one.gap, one.id))
        rest.remove(one)
        if twin := next((other for other in kept if _is_near(one, other)), None):
            left.append((one, f"nearly the same as {twin.id}"))
        elif counts["kind", one.kind] >= max(3, KIND_SHARE * each):
            left.append((one, "enough of its kind"))
        else:
            kept.append(one)
            counts.update(_traits(one))
    left += [(one, "enough of its map") for one in rest]
    return sorted(kept, key=lambda one: (one.grade, one.id)), left


def _traits(one: Puzzle) -> list[tuple[str, Any]]:
    return [("kind", one.kind), ("players", one.players), ("grade", one.grade), ("answer", one.answer)]


def _crowd(one: Puzzle, counts: Counter[tuple[str, Any]]) -> float:
    """How many there are already that are like it in one way or another."""
    kind, players, grade, answer = (counts[trait] for trait in _traits(one))
    return kind + players + grade + 4.0 * answer


def _is_near(one: Puzzle, other: Puzzle) -> bool:
    """Two positions of one game in which the same is right, or nearly the same moves have been played."""
    if one.deal != other.deal or one.players != other.players:
        return False
    if one.seat == other.seat and one.answer == other.answer:
        return True
    short, long = sorted((len(one.moves), len(other.moves)))
    return one.seat == other.seat and one.kind == other.kind and long - short < 4


def _shares(kept: Sequence[Puzzle]) -> str:
    def told(of: str) -> str:
        counts = Counter(str(getattr(one, of)) for one in kept)
        return f"{of} " + " ".join(f"{name}:{n}" for name, n in sorted(counts.items()))

    return "; ".join(told(of) for of in ("kind", "players", "grade"))


# --- those that were not taken ----------------------------------------------------------------------------------


def _told(row: Row, why: str) -> dict[str, Any]:
    gap = row["gap"] if "gap" in row else min(row["gaps"])
    about = {"map": row["map"]["id"], "players": row["players"], "game": row["game"], "why": why, "gap": gap}
    return about | {key: row[key] for key in ("id", "move", "seat", "best", "second", "error", "kind") if key in row}


def _left(one: Puzzle, why: str) -> dict[str, Any]:
    about = {"map": one.map.id, "players": one.players, "why": why, "gap": round(one.gap, 4), "id": one.id}
    return about | {"move": len(one.moves), "seat": one.seat, "best": one.answer, "second": one.second}


def _write_rejected(path: Path, rejected: Sequence[Row], counts: Counter[str]) -> None:
    """One row each, after a first with the counts of all that was looked at."""
    rows = [{"looked at": dict(counts.most_common())}, *rejected]
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
