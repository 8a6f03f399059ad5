"""What people are told when something is refused: the page has it in every language."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Final

import pytest

from branchline.server.said import Said, code_of
from tests.server.service import ROOT, Running, seated

LANGUAGES: Final = ("en", "ro", "pt-PT", "pt-BR")
FOR_PEOPLE: Final = {"Conflict", "Forbidden", "Missing", "BadChat", "BadName", "BadHoliday"}


def calls() -> Iterator[ast.Call]:
    for path in sorted((ROOT / "branchline" / "server").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node


def codes() -> set[str]:
    """Every code the service can send."""
    found = set()
    for call in calls():
        match call:
            case ast.Call(ast.Name("Said"), [ast.Constant(str(code)), *_]):
                found.add(code)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_refusal_in_every_language_and_no_other(language: str) -> None:
    words = json.loads((ROOT / "web" / "src" / "i18n" / "said" / f"{language}.json").read_text(encoding="utf-8"))
    assert set(words) == {f"said.{code}" for code in codes()}


def test_what_people_meet_has_a_code() -> None:
    for call in calls():
        match call:
            case ast.Call(ast.Name(kind), [said, *_]) if kind in FOR_PEOPLE:
                assert ast.unparse(said).startswith("Said("), f"line {call.lineno}: {ast.unparse(call)}"


def test_a_sentence_is_a_text_with_a_key() -> None:
    said = Said("many_tables", "you have 20 tables", 20)
    assert said == "you have 20 tables" and code_of(said) == ("many_tables", 20)
    assert code_of("not JSON") == ("", None)


def test_refusals_carry_their_key_over_http_and_over_the_socket(running: Running) -> None:
    with seated(running) as (people, (me, _)):
        table = me.table["id"]
        late = running.person().http.post(f"/tables/{table}/sit", json={})
        assert (late.status_code, late.json()["code"], late.json()["n"]) == (409, "begun", None)
        name = people[0].http.post("/me", json={"name": "x" * 30})
        assert (name.status_code, name.json()["code"], name.json()["n"]) == (400, "name_long", 24)
        me.send({"t": "pause", "agree": None})
        trouble = me.wait("trouble")
        assert (trouble["reason"], trouble["code"]) == ("there is no clock to pause at this table", "no_clock")
        me.send({"t": "say", "text": "x" * 300})
        trouble = me.wait("trouble")
        assert (trouble["code"], trouble["n"]) == ("chat_long", 200)
        assert me.undo()["code"] == "known"
        nowhere = people[0].http.get("/maps/atlantis")
        assert nowhere.json()["code"] == "no_map"
        me.send("{")
        assert me.wait("trouble")["code"] == ""
