"""The face of the base game: the codes and lines of its actions, its events and its phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from branchline.base import actions as a
from branchline.base import events as e
from branchline.faces import Deck, Face, Move, Notes, Teller, bare
from branchline.kernel import state as k
from branchline.maps.model import CARDS, MAX_DECK, MAX_TICKETS, MapData, TicketDeal

if TYPE_CHECKING:
    from branchline.mechanics.composed import Position
    from branchline.mechanics.composed_face import Names

ENDS: dict[int, e.EndReason] = {k.LAST_ROUND: "last round", k.ALL_PASSED: "all passed", k.NO_PROGRESS: "no progress"}

# ---------------------------------------------------------------- actions


def _claim(n: int, s: Position, names: Names, seat: int) -> a.ClaimTrack:
    word, bit = divmod(n, 64)
    return a.ClaimTrack(names.tracks[word % k.TRACK_WORDS * k.BITS + bit], CARDS[word // k.TRACK_WORDS])


def _claim_number(action: a.ClaimTrack, s: Position, names: Names, seat: int) -> int:
    track, colour = names.track.get(action.track, -1), names.card.get(action.colour, -1)
    if track < 0 or colour < 0:
        return -1
    return k.WORD * (k.TRACK_WORDS * colour + track // k.BITS) + track % k.BITS


def _keep(n: int, s: Position, names: Names, seat: int) -> a.KeepTickets:
    return a.KeepTickets(tuple(names.tickets[t] for i, t in enumerate(offer_of(s, seat)) if (n + 1) >> i & 1))


def _keep_number(action: a.KeepTickets, s: Position, names: Names, seat: int) -> int:
    tickets, offer = action.tickets, [names.tickets[t] for t in offer_of(s, seat) if t != k.HIDDEN]
    if not tickets or len(set(tickets)) != len(tickets) or not set(tickets) <= set(offer):
        return -1
    return sum(1 << offer.index(t) for t in tickets) - 1


def _return(n: int, s: Position, names: Names, seat: int) -> a.ReturnTicket:
    return a.ReturnTicket(names.tickets[offer_of(s, seat)[n]])


def _return_number(action: a.ReturnTicket, s: Position, names: Names, seat: int) -> int:
    ticket, offer = names.ticket.get(action.ticket, -1), offer_of(s, seat)
    return offer.index(ticket) if ticket in offer[s.kept_n[seat] + s.ordered_n[seat] :] else -1


def offer_of(s: Position, seat: int) -> list[int]:
    """The tickets a seat chooses from."""
    return s.offer[seat * k.OFFER : seat * k.OFFER + s.offer_n[seat]]


_DISPLAY = range(k.DRAW_DISPLAY, k.DRAW_DISPLAY + k.DISPLAY)
_CLAIM = range(k.WORD * k.CLAIM, k.WORD * k.CLAIM_END)
_LOCOS = range(k.LOCOS, k.LOCOS + k.LENGTHS)
_KEEP = range(k.WORD * k.KEEP, k.WORD * k.KEEP + (1 << k.OFFER) - 1)
_RETURN = range(k.RETURN, k.RETURN + k.OFFER)

_MOVES = (
    Move(
        a.DrawDisplay,
        "draw NUMBER",
        _DISPLAY,
        lambda n, *_: a.DrawDisplay(n + 1),
        lambda action, *_: action.place - 1,
        form="draw 1 … draw 5",
    ),
    bare(a.DrawDeck(), "draw deck", k.DRAW_DECK),
    bare(a.DrawTickets(), "tickets", k.TICKETS),
    Move(a.ClaimTrack, "claim TRACK COLOUR", _CLAIM, _claim, _claim_number),
    Move(a.PlayLocos, "locos NUMBER", _LOCOS, lambda n, *_: a.PlayLocos(n), lambda action, *_: action.count),
    Move(a.KeepTickets, "keep TICKET …", _KEEP, _keep, _keep_number, fixed=False),
    Move(a.ReturnTicket, "return TICKET", _RETURN, _return, _return_number, fixed=False),
    bare(a.Pass(), "pass", k.PASS),
)

# ---------------------------------------------------------------- events


def _drew(notes: Notes, seat: int, place: int, card: int, _: int) -> e.Event:
    return e.DrewBlind(seat, CARDS[card]) if place < 0 else e.DrewCard(seat, place + 1, CARDS[card])


def _claimed(notes: Notes, seat: int, t: int, colour: int, cards: int) -> e.Event:
    """`colour` counts twice, and one more where the points do; `cards` holds the locomotives in its low six bits."""
    twice, track = colour % 2, notes.data.tracks[t]
    points = notes.data.track_points[track.length] * (1 + twice)
    return e.TrackClaimed(seat, track.id, CARDS[colour // 2], cards // k.PAIR, cards % k.PAIR, points, bool(twice))


_EVENTS: dict[int, Teller] = {
    k.E_DREW: _drew,
    k.E_FILLED: lambda notes, place, card, *_: e.DisplayFilled(place + 1, CARDS[card]),
    k.E_SWEPT: lambda *_: e.DisplaySwept(),
    k.E_RESHUFFLED: lambda notes, cards, *_: e.DeckReshuffled(cards),
    k.E_TICKET: lambda notes, ticket, *_: notes.hold(k.E_TICKET, notes.names.tickets[ticket]),
    k.E_TICKETS: lambda notes, seat, count, *_: e.TicketsOffered(seat, count, notes.held(k.E_TICKET)),
    k.E_KEPT: lambda notes, seat, kept, offered, _: e.TicketsKept(seat, kept, offered, notes.taken(k.E_TICKET)),
    k.E_CLAIMED: _claimed,
    k.E_PASSED: lambda notes, seat, *_: e.Passed(seat),
    k.E_LAST_ROUND: lambda notes, seat, *_: e.LastRoundBegan(seat),
    k.E_TURN: lambda notes, seat, *_: e.TurnBegan(seat),
    k.E_OVER: lambda notes, end, *_: e.GameEnded(ENDS[end]),
}

# ---------------------------------------------------------------- phases

Phase: TypeAlias = Literal["over", "first_tickets", "turn", "draw_first", "draw_second", "keep_tickets", "pay"]
_PHASES: dict[int, Phase] = {
    k.OVER: "over",
    k.FIRST_TICKETS: "first_tickets",
    k.TURN: "turn",
    k.DRAW_FIRST: "draw_first",
    k.DRAW_SECOND: "draw_second",
    k.KEEP_TICKETS: "keep_tickets",
    k.PAY: "pay",
}

# ---------------------------------------------------------------- decks


def _tickets(data: MapData, names: Names) -> dict[str, int]:
    return {t.id: names.ticket[t.id] for t in data.tickets if not t.long}


def _long_tickets(data: MapData, names: Names) -> dict[str, int]:
    return {t.id: names.ticket[t.id] for t in data.tickets if t.long}


def _first_tickets(data: MapData) -> tuple[int, int]:
    first = data.first_tickets
    return (first.normal if isinstance(first, TicketDeal) else first.cards), 0


def _first_long(data: MapData) -> tuple[int, int]:
    first = data.first_tickets
    return (first.long if isinstance(first, TicketDeal) else 0), 0


_DECKS = (
    Deck(
        key="train_deck",
        card="train card",
        rig="train_rig",
        most=MAX_DECK,
        numbers=lambda data, names: names.card,
        dealt=lambda data: (data.first_hand, data.display),
        reshuffles="reshuffles",
        clause="C-18",
    ),
    Deck(
        key="tickets",
        card="ticket",
        rig="ticket_rig",
        most=MAX_TICKETS,
        numbers=_tickets,
        dealt=_first_tickets,
        reshuffles="ticket_reshuffles",
        clause="IBE-05",
    ),
    Deck("long_tickets", "long ticket", "long_rig", MAX_TICKETS, _long_tickets, _first_long),
)

FACE = Face(
    moves=_MOVES,
    events=_EVENTS,
    phases=_PHASES,
    simultaneous=(k.FIRST_TICKETS,),
    decks=_DECKS,
    chance={e.DrewBlind: "card", e.DisplayFilled: "display", e.TicketsOffered: "tickets"},
)
