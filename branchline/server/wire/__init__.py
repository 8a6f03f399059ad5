"""Everything that crosses the wire, as closed structures. The page's types are generated from this file.

A message of the live stream has its kind in `t`. Moves are lines of the game's notation: an offer is a line the
server says is legal, and a player sends one back.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Phase = Literal[
    "over",
    "first_tickets",
    "draft",
    "keep_drafted",
    "turn",
    "draw_first",
    "draw_second",
    "keep_tickets",
    "pay",
    "double",
    "festival",
    "tunnel",
    "pay_station",
]
TableState = Literal["open", "playing", "over", "dropped"]
SeatKind = Literal["open", "person", "bot"]
ClockKind = Literal["none", "live", "days"]
Order = Literal["drawn", "fixed"]


class Wire(msgspec.Struct, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """A value on the wire: frozen, and strict about what it reads."""


# ---------------------------------------------------------------- facts of a map


class PlaceFact(Wire, frozen=True):
    id: str
    name: str
    kind: Literal["city", "country", "way_station"]
    country: str | None
    dead_end: bool
    lat: float
    lon: float
    label: str  # the name, told apart from others of the same name


class TrackFact(Wire, frozen=True):
    id: str
    a: str
    b: str
    length: int
    colour: str
    ferry: int
    tunnel: bool
    reconstructed: bool


class TicketFact(Wire, frozen=True):
    """Each end lists the places that complete it; `from_` and `to` are what a player reads."""

    id: str
    a: list[str]
    b: list[str]
    from_: str = msgspec.field(name="from")
    to: str
    points: int
    long: bool
    reconstructed: bool


class FestivalFact(Wire, frozen=True):
    id: str
    places: list[str]
    cards: int
    reconstructed: bool


class TerrainFact(Wire, frozen=True):
    id: str
    name: str
    colours: list[str]
    cards: int


class MapFacts(Wire, frozen=True):
    """What is printed on a board and its cards: no state, no rule."""

    id: str
    name: str
    hash: str
    min_players: int
    max_players: int
    trains: int
    cards_per_colour: int
    locomotives: int
    display: int
    last_round_at: int
    both_tracks_from: int
    track_points: list[int]  # by length; [0] is 0
    first_tickets: dict[str, int]  # normal, long, keep_at_least; or draft, keep_exactly
    ticket_draw: int
    ticket_keep: int
    longest_path: int
    globetrotter: int
    tunnel_cards: int
    stations_each: int
    station_points: int
    festival_points: list[int]  # by cards of one city; empty without festivals
    cards_to_double: list[int]  # by track length, 0 = cannot be doubled; empty without terrain
    terrain_face_up: int
    festivals: list[FestivalFact]
    terrain: list[TerrainFact]
    places: list[PlaceFact]
    tracks: list[TrackFact]
    tickets: list[TicketFact]
    reconstructed: list[str]  # the parts of this map that are our reconstruction
    sources: list[str]


# ---------------------------------------------------------------- views


class PlayerWire(Wire, frozen=True):
    """One player as the reader sees them."""

    seat: int
    trains: int
    score: int
    cards: int
    hand: dict[str, int]  # what is known of it
    tickets: list[str]  # those known to the reader
    ticket_count: int
    completed: list[str]  # of the known tickets
    stations: list[str]
    stations_left: int
    terrain: dict[str, int]
    festivals: dict[str, int]
    festival_count: int


class TunnelWire(Wire, frozen=True):
    """The tunnel now attempted: the cards turned up and what they cost."""

    track: str
    cards: list[str]
    extra: int


class ViewWire(Wire, frozen=True):
    """All a reader may know of a position. `reader` is a seat, or null for a spectator."""

    reader: int | None
    phase: Phase
    to_act: list[int]
    on_turn: int
    turns_left: int | None  # in the last round
    display: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    terrain_display: list[str | None]
    terrain_deck: int
    festivals: dict[str, int]  # lying at the cities, by group
    tunnel: TunnelWire | None
    pending: str | None  # the track, or the place of the station, of the reader's claim in the making
    owners: dict[str, int]
    doubled: list[str]
    closed: list[str]  # unclaimed tracks nobody, or not the reader, can claim any more
    offered: list[str]  # tickets to choose from, or taken so far in a draft
    pack: list[str]  # the pack of a draft before the reader
    players: list[PlayerWire]
    end: str | None


class ClockWire(Wire, frozen=True):
    """Seconds left by seat at the moment of sending, and the seats whose clock runs; `now` is the server's time."""

    left: list[float]
    running: list[int]
    now: float


class EventWire(Wire, frozen=True, omit_defaults=True):
    """Something that happened, as the reader may know it. `kind` is the event's name; only its own fields are there."""

    kind: str
    seat: int | None = None
    place: int | str | None = None
    card: str | None = None
    cards: int | list[str] | None = None
    group: str | None = None
    terrain: str | None = None
    count: int | None = None
    tickets: list[str] | None = None
    ticket: str | None = None
    kept: int | None = None
    offered: int | None = None
    track: str | None = None
    colour: str | None = None
    locos: int | None = None
    points: int | None = None
    doubled: bool | None = None
    extra: int | None = None
    number: int | None = None
    step: int | None = None
    reason: str | None = None


class StepWire(Wire, frozen=True):
    """The events of one move, in the order of the log; step 0 is the deal.

    `by` says who chose: the deal, a player, a bot, a proxy (the bot that plays for somebody who is away), the clock
    (for somebody who ran out of time), or a standin (for a bot that failed).
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
    holiday: bool  # in a game of days: the owner is away, and the clock does not run out meanwhile


class TableWire(Wire, frozen=True):
    """A table as one reader sees it; `you` is the reader's chair, `host` whether the table is theirs to start."""

    id: str
    map: str
    state: TableState
    seats: list[SeatWire]
    you: int | None
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


class TableLine(Wire, frozen=True):
    """A table in a list: the lobby, or "my games"."""

    id: str
    map: str
    state: TableState
    names: list[str]
    seats: int
    free: int
    listed: bool
    clock: ClockOption
    your_turn: bool
    you: int | None
    updated: float
    places: list[int] | None  # by seat, once it is over
    totals: list[int] | None
    aside: str = ""  # why this game was put aside, if it cannot be played on


# ---------------------------------------------------------------- the end


class TicketLine(Wire, frozen=True):
    ticket: str
    points: int  # with its sign
    completed: bool
    path: list[str]  # the tracks that join its ends, borrowed ones among them
    borrowed: list[str]


class LoanWire(Wire, frozen=True):
    place: str
    track: str | None


class FestivalLine(Wire, frozen=True):
    group: str
    cards: int
    points: int


class ScoreWire(Wire, frozen=True):
    """One player's sheet; the parts add up to the total."""

    seat: int
    place: int
    total: int
    tracks: int
    tickets: list[TicketLine]
    completed: int
    stations: int
    loans: list[LoanWire]
    festivals: list[FestivalLine]
    longest_path: int
    longest_path_tracks: list[str]
    longest_path_bonus: int
    globetrotter_bonus: int


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
    """Nothing changed. `clause` names the rule, or is "" where the protocol says no; `code`: the page's key for it."""

    cid: str
    clause: str
    reason: str
    stale: bool
    code: str = ""


class Payment(Wire, frozen=True):
    """One way to pay: the lines to send for it, in order."""

    lines: list[str]
    colour: str
    cards: int
    locos: int


class Answer(Wire, frozen=True, tag_field="t", tag="answer"):
    """What a track or a station would cost the reader now, best first; or why it cannot be had."""

    cid: str
    about: str
    payments: list[Payment]
    clause: str
    reason: str


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
    reason: str


class Vote(Wire, frozen=True, tag_field="t", tag="vote"):
    """Somebody asks to take back their last move, or for a pause; all other people at the table must agree."""

    kind: Literal["back", "pause"]
    seat: int
    agreed: list[int]
    open: bool


class Trouble(Wire, frozen=True, tag_field="t", tag="trouble"):
    """A frame was of no use, or something must be said. Nothing changed. `code`: the page's key, `n`: its number."""

    reason: str
    code: str = ""
    n: int | None = None


class Pong(Wire, frozen=True, tag_field="t", tag="pong"):
    now: float


FromServer: TypeAlias = Hello | TableNews | Update | Ack | Refused | Answer | ChatNews | Finale | Vote | Trouble | Pong

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
    """What would this track, or a station here, cost me?"""

    cid: str
    about: str  # a track's or a place's id


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


class Resync(Wire, frozen=True, tag_field="t", tag="resync"):
    """Send me the present state."""


class Ping(Wire, frozen=True, tag_field="t", tag="ping"):
    pass


ToServer: TypeAlias = Move | Undo | Ask | Say | TakeBack | Pause | Resync | Ping

# ---------------------------------------------------------------- HTTP


class Me(Wire, frozen=True):
    """A guest. `token` is given to programs that ask for it, to be sent as a bearer token."""

    id: str
    name: str
    lang: str | None
    named: bool  # the name was chosen, not given
    token: str | None = None
    holiday: str | None = None  # the last day of it, YYYY-MM-DD


class MeChange(Wire, frozen=True):
    """What is left out, or null, stays; but a holiday that is null is over."""

    name: str | None = None
    lang: str | None = None
    holiday: str | msgspec.UnsetType | None = msgspec.UNSET


class SeatRequest(Wire, frozen=True):
    """What stands at a chair of a new table: me, open for a person, or a bot by its id."""

    kind: Literal["me", "open", "bot"]
    bot: str | None = None


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
    """A move by HTTP; the same as on the socket."""

    seq: int
    cid: str
    lines: list[str]


class MoveReply(Wire, frozen=True):
    ok: bool
    seq: int
    clause: str
    reason: str
    stale: bool


class SeatChange(Wire, frozen=True):
    """The host puts a bot on an open chair, or opens it again."""

    chair: int
    kind: Literal["open", "bot"]
    bot: str | None = None


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
