"""Who asks for work that takes long, so that nobody's asking keeps others waiting."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from branchline.server.wire.refusals import TooMany
from branchline.server.wire.sentences import Sentence


class Priority(IntEnum):
    """Whose work comes first."""

    PEOPLE = 0  # somebody waits for it
    BOTS_ONLY = 1  # of a table at which only bots sit: done when nobody else asks


@dataclass(frozen=True, slots=True)
class Asker:
    """For whom work is done. Without an address (`""`) a person counts alone, without a person the address."""

    person: str | None
    address: str = ""
    priority: Priority = Priority.PEOPLE

    @property
    def place(self) -> str:
        """What takes turns with others: an address, however many people are behind it."""
        return self.address or f"person {self.person or ''}"


OURSELVES = Asker(None)


class TooBusy(TooMany):
    """So much is asked for already, by this person, this address or by all, that no more is put in line."""

    def __init__(self, wait: float = 1.0) -> None:
        seconds = max(1, round(wait))
        super().__init__(Sentence("too_fast", f"too many requests: wait {seconds} s", seconds), wait)
