"""The unit and the container file of docs/deploy: as sound as can be seen without starting them."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.commands import serve

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "docs" / "deploy"


@pytest.mark.parametrize("name", ["branchline.service", "branchline@.service"])
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_systemd_finds_no_fault_with_the_unit_and_little_exposed(name: str, tmp_path: Path) -> None:
    path = tmp_path / name.replace("@", "@8001")
    unit = (DEPLOY / name).read_text(encoding="utf-8")
    path.write_text(unit.replace("/opt/branchline/bin/branchline", sys.executable))
    assert analyzed("verify", "--man=no", str(path)) == (0, "")
    assert analyzed("security", "--offline=true", "--threshold=20", str(path))[0] == 0


def analyzed(*words: str) -> tuple[int, str]:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_unit_starts_the_service_with_options_it_knows() -> None:
    for name in ("branchline.service", "branchline@.service"):
        unit = (DEPLOY / name).read_text(encoding="utf-8").replace("\\\n", " ").replace("%i", "8001")
        command = re.search(r"^ExecStart=/opt/branchline/bin/branchline (.*)$", unit, re.MULTILINE)
        assert command is not None
        assert understood(command[1].split()), name


def understood(words: list[str]) -> bool:
    """Whether `branchline` takes these words; nothing is started."""
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    parser.parse_args(words[1:])
    return words[0] == "serve"


# ---------------------------------------------------------------- the container file: no engine here, so it is read


KNOWN = {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the container file with its words."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line.split(maxsplit=1) for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [(line[0], line[1]) for line in lines]


def words_of(instruction: str) -> list[str]:
    return [words for name, words in instructions() if name == instruction]


def test_the_container_file_has_instructions_that_engines_know() -> None:
    assert {name for name, _ in instructions()} <= KNOWN
    assert instructions()[0][0] == "FROM" and instructions()[-1][0] == "ENTRYPOINT"


def test_all_that_the_container_file_copies_is_in_the_project() -> None:
    for words in words_of("COPY"):
        *sources, _ = words.split()
        for source in sources if not words.startswith("--from=") else []:
            assert (ROOT / source).exists(), source


def test_the_container_installs_by_hash_and_runs_without_root() -> None:
    installs = [words for words in words_of("RUN") if "pip install" in words]
    assert all("--require-hashes" in words or "--no-deps" in words for words in installs) and len(installs) == 2
    order = [name for name, _ in instructions()]
    assert words_of("USER") == ["branchline"] and order.index("USER") < order.index("ENTRYPOINT")


def test_the_container_starts_the_service_with_options_it_knows() -> None:
    command = json.loads(words_of("ENTRYPOINT")[0])
    assert command[0] == "branchline" and understood(command[1:])
    health = words_of("HEALTHCHECK")[0]
    compile(json.loads(health[health.index("[") :])[2], "health", "exec")
