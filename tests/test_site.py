"""The documentation as a site: built without a warning, whole, and able to do without the rest of the world."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: a link that leads nowhere, or a page that nobody leads to, ends the build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_site_is_whole_and_takes_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    elsewhere = ("CHANGELOG.md", "CONTRIBUTING.md", "branchline/rules.md")
    written = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in elsewhere)]
    assert len(pages) == len(written) + 1  # and the one for what is not there
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?([^"' >]+)""", text)
        loaded += re.findall(r"""<link\b[^>]*\bhref=["']?([^"' >]+)""", text)
        outside = [address for address in loaded if re.match(r"(?:https?:)?//", address)]
        assert not outside, f"{page.relative_to(site)} takes {outside} from elsewhere"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet.name


def test_the_reference_has_every_public_name(site: Path) -> None:
    import branchline
    from branchline import arena, bots, lab, maps, puzzles, record, simulation

    where = {branchline: "branchline", record: "record", maps: "maps", bots: "bots", puzzles: "puzzles"}
    where |= dict.fromkeys((simulation, arena, lab), "many")
    for module, name in where.items():
        text = (site / "reference" / f"{name}.html").read_text(encoding="utf-8")
        listed = set(re.findall(rf'id="{module.__name__}\.([\w.]+)"', text))
        # A function in a module of its own name goes by both.
        missing = [public for public in module.__all__ if not {public, f"{public}.{public}"} & listed]
        assert not missing, f"reference/{name}.md lacks {missing}"


def test_a_clause_of_the_rules_can_be_pointed_at(site: Path) -> None:
    clauses = re.findall(
        r"^- \*\*([A-Z]+-\d+)\*\*", (ROOT / "branchline" / "rules.md").read_text("utf-8"), re.MULTILINE
    )
    text = (site / "rules.html").read_text(encoding="utf-8")
    assert len(clauses) > 100
    assert all(f'id="{clause}"' in text for clause in clauses)
