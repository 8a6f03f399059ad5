"""The documents run: every Python sample of the README and of most guides, and every command of the tutorial."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena import Summary, read_results

ROOT = Path(__file__).parent.parent
BOTS = (ROOT / "docs" / "measurements" / "bots.md").read_text(encoding="utf-8")


def samples() -> list[tuple[str, str]]:
    found = []
    for name in (
        "README.md",
        *(f"docs/{name}.md" for name in ("library", "arena", "tutorial", "performance", "puzzles")),
    ):
        for n, code in enumerate(blocks(name, "python"), 1):
            found.append((f"{name}#{n}", code))
    return found


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("name", "code"), samples(), ids=[name for name, _ in samples()])
def test_a_sample_runs(name: str, code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


def test_the_tutorial_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    """But for `make` and the service, which have tests of their own, and what is typed in a game."""
    (bot,) = [code for code in blocks("docs/tutorial.md", "python") if "class Careful" in code]
    (tmp_path / "careful.py").write_text(bot, encoding="utf-8")
    lines = [line for block in blocks("docs/tutorial.md", "sh") for line in block.splitlines()]
    done = [line.split()[1] for line in lines if follow(line, tmp_path)]
    assert done.count("play") == 3 and {"replay", "check-bot", "simulate", "arena", "check-map", "lab"} < set(done)


def follow(line: str, folder: Path) -> bool:
    """Do in a folder what a line of the tutorial says; False for one that is left out."""
    words = line.split()
    if words[0] == "cp":
        shutil.copy(ROOT / words[1], folder / words[2])
    elif words[0] == "branchline" and words[1] != "serve":
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        return True
    return False


@pytest.mark.parametrize("path", sorted((ROOT / "results" / "arena").glob("*.jsonl")), ids=lambda p: p.name)
def test_kept_contests_can_be_counted_and_their_tests_are_decided(path: Path) -> None:
    summary = Summary(read_results(path))
    won = summary.bots[0].win_rate
    assert summary.bots[0].name.startswith(("search", "rollout"))
    assert f"{100 * won.value:.0f} % ({100 * won.interval[0]:.0f}–{100 * won.interval[1]:.0f})" in BOTS
    if summary.header.sprt is not None:
        assert summary.test is not None and summary.test.verdict == "high"


def test_the_first_sample_of_the_readme_has_ten_lines() -> None:
    code = samples()[0][1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_readme_says_that_the_project_is_unofficial() -> None:
    assert "unofficial" in (ROOT / "README.md").read_text(encoding="utf-8")


PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "results" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def walks() -> list[tuple[str, str]]:
    """(file, name) of each line of the walks in docs/architecture.md; a line without a file goes on in the last one."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    text = text[text.index("## Three walks") : text.index("## Decisions")]
    found, file = [], ""
    for line in "".join(text.split("```\n")[1::2]).splitlines():
        path, name = re.fullmatch(r"(\S*) +(\w+) +.*", line).groups()  # type: ignore[union-attr]
        file = path or file
        found.append((file, name))
    return found


@pytest.mark.parametrize(("file", "name"), walks())
def test_the_walks_lead_through_what_is_there(file: str, name: str) -> None:
    code = (ROOT / "branchline" / file).read_text(encoding="utf-8")
    assert re.search(rf"\b(def|class) {name}\b", code), f"{file} has no {name}"
