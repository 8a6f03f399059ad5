"""The bots a service offers at its tables: the levels for people, and bots that its owner added."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from branchline.bots import BOTS, LEVELS, BadBot, check_bot, known_levels, short_name
from branchline.bots.registry import bot_class, parse
from branchline.record.model import name_fault
from branchline.server import wire

LONGEST_ID = 40

# Bots at one table have names of their own; which level they play is shown beside.
NAMES = {
    "passenger": ("Pip", "Nina", "Bo", "Tito", "Lulu"),
    "porter": ("Rafa", "Wilma", "Ionel", "Greta", "Sami"),
    "conductor": ("Ilinca", "Duarte", "Mabel", "Otto", "Zita"),
    "driver": ("Marta", "Edmund", "Sorin", "Beatriz", "Kasimir"),
    "stationmaster": ("Augusta", "Leopold", "Smaranda", "Vicente", "Henrietta"),
}
NAMES["random"], NAMES["path"] = NAMES["passenger"], NAMES["conductor"]


@dataclass(frozen=True, slots=True)
class Offered:
    """A bot that can sit down; `level` counts from 1, and is None for a bot of the service's owner."""

    id: str
    spec: str
    level: int | None
    about: str
    own: bool = False


class Roster:
    """Which bots there are."""

    def __init__(self, own: Sequence[str] = ()) -> None:
        """`own`: specs of bots that the owner of the service adds; raises BadBot for one that cannot be."""
        levels = [Offered(level.id, level.bot, LEVELS.index(level) + 1, level.style) for level in known_levels()]
        self.offered = (*levels, *(_own(spec) for spec in own))
        self._by_id = {name: Offered(name, name, None, "") for name in BOTS}
        for bot in self.offered:
            if bot.own and (bot.id in self._by_id or bot.id in NAMES):
                raise BadBot(f'there is a bot "{bot.id}" already; give the class of {bot.spec} another name')
            self._by_id[bot.id] = bot

    def find(self, bot: str | None) -> Offered | None:
        """A bot by the name tables know it by; bots of ours can be had by their own names too."""
        return self._by_id.get(bot or "")

    def wire(self) -> list[wire.BotFact]:
        return [wire.BotFact(bot.id, bot.level, bot.about) for bot in self.offered]

    def names(self) -> str:
        return ", ".join(bot.id for bot in self.offered)


def names_of(bot: str) -> Sequence[str]:
    """What bots of a kind may be called, more than sit at one table."""
    return NAMES.get(bot) or (bot, *(f"{bot} {n}" for n in range(2, 7)))


def _own(spec: str) -> Offered:
    check_bot(spec)
    name = short_name(parse(spec).bare)
    fault = name_fault(name) or (f"longer than {LONGEST_ID} characters" if len(name) > LONGEST_ID else "")
    if fault:
        raise BadBot(f"{spec}: its name cannot stand at a table: {fault}")
    about = (inspect.getdoc(bot_class(spec)) or "").strip().split("\n")[0]
    return Offered(name, spec, None, about, own=True)
