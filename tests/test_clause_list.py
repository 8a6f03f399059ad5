"""The list of clauses and the list of tests agree: every clause has a test, every marker names a clause."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "branchline" / "rules.md"
CLAUSE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
SECTIONS = {"C": 42, "EUR": 23, "IBE": 19, "AFR": 23, "CAR": 16, "I": 7}
MARKER = "pytest.mark.clause"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def clauses(text: str) -> list[str]:
    """The ids of the clauses a rulebook lists, in its order."""
    return CLAUSE.findall(text)


class Markers:
    """The clause markers of one file: `pytest.mark.clause("C-01")`, by that name or by a shorter one given to it."""

    def __init__(self, source: str, file: str) -> None:
        self.tree = ast.parse(source)
        self.file = file
        self.names = {MARKER} | {
            target.id
            for node in self.tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.value) == MARKER
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def found(self) -> Iterator[tuple[str, str]]:
        """(id, where) of each. What is no string stands as it is written, so that it names no clause."""
        inside = {id(node): outer for outer in self._functions() for line in outer.body for node in ast.walk(line)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in self.names:
                where = f"{self.file}:{node.lineno}"
                for text in self._ids(node, inside.get(id(node))):
                    yield text, where

    def on_helpers(self) -> list[str]:
        """Functions and classes that carry a marker and are no tests: they would make a clause look tested."""
        return [
            f"{self.file}: {node.name}"
            for node in ast.walk(self.tree)
            if isinstance(node, Function | ast.ClassDef) and not node.name.lower().startswith("test")
            for mark in node.decorator_list
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) in self.names
        ]

    def _functions(self) -> Iterator[Function]:
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def _ids(self, call: ast.Call, outer: Function | None) -> list[str]:
        if len(call.args) != 1 or call.keywords:
            return [ast.unparse(call)]
        text = _text(call.args[0])
        if text is not None:
            return [text]
        if outer is not None and isinstance(call.args[0], ast.Name):
            return self._passed_on(outer, call.args[0].id)
        return [ast.unparse(call)]

    def _passed_on(self, helper: Function, parameter: str) -> list[str]:
        """The ids a helper that makes marked cases is called with."""
        at = [argument.arg for argument in helper.args.args].index(parameter)
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == helper.name:
                given = node.args[at : at + 1] + [word.value for word in node.keywords if word.arg == parameter]
                found += [_text(value) or ast.unparse(value) for value in given]
        return found


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def files() -> list[Markers]:
    paths = [path for path in sorted(TESTS.rglob("test_*.py")) if path != Path(__file__)]
    return [Markers(path.read_text(encoding="utf-8"), str(path.relative_to(TESTS))) for path in paths]


def marked() -> list[tuple[str, str]]:
    return [found for file in files() for found in file.found()]


def test_the_rulebook_lists_each_clause_once_and_without_gaps() -> None:
    found = clauses(RULES.read_text(encoding="utf-8"))
    assert [id for id, n in Counter(found).items() if n > 1] == []
    assert found == [f"{section}-{n:02}" for section, last in SECTIONS.items() for n in range(1, last + 1)]


def test_every_clause_has_a_test() -> None:
    tested = {id for id, _ in marked()}
    missing = [id for id in clauses(RULES.read_text(encoding="utf-8")) if id not in tested]
    assert not missing, f"no test carries {', '.join(missing)}"


def test_every_marker_names_a_clause() -> None:
    known = set(clauses(RULES.read_text(encoding="utf-8")))
    strays = [f"{id} ({where})" for id, where in marked() if id not in known]
    assert not strays, f"no clause of branchline/rules.md is called {', '.join(strays)}"


def test_only_tests_carry_a_marker() -> None:
    assert [name for file in files() for name in file.on_helpers()] == []


def test_this_comparison_sees_what_it_should() -> None:
    assert clauses("- **C-01** one\n- **XX-12** another, see **C-02**\n") == ["C-01", "XX-12"]
    source = """
clause = pytest.mark.clause
@clause("C-01")
@pytest.mark.clause("C-02")
@pytest.mark.clause(5)
def test_it(): ...
@clause("C-03")
def helper(): ...
def case(a, id=""): return pytest.param(a, marks=[clause(id)])
case(1, "C-04"), case(2, id="C-05"), case(3)
"""
    markers = Markers(source, "f.py")
    assert sorted(id for id, _ in markers.found()) == ["C-01", "C-02", "C-03", "C-04", "C-05", "pytest.mark.clause(5)"]
    assert markers.on_helpers() == ["f.py: helper"]
