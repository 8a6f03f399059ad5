"""Everything that can be asked of a table. A command says who asks; where they sit is found under the table's lock.

`cid` is the client's key: a command that comes again with the same key is answered again and changes nothing.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from branchline.server import wire


class Command(msgspec.Struct, frozen=True, tag=True):
    """Something asked of a table."""


class OfPerson(Command, frozen=True, kw_only=True):
    """Asked by a person; `own`: for which of their chairs, where they have several."""

    user: str
    cid: str = ""
    own: int | None = None


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


class ChooseColour(OfPerson, frozen=True, kw_only=True):
    """Have this colour, one of the five looks of a player's pieces."""

    colour: int


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


class SetPlan(OfPerson, frozen=True, kw_only=True):
    """What to play at my next turns if I am not here; without a turn: nothing."""

    turns: list[list[wire.Wish]]


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


class AskBot(OfPerson, frozen=True, kw_only=True):
    """Let a bot play for who is away, until they are back."""

    seat: int


class Answer(OfPerson, frozen=True, kw_only=True):
    """Yes or no to who asks."""

    kind: Literal["back", "pause", "bot"]
    agree: bool


class Resume(OfPerson, frozen=True, kw_only=True):
    """Let the clocks run again."""


# ---------------------------------------------------------------- coming and going


class Come(OfPerson, frozen=True, kw_only=True):
    """A person has opened a stream."""


class TakeSeat(OfPerson, frozen=True, kw_only=True):
    """The owner of a seat plays again, in place of the bot."""


class Gone(Command, frozen=True, kw_only=True):
    """The owner of a seat has been away for long: their vote is not waited for, and others may vote for a bot."""

    seat: int


class Nudge(OfPerson, frozen=True, kw_only=True):
    """Tell the owner of a seat that all wait for them."""

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
    | ChooseColour
    | Remove
    | Start
    | Move
    | Undo
    | SetPlan
    | BotMove
    | End
    | AskBack
    | AskPause
    | AskBot
    | Answer
    | Resume
    | Come
    | TakeSeat
    | Gone
    | Nudge
    | TimeOut
    | Renamed
    | Say
    | Report
    | Rematch
    | Close
)
