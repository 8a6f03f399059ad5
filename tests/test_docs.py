"""The documents run: every Python sample of the README, of docs/library.md and of docs/arena.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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
