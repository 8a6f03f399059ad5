"""The rulebook inside the game: clauses by id, and clauses by word."""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from importlib import resources

from branchline.maps.model import MapData
from branchline.terminal.labels import folded
from branchline.terminal.parts import parts_of

MOST = 8
_CLAUSE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* (.*)$", re.MULTILINE)
_SECTION = re.compile(r"^## ([A-Z]+)\. (.*)$", re.MULTILINE)


@lru_cache(maxsize=1)
def rules_text() -> str:
    """The whole rulebook."""
    return resources.files("branchline").joinpath("rules.md").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def clauses() -> dict[str, str]:
    """The clauses by id, without marks."""
    return {m[1]: re.sub(r"\*\*|(?<!\w)\*|\*(?!\w)|`", "", m[2]) for m in _CLAUSE.finditer(rules_text())}


def sections() -> dict[str, str]:
    """The parts of the rulebook by the beginning of their clause ids."""
    return {m[1]: re.sub(r"\*", "", m[2]) for m in _SECTION.finditer(rules_text())}


def look_up(asked: str, data: MapData) -> list[str]:
    """What the rulebook says about a clause id or a word; the clauses of this map first."""
    if not asked.strip():
        return _contents()
    found = _by_id(asked)
    if found:
        return [f"{clause}: {clauses()[clause]}" for clause in found]
    hits = _by_words(folded(asked).split(), data)
    if not hits:
        return [f'No clause speaks of "{asked.strip()[:60]}".', *_contents()]
    lines = [f"{clause}: {clauses()[clause]}" for clause in hits[:MOST]]
    rest = [clause for clause in hits[MOST:] if clause]
    return lines + ([f"And {len(rest)} more: {', '.join(rest)}."] if rest else [])


def _contents() -> list[str]:
    lines = [f"{key}-…: {title}." for key, title in sections().items()]
    return [*lines, "Type rules and a clause, for example rules C-13, or a word, for example rules locomotive."]


def _by_id(asked: str) -> list[str]:
    """ "c-13", "C 13", "eur13"; a section's letters alone list its clauses."""
    match = re.fullmatch(r"([a-z]+)\W*(\d*)", asked.strip().casefold())
    if not match:
        return []
    key = match[1].upper()
    if not match[2]:
        return [clause for clause in clauses() if clause.startswith(f"{key}-")]
    clause = f"{key}-{int(match[2][:4]):02d}"
    return [clause] if clause in clauses() else []


def _by_words(words: list[str], data: MapData) -> list[str]:
    own = _sections_of(data)
    hits = [clause for clause, text in clauses().items() if all(_has(text, word) for word in words)]
    return sorted(hits, key=lambda clause: (not _has(_title(clause), words[0]), clause.split("-")[0] not in own))


def _sections_of(data: MapData) -> set[str]:
    """The parts of the rulebook for a map: the core, those of its mechanics, and those its own file cites."""
    cited = {clause.partition("-")[0] for clause in dataclasses.astuple(data.clauses)}
    return {"C", *cited, *(part.clauses for part in parts_of(data))}


def _title(clause: str) -> str:
    """The first words of a clause: what it is about."""
    return " ".join(clauses()[clause].split()[:4])


def _has(text: str, word: str) -> bool:
    """Whether a word of the text begins so; a plural finds its singular."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return any(part.startswith(stem) for part in folded(text).split())
