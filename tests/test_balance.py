"""The figures that are kept of the Carpathians are those of the map that is shipped, and hold what it is held to."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from branchline.maps import load_map

ROOT = Path(__file__).parent.parent
KEPT: dict[str, Any] = json.loads((ROOT / "results" / "carpathians" / "balance.json").read_text(encoding="utf-8"))


def bench() -> ModuleType:
    """bench/carpathians.py, which knows the bounds."""
    spec = importlib.util.spec_from_file_location("bench_carpathians", ROOT / "bench" / "carpathians.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_figures_are_of_the_shipped_map() -> None:
    assert KEPT["hash"] == load_map(KEPT["map"]).hash


def test_they_are_of_enough_games_at_every_table() -> None:
    assert [table["players"] for table in KEPT["self_play"]] == [2, 3, 4, 5]
    assert all(table["games"] >= 20_000 for table in KEPT["self_play"])
    assert [(game["first"], game["second"]) for game in KEPT["matches"]] == list(bench().MATCHES)
    assert all(game["deals"] >= 1_000 for game in KEPT["matches"])


def test_they_hold_what_the_map_is_held_to() -> None:
    missed = [what for what, holds in bench().verdicts(KEPT["self_play"], KEPT["matches"]) if not holds]
    assert missed == []
