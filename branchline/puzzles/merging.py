"""Of what was found, on however many machines, a balanced set: checked, without near duplicates, graded, explained.

What was not taken is written with the reason, row by row.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from branchline.actions import Action
from branchline.maps.loader import shipped_maps
from branchline.notation import BadNotation, read_action
from branchline.puzzles.checking import fault_of, twins
from branchline.puzzles.grading import grade_of
from branchline.puzzles.making import counted
from branchline.puzzles.model import FORMAT, BadPuzzle, Puzzle, Reason
from branchline.puzzles.reading import load, read, write
from branchline.puzzles.reasons import Facts, reason_of
from branchline.puzzles.rows import rows_in
from branchline.version import RULES_VERSION

KIND_SHARE: Final = 0.35
SURE: Final = 2.0  # standard errors by which the gap of both weighings together exceeds GAP_SURELY
GAP_SURELY: Final = 0.03
CHOICES: Final = ("best", "second")  # of which facts were counted
REASONED: Final = Reason("DeckGivesMore")  # stands for a reason until there is one

Row = Mapping[str, Any]


def merge(files: Sequence[Path], out: Path, each: int, since: date, left_out: Path | None) -> Iterator[str]:
    """Add to the puzzle files of a folder, and write the list of those left out; what was done, line by line.

    What is in the folder stays as it is: people know those puzzles, and they were the puzzles of days.
    """
    rows = [row for file in files for row in _rows(file)]
    rejected = [_told(row, row["why"]) for row in rows if row["row"] == "rejected"]
    old = {name: _there(out / f"{name}.json") for name in shipped_maps()}
    known = {one.id for puzzles in old.values() for one in puzzles}
    sound: dict[str, list[Puzzle]] = {name: [] for name in old}
    for row in (row for row in rows if row["row"] == "found"):
        if row["id"] in known:
            continue
        known.add(row["id"])
        puzzle, why = _puzzle(row, since)
        if why := why or fault_of(puzzle):
            rejected.append(_told(row, why))
        else:
            sound[puzzle.map.id].append(puzzle)
    out.mkdir(parents=True, exist_ok=True)
    for name, puzzles in sound.items():
        kept, left = _balanced(old[name], puzzles, each)
        rejected += [_left(one, why) for one, why in left]
        if kept:
            (out / f"{name}.json").write_text(write(kept), encoding="utf-8")
        yield f"{name}: {len(kept)} kept, {len(old[name])} of them from before, {len(left)} left; {_shares(kept)}"
    if left_out is not None:
        _write_rejected(left_out, rejected, counted(rows))
    yield from (f"{n:8d}  {why}" for why, n in Counter(one["why"] for one in rejected).most_common())


def _there(path: Path) -> tuple[Puzzle, ...]:
    return load(path) if path.exists() else ()


def _rows(file: Path) -> Sequence[Row]:
    if not file.is_file():
        raise BadPuzzle(file.name, "", "no such file")
    found = list(rows_in(file))
    if not found:
        raise BadPuzzle(file.name, "", "holds nothing that was found by branchline puzzles --make")
    return found


def _puzzle(row: Row, since: date) -> tuple[Puzzle, str]:
    """The puzzle of a row, and what is wrong with it so far."""
    line = {key: row[key] for key in ("id", "players", "seat", "deal", "moves", "kind", "options", "solved", "source")}
    line |= {
        "proofs": _proofs(row),
        "end": row["end"],
        "work": row["work"],
        "weights": row["weights"],
        "since": since.isoformat(),
    }
    puzzle = _read(row, line | {"grade": 1, "reason": None})
    puzzle = replace(puzzle, grade=grade_of(puzzle.solved))
    if why := fault_of(replace(puzzle, reason=REASONED)) or _doubt(puzzle):
        return puzzle, why
    reason = reason_of(puzzle.view(), puzzle.answer, puzzle.second, _facts(row), _careless(row, puzzle))
    return replace(puzzle, reason=reason), ""


def _facts(row: Row) -> Facts:
    found = {which: {whose: _shares_of(row, which, whose) for whose in ("own", "others")} for which in CHOICES}
    if row["facts"] != found:
        raise BadPuzzle(row["id"], "facts", "must be shares of tracks, own and of others, of the best and the second")
    return found


def _shares_of(row: Row, which: str, whose: str) -> dict[str, float]:
    shares = row["facts"].get(which, {})
    shares = shares.get(whose) if isinstance(shares, dict) else None
    rows = shares.items() if isinstance(shares, dict) else ()
    return {track: share for track, share in rows if isinstance(share, int | float) and 0 <= share <= 1}


def _careless(row: Row, puzzle: Puzzle) -> list[Action]:
    try:
        return [read_action(line, puzzle.map) for line in row["careless"].values()]
    except (BadNotation, AttributeError, TypeError):
        raise BadPuzzle(row["id"], "careless", "must be lines of notation") from None


def _proofs(row: Row) -> list[list[float]]:
    try:
        return [list(proof) for proof in zip(row["gaps"], row["errors"], row["tries"], strict=True)]
    except (ValueError, TypeError):
        raise BadPuzzle(row["id"], "gaps", "must be as many as errors and tries") from None


def _read(row: Row, line: Row) -> Puzzle:
    """By way of a file of puzzles, so that what was found is read as strictly."""
    head = {"format": FORMAT, "map": {"id": row["map"].get("id"), "hash": row["map"].get("hash")}}
    text = json.dumps(head | {"rules": RULES_VERSION, "puzzles": [line]})
    (puzzle,) = read(text, source=row["id"])
    return puzzle


def _doubt(puzzle: Puzzle) -> str:
    """Whether both weighings together are sure of the gap."""
    gap = sum(proof.gap for proof in puzzle.proofs) / len(puzzle.proofs)
    error = sum(proof.error**2 for proof in puzzle.proofs) ** 0.5 / len(puzzle.proofs)
    return "the gap is not sure" if gap - SURE * error < GAP_SURELY else ""


# --- a balanced set -------------------------------------------------------------------------------------------


def _balanced(old: Sequence[Puzzle], new: Sequence[Puzzle], each: int) -> tuple[list[Puzzle], list[tuple[Puzzle, str]]]:
    """The old ones, and of the new ones as many as wanted, at each step of what there is least: kinds, players, grades;
    with those that are left, and why."""
    rest, kept, left = list(new), list(old), list[tuple[Puzzle, str]]()
    counts = Counter(trait for one in old for trait in _traits(one))
    while rest and len(kept) < each:
        one = min(rest, key=lambda one: (_crowd(one, counts), -one.gap, one.id))
        rest.remove(one)
        if any(_is_near(one, other) for other in kept) or twins([*kept, one]):
            left.append((one, "nearly the same as another"))
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
