"""What people are told when something is refused: the page has it in every language."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from branchline.server.wire.sentences import Sentence, code_of

ROOT: Final = Path(__file__).parents[2]
LANGUAGES: Final = ("en", "ro", "pt-PT", "pt-BR")
FOR_PEOPLE: Final = {"Conflict", "Forbidden", "Missing"}  # others take nothing but a sentence, by their types


def nodes() -> Iterator[ast.AST]:
    package = ROOT / "branchline"
    for path in sorted([*(package / "server").rglob("*.py"), *(package / "mechanics").glob("*/service.py")]):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def codes() -> set[str]:
    """Every code the service can send."""
    found = set()
    for node in nodes():
        match node:
            case ast.Call(ast.Name("Sentence"), [ast.Constant(str(code)), *_]):
                found.add(code)
    return found


def named() -> set[str]:
    """The names that stand for a sentence: constants, and functions that make one."""
    found = set()
    for node in nodes():
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("Sentence"))):
                found.add(name)
            case ast.AnnAssign(ast.Name(name), _, ast.Call(ast.Name("Sentence"))):
                found.add(name)
            case ast.FunctionDef(name, returns=ast.Name("Sentence")):
                found.add(name)
    return found | {"Sentence"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_refusal_in_every_language_and_no_other(language: str) -> None:
    page = ROOT / "web" / "src"
    files = [page / "i18n" / "said" / f"{language}.json", *page.glob(f"mechanics/*/words/{language}.json")]
    words = {key for file in files for key in json.loads(file.read_text(encoding="utf-8"))}
    assert {key for key in words if key.startswith("said.")} == {f"said.{code}" for code in codes()}


def test_what_people_meet_has_a_code() -> None:
    known = named()
    for node in nodes():
        match node:
            case ast.Call(ast.Name(kind), [ast.Name(said) | ast.Call(ast.Name(said)), *_]) if kind in FOR_PEOPLE:
                assert said in known, f"line {node.lineno}: {ast.unparse(node)}"
            case ast.Call(ast.Name(kind), [_, *_]) if kind in FOR_PEOPLE:
                pytest.fail(f"line {node.lineno}: {ast.unparse(node)}")


def test_a_sentence_is_a_text_with_a_key() -> None:
    said = Sentence("many_tables", "you have 20 tables", 20)
    assert said == "you have 20 tables" and code_of(said) == ("many_tables", 20)
    assert code_of("not JSON") == ("", None)
