"""Drafts: tickets taken from packs that go round (IBE-03 .. IBE-10, IBE-19). What is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from branchline.base import actions as a
from branchline.base.events import AskedAnew, Public, Reader, SeatChose
from branchline.faces import Face, Move, Teller
from branchline.kernel.board import make_board
from branchline.kernel.state import OFFER
from branchline.maps.model import MapData
from branchline.mechanics.drafts.rules import pack_of
from branchline.mechanics.drafts.state import (
    DRAFT_CARD,
    DRAFT_KEEP,
    DRAFT_PICK,
    E_DRAFT,
    E_DRAFT_CARD,
    E_PACKS,
    E_PICKED,
    PICK,
)
from branchline.objections import Case, NotAwaited, Objection, explains

if TYPE_CHECKING:
    from branchline.actions import Action as AnyAction
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names

# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class PickTicket:
    """Take this ticket from the pack and pass the others on (IBE-04)."""

    ticket: str


Action: TypeAlias = PickTicket


def _action(n: int, s: Position, names: Names, seat: int) -> PickTicket:
    return PickTicket(names.tickets[_pack(s, seat)[n]])


def _number(action: PickTicket, s: Position, names: Names, seat: int) -> int:
    ticket, pack = names.ticket.get(action.ticket, -1), _pack(s, seat)
    return pack.index(ticket) if ticket in pack else -1


def _pack(s: Position, seat: int) -> list[int]:
    if s.phase != DRAFT_PICK:
        return []
    at = pack_of(s, seat) * OFFER
    return s.pack[at : at + s.pack_n]


_MOVES = (Move(PickTicket, "take TICKET", range(PICK, PICK + OFFER), _action, _number, fixed=False),)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class SecondDraftCardUp(Public):
    """The second-draft card came up (IBE-08)."""


@dataclass(frozen=True, slots=True)
class DraftBegan(AskedAnew):
    """Packs of tickets were dealt (IBE-04, IBE-09)."""

    number: int
    cards: int


@dataclass(frozen=True, slots=True)
class PacksPassed(AskedAnew):
    """All have taken a card and all packs have moved (IBE-19)."""

    step: int


@dataclass(frozen=True, slots=True)
class TicketPicked(SeatChose):
    """A ticket taken from a pack: the player's secret (IBE-06)."""

    ticket: str | None

    def seen_by(self, reader: Reader) -> TicketPicked:
        return self if reader == self.seat else TicketPicked(self.seat, None)


Event: TypeAlias = SecondDraftCardUp | DraftBegan | PacksPassed | TicketPicked


_EVENTS: dict[int, Teller] = {
    E_DRAFT_CARD: lambda *_: SecondDraftCardUp(),
    E_DRAFT: lambda notes, number, cards, *_: DraftBegan(number, cards),
    E_PICKED: lambda notes, seat, ticket, *_: TicketPicked(seat, notes.names.tickets[ticket]),
    E_PACKS: lambda notes, _, step, *__: PacksPassed(step),
}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class DraftChosen:
    """And waits for the others."""


@dataclass(frozen=True, slots=True)
class DraftFirst:
    """Tickets are drawn only once the second draft is over."""


@dataclass(frozen=True, slots=True)
class NotInPack:
    ticket: str


@dataclass(frozen=True, slots=True)
class KeepDrafted:
    keep: int  # exactly


@explains(NotAwaited)
def _waits(case: Case, action: AnyAction) -> Objection | None:
    return ("IBE-19", DraftChosen()) if case.s.phase in (DRAFT_PICK, DRAFT_KEEP) else None


@explains(a.DrawTickets)
def _draw(case: Case, action: a.DrawTickets) -> Objection | None:
    return ("IBE-10", DraftFirst()) if case.b.draft_cards and case.s.draft < 2 else None


@explains(PickTicket)
def _pick(case: Case, action: PickTicket) -> Objection:
    return "IBE-04", NotInPack(action.ticket)


@explains(a.KeepTickets)
def _keep(case: Case, action: a.KeepTickets) -> Objection | None:
    if case.s.phase != DRAFT_KEEP:
        return None
    return "IBE-05", KeepDrafted(min(case.b.draft_keep, case.s.offer_n[case.seat]))


Refusal: TypeAlias = DraftChosen | DraftFirst | NotInPack | KeepDrafted

# ---------------------------------------------------------------- the card in the train deck


def _train_cards(data: MapData, names: Names) -> dict[str, int]:
    return {"second-draft": DRAFT_CARD} if make_board(data).draft_cards else {}


# ---------------------------------------------------------------- the whole

FACE = Face(
    moves=_MOVES,
    events=_EVENTS,
    phases={DRAFT_PICK: "draft", DRAFT_KEEP: "keep_drafted"},
    simultaneous=(DRAFT_PICK, DRAFT_KEEP),
    train_cards=_train_cards,
    chance={DraftBegan: "draft"},
)
