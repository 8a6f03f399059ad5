"""Writes requirements/*.txt: every Python package in the version we test with, and the hashes of all of its files.

    python tools/lock.py              keep the versions that still fit pyproject.toml, add and drop what it needs
    python tools/lock.py --upgrade    take the newest of everything

pip refuses a file whose hash is not there (`--require-hashes`). The versions for `branchline admin check` are kept
beside it. The work is done by `uv pip compile`, fetched into a folder of its own and thrown away afterwards.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
VERSIONS = ROOT / "branchline" / "server" / "operate" / "packages.json"
OLDEST_PYTHON = "3.11"
# The larger one first: the smaller one takes its versions from it.
LOCKS = {"dev": "dev", "serve": "cluster", "node": "node"}
BUILD = "setuptools>=77"  # builds the project itself, without fetching anything more

HEADER = """# All that {what} needs, with the hashes of its files. Written by `make lock`; not to be edited.
# Install it with: pip install --require-hashes -r requirements/{name}.txt
"""
WHAT = {
    "dev": "working on the project",
    "serve": "running a service",
    "node": "building the page where Node is missing",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="take the newest version of everything")
    upgrade = parser.parse_args().upgrade
    with tempfile.TemporaryDirectory() as folder:
        uv = fetch_uv(Path(folder))
        for name in LOCKS:
            compile_lock(uv, Path(folder), name, upgrade)
    VERSIONS.write_text(json.dumps(pinned((FOLDER / "serve.txt").read_text()), indent=1) + "\n")


def fetch_uv(folder: Path) -> Path:
    """`uv`, installed where it disturbs nothing."""
    venv.create(folder / "uv", with_pip=True)
    bin = folder / "uv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([bin / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return bin / "uv"


def compile_lock(uv: Path, folder: Path, name: str, upgrade: bool) -> None:
    """One lock; what is in it already stays, unless everything is to be newer."""
    out = FOLDER / f"{name}.txt"
    build = folder / "build.in"
    build.write_text("" if name == "node" else BUILD + "\n")
    command: list[str | Path] = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", OLDEST_PYTHON]
    command += ["--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    command += ["--extra", LOCKS[name]]
    if name == "serve":
        command += ["--constraint", FOLDER / "dev.txt"]
    elif upgrade:
        command += ["--upgrade"]
    subprocess.run([*command, "--output-file", out, "pyproject.toml", build], cwd=ROOT, check=True)
    out.write_text(HEADER.format(what=WHAT[name], name=name) + out.read_text().removeprefix(read_header(out)))


def read_header(path: Path) -> str:
    """The comment lines a lock begins with."""
    return "".join(re.findall(r"\A(?:#.*\n)*", path.read_text()))


def pinned(lock: str) -> dict[str, str]:
    """Package to version, of those that a running service needs in the same version on every system."""
    found = re.findall(r"^([\w.-]+)==([^\s;]+) *(;?)", lock, re.MULTILINE)
    return {name: version for name, version, marker in found if not marker and name != "setuptools"}


if __name__ == "__main__":
    main()
