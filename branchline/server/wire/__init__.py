"""Everything that crosses the wire, as closed structures. The page's types are generated from this file.

A message of the live stream has its kind in `t`. Moves are lines of the game's notation: an offer is a line the
server says is legal, and a player sends one back.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from branchline.base.wire import DrawWish as DrawWish
from branchline.base.wire import LoanWire as LoanWire
from branchline.base.wire import NamesFact as NamesFact
from branchline.base.wire import PlaceFact as PlaceFact
from branchline.base.wire import TicketFact as TicketFact
from branchline.base.wire import TicketLine as TicketLine
from branchline.base.wire import Wire as Wire
from branchline.events import EndReason as EndReason
from branchline.mechanics.composed_wire import *  # noqa: F403 (what the base game and the mechanics share)
from branchline.mechanics.composed_wire import ScoreWire, ViewWire, Wish
from branchline.phases import Phase as Phase
from branchline.server.wire.derived import EventWire as EventWire
from branchline.server.wire.derived import WhyWire as WhyWire

TableState = Literal["open", "playing", "over", "dropped"]
SeatKind = Literal["open", "person", "bot"]
ClockKind = Literal["none", "live", "days"]
Order = Literal["drawn", "fixed"]
CallKind = Literal["turn", "friend", "over", "nudge"]  # what somebody away from a table can be told
VoteKind = Literal["back", "pause", "bot"]
AbsenceReason = Literal["vote", "left", "clock"]


class ClockWire(Wire, frozen=True):
    """Seconds left by seat at the moment of sending, and the seats whose clock runs; `now` is the server's time."""

    left: list[float]
    running: list[int]
    now: float


class StepWire(Wire, frozen=True):
    """The events of one move, in the order of the log; step 0 is the deal.

    `by` says who chose: the deal, a player, a plan (the reader's own; others' are the player's), a bot, a proxy (the
    bot that plays for somebody who is away), the clock (for somebody who ran out of time), or a standin (for a bot
    that failed).
    """

    seq: int
    seat: int | None
    by: str
    events: list[EventWire]


# ---------------------------------------------------------------- tables


class ClockOption(Wire, frozen=True):
    """No clock; a pool of seconds with an increment; or days for each move."""

    kind: ClockKind = "none"
    pool: int = 600
    increment: int = 10
    days: float = 1


class SeatWire(Wire, frozen=True):
    """Who sits on a chair. While the table is open the chairs have no order yet if it is drawn."""

    kind: SeatKind
    name: str
    bot: str | None
    you: bool
    connected: bool
    proxied: bool  # a bot plays until the owner is back
    clock_out: bool
    blocked: bool  # by the reader
    colour: int  # 0 to 4: which of the five looks the pieces have; no two seats of a table have the same
    expected: bool  # at the table of a rematch: the chair is kept for them, they have not come yet
    away: float | None  # of a person who is not here: for how many seconds, at the moment of sending
    missed: bool  # for so long that nobody waits for their vote, and others may vote for a bot
    nudged: bool  # by the reader, about the present choice
    holiday: bool  # in a game of days: the owner is away, and the clock does not run out meanwhile


class Meanwhile(Wire, frozen=True):
    """A bot played for the reader: why (the others voted, the reader left, time ran out) and since when.

    Steps after `seq` that a `proxy` chose for the reader's seat are what it did.
    """

    why: AbsenceReason
    at: float
    seq: int
    agreed: list[int]  # the seats that voted for it


class TableWire(Wire, frozen=True):
    """A table as one reader sees it; `you` is the reader's chair, `host` whether the table is theirs to start."""

    id: str
    map: str
    state: TableState
    seats: list[SeatWire]
    you: int | None
    here: list[int]  # the reader's chairs where several people pass one device on; else empty
    host: bool
    listed: bool
    order: Order
    clock: ClockOption
    fixed_deal: bool  # the deal was chosen, not drawn
    free_chat: bool
    commitment: str  # to the server's half of the deal
    spectators: int
    created: float
    rematch: str | None  # the table of the next game
    takebacks: bool
    paused: bool  # the clocks stand still until somebody wants to go on or plays
    link: str
    plan: PlanWire | None  # the reader's own; nobody else is told that there is one
    nudged: list[int]  # the seats that wait for the reader and have said so
    meanwhile: Meanwhile | None  # what happened while the reader was away, once they are back


class TableLine(Wire, frozen=True):
    """A table in a list: the lobby, or "my games"."""

    id: str
    map: str
    state: TableState
    names: list[str]
    colours: list[int]  # by seat
    seats: int
    free: int
    listed: bool
    clock: ClockOption
    your_turn: bool
    you: int | None  # my chair, where I have one
    here: bool  # I have several: people pass this device on
    updated: float
    places: list[int] | None  # by seat, once it is over
    totals: list[int] | None
    aside: str = ""  # why this game was put aside, if it cannot be played on


# ---------------------------------------------------------------- plans


class PlanResult(Wire, frozen=True):
    """What became of the plan at my turn: played; begun, and the rest asked of me; or none of it was possible."""

    kind: Literal["played", "stopped", "none"]
    wish: Wish | None
    at: float


class PlanWire(Wire, frozen=True):
    """What I wish for my next turns, each a list of which the first that is possible is played."""

    turns: list[list[Wish]]
    result: PlanResult | None


class PlanRequest(Wire, frozen=True):
    """The plan from now on; without a turn there is none."""

    turns: list[list[Wish]]


# ---------------------------------------------------------------- the end


# ---------------------------------------------------------------- from the server, live


class Hello(Wire, frozen=True, tag_field="t", tag="hello"):
    """First on every stream: who the reader is to this table."""

    table: TableWire
    server: str
    chat: list[ChatWire]


class TableNews(Wire, frozen=True, tag_field="t", tag="table"):
    """The table changed: a seat, a connection, its state."""

    table: TableWire


class Update(Wire, frozen=True, tag_field="t", tag="update"):
    """The game moved from `since` to `seq`. `steps` are the moves between, `offers` the reader's legal lines.

    A reader who was not at `since` has missed something: it asks for the history from where it stood.
    """

    since: int
    seq: int
    asked: int  # the number to send with a move: when the reader's present question was put
    view: ViewWire
    offers: list[str]
    undo: bool  # the reader's last choice can be taken back: nobody has learned anything from it
    clock: ClockWire | None
    steps: list[StepWire]


class Ack(Wire, frozen=True, tag_field="t", tag="ack"):
    """The move of this client id is durable; `seq` is the number it was sent with."""

    cid: str
    seq: int


class Refused(Wire, frozen=True, tag_field="t", tag="refused"):
    """Nothing changed. A rule says no: `clause` names it and `why` says what is wrong, for each reader's page to word.

    Or the protocol does: `clause` is "" and `why` null; `code` is then the page's key. `reason` is in English.
    """

    cid: str
    clause: str
    reason: str
    stale: bool
    code: str = ""
    why: WhyWire | None = None


class Payment(Wire, frozen=True):
    """One way to pay: the lines to send for it, in order."""

    lines: list[str]
    colour: str
    cards: int
    locos: int
    asks: list[str]  # the answers to what is asked then


class Answer(Wire, frozen=True, tag_field="t", tag="answer"):
    """What a track, or something at a place, would cost the reader now, best first; or why it cannot be had."""

    cid: str
    about: str
    payments: list[Payment]
    clause: str
    reason: str
    why: WhyWire | None = None


class PathWire(Wire, frozen=True):
    """The cheapest path of a ticket, or of several together: its tracks, what is lent on it, what it still takes."""

    tracks: list[str]
    loans: list[LoanWire]
    trains: int
    cards: dict[str, int]  # not in hand; "gray" is any one colour, "loco" what a track asks for by name


class HelpWire(Wire, frozen=True):
    """What something new does for a ticket: the trains to lay without it (null: no way was left) and with it."""

    ticket: str
    before: int | None
    after: int


class LoanHelpWire(Wire, frozen=True):
    """What one more loan at a place would be good for: the track to borrow, and the tickets that helps."""

    place: str
    track: str
    helps: list[HelpWire]


class KeepWire(Wire, frozen=True):
    """Tickets that could be kept together, and one path for all of them (null: there is none)."""

    tickets: list[str]
    path: PathWire | None


class Advice(Wire, frozen=True, tag_field="t", tag="advice"):
    """What the reader's tickets take, and what would help them, in the position of this number."""

    seq: int
    paths: dict[str, PathWire | None]  # of each ticket held or to choose from; null: it cannot be done
    together: PathWire | None  # of all tickets still to do
    keeps: list[KeepWire]  # of the tickets offered, every two and more
    keep: list[str] | None  # of the offered tickets those to keep, if some are within reach
    helps: dict[str, list[HelpWire]]  # by track that is open, where it helps
    loans: list[LoanHelpWire]  # where one more loan would help


class ChatWire(Wire, frozen=True):
    """A phrase that each reader's page says in its own language, or free text among friends."""

    at: float
    seat: int | None
    name: str
    phrase: str | None
    text: str | None


class ChatNews(Wire, frozen=True, tag_field="t", tag="chat"):
    chat: ChatWire


class Finale(Wire, frozen=True, tag_field="t", tag="finale"):
    """The score sheet, once the game is over."""

    scores: list[ScoreWire]
    reason: EndReason


class Vote(Wire, frozen=True, tag_field="t", tag="vote"):
    """Somebody asks to take back their last move, for a pause, or for a bot; all other people there must agree."""

    kind: VoteKind
    seat: int
    agreed: list[int]
    open: bool
    about: int | None = None  # the seat a bot is to play for


class Trouble(Wire, frozen=True, tag_field="t", tag="trouble"):
    """A frame was of no use, or something must be said. Nothing changed. `code`: the page's key, `n`: its number."""

    reason: str
    code: str = ""
    n: int | None = None


class Pong(Wire, frozen=True, tag_field="t", tag="pong"):
    now: float


FromServer: TypeAlias = (
    Hello | TableNews | Update | Ack | Refused | Answer | Advice | ChatNews | Finale | Vote | Trouble | Pong
)

# ---------------------------------------------------------------- to the server, live

Cid = str  # 1 to 40 characters of the client's choosing, new for every move


class Move(Wire, frozen=True, tag_field="t", tag="move"):
    """Play these lines one after the other, all or none. `seq` is the `asked` of the latest update."""

    seq: int
    cid: str
    lines: list[str]
    lag: float = 0.0  # seconds that the message took, as the sender measured; a live clock gives some of it back


class Undo(Wire, frozen=True, tag_field="t", tag="undo"):
    """Take back the latest choice that nobody has learned anything from."""

    seq: int
    cid: str


class Ask(Wire, frozen=True, tag_field="t", tag="ask"):
    """What would this track, or something here, cost me?"""

    cid: str
    about: str  # a track's or a place's id


class Advise(Wire, frozen=True, tag_field="t", tag="advise"):
    """What do my tickets take, and what would help them?"""


class Say(Wire, frozen=True, tag_field="t", tag="say"):
    """Speak. What comes again with the same `cid` is not said twice."""

    phrase: str | None = None
    text: str | None = None
    cid: str = ""


class TakeBack(Wire, frozen=True, tag_field="t", tag="takeback"):
    """Ask to take back my last move (agree = null), or answer somebody who asked.

    With the same `cid` it counts once.
    """

    agree: bool | None = None
    cid: str = ""


class Pause(Wire, frozen=True, tag_field="t", tag="pause"):
    """Ask for a pause of the clocks (agree = null), answer somebody who asked, or end the pause (resume).

    With the same `cid` it counts once.
    """

    agree: bool | None = None
    resume: bool = False
    cid: str = ""


class BotVote(Wire, frozen=True, tag_field="t", tag="bot"):
    """Ask that a bot plays for who sits on `seat` and is away (agree = null), or answer somebody who asked.

    With the same `cid` it counts once.
    """

    seat: int = -1
    agree: bool | None = None
    cid: str = ""


class Nudge(Wire, frozen=True, tag_field="t", tag="nudge"):
    """Tell who sits on `seat` that all wait for them. With the same `cid` it counts once."""

    seat: int
    cid: str = ""


class Resync(Wire, frozen=True, tag_field="t", tag="resync"):
    """Send me the present state."""


class Looks(Wire, frozen=True, tag_field="t", tag="looks"):
    """Whether this page can be seen now. Who looks at a table is not called to it; before this is said one does."""

    visible: bool


class Ping(Wire, frozen=True, tag_field="t", tag="ping"):
    pass


ToServer: TypeAlias = Move | Undo | Ask | Advise | Say | TakeBack | Pause | BotVote | Nudge | Resync | Looks | Ping

# ---------------------------------------------------------------- HTTP


class Me(Wire, frozen=True):
    """A guest. `token` is given to programs that ask for it, to be sent as a bearer token."""

    id: str
    name: str
    lang: str | None
    named: bool  # the name was chosen, not given
    token: str | None = None
    holiday: str | None = None  # the last day of it, YYYY-MM-DD


class Carry(Wire, frozen=True):
    """By which another device becomes me. The link holds a secret of its own, the picture shows the link (SVG)."""

    words: str
    link: str
    picture: str
    seconds: int  # for so long it is good


class CarryHere(Wire, frozen=True):
    """A phrase as it was typed, or what stands in a link after #."""

    secret: str


class CarryFound(Wire, frozen=True):
    """Whom a device would become."""

    name: str
    games: int  # of theirs that are not over
    leaves: int  # games of the guest this device is now
    same: bool  # it is them already


class Reach(Wire, frozen=True):
    """How others reach the service."""

    base: str  # of links, as in http://192.168.1.7:8000


class MeChange(Wire, frozen=True):
    """What is left out, or null, stays; but a holiday that is null is over."""

    name: str | None = None
    lang: str | None = None
    holiday: str | msgspec.UnsetType | None = msgspec.UNSET


class QuietHours(Wire, frozen=True):
    """From and until which hour nobody is to be called, HH:MM by the clock of their time zone."""

    start: str
    end: str
    zone: str  # as in Europe/Bucharest


class CallSettings(Wire, frozen=True):
    """What I want to be told while I do not look, on my devices and by mail. At first nothing."""

    push: list[CallKind] = msgspec.field(default_factory=list)
    mail: list[CallKind] = msgspec.field(default_factory=list)
    quiet: QuietHours | None = None


class NewDevice(Wire, frozen=True):
    """A subscription of this browser, as its push service gave it; `key` is the service's key it was made with."""

    endpoint: str
    p256dh: str
    auth: str
    key: str
    name: str


class DeviceWire(Wire, frozen=True):
    """A browser that is told; the endpoint is nobody's business, its id tells it from others."""

    id: str
    name: str
    created: float


class MailAddress(Wire, frozen=True):
    address: str


class MailWire(Wire, frozen=True):
    address: str
    confirmed: bool


class Calls(Wire, frozen=True):
    """How I am called back. `key` is what a browser subscribes with; `mail_offered`: this service can send mail."""

    settings: CallSettings
    devices: list[DeviceWire]
    mail: MailWire | None
    mail_offered: bool
    key: str


class SeatRequest(Wire, frozen=True):
    """What stands at a chair of a new table: me, open for a person, a bot by its id, or one of several people here.

    Without a colour it gets the next. `name` is for people here, who play in turns on one device.
    """

    kind: Literal["me", "open", "bot", "here"]
    bot: str | None = None
    colour: int | None = None
    name: str | None = None


class FromHere(Wire, frozen=True):
    """A finished game, and after how many of its moves it is to be played on: with the same hidden cards."""

    table: str
    moves: int


class NewTable(Wire, frozen=True):
    map: str
    seats: list[SeatRequest]
    listed: bool = False
    order: Order = "drawn"
    clock: ClockOption = ClockOption()
    seed: int | None = None  # a chosen deal: the table says so
    promise: str | None = None  # the ticket of a promise: needed to give a part of the deal
    browser_seed: str | None = None  # the creator's part of the deal, hexadecimal
    start: bool = False  # begin at once if no chair is open
    from_here: FromHere | None = None  # for me against bots alone: the seats are those of that game


class PromiseWire(Wire, frozen=True):
    """The commitment to the server's half of a deal, before the table is made; the ticket makes it."""

    table: str
    commitment: str
    ticket: str


class SitDown(Wire, frozen=True):
    """`browser_seed` is my part of the deal, drawn after I saw the commitment."""

    browser_seed: str | None = None


class Rematch(Wire, frozen=True):
    promise: str | None = None
    browser_seed: str | None = None


class MoveRequest(Wire, frozen=True):
    """A move by HTTP; the same as on the socket. `seat`: for which of my chairs, where I have several."""

    seq: int
    cid: str
    lines: list[str]
    seat: int | None = None


class MoveReply(Wire, frozen=True):
    ok: bool
    seq: int
    clause: str
    reason: str
    stale: bool
    why: WhyWire | None = None


class SeatChange(Wire, frozen=True):
    """The host puts a bot on an open chair, or opens it again."""

    chair: int
    kind: Literal["open", "bot"]
    bot: str | None = None


class ColourChoice(Wire, frozen=True):
    """The colour I want to have, 0 to 4; one that another person has is refused."""

    colour: int


class RemovePlayer(Wire, frozen=True):
    """The host asks the person on a chair to leave, before the game."""

    chair: int


class Report(Wire, frozen=True):
    seat: int
    reason: Literal["chat", "name", "play", "other"]
    text: str = ""


class Block(Wire, frozen=True):
    """Block the person on a seat, or no more."""

    seat: int
    blocked: bool


class BlockedWire(Wire, frozen=True):
    """Somebody I blocked; the handle undoes it and says nothing else."""

    handle: str
    name: str


class BotFact(Wire, frozen=True):
    """A bot that can sit down. `level` is 1 for the gentlest, and null for one that the service's owner added."""

    id: str
    level: int | None
    about: str  # how it plays, in a few English words


class FairSeat(Wire, frozen=True):
    """One chair's part of the deal."""

    seat: int
    name: str
    seed: str
    by: Literal["browser", "server"]


class FairWire(Wire, frozen=True):
    """Everything needed to check the deal; the server's seed is null until the game is over."""

    table: str
    commitment: str
    server_seed: str | None
    seats: list[FairSeat]  # in the order of sitting down
    order: list[int]  # the seat each of them plays on
    drawn: bool  # the order was drawn, not fixed
    seed: str | None  # of the deal; 63 bits, so as text
    fixed_deal: bool
    checked: str | None  # "" if all is right


class ReplayStep(Wire, frozen=True):
    """One move of a finished game with the position after it, all hands open."""

    seq: int
    seat: int | None
    by: str
    line: str
    at: float
    events: list[EventWire]
    view: ViewWire


ReviewState = Literal["none", "working", "done", "failed"]


class CurvePoint(Wire, frozen=True):
    """After so many moves: what the seat to move thinks of all, what each thought last of its own, and points."""

    move: int
    win: list[float]
    own: list[float]
    points: list[float]


class ReviewProgress(Wire, frozen=True):
    """How far the review of a finished game is: `done` of `of` pieces. The curve is there first."""

    state: ReviewState
    done: int
    of: int
    curve: list[CurvePoint]


Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder"]


class ReviewLedger(Wire, frozen=True):
    """Why a seat's chance of winning went from `start` to the result, in parts of a win.

    Other players' luck and skill count as they changed mine; `remainder` is what all these do not tell. `kinds`: my own
    luck, by what it came with.
    """

    start: float
    own_luck: float
    own_skill: float
    others_luck: float
    others_skill: float
    remainder: float
    kinds: dict[str, float]


class ReviewPlayer(Wire, frozen=True):
    """What a review tells of a player. `skill` is what was lost by choices, 0 or less."""

    seat: int
    name: str
    accuracy: float  # 0 to 100
    skill: float
    luck: float
    result: float  # the part of the win
    total: int
    ledger: ReviewLedger
    verdicts: dict[str, int]


class ReviewOption(Wire, frozen=True):
    """A choice that was tried: the chance of winning by it, the standard error of that, and how often."""

    line: str
    win: float
    error: float
    visits: int


class ReviewChance(Wire, frozen=True):
    """What chance had to do with a move: its kind, and what came of it for every seat.

    That is against the mean of all that could have come; `error` is the standard error of it.
    """

    kind: str
    by_seat: list[float]
    error: float
    outcomes: int
    exact: bool


class ReviewMove(Wire, frozen=True):
    """A move: judged by what its player knew, or (`verdict` null) not judged, since there was nothing to choose."""

    number: int  # from 1
    seat: int
    line: str
    win_before: float
    win_after: float
    best: str | None
    loss: float | None
    error: float | None
    verdict: Verdict | None
    close: bool | None
    luck: float | None
    chance: ReviewChance | None
    options: list[ReviewOption]
    reason: dict[str, int | str | list[str]] | None  # its kind, and what its sentence names


class ReviewTurn(Wire, frozen=True):
    """A move at which the game turned, and what it changed for every seat."""

    move: int
    seat: int
    swing: list[float]
    cause: Literal["luck", "skill"]


class ReviewTicket(Wire, frozen=True):
    """A ticket that somebody was offered: when it was won or lost, what keeping it was worth, how its chances went."""

    seat: int
    ticket: str
    points: int
    offered: int
    kept: bool
    completed: bool | None
    won_at: int | None
    lost_at: int | None
    worth: float | None
    chances: list[tuple[int, float]]


class ReviewOpen(Wire, frozen=True):
    """After so many moves: each seat's chance of winning, for who had seen all cards."""

    move: int
    win: list[float]


class ReviewMap(Wire, frozen=True):
    """Which map a game was played on."""

    id: str
    hash: str


class ReviewWire(Wire, frozen=True):
    """The review of a finished game (`branchline review --json`)."""

    format: str
    map: ReviewMap
    setting: str
    weights: str
    note: str  # "" if the network was trained on this map; else candidates were played out
    players: list[ReviewPlayer]
    curve: list[CurvePoint]
    moves: list[ReviewMove]
    turning: list[ReviewTurn]
    costliest: list[list[int]]  # by seat, the worst first
    tickets: list[ReviewTicket]
    open: list[ReviewOpen]  # with all hands and tickets known; none where that was not worked out


class FilePlayer(Wire, frozen=True):
    """Who sat there, as a game file says; `bot` names the program that chose."""

    name: str
    bot: str | None


class ReplayFile(Wire, frozen=True):
    """A game file, played again. `verdict` is "" if all of it is right, else the first thing that is not."""

    map: str
    players: list[FilePlayer]
    steps: list[ReplayStep]  # up to a move that is not legal
    scores: list[ScoreWire]  # none if the game is not over
    verdict: str
