"""Nobody's flood spoils a neighbour's game: the short form of bench/neighbours.py, against a real service."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "bench" / "neighbours.py"
TRIES = 3  # a figure and its quiet one are taken one after the other, and meanwhile other tests come and go


def measured(name: str, file: Path) -> list[dict[str, Any]]:
    command = [sys.executable, str(PROGRAM), "--short", "--only", name, "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
    assert file.exists(), done.stderr
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    assert done.returncode == (0 if all(row["holds"] for row in rows) else 1)
    return rows


@pytest.mark.parametrize("name", ["replays", "thoughts", "spectators", "floods"])
def test_a_neighbour_keeps_within_bounds_of_its_quiet_figures(name: str, tmp_path: Path) -> None:
    broken: list[dict[str, Any]] = []
    for n in range(TRIES):
        broken = [row for row in measured(name, tmp_path / f"{n}.json") if not row["holds"]]
        if not broken:
            return
    pytest.fail(json.dumps(broken, indent=1))
