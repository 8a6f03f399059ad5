"""What the project stands on: every Python package is pinned with its hashes, and everybody's work is named."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOTICES = (ROOT / "NOTICES.md").read_text(encoding="utf-8")
LOCKS = {"dev": ("dev", "cluster"), "serve": ("cluster",)}


def lock_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(lock: str) -> list[tuple[str, str, int]]:
    """Package, version and how many hashes, of each pin of a lock."""
    blocks = re.findall(r"^([\w.-]+)==([^\s;]+)[^\\\n]*((?:\\\n +--hash=sha256:[0-9a-f]{64} ?)*)", lock, re.MULTILINE)
    return [(name, version, hashes.count("--hash=")) for name, version, hashes in blocks]


def needed(*extras: str) -> list[Requirement]:
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_the_project_asks_for_is_pinned_within_its_bounds(name: str) -> None:
    found = {package: version for package, version, _ in pins(lock_of(name))}
    for want in needed(*LOCKS[name]):
        version = found.get(canonicalize_name(want.name))
        assert version is not None, f"requirements/{name}.txt lacks {want.name}: run `make lock`"
        assert want.specifier.contains(version), f"requirements/{name}.txt has {want.name} {version}: run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes_and_no_address(name: str) -> None:
    lock = lock_of(name)
    assert len(pins(lock)) == lock.count("==") - markers(lock)
    assert all(hashes for _, _, hashes in pins(lock))
    assert "://" not in lock and "--index" not in lock and "--find-links" not in lock


def markers(lock: str) -> int:
    """How often == stands in a condition, as in `; sys_platform == 'win32'`."""
    return len(re.findall(r" == '", lock))


def test_what_builds_the_project_is_pinned_too() -> None:
    """The project itself is installed without build isolation: nothing is fetched that has no hash."""
    assert all("setuptools" in {name for name, _, _ in pins(lock_of(lock))} for lock in LOCKS)


def test_both_locks_and_the_list_for_admin_check_name_the_same_versions() -> None:
    dev, serve = pins(lock_of("dev")), pins(lock_of("serve"))
    listed = json.loads((ROOT / "branchline" / "server" / "operate" / "packages.json").read_text(encoding="utf-8"))
    assert set(serve) <= set(dev) and len(listed) > 20
    assert set(listed.items()) <= {(name, version) for name, version, _ in serve}


def test_the_notices_name_every_package_the_service_runs_on() -> None:
    for want in needed("cluster"):
        assert f"\n| {canonicalize_name(want.name)} | " in NOTICES, f"NOTICES.md lacks {want.name}: run `make notices`"


def test_the_notices_name_every_font_and_library_the_page_imports() -> None:
    """The page's build refuses what is missing; this one needs no Node."""
    source = ROOT / "web" / "src"
    text = "\n".join(p.read_text(encoding="utf-8") for p in source.rglob("*") if p.suffix in (".ts", ".svelte", ".css"))
    imported = set(re.findall(r"""(?:from |import |url\()["']((?:@[\w-]+/)?[a-z][\w-]*)(?:/[^"']*)?["']""", text))
    fonts = {name for name in imported if name.startswith("@fontsource/")}
    assert len(fonts) == 2 and "svelte" in imported
    for name in imported - {"virtual"}:
        assert f"\n### {name}\n" in NOTICES, f"NOTICES.md lacks {name}: run `make notices`"


def test_the_page_carries_the_notices_and_leads_to_them() -> None:
    assert 'href="/notices.txt"' in (ROOT / "web" / "src" / "pages" / "About.svelte").read_text(encoding="utf-8")
    built = ROOT / "branchline" / "server" / "page"
    if (built / "index.html").exists():
        assert (built / "notices.txt").read_text(encoding="utf-8") == NOTICES
