"""All that is written from the list of mechanics, in order: each may be imported by what makes those after it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

from branchline.mechanics import composing, composing_maps
from branchline.mechanics.composing import COMPOSED, formatted

FOLDER = COMPOSED.parent
PACKAGE = FOLDER.parent


def whole(path: Path, module: str, function: str) -> Callable[[], str]:
    """The text of a whole; its maker is imported when it is asked for, since it needs the wholes before."""

    def text() -> str:
        lines = getattr(importlib.import_module(f"branchline.mechanics.{module}"), function)()
        return formatted(path, "\n".join(lines) + "\n")

    return text


def schema_text() -> str:
    """The JSON Schema of map files."""
    return str(importlib.import_module("branchline.maps.schema").schema_text())


WHOLES: dict[Path, Callable[[], str]] = {
    composing_maps.MODEL: composing_maps.model_text,
    PACKAGE / "maps" / "map.schema.json": schema_text,
    COMPOSED: composing.composed_text,
    **{
        path: whole(path, module, function)
        for path, module, function in (
            (PACKAGE / "phases.py", "composing_face", "phases_text"),
            (PACKAGE / "actions.py", "composing_face", "actions_text"),
            (PACKAGE / "events.py", "composing_face", "events_text"),
            (FOLDER / "composed_face.py", "composing_face", "composed_face_text"),
            (FOLDER / "composed_score.py", "composing_view", "composed_score_text"),
            (FOLDER / "composed_view.py", "composing_view", "composed_view_text"),
            (FOLDER / "composed_record.py", "composing_record", "composed_record_text"),
            (FOLDER / "composed_wire.py", "composing_wire", "composed_wire_text"),
            (FOLDER / "composed_service.py", "composing_wire", "composed_service_text"),
            (PACKAGE / "bots" / "composed.py", "composing_bots", "composed_bots_text"),
            (PACKAGE / "training" / "composed.py", "composing_training", "composed_training_text"),
        )
        if path.parent.exists()  # the library plays without bots and training
    },
}


def is_up_to_date(path: Path) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == WHOLES[path]()
