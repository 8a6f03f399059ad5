"""Writing composed.py and numbers.json from the list of mechanics. Nothing here runs while a game is played."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from branchline.kernel import hooks, numbers
from branchline.kernel import state as core
from branchline.kernel.flat import WIDTH, code_and_length
from branchline.kernel.hooks import ALWAYS, ANY, EACH, ENTRIES, FIRST, FOLD, HOOKS, MOST, ONE, QUESTION, SUM, UNION
from branchline.mechanics import MECHANICS

COMPOSED = Path(__file__).with_name("composed.py")
RECORDS = {
    "Position": "A whole game at one moment.",
    "Board": "What never changes during a game: the map as tables, and shuffles written by hand.",
    "Work": "Scratch space, the menu of legal actions, the events of the last move and the score sheet.",
}
CODES = {"q": "I64", "i": "I32", "h": "I16", "b": "I8"}


class Part(typing.NamedTuple):
    """One field of a record: as it is written in numbers.json, and whose it is."""

    name: str
    layout: str  # the code, and the length of a list: "q", "b5"
    owner: str  # a mechanic, "" for the kernel, "-" for a mechanic that is not in the list


def state_of(mechanic: str) -> ModuleType:
    return importlib.import_module(f"branchline.mechanics.{mechanic}.state")


def rules_of(mechanic: str) -> ModuleType:
    return importlib.import_module(f"branchline.mechanics.{mechanic}.rules")


def parts_of(record: type, owner: str) -> Iterator[Part]:
    hints = typing.get_type_hints(record, include_extras=True)
    for name in inspect.get_annotations(record):
        code, length = code_and_length(hints[name])
        yield Part(name, f"{code}{length or ''}", owner)


def owners_of(record: str) -> list[str]:
    """The mechanics that have fields of a record."""
    return [name for name in MECHANICS if getattr(state_of(name), record, None) not in (None, getattr(core, record))]


def all_parts(record: str) -> list[Part]:
    """The fields of a record, those of the kernel first."""
    parts = list(parts_of(getattr(core, record), ""))
    for owner in owners_of(record):
        parts += parts_of(getattr(state_of(owner), record), owner)
    twice = {p.name for p in parts if sum(p.name == other.name for other in parts) > 1}
    if twice:
        raise AssertionError(f"two parts of {record} have a field {', '.join(sorted(twice))}")
    return parts


def widest_first(parts: list[Part]) -> list[Part]:
    return sorted(parts, key=lambda part: -WIDTH[part.layout[0]])


# ---------------------------------------------------------------- numbers.json


def new_generation() -> dict[str, Any]:
    """What the mechanics ask for and numbers.json does not hold yet."""
    for name in MECHANICS:
        rules_of(name)
    new: dict[str, Any] = {
        kind: {name: first if count == 1 else [first, count] for name, (first, count) in names.items()}
        for kind, names in numbers.NEW.items()
    }
    locked = {name: layout for generation in numbers.GENERATIONS for name, layout in generation["position"].items()}
    parts = all_parts("Position")
    for part in parts:
        if locked.get(part.name, part.layout) != part.layout:
            raise AssertionError(f"the field {part.name} of Position was {locked[part.name]} and is {part.layout}")
    fields = {part.name: part.layout for part in widest_first(parts) if part.name not in locked}
    if new or fields:
        new["position"] = fields
    return new


def lock_text(generations: list[dict[str, Any]]) -> str:
    """numbers.json, a few names a line."""
    lines = ['{\n "generations": [']
    for generation in generations:
        lines.append("  {")
        for kind, names in generation.items():
            lines.append(f'   "{kind}": {{')
            lines += _filled([f"{json.dumps(name)}: {json.dumps(value)}" for name, value in names.items()])
            lines.append("   },")
        lines[-1] = "   }"
        lines.append("  },")
    lines[-1] = "  }"
    return "\n".join([*lines, " ]", "}", ""])


def _filled(items: list[str], width: int = 118) -> Iterator[str]:
    line = "   "
    for item in [f"{item}," for item in items[:-1]] + items[-1:]:
        if len(line) + 1 + len(item) > width:
            yield line
            line = "   "
        line += f" {item}"
    if items:
        yield line


# ---------------------------------------------------------------- composed.py


def position_parts() -> list[Part]:
    """The fields of Position where they lie: a generation after the other, each from a whole word on.

    A locked field stays where it is also if its mechanic is not in the list: so do the bytes of all others.
    """
    owner = {part.name: part.owner for part in all_parts("Position")}
    parts: list[Part] = []
    size = 0
    for generation in numbers.GENERATIONS:
        if size % 8:
            parts.append(Part(f"pad_{len(parts)}", f"b{-size % 8}", ""))
            size += -size % 8
        for name, layout in generation["position"].items():
            parts.append(Part(name, layout, owner.get(name, "-")))
            size += WIDTH[layout[0]] * int(layout[1:] or 1)
    return parts


def record_text(record: str) -> str:
    """One whole record."""
    bases = [f"{owner}.{record}" for owner in owners_of(record)] or [f"state.{record}"]
    lines = [f"class {record}({', '.join(bases)}):", f'    """{RECORDS[record]}"""', ""]
    for part in position_parts() if record == "Position" else widest_first(all_parts(record)):
        code, length = CODES[part.layout[0]], part.layout[1:]
        kind = f"list[int], {code}, {length}" if length else f"int, {code}"
        remark = {"": "", "-": "  # of a mechanic that is not in the list"}.get(part.owner, f"  # {part.owner}")
        lines.append(f"    {part.name}: Annotated[{kind}]{remark}")
    return "\n".join(lines)


def numbers_of(module: ModuleType) -> list[str]:
    """The constants a module of state defines."""
    return [name for name, value in vars(module).items() if name.isupper() and isinstance(value, int)]


def generations_text() -> str:
    """Where the generations of a position's fields end, and how far the mechanics of a map reach."""
    ends, size, owners = [], 0, {part.name: part.owner for part in all_parts("Position")}
    newest = dict.fromkeys(MECHANICS, 0)
    for n, generation in enumerate(numbers.GENERATIONS):
        for name, layout in generation["position"].items():
            size += WIDTH[layout[0]] * int(layout[1:] or 1)
            if owners.get(name):
                newest[owners[name]] = n
        size += -size % 8
        ends.append(size // 8)
    lines = [
        "# The words of a position up to the end of each generation of its fields.",
        f"GENERATION_ENDS = ({', '.join(map(str, ends))},)",
        "",
        "",
        "def words_of_position(b: Board) -> int:",
        '    """How many words of a position the mechanics of a board can write: the signature covers these."""',
    ]
    for n in range(len(ends) - 1, 0, -1):
        gates = [in_play(name) for name in MECHANICS if newest[name] == n]
        if gates:
            lines += [f"    if {' or '.join(gates)}:", f"        return GENERATION_ENDS[{n}]"]
    return "\n".join([*lines, "    return GENERATION_ENDS[0]"])


# ---------------------------------------------------------------- who is asked where


class Call(typing.NamedTuple):
    """A mechanic at a hook: when it is asked (an expression, or nothing), and what is called."""

    mechanic: str
    when: str
    text: str


def in_play(mechanic: str) -> str:
    return str(state_of(mechanic).IN_PLAY)


def places(module: ModuleType) -> list[str]:
    """The hooks of a module: the kernel's, or those of a part that asks mechanics as it does."""
    return [name for name, (stub, _) in HOOKS.items() if stub.__module__ == module.__name__]


def calls_of(hook: str) -> list[Call]:
    """The functions at a hook, in the order of the list."""
    parameters = inspect.signature(HOOKS[hook].stub).parameters
    calls = []
    for mechanic in MECHANICS:
        for entry in ENTRIES:
            if entry.hook == hook and entry.function.__module__.startswith(f"branchline.mechanics.{mechanic}."):
                asked = inspect.signature(entry.function).parameters
                if not set(asked) <= set(parameters):
                    raise AssertionError(f"{entry.function.__name__} asks {hook} for more than it has: {list(asked)}")
                when = entry.when if entry.when is not None else in_play(mechanic)
                text = f"{entry.function.__name__}({', '.join(asked)})"
                calls.append(Call(mechanic, "" if when == ALWAYS else when, text))
    return calls


def said_at(hook: str) -> list[str]:
    """What the mechanics say about a hook: conditions, or statements where all are told."""
    said = [{place.__name__: text for place, text in getattr(rules_of(name), "SAYS", {}).items()} for name in MECHANICS]
    return [texts[hook] for texts in said if hook in texts]


def hook_text(hook: str) -> str:
    """The function that asks the mechanics at a hook."""
    stub, joined = HOOKS[hook]
    notes = inspect.get_annotations(stub)
    result = notes.pop("return")
    parameters = ", ".join(f"{name}: {note}" for name, note in notes.items())
    lines = [
        "@kernel" if "MapData" not in notes.values() else "",
        f"def {hook}({parameters}) -> {result}:",
        f'    """{stub.__doc__}"""',
    ]
    return "\n".join([*lines, *(f"    {line}" for line in BODIES[joined](hook))]).lstrip()


def _gated(call: Call, what: str) -> Iterator[str]:
    if call.when:
        yield f"if {call.when}:"
        yield f"    {what}"
    else:
        yield what


def _each(hook: str) -> Iterator[str]:
    yield from said_at(hook)
    for call in calls_of(hook):
        yield from _gated(call, call.text)


def _first(hook: str) -> Iterator[str]:
    yield "answer = 0"
    for n, call in enumerate(calls_of(hook)):
        yield from _gated(
            call._replace(when=f"answer == 0 and {call.when}" if n else call.when), f"answer = {call.text}"
        )
    yield "return answer"


def _one(hook: str) -> Iterator[str]:
    answers = inspect.get_annotations(HOOKS[hook].stub)["return"] != "None"
    for n, call in enumerate(calls_of(hook)):
        yield f"{'elif' if n and not answers else 'if'} {call.when}:"
        yield f"    {'return ' if answers else ''}{call.text}"
    if answers:
        yield inspect.getsource(HOOKS[hook].stub).splitlines()[-1].strip()


def _any(hook: str) -> Iterator[str]:
    conditions = said_at(hook)
    marked = [f"({said})" if len(conditions) > 1 and " and " in said else said for said in conditions]
    yield f"return 1 if {' or '.join(marked)} else 0" if conditions else "return 0"


def _added(sign: str) -> Callable[[str], Iterator[str]]:
    def body(hook: str) -> Iterator[str]:
        yield "total = 0"
        for call in calls_of(hook):
            yield from _gated(call, f"total {sign}= {call.text}" if sign else f"total = max(total, {call.text})")
        yield "return total"

    return body


def _fold(hook: str) -> Iterator[str]:
    for call in calls_of(hook):
        yield from _gated(call, f"n = {call.text}")
    yield "return n"


def _question(hook: str) -> Iterator[str]:
    """A `when` says here that the mechanic's question is open: then it has been asked, and so have those before it."""
    calls = calls_of(hook)
    for n, call in enumerate(calls):
        answered = " or ".join(later.when for later in calls[n:])
        yield f"if {in_play(call.mechanic)} and not ({answered}):"
        yield f"    if {call.text}:"
        yield "        return 1"
    yield "return 0"


BODIES: dict[str, Callable[[str], Iterator[str]]] = {
    EACH: _each,
    FIRST: _first,
    ONE: _one,
    ANY: _any,
    SUM: _added("+"),
    UNION: _added("|"),
    MOST: _added(""),
    FOLD: _fold,
    QUESTION: _question,
}


# ---------------------------------------------------------------- the whole


def composed_text() -> str:
    """The whole of composed.py."""
    homes: dict[str, str] = {}
    for mechanic in MECHANICS:
        rules_of(mechanic)  # imported, so that its functions are at their hooks
    for module in (core, *map(state_of, MECHANICS)):
        for name in numbers_of(module):
            if not name.startswith("MAX_"):
                homes.setdefault(name, module.__name__)
    at = places(hooks)
    public = sorted([*homes, *RECORDS, *at, "GENERATION_ENDS", "words_of_position"])
    called = [entry.function for entry in ENTRIES if entry.hook in at]
    lines = [
        '"""All that the kernel and the mechanics of the list make together: every number, the whole records, and who',
        "is asked at each hook of the kernel.",
        "",
        "Written by `python -m branchline.mechanics`: do not edit.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Annotated",
        "",
        "from branchline.kernel import hooks, state",
        "from branchline.kernel.flat import I8, I16, I32, I64",
        "from branchline.kernel.primitives import kernel",
        "from branchline.maps.model import MapData",
        *(f"from {home} import {name}" for name, home in homes.items()),
        *(f"from {function.__module__} import {function.__name__}" for function in called),
        *(f"from branchline.mechanics.{name} import state as {name}" for name in MECHANICS),
        "",
        f"__all__ = {public!r}",
        *("\n\n" + record_text(record) for record in RECORDS),
        "\n\n" + generations_text(),
        *("\n\n" + hook_text(hook) for hook in at),
        "\n\nhooks.link(globals())",
    ]
    return formatted(COMPOSED, "\n".join(lines) + "\n")


def formatted(path: Path, text: str) -> str:
    """As ruff writes it; as it is where there is no ruff."""
    if importlib.util.find_spec("ruff") is None:
        return text
    for command in (["check", "--fix-only", "--quiet", "--select", "I,F401,RUF022"], ["format", "--quiet"]):
        whole = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(path), "-"]
        text = subprocess.run(whole, input=text, capture_output=True, text=True, check=True).stdout
    return text
