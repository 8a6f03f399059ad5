"""Whatever is killed under load, nothing acknowledged is lost and all games go on: the short form of `bench/load.py
--processes 3 --kills …`, behind the real nginx."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, str(ROOT / "bench" / "load.py"), "--games", "6", "--rate", "20", "--seed", "1900"]
KINDS = ["--processes", "3", "--kills", "1", "--kill", "redis", "--kill", "postgres", "--others", "1"]
FAULTS = ("lost", "twice", "ghosts", "not_back", "not_played_on")


def test_a_kill_of_each_kind_loses_nothing_and_stops_no_game(tmp_path: Path) -> None:
    file = tmp_path / "kills.json"
    done = subprocess.run(
        [*PROGRAM, *KINDS, "--json", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    assert [row["what"] for row in rows] == ["kill -9 of a process", "kill -9 of redis", "kill -9 of postgres"]
    for row in rows:
        assert row["acknowledged"] > 20 and not any(row[fault] for fault in FAULTS), done.stdout
