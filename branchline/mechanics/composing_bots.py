"""Writing bots/composed.py from the list of mechanics: the whole plan, and who is asked at each place of the bots."""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.blocks import plan as blocks
from branchline.graph import chains
from branchline.kernel.hooks import ENTRIES
from branchline.mechanics import MECHANICS, composed
from branchline.mechanics.composing import CODES, Part, hook_text, parts_of, places, widest_first
from branchline.mechanics.composing_face import defines, head, parts_with


def plan_parts() -> list[Part]:
    """The fields of the whole plan."""
    parts = [*parts_of(chains.Plan, ""), *parts_of(blocks.Plan, "")]
    for mechanic, module in parts_with("bots", "Plan").items():
        if defines(module, "Plan"):
            parts += parts_of(module.Plan, mechanic)
    names = [part.name for part in parts]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise AssertionError(f"two parts of Plan have a field {', '.join(sorted(twice))}")
    return parts


def plan_text() -> list[str]:
    """The whole plan."""
    parts = plan_parts()
    owners = [mechanic for mechanic in MECHANICS if any(part.owner == mechanic for part in parts)]
    lines = [
        f"class Plan({', '.join(f'{owner}.Plan' for owner in owners) or 'blocks.Plan'}):",
        '    """What a bot works out before it chooses."""',
        "",
    ]
    for part in widest_first(parts):
        code, length = CODES[part.layout[0]], part.layout[1:]
        kind = f"list[int], {code}, {length}" if length else f"int, {code}"
        lines.append(f"    {part.name}: Annotated[{kind}]{f'  # {part.owner}' if part.owner else ''}")
    return lines


def composed_bots_text() -> list[str]:
    """The whole of bots/composed.py."""
    parts = parts_with("bots", "hooks")  # imported, so that their functions are at their places
    at = places(hooks)
    called = [entry.function for entry in ENTRIES if entry.hook in at]
    return [
        *head("The bots and the mechanics' parts of them together: the whole plan, and who is asked at each place."),
        "from typing import Annotated",
        "from branchline.bots import hooks",
        "from branchline.bots.blocks import plan as blocks",
        "from branchline.bots.blocks.codes import NO_CHOICE",
        f"from branchline.bots.kernel import {', '.join(sorted(CODES.values()))}, kernel",
        "from branchline.kernel.hooks import link",
        f"from branchline.mechanics.composed import {', '.join(composed.__all__)}",
        *(f"from {function.__module__} import {function.__name__}" for function in called),
        *(f"from branchline.mechanics.{mechanic} import bots as {mechanic}" for mechanic in parts),
        f"__all__ = {sorted(['Plan', *at])!r}",
        "",
        "",
        *plan_text(),
        *("\n\n" + hook_text(hook) for hook in at),
        "\n\nlink(globals())",
    ]
