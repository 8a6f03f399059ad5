"""Writing the whole of what mechanics bring to game files: composed_record.py."""

from __future__ import annotations

from branchline.mechanics.composing_face import head, parts_with
from branchline.mechanics.composing_view import classes_with


def composed_record_text() -> list[str]:
    """The whole of composed_record.py. A dataclass takes its fields from the last base first."""
    lines = ["base", *classes_with("record", "SheetLine")]
    parts = list(parts_with("record", "PART"))
    return [
        *head("Game files: the parts of the base game and of the mechanics together."),
        "from dataclasses import dataclass",
        "from branchline.base import record as base",
        *(f"from branchline.mechanics.{name} import record as {name}" for name in parts),
        "from branchline.base.record import RecordPart, SheetPart",
        "PARTS: tuple[RecordPart, ...] = (",
        *(f"    {name}.PART," for name in parts),
        ")",
        "SHEET: tuple[SheetPart, ...] = (",
        "    *base.FIRST,",
        "    *(line for part in PARTS for line in part.sheet),",
        "    *base.LAST,",
        ")",
        "@dataclass(frozen=True)",
        f"class SheetLine({', '.join(f'{name}.SheetLine' for name in reversed(lines))}):",
        '    """How one player\'s score came about; the numbers add up to the score."""',
    ]
