"""The documents run: every Python sample of the README, of docs/library.md and of docs/arena.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena import Summary, read_results

ROOT = Path(__file__).parent.parent
BOTS = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def samples() -> list[tuple[str, str]]:
    found = []
    for name in ("README.md", "docs/library.md", "docs/arena.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for n, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL), 1):
            found.append((f"{name}#{n}", code))
    return found


@pytest.mark.parametrize(("name", "code"), samples(), ids=[name for name, _ in samples()])
def test_a_sample_runs(name: str, code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "arena").glob("*.jsonl")), ids=lambda p: p.name)
def test_kept_contests_can_be_counted_and_their_tests_are_decided(path: Path) -> None:
    summary = Summary(read_results(path))
    won = summary.bots[0].win_rate
    assert summary.bots[0].name.startswith("search")
    assert f"{100 * won.value:.0f} % ({100 * won.interval[0]:.0f}–{100 * won.interval[1]:.0f})" in BOTS
    if summary.header.sprt is not None:
        assert summary.test is not None and summary.test.verdict == "high"


def test_the_first_sample_of_the_readme_has_ten_lines() -> None:
    code = samples()[0][1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_readme_says_that_the_project_is_unofficial() -> None:
    assert "unofficial" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
