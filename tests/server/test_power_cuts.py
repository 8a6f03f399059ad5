"""A power cut takes nothing that was acknowledged: the short form of bench/power_cuts.py, against a real service."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, str(ROOT / "bench" / "power_cuts.py"), "--games", "4", "--seconds", "1", "--seed", "1900"]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *options], cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)


def test_two_power_cuts_lose_no_acknowledged_move(tmp_path: Path) -> None:
    file = tmp_path / "cuts.json"
    done = run("--cuts", "2", "--json", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["cuts"] == 2 and found["acknowledged"] > 50 and found["lost"] == 0


def test_a_service_that_does_not_wait_for_its_disk_is_found_out() -> None:
    done = run("--prove")
    assert done.returncode == 0, done.stdout + done.stderr
