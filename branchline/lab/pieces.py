"""The pieces a report is made of: findings in plain words, tables, and columns that only some maps have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MARK = "†"  # stands at facts that are a reconstruction


@dataclass(frozen=True, slots=True)
class Finding:
    """`weight` orders the findings: about 100 for what nobody would want, 0 for what is as it should be."""

    title: str
    text: str
    advice: str
    weight: float

    def to_json(self) -> dict[str, str]:
        return {"title": self.title, "text": self.text, "advice": self.advice}


@dataclass(frozen=True, slots=True)
class Table:
    """A heading of each column and rows of cells; `words` says how many columns from the left are not numbers."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    folded: bool = False  # long: a page shows it when asked to


@dataclass(frozen=True, slots=True)
class Column:
    """A column more of a table of tracks or tickets: its heading, and the cell of one of them."""

    head: str
    cell: Callable[[Any], str]
