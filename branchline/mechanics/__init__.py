"""The mechanics: what some maps have and others have not. Each is a folder of its name, with all that is said about it.

What a new one writes, file by file; all but the first three may be left out:

    map.py      its part of a map file: facts, keys with their meaning, checks (maps/parts.py)
    state.py    its numbers (phases, choices, events, random streams) and its fields of Position, Board and Work
    rules.py    its rules, in kernel Python, each function at the place of a turn where it comes in (kernel/hooks.py)
    face.py     `Action`, `Event`, `Refusal`: unions of its frozen classes. An event is `Public`, or says in `seen_by`
                who may know what. `FACE`: a `Move` for each action (line of text, codes, both ways between), for each
                note of the kernel the event it tells, its phases by name. Explainers say why an action is refused.
                `Names`: names of its own by number. `Deal`, with a `Deck` each: what a deal may write by hand
    view.py     `View`, `PlayerView`: properties that say what a reader may know
    score.py    `PlayerScore`: its fields of the score sheet, and `score`, which fills them
    record.py   `PART`: its part of game files and of games in words; `SheetLine`: its fields of a sheet in a file
    wire.py     `PART`: how its fields of the messages are filled; those of `MapFacts`, `ViewWire`, `PlayerWire` …, as
                classes of these names, and structures of its own. After that web/src/wire.ts is written anew
    service.py  `PLANS`: what a player can plan about it
    bots.py     what bots know of it: functions at the places of bots/hooks.py, and `Plan`, its fields of their plan
    tuning.py   numbers the planner plays by (`number`, planner/tuning.py); `STYLES`, bots that differ in them
    columns.py  what the laboratory counts of it in every game (`column`, bots/games/columns.py)
    facts.py    what a network is told of it: facts by their names and scales, words for its choices (training/facts.py)
    seen.py     writes these facts: functions at the places of training/hooks.py
    puzzles.py  `REASONS` and `reason`: why a choice of its own is the best of a puzzle (puzzles/reasons.py)
    labels.py   what its things are called (words/telling.py)
    terminal.py, simulation.py, lab.py
                its part of these layers (terminal/places.py, simulation/places.py, lab/places.py)
    words/      its sentences, one file a language: `event.KIND`, `why.KIND`, `due.PHASE`

Then its word comes into the list below, and `python -m branchline.mechanics` writes the wholes (wholes.py): the facts
of a map, the records and hooks of the kernel, the closed unions, views, sheets, files and messages, the bots' plan.
Neither the kernel nor the rest of the library names one. numbers.json keeps every number that was ever given.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# In the order in which they are asked: a claim is tried in its tunnel before it is doubled, and doubled before the
# festival cards are taken.
MECHANICS = ("tunnels", "ferries", "stations", "terrain", "festivals", "drafts", "mail")


def modules(layer: str) -> tuple[ModuleType, ...]:
    """The module of this name of every mechanic that has one, in the order of the list: asked once, on import."""
    names = [f"{__name__}.{mechanic}.{layer}" for mechanic in MECHANICS]
    return tuple(import_module(name) for name in names if find_spec(name))
