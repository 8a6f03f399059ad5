"""The guides name every option of `serve`, and every action and option of `admin`; the commands in them are real."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from branchline.commands import admin, serve
from branchline.server.transport.bound_settings import BoundSettings, HowMany, HowOften, Rate

ROOT = Path(__file__).parents[3]
SERVE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
OPERATE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")


def parser_of(module: object) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    return parser


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    return {word for action in parser._actions for word in action.option_strings if word.startswith("--")} - {"--help"}


def actions_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
    return found


def test_the_guide_names_every_option_of_serve_and_no_other() -> None:
    told = set(re.findall(r"`(--[a-z-]+)", re.sub(r"[^|]*$", "", SERVE.split("|---|---|")[1].split("\n\n")[0])))
    assert told == options_of(parser_of(serve))


def test_the_guide_names_every_action_and_option_of_admin() -> None:
    actions = actions_of(parser_of(admin))
    told = OPERATE.split("| action |")[1].split("\n\n")[0]
    assert len(actions) == 13
    for name, parser in actions.items():
        assert f"`{name}" in told, name
        for option in options_of(parser):
            assert option in told, f"{name} {option}"
        for inner in actions_of(parser):
            assert f"`{name} {inner} " in told, f"{name} {inner}"


def test_every_admin_command_of_the_guide_is_understood() -> None:
    lines = re.findall(r"branchline admin ([^`\n|#;]*)", OPERATE)
    assert len(lines) > 10
    parser = parser_of(admin)
    for line in lines:
        words = [word.strip(",.") for word in re.sub(r"\$\(.*", "FILE", line).split()]
        parser.parse_args(words) if words else None


def test_the_bounds_of_the_guide_are_those_of_the_service() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \| (.*) \| (.*) \|$", OPERATE, re.MULTILINE)
    told = {kind: (person, address, in_all) for kind, person, address, in_all in rows}
    assert told == {field.name: bound_of(getattr(BoundSettings(), field.name)) for field in fields(BoundSettings)}


def bound_of(bound: HowOften | HowMany) -> tuple[str, str, str]:
    return number_of(bound.person), number_of(bound.address), number_of(getattr(bound, "in_all", None))


def number_of(value: Rate | int | None) -> str:
    if isinstance(value, Rate):
        return f"{value.at_once}/{value.a_minute:g}"
    return "–" if value is None else str(value)


def test_the_chapters_of_the_guide_are_those_of_its_list() -> None:
    listed = re.findall(r"^\d+\. \[(.*)\]\(#", OPERATE, re.MULTILINE)
    assert listed == re.findall(r"^## (.*)$", OPERATE, re.MULTILINE)


@pytest.mark.parametrize("name", re.findall(r"\]\((deploy/[^)]*)\)", OPERATE))
def test_every_file_of_the_guide_is_there(name: str) -> None:
    assert (ROOT / "docs" / name).is_file()
