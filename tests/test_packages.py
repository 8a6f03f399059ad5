"""What the project stands on: every Python package is pinned with its hashes, and everybody's work is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOTICES = (ROOT / "NOTICES.md").read_text(encoding="utf-8")
LOCKS = {"dev": "dev", "serve": "cluster", "node": "node"}


def lock_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(lock: str) -> list[tuple[str, str, int]]:
    """Package, version and how many hashes, of each pin of a lock."""
    blocks = re.findall(r"^([\w.-]+)==([^\s;]+)[^\\\n]*((?:\\\n +--hash=sha256:[0-9a-f]{64} ?)*)", lock, re.MULTILINE)
    return [(name, version, hashes.count("--hash=")) for name, version, hashes in blocks]


def needed(extra: str) -> list[Requirement]:
    """What an extra asks for, and what the extras it names ask for."""
    found: list[Requirement] = []
    for want in map(Requirement, PROJECT["optional-dependencies"][extra]):
        found += [deeper for other in want.extras for deeper in needed(other)] if want.name == "branchline" else [want]
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_the_project_asks_for_is_pinned_within_its_bounds(name: str) -> None:
    found = {package: version for package, version, _ in pins(lock_of(name))}
    for want in needed(LOCKS[name]):
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
    assert all("setuptools" in {name for name, _, _ in pins(lock_of(lock))} for lock in ("dev", "serve"))


def test_both_locks_and_the_list_for_admin_check_name_the_same_versions() -> None:
    dev, serve = pins(lock_of("dev")), pins(lock_of("serve"))
    listed = json.loads((ROOT / "branchline" / "server" / "operate" / "packages.json").read_text(encoding="utf-8"))
    assert set(serve) <= set(dev) and len(listed) > 20
    assert set(listed.items()) <= {(name, version) for name, version, _ in serve}


def test_the_notices_name_every_package_the_commands_run_on_and_every_tool() -> None:
    tools = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    for name in tools:
        assert f"\n| {name} | " in NOTICES, f"NOTICES.md lacks {name}: run `make notices`"
    for want in (*needed("all"), *needed("dev"), *needed("docs"), *needed("node")):
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


def test_the_hooks_fetch_nothing() -> None:
    """They call the tools of .venv and web/node_modules, so that committing needs no network."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    for hook in config["repos"][0]["hooks"]:
        assert hook["language"] == "system" and hook["entry"].startswith((".venv/bin/", "tools/page "))
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_package_of_the_page_runs_on_the_node_we_take_from_pypi() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    ((_, node, _),) = pins(lock_of("node"))
    for name, package in lock["packages"].items():
        wanted = package.get("engines", {}).get("node", "*")
        assert accepts(wanted, Version(node)), f"{name} wants Node {wanted}, requirements/node.txt has {node}"


def accepts(wanted: str, node: Version) -> bool:
    """Whether an npm range such as "^20.19.0 || >=22.12.0" holds for a version."""
    return any(all(_holds(part, node) for part in _bounds(choice)) for choice in wanted.split("||"))


def _bounds(choice: str) -> list[str]:
    return re.findall(r"(?:>=|<=|<|>|\^|~)?\s*[\d*][\d.*x]*", choice)


def _holds(bound: str, node: Version) -> bool:
    sign, number = re.fullmatch(r"(\D*?)\s*([\d*].*)", bound).groups()  # type: ignore[union-attr]
    if number == "*":
        return True
    version = Version(number.replace(".x", ""))
    if sign == "^":
        return version <= node and node.major == version.major
    return Requirement(f"node{sign or '=='}{version}").specifier.contains(node)


def test_ranges_of_npm_are_read() -> None:
    assert accepts("^20.19.0 || >=22.12.0", Version("22.20.0")) and not accepts("^20.19.0 || >=24", Version("22.20.0"))
    assert accepts(">= 12.0.0", Version("22.20.0")) and not accepts("^18.18.0", Version("22.20.0"))
