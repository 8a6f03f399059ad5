"""Everything that can be asked of a table. A command says who asks; where they sit is found under the table's lock.

`cid` is the client's key: a command that comes again with the same key is answered again and changes nothing.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class Command(msgspec.Struct, frozen=True, tag=True):
    """Something asked of a table."""


class OfPerson(Command, frozen=True, kw_only=True):
    """Asked by a person."""

    user: str
    cid: str = ""


# ---------------------------------------------------------------- before the game


class Sit(OfPerson, frozen=True, kw_only=True):
    """Take the chair one wishes for if it is empty, else the first that is."""

    browser_seed: str | None = None
    wish: int | None = None


class Leave(OfPerson, frozen=True, kw_only=True):
    """Get up; from a game that runs, a bot plays on."""


class SetChair(OfPerson, frozen=True, kw_only=True):
    """The host puts a bot on a chair nobody has, or opens one."""

    chair: int
    bot: str | None  # None: open it


class Remove(OfPerson, frozen=True, kw_only=True):
    """The host asks a person to leave, before the game."""

    chair: int


class Start(OfPerson, frozen=True, kw_only=True):
    """The host deals."""


# ---------------------------------------------------------------- the game


class Move(OfPerson, frozen=True, kw_only=True):
    """Play these lines, all or none, in answer to the question of this number."""

    seq: int
    lines: list[str]
    lag: float = 0.0


class Undo(OfPerson, frozen=True, kw_only=True):
    """Take back what nobody else has learned of."""

    seq: int


class BotMove(Command, frozen=True, kw_only=True):
    """What a bot chose for a seat; `fault` says that another chose in its place."""

    seat: int
    seq: int
    line: str
    fault: bool


class End(Command, frozen=True, kw_only=True):
    """The game is over: these are the score sheets."""

    result: bytes


# ---------------------------------------------------------------- agreeing


class AskBack(OfPerson, frozen=True, kw_only=True):
    """May I have my last turn again?"""


class AskPause(OfPerson, frozen=True, kw_only=True):
    """May all clocks stand still?"""


class Answer(OfPerson, frozen=True, kw_only=True):
    """Yes or no to who asks."""

    kind: Literal["back", "pause"]
    agree: bool


class Resume(OfPerson, frozen=True, kw_only=True):
    """Let the clocks run again."""


# ---------------------------------------------------------------- coming and going


class Come(OfPerson, frozen=True, kw_only=True):
    """A person has opened a stream."""


class TakeSeat(OfPerson, frozen=True, kw_only=True):
    """The owner of a seat plays again, in place of the bot."""


class Gone(Command, frozen=True, kw_only=True):
    """The owner of a seat has been away for too long."""

    seat: int


class TimeOut(Command, frozen=True, kw_only=True):
    """Somebody's clock may be out."""


class Renamed(Command, frozen=True, kw_only=True):
    """A person has another name now. It stands with the person; the table only shows it."""

    user: str
    name: str


# ---------------------------------------------------------------- around


class Say(OfPerson, frozen=True, kw_only=True):
    """Speak: a phrase by its id, or a text."""

    phrase: str | None = None
    text: str | None = None


class Report(OfPerson, frozen=True, kw_only=True):
    """Tell who runs the service about the player on a seat."""

    seat: int
    reason: str
    text: str = ""


class Rematch(OfPerson, frozen=True, kw_only=True):
    """The same people and bots again, each a seat further."""

    promise: str | None = None
    browser_seed: str | None = None


class Close(Command, frozen=True, kw_only=True):
    """Nobody started this table, or nobody came back to its game."""


Any: TypeAlias = (
    Sit
    | Leave
    | SetChair
    | Remove
    | Start
    | Move
    | Undo
    | BotMove
    | End
    | AskBack
    | AskPause
    | Answer
    | Resume
    | Come
    | TakeSeat
    | Gone
    | TimeOut
    | Renamed
    | Say
    | Report
    | Rematch
    | Close
)
